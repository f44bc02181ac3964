"""A state fits into one number and comes out of it as it was; a wider layout keeps the order."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gomboc.checker.explore.table.model.layout import MOST_BITS, Layout, TooWideError, bits_for

WIDTHS = st.tuples(st.lists(st.integers(1, 6), min_size=1, max_size=3), st.integers(0, 4), st.integers(1, 8))


@st.composite
def packed(draw):
    bits, slots, slot_bits = draw(WIDTHS)
    states = draw(
        st.lists(
            st.tuples(
                st.tuples(*(st.integers(0, (1 << width) - 1) for width in bits)),
                st.lists(st.integers(0, (1 << slot_bits) - 1), min_size=slots, max_size=slots),
            ),
            min_size=1,
        )
    )
    layout = Layout(bits, slots, slot_bits)
    locals_ = [np.array([state[0][node] for state in states], np.int32) for node in range(len(bits))]
    columns = [np.array([state[1][slot] for state in states], layout.slot_type) for slot in range(slots)]
    return layout, locals_, columns


def lists(columns):
    return [column.tolist() for column in columns]


@given(packed())
def test_what_is_packed_comes_out_as_it_was(state):
    layout, locals_, slots = state
    keys = layout.pack(locals_, slots, 0)
    after = layout.unpack(keys)
    assert (lists(after.locals), lists(after.slots)) == (lists(locals_), lists(slots))
    assert (keys >= 0).all()


@given(packed(), st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))
def test_a_wider_layout_holds_the_same_states_in_the_same_order(state, wider, more, longer):
    layout, locals_, slots = state
    bits = [width + wider for width in layout.local_bits]
    assume(sum(bits) + (layout.slots + more) * (layout.slot_bits + longer) <= MOST_BITS)
    later = Layout(bits, layout.slots + more, layout.slot_bits + longer)
    keys = np.sort(layout.pack(locals_, slots, 0))
    recoded = later.recode(keys, layout)
    assert (np.diff(recoded) >= 0).all()
    before, after = layout.unpack(keys), later.unpack(recoded)
    assert lists(after.locals) == lists(before.locals)
    assert lists(after.slots[: layout.slots]) == lists(before.slots)
    assert not any(slot.any() for slot in after.slots[layout.slots :])


def in_slots(contents, layout):
    """Sets of messages in descending order, slot by slot."""
    rows = [sorted(content, reverse=True) for content in contents]
    filled = [row + [0] * (layout.slots - len(row)) for row in rows]
    return [np.array([row[slot] for row in filled], layout.slot_type) for slot in range(layout.slots)]


@given(st.lists(st.sets(st.integers(1, 6)), min_size=1), st.integers(0, 3), st.integers(0, 2))
def test_a_bit_for_each_message_holds_the_same_sets_in_the_same_order(contents, more, wider):
    slotted, members = Layout([2], 6, 3), Layout([2 + wider], 6 + more, 4, members=6 + more)
    keys = np.sort(slotted.pack([np.zeros(len(contents), np.int32)], in_slots(contents, slotted), 0))
    recoded = members.recode(keys, slotted)
    assert ((np.diff(recoded) > 0) == (np.diff(keys) > 0)).all()
    assert (np.diff(recoded) >= 0).all()
    assert lists(members.unpack(recoded).slots[:6]) == lists(slotted.unpack(keys).slots)
    assert not any(slot.any() for slot in members.unpack(recoded).slots[6:])
    assert (members.bare(recoded) == 0).all()
    assert int(recoded.max()) < 1 << 6


def test_a_state_that_does_not_fit_is_refused():
    assert Layout([20, 20], 1, 23).slots == 1
    says = "a state needs 64 bits, and the table-driven explorer has 63: if a value grows without bound, bound it"
    with pytest.raises(TooWideError, match=f"^{says} in the model; else take a smaller model, or --engine plain$"):
        Layout([20, 20], 1, 24)


@pytest.mark.parametrize(("values", "bits"), [(0, 1), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (256, 8), (257, 9)])
def test_bits_tell_so_many_values_apart(values, bits):
    assert bits_for(values) == bits
