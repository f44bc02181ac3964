"""The golden traces of HyParView: lines and rings of few members, and one fault planted in each bad one."""

from typing import Any

from gomboc.spec.publishing.publications import Parameters, published
from tests.golden import plain
from tests.golden.drive import Header, State, header
from tests.golden.hyparview.negatives import ALTERATIONS
from tests.golden.telling import negatives_of, stories_of

SMALL = {"active": 2, "passive": 3, "arwl": 2, "prwl": 1, "ka": 1, "kp": 1, "key_bits": 8}
WIDE = {**SMALL, "active": 3}


def publication(publisher: str, number: int) -> list[Any]:
    """The valid publication of that publisher and number."""
    one = published(publisher, number, "", Parameters(8))
    return [one.key, one.publisher, one.number, one.payload, one.signer]


A1, A2, C1 = (["news", publication(*name)] for name in (("a", 1), ("a", 2), ("c", 1)))


def member(*active: str, **more: Any) -> State:
    """The state of a member with those links."""
    return {"status": "inside", "active": list(active), **more}


def start(parameters: dict[str, Any], states: dict[str, State], *messages: tuple[str, Any]) -> Header:
    """The start of a system with those states, and with those messages in flight, each with its target."""
    return header("hyparview", parameters, dict.fromkeys(states, "node"), states, messages)


LINE = {"a": member("b"), "b": member("a", "c"), "c": member("b", "d"), "d": member("c")}
RING = {"a": member("b", "d"), "b": member("a", "c"), "c": member("b", "d"), "d": member("a", "c")}
RIGHT = start(SMALL, RING)
ONE_END = start(
    SMALL,
    {**LINE, "a": member("b", "c"), "d": member("c", "e", held=[C1]), "e": {"status": "crashed"}},
    ("b", {"kind": "Disconnect", "sender": "d"}),
)
KNOWING = start(SMALL, {**LINE, "a": member("b", passive=["c", "d"]), "d": member("c", passive=["a", "b"])})
REFUSED = start(SMALL, {**LINE, "a": member("b", passive=["c"]), "d": member("c", passive=["b"])})
GROWING = start(WIDE, {"a": member("b"), "b": member("a"), "c": {"status": "outside"}, "d": {"status": "outside"}})
NAMED = start(WIDE, {"a": member("b", passive=["d"]), "b": member("a"), "d": {"status": "outside"}})
FULL = start(SMALL, {**RING, "e": {"status": "outside"}})
EMPTY = start(WIDE, {name: {"status": "outside"} for name in "abc"})
APART = start({**SMALL, "keep": 1}, {"a": member("b", held=[A1]), "b": member("a", "c"), "c": member("b", held=[C1])})
EQUAL = start(SMALL, {name: {**state, "held": [A1]} for name, state in RING.items()})
UNEQUAL = start(SMALL, {"a": member("b", held=[A1]), "b": member("a", "c", held=[A2]), "c": member("b", held=[C1])})
LATE = start(SMALL, {**LINE, "a": member("b", held=sorted([A1, A2], key=lambda item: item[1][0]))})


STORIES = stories_of("hyparview", globals())

ALTERED = {"kind": "Keep", "sender": "c"}
NEGATIVES = plain.lies(STORIES.runs["unequal"], ALTERED, {"contact": "c"}) | negatives_of(
    "hyparview", ALTERATIONS, STORIES.runs
)
