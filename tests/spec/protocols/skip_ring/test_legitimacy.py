import msgspec
import pytest
from hypothesis import given
from msgspec.structs import replace

from gomboc.spec.core.domain import enumerate_values
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import Fault
from gomboc.spec.protocols.skip_ring import PROTOCOL, legitimacy
from gomboc.spec.protocols.skip_ring.space import any_configuration, to_subscribers
from gomboc.spec.protocols.skip_ring.state import (
    FIELDS,
    Check,
    Claim,
    Entry,
    Linearize,
    SetData,
    Subscribe,
    Subscriber,
    Supervisor,
    Unsubscribe,
)
from gomboc.spec.protocols.skip_ring.supervisor import repair
from tests.spec.protocols.skip_ring import starts

THREE = starts.database_of(3)


def rules_of(faults):
    return [fault.rule for fault in faults]


@pytest.mark.parametrize("nodes", range(18))
def test_a_right_ring_has_no_fault(nodes):
    assert legitimacy_faults(PROTOCOL, starts.right_states(nodes, ("w1",)), ()) == ()


@pytest.mark.parametrize(
    ("database", "rules"),
    [
        ((), []),
        (THREE, []),
        ((Entry("0", "a"), Entry("1", None)), ["no_empty_tuple"]),
        ((Entry("0", "a"), Entry("1", "a")), ["one_label_each"]),
        ((Entry("0", "a"), Entry("01", "b")), ["no_label_missing", "no_label_beyond"]),
        ((Entry("1", "a"),), ["no_label_missing", "no_label_beyond"]),
        ((Entry("0", "a"), Entry("1", "supervisor")), ["only_subscribers"]),
    ],
)
def test_each_corruption_of_the_database_is_named(database, rules):
    assert rules_of(legitimacy.anchor_faults(database)) == rules


def test_a_fault_says_what_was_expected_and_found_and_where_the_paper_says_so():
    assert legitimacy.anchor_faults((Entry("0", "a"), Entry("1", None))) == (
        Fault("no_empty_tuple", "supervisor", "no tuple without a subscriber", ["1"], "Section 3.1 (i)"),
    )


@given(starts.supervisors)
@starts.EXAMPLES
def test_a_database_is_without_fault_if_and_only_if_repair_leaves_it_as_it_is(local):
    assert (legitimacy.anchor_faults(local.database) == ()) == (repair(local.database) == local.database)


@pytest.mark.parametrize(
    ("field", "value", "rule"),
    [
        ("label", "11", "label_is_recorded"),
        ("label", None, "label_is_recorded"),
        ("left", Claim("0", "v2"), "left_is_predecessor"),
        ("right", None, "right_is_successor"),
        ("ring", Claim("11", "v1"), "ring_is_closed"),
        ("shortcuts", (Entry("0", None),), "shortcuts_are_right"),
        ("wants", False, "wish_is_granted"),
    ],
)
def test_each_variable_that_is_wrong_is_a_fault_of_its_own(field, value, rule):
    right = starts.right_states(3)["v3"]
    (fault,) = legitimacy.node_faults(THREE, "v3", replace(right, **{field: value}))
    assert (fault.rule, fault.node) == (rule, "v3")
    assert (fault.expected, fault.found) == (getattr(right, field), value)


def test_every_variable_of_a_subscriber_has_a_conjunct():
    elsewhere = {"crashed", "forgets", "publications", "hashes"}
    assert {field for _, field, _ in legitimacy.CONJUNCTS} == set(Subscriber.__struct_fields__) - elsewhere


@given(starts.subscribers)
@starts.EXAMPLES
def test_a_node_is_without_fault_if_and_only_if_it_is_the_right_one(u):
    assert (legitimacy.node_faults(THREE, "v1", u) == ()) == (u == starts.right_states(3)["v1"])


def test_a_node_that_is_not_recorded_is_right_if_it_is_outside_and_wants_to_be():
    assert legitimacy.node_faults(THREE, "w1", legitimacy.OUTSIDE) == ()
    assert rules_of(legitimacy.node_faults(THREE, "w1", Subscriber())) == ["wish_is_granted"]
    assert legitimacy.node_faults(THREE, "supervisor", Supervisor()) == ()


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (SetData(None, None, None), SetData(Claim("0", "v1"), "01", Claim("1", "v2"))),
        (Check(Claim("1", "v2"), "11", "LIN"), "01"),
        (Linearize(Claim("11", "v2")), Claim("1", "v2")),
        (Linearize(Claim("01", "w1")), None),
        (Subscribe("w1"), "a recorded node"),
        (Unsubscribe("v1"), "a node not recorded"),
    ],
)
def test_a_message_that_could_disturb_the_ring_comes_with_what_would_not(message, expected):
    (fault,) = legitimacy.message_faults(THREE, "v3", message)
    assert fault.expected == expected


def test_the_ring_is_that_of_the_repaired_database():
    corrupted = (*THREE[:2], Entry("1", "v2"), Entry("11", None))
    assert legitimacy.ring_of(corrupted) == legitimacy.ring_of(THREE)


BAD, NODES = ("10",), ("v1",)
WRONG_MESSAGES = tuple(enumerate_values(to_subscribers(BAD, NODES, any_configuration(BAD, NODES))))
BAD_CLAIM = Claim(*BAD, *NODES)
WRONG_STATES = (
    *(Subscriber(**{field: BAD_CLAIM}) for field in ("left", "right", "ring")),
    Supervisor((Entry(*BAD, *NODES),)),
)


@pytest.mark.parametrize("value", [*WRONG_MESSAGES, *WRONG_STATES], ids=repr)
def test_every_label_in_every_kind_of_value_is_looked_at(value):
    assert len(FIELDS.malformed(None, value)) == msgspec.json.encode(value).count(b'"10"')


@given(starts.subscribers, starts.supervisors, starts.messages)
@starts.EXAMPLES
def test_everything_in_the_space_is_canonical(u, local, message):
    assert FIELDS.malformed(None, u) == FIELDS.malformed(None, local) == FIELDS.malformed(None, message) == ()
