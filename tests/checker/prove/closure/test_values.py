"""Values of declared types: collections have a bounded number of items, which is said of what is proved with them."""

from enum import Enum

import pytest
from msgspec.structs import replace

from gomboc.checker.judge.verdict import Unknown
from gomboc.checker.prove.report import lines
from gomboc.checker.prove.settlement import Proved, Refuted, Settled, Settlement
from gomboc.spec import NodeName, Outcome
from tests.checker.prove.closure.followers import Follower, keeping, own


class Mood(Enum):
    CALM = "calm"
    GRIM = "grim"


class Listing(Follower, frozen=True):
    names: tuple[NodeName, ...] = ()
    friends: frozenset[NodeName] = frozenset()
    mood: Mood = Mood.CALM


def breaking(count):
    return own(lambda me, local: Outcome(replace(local, number=9 if count(local) else 3)), state=Listing)


def test_what_is_proved_with_bounded_collections_is_said_to_be_so():
    result = own(keeping, state=Listing, world={"most": {"Listing.names": 0}})
    assert isinstance(result, Proved)
    assert result.bounds == {"Listing.friends": 1, "Listing.names": 0}
    settled = Settlement("small", Settled("It is said", True, result), (), "s", "any n", "us", "-", "-", (), 0.0)
    first, _, bounded, *_ = lines(settled)
    assert first == f"small: proved for bounded collections, {result.parts} parts (any n; 0.0 s)"
    assert (
        bounded
        == "  bounded: at most 0 items in Listing.names; at most 1 item in Listing.friends; nothing is proved of more"
    )


def test_what_is_proved_without_collections_has_no_bounds():
    assert own(keeping).bounds == {}


BREAKING = {
    "a member of a set": lambda local: local.peer in local.friends,
    "an empty set": lambda local: not local.friends,
    "one of an enumeration": lambda local: local.mood is Mood.GRIM,
    "one by its value": lambda local: local.mood.value == "grim",
}


@pytest.mark.parametrize("count", BREAKING.values(), ids=BREAKING)
def test_sets_and_enumerations_have_each_value(count):
    assert isinstance(breaking(count), Refuted)


def test_a_longer_collection_needs_a_larger_bound():
    def step(me, local):
        return Outcome(replace(local, number=9 if len(set(local.names)) > 1 else local.number))

    assert own(step, state=Listing).bounds == {"Listing.friends": 1, "Listing.names": 1}
    assert isinstance(own(step, state=Listing, world={"most": {"Listing.names": 2}}), Refuted)


class Weighing(Follower, frozen=True):
    weight: float = 0.0


def test_a_type_without_symbols_is_refused_in_a_sentence():
    with pytest.raises(Exception, match=r"^Weighing.weight: closure cannot be proved of values of type float: name a"):
        own(keeping, state=Weighing)


def test_the_first_of_a_set_is_open_or_broken_but_never_proved():
    result = breaking(lambda local: [*local.friends, "leader"][0] == "leader")
    assert isinstance(result, Refuted | Unknown)
