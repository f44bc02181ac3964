"""Functions derived from declared fields: of small structs, and of the values of every protocol."""

from operator import attrgetter
from random import Random
from typing import Annotated

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from gomboc.spec.core.domain import sample
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.protocols.chord import PROTOCOL as CHORD
from gomboc.spec.protocols.skip_plus import PROTOCOL as SKIP_PLUS
from gomboc.spec.protocols.skip_ring import PROTOCOL as SKIP_RING
from gomboc.spec.types.derived import Derived
from gomboc.spec.types.fields import Ascending, AtMost, Holds, NodeName, Within
from tests.sampling import share


class Claim(Struct, frozen=True, array_like=True):
    """A struct inside others."""

    node: NodeName | None
    count: Annotated[int, Within(0)]


class Word(Struct, frozen=True, tag=True):
    """A message without a name."""

    text: str


class Hail(Struct, frozen=True, tag=True):
    """A message with a name."""

    node: NodeName


class Node(Struct, frozen=True):
    """A state with a field of each form."""

    best: NodeName = "a"
    text: str = "a"
    claims: Annotated[tuple[Claim, ...], Ascending(attrgetter("node")), AtMost("most")] = ()
    pair: tuple[int, NodeName] = (0, "a")
    one: Claim | None = None
    heard: Word | Hail = Word("a")


class Parameters(Struct, frozen=True):
    """Parameters as a protocol has them."""

    most: int = 2


def _has_best(parameters, node):
    return None if node.best else "a best node"


FIELDS = Derived(Node, Word | Hail, relations={Node: Holds(_has_best, rule="has_best", source="Slide 1")})
FULL = Node("b", "a", (Claim("a", 0), Claim("c", 1)), (1, "d"), Claim("e", 2), Hail("f"))


def test_names_are_found_in_every_form_of_a_field_and_texts_are_none():
    assert sorted(FIELDS.named(FULL)) == ["a", "b", "c", "d", "e", "f"]
    assert FIELDS.named(Node("b", pair=(0, "b"))) == ("b", "b")
    assert FIELDS.named(Word("a")) == ()
    assert FIELDS.named(Node(one=Claim(None, 1))) == ("a", "a")


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        (FULL, []),
        (replace(FULL, claims=FULL.claims[::-1]), [("canonical", "claims ascending, each once", ("c", "a"))]),
        (replace(FULL, one=Claim("a", -1)), [("canonical", "count from 0 on", -1)]),
        (replace(FULL, claims=(Claim("a", -2),)), [("canonical", "count from 0 on", -2)]),
        (Node(""), [("has_best", "a best node", Node(""))]),
        (
            replace(FULL, claims=tuple(Claim(name, 0) for name in "aab")),
            [
                ("canonical", "claims ascending, each once", ("a", "a", "b")),
                ("canonical", "claims, at most 2", tuple(Claim(name, 0) for name in "aab")),
            ],
        ),
        (Word("a"), []),
    ],
)
def test_every_fault_is_named_with_what_should_be_there_and_what_is(value, faults):
    assert [(fault.rule, fault.expected, fault.found) for fault in FIELDS.malformed(Parameters(), value)] == faults


Count = Annotated[int, Within(0)]


class Told(Struct, frozen=True, tag=True):
    """A message that may have a fault."""

    count: Count


class Corners(Struct, frozen=True):
    """A state that may have a fault in each form of a field."""

    pair: tuple[str, Count] = ("a", 0)
    counts: tuple[Count | None, ...] = (0, None)
    heard: Word | Told = Word("a")
    some: Annotated[tuple[str, ...], Holds(lambda _, some: None if some else "some", source="Slide 1")] = ("a",)


@pytest.mark.parametrize("right", [{}, {"counts": ()}])
def test_no_fault_is_found_where_there_is_none(right):
    assert Derived(Corners).malformed(None, Corners(**right)) == ()


@pytest.mark.parametrize("wrong", [{"pair": ("a", -1)}, {"counts": (0, None, -1)}, {"heard": Told(-1)}, {"some": ()}])
def test_a_fault_is_found_in_every_form_of_a_field(wrong):
    assert len(Derived(Corners).malformed(None, Corners(**wrong))) == 1


def test_renaming_changes_names_only_and_sorts_again():
    swapped = FIELDS.renamed(FULL, {"a": "c", "c": "a", "f": "e", "e": "f"})
    assert swapped == Node("b", "a", (Claim("a", 1), Claim("c", 0)), (1, "d"), Claim("f", 2), Hail("e"))
    assert FIELDS.renamed(Word("a"), {"a": "b"}) == Word("a")


PROTOCOLS = {
    "skip_ring": (SKIP_RING, {}),
    "skip_ring publishing": (SKIP_RING, {"key_bits": 4}),
    "chord": (CHORD, {"bits": 6, "ids": "number", "r": 3, "meet": True}),
    "skip_plus": (SKIP_PLUS, {}),
}


@pytest.mark.parametrize("name", PROTOCOLS)
@given(nodes=st.integers(2, 6), seed=st.integers(0, 10**6), data=st.data())
@settings(max_examples=share(30))
def test_a_well_formed_value_stays_well_formed_under_other_names(name, nodes, seed, data):
    protocol = configured(*PROTOCOLS[name])
    start = sample(protocol.starts.space(Size(nodes, messages=6)), Random(seed))
    names = sorted(node for node, role in start.roles if role == protocol.vocabulary.member)
    renaming = dict(zip(names, data.draw(st.permutations(names)), strict=True))
    for value in (*(local for _, local in start.locals), *(message for _, message in start.in_flight)):
        assert protocol.naming.malformed(value) == ()
        swapped = protocol.naming.renamed(value, renaming)
        if name != "skip_plus":  # its names have a string, and so ranges depend on them
            assert protocol.naming.malformed(swapped) == ()
        assert sorted(protocol.naming.named(swapped)) == sorted(
            renaming.get(node, node) for node in protocol.naming.named(value)
        )
        assert protocol.naming.renamed(swapped, {new: old for old, new in renaming.items()}) == value
