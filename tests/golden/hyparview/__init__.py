"""The golden traces of HyParView: lines and rings of few members, and one fault planted in each bad one."""

from typing import Any

from gomboc.checker.simulate.plan import PlannedCommand
from gomboc.spec.publishing.publications import Parameters, published
from tests.golden import plain
from tests.golden.drive import Header, State, header
from tests.golden.hyparview.negatives import ALTERATIONS
from tests.golden.telling import HonestRun, TimeoutCase, negatives_of

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


def spread(at: float, node: str, item: list[Any]) -> PlannedCommand:
    """The command to spread a publication."""
    return PlannedCommand(at, node, "Spread", {"topic": item[0], "publication": item[1]})


STORIES = {
    "links_at_one_end": HonestRun(ONE_END, 1, from_spec=True),
    "ends_of_a_line_get_linked": HonestRun(KNOWING, 2, from_spec=True),
    "full_views_refuse": HonestRun(REFUSED, 2, from_spec=True),
    "two_join": HonestRun(
        GROWING,
        3,
        (PlannedCommand(0.2, "c", "Join", {"contact": "a"}), PlannedCommand(0.3, "d", "Join", {"contact": "b"})),
        from_spec=True,
    ),
    "one_joins_full_views": HonestRun(FULL, 4, (PlannedCommand(0.2, "e", "Join", {"contact": "a"}),), from_spec=True),
    "begins_with_one": HonestRun(
        EMPTY,
        5,
        (
            PlannedCommand(0.1, "a", "Join", {"contact": "a"}),
            PlannedCommand(0.5, "b", "Join", {"contact": "a"}),
            PlannedCommand(2, "c", "Join", {"contact": "b"}),
        ),
        from_spec=True,
    ),
    "one_crashes": HonestRun(
        start(SMALL, RING),
        6,
        (PlannedCommand(0.2, "c", "Crash"), PlannedCommand(0.3, "b", "Suspect", {"node": "c"})),
        from_spec=True,
    ),
    "one_leaves": HonestRun(start(SMALL, RING), 7, (PlannedCommand(2, "c", "Leave"),), from_spec=True),
    "each_end_holds_what_the_others_lack": HonestRun(APART, 8, from_spec=True),
    "one_publishes": HonestRun(start(SMALL, RING), 9, (spread(1, "b", A1), spread(1.5, "d", A2)), from_spec=True),
    "all_is_right": HonestRun(EQUAL, 12, from_spec=True),
    "outside_and_named": HonestRun(NAMED, 11, from_spec=True),
    "two_are_missing_at_once": HonestRun(LATE, 10, from_spec=True),
}

ALTERED = {"kind": "Keep", "sender": "c"}
NEGATIVES = plain.lies(HonestRun(UNEQUAL, 12), ALTERED, {"contact": "c"}) | negatives_of(
    "hyparview", ALTERATIONS, STORIES
)

HASTE = TimeoutCase(
    "Three nodes in a line hold different publications, after as many rounds as the header allows.", UNEQUAL, 1
)
