"""Small rings that are explored completely: the starts and expected results of each.

With `meet`, the claims are settled for any number of messages in flight. Elsewhere little but violations is known, as
some run comes to the bound of the instance. The records were made by
`gomboc explore chord --recorded --exhaustive`.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations

from msgspec.structs import replace

from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.instance import Instance, instance_of
from gomboc.spec.core.pinned import HOLDS, UNKNOWN, VIOLATED, Pinned, Results
from gomboc.spec.core.protocol import variant
from gomboc.spec.protocols.chord import PROTOCOL, configured
from gomboc.spec.protocols.chord.legitimacy import anchor, right_state
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.space import any_message, names_of
from gomboc.spec.protocols.chord.state import CRASHED, Node, StabilizeReply

Names = tuple[str, ...]
States = Mapping[str, OneOf]


def small(bits: int, r: int, meet: bool = False) -> Parameters:
    """Parameters of a small ring, in which ids are the numbers in names, and no node keeps fingers."""
    return Parameters(bits, "number", r, meet, fingers=False)


def ring(parameters: Parameters, states: States, most: int, printed: str | None = None, **budget: int) -> Instance:
    """A ring with nodes that start in those domains, nothing in flight at first, and at most `most` messages later.

    With `printed`, by the rule of that name as printed.
    """
    ours = configured({name: getattr(parameters, name) for name in PROTOCOL.variants.parameters})
    return instance_of(variant(ours, printed), states, most=most, budget=budget)


def anything(parameters: Parameters, nodes: int) -> States:
    """Any predecessor and any list of each of so many members, and with `meet` all others as its peers."""
    names = names_of(parameters.circle, nodes)
    return {name: OneOf(tuple(_any_state(parameters, names, name))) for name in names}


def _any_state(parameters: Parameters, names: Names, me: str) -> Iterator[Node]:
    others = tuple(name for name in names if name != me)
    lists = [entries for length in range(parameters.r + 1) for entries in permutations(others, length)]
    for predecessor in (None, *others):
        for successors in lists:
            yield Node("inside", predecessor, successors, peers=others if parameters.meet else ())


def headed(parameters: Parameters, nodes: int) -> States:
    """The same, but each has a successor."""
    return {
        name: OneOf(tuple(state for state in domain.values if state.successors))
        for name, domain in anything(parameters, nodes).items()
    }


def misled(parameters: Parameters, nodes: int, most: int) -> Instance:
    """Any predecessors and lists with one message in flight, or none."""
    messages = any_message(parameters, names_of(parameters.circle, nodes), (), ())
    return replace(ring(parameters, anything(parameters, nodes), most), messages=messages, in_flight=1)


def named_outside(parameters: Parameters, nodes: int, most: int) -> Instance:
    """Any predecessors and lists of `nodes` members, which may name a node outside, and at most one message in flight.

    The node outside may want in.
    """
    *members, last = names_of(parameters.circle, nodes + 1)
    states = anything(parameters, nodes + 1)
    contacts = (None, members[0])
    outside = OneOf(tuple(Node(contact=contact, peers=tuple(members)) for contact in contacts))
    messages = any_message(parameters, tuple(members), (), (last,))
    return replace(ring(parameters, {**states, last: outside}, most), messages=messages, in_flight=1)


def ideal(parameters: Parameters, members: int, outside: int = 0) -> States:
    """An ideal ring of so many members, and so many nodes outside."""
    names = names_of(parameters.circle, members + outside)
    inside = anchor(parameters, dict.fromkeys(names[:members], True))
    at_first = {name: right_state(parameters, inside, name) for name in inside}
    return {name: OneOf((at_first.get(name, Node()),)) for name in names}


def heads(parameters: Parameters, *follows: int) -> States:
    """A ring in which node i has the head follows[i], which has the predecessor i; with `meet`, all are peers."""
    names = names_of(parameters.circle, len(follows))
    before = {names[head]: name for name, head in zip(names, follows, strict=True)}
    peers = {name: tuple(other for other in names if other != name) if parameters.meet else () for name in names}
    follow = {name: (names[head],) for name, head in zip(names, follows, strict=True)}
    return {name: OneOf((Node("inside", before[name], follow[name], peers=peers[name]),)) for name in names}


def overtaken(parameters: Parameters, most: int, printed: str | None = None) -> Instance:
    """Four members, two of them no longer in the ring, and optionally a late answer in flight that names these two."""
    names = names_of(parameters.circle, 6)
    one, joined, asked, named, fourth, fifth = names
    states = {
        one: Node("inside", fifth, (joined, fourth)),
        joined: Node("inside", one, (fourth, fifth)),
        asked: CRASHED,
        named: CRASHED,
        fourth: Node("inside", joined, (fifth, one)),
        fifth: Node("inside", fourth, (one, joined)),
    }
    late = (one, StabilizeReply(asked, one, (named, fourth)))
    begun = ring(parameters, {name: OneOf((state,)) for name, state in states.items()}, most, printed, crash=1)
    return replace(begun, messages=OneOf((late,)), in_flight=1)


def grown_behind(parameters: Parameters, most: int) -> Instance:
    """Four members, and optionally a late answer that names a crashed node; a member is between it and the sender."""
    names = names_of(parameters.circle, 5)
    one, joined, asked, grown, named = names
    states = {
        one: Node("inside", grown, (joined, asked)),
        joined: Node("inside", one, (asked, grown)),
        asked: Node("inside", joined, (grown, one)),
        grown: Node("inside", asked, (one, joined)),
        named: CRASHED,
    }
    begun = ring(parameters, {name: OneOf((state,)) for name, state in states.items()}, most, crash=1)
    return replace(begun, messages=OneOf(((one, StabilizeReply(asked, one, (named,))),)), in_flight=1)


ONE, TWO, WIDE = small(2, 1), small(2, 2), small(3, 2)
MEETING, MEETING_TWO = small(2, 1, meet=True), small(2, 2, meet=True)

OPEN = (UNKNOWN, UNKNOWN, UNKNOWN, HOLDS) + (UNKNOWN,) * 8
"""Closure, convergence twice (AG EF, and every fair run), not vacuous, canonical; the invariant, six consequences.

Some run has more than `most` messages in flight, so that nothing is claimed but that it is not vacuous.
"""

KEPT = (HOLDS, *OPEN[1:4], HOLDS, *OPEN[5:])
"""The same, but closed, and all values are well-formed, with any number of messages in flight."""

WITH_MEET = (HOLDS,) * 5
"""The same without the invariant and its consequences: settled for any number of messages in flight."""

BROKEN = (*KEPT[:5], VIOLATED, UNKNOWN, VIOLATED, VIOLATED, UNKNOWN, UNKNOWN, VIOLATED)
"""A list without a live entry: no ring, so that no principal is in one, and no appendage reaches one."""

NEVER_IDEAL = (HOLDS, UNKNOWN, VIOLATED, *KEPT[3:])
"""A fair run that never becomes ideal."""

HEAD_ONLY = (UNKNOWN, UNKNOWN, VIOLATED, *OPEN[3:5], VIOLATED, UNKNOWN, UNKNOWN, UNKNOWN, VIOLATED, UNKNOWN, VIOLATED)
"""The only successor of a joiner has crashed: its appendage reaches no ring, and it may become a ring of its own."""

WAITING = (HOLDS, VIOLATED, VIOLATED, *KEPT[3:])
"""A state from which nothing ideal is reached."""

PRINCIPALS = (*KEPT[:5], VIOLATED, *OPEN[6:])
"""The invariant alone is violated."""

STUCK = (UNKNOWN, UNKNOWN, VIOLATED, UNKNOWN, HOLDS, VIOLATED)
"""A start without the invariant; no fair run becomes legitimate, so nothing is said of closure."""

BACKWARDS = (UNKNOWN, *STUCK[1:], UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, VIOLATED, UNKNOWN)
"""The ring is not ordered. No state is legitimate, so that none could be left."""

TWO_RINGS = (UNKNOWN, *STUCK[1:], UNKNOWN, UNKNOWN, UNKNOWN, VIOLATED, UNKNOWN, UNKNOWN)
"""There is more than one ring, and no legitimate state."""

MODELS: tuple[Pinned, ...] = (
    Pinned(
        "join",
        "n = 3, r = 2: one more joins",
        ring(TWO, ideal(TWO, 3, 1), 3, join=1),
        Results(1, 3_851, 25_360, 569, KEPT, 3_677),
    ),
    Pinned(
        "crash",
        "n = 4, r = 2: one crashes",
        ring(TWO, ideal(TWO, 4), 3, crash=1),
        Results(1, 41_921, 253_836, 1_813, OPEN, 40_352),
    ),
    Pinned(
        "grow",
        "r = 2: two join a lone member",
        ring(TWO, ideal(TWO, 1, 2), 3, join=2),
        Results(1, 14_841, 80_390, 471, KEPT, 13_865),
    ),
    Pinned(
        "join_and_crash",
        "n = 3, r = 2: one joins, and one crashes",
        ring(TWO, ideal(TWO, 3, 1), 2, crash=1, join=1),
        Results(1, 2_791, 14_749, 145, OPEN, 2_733),
    ),
    Pinned(
        "asks_first",
        "n = 2, r = 1: one joins, and one crashes",
        ring(ONE, ideal(ONE, 2, 1), 3, crash=1, join=1),
        Results(1, 3_416, 18_047, 559, KEPT, 3_180),
    ),
    Pinned(
        "adopts_unasked",
        "the same if a candidate is adopted unasked, which is meant to fail: the last successor of a member is dead",
        ring(ONE, ideal(ONE, 2, 1), 3, printed="adopts_unasked", crash=1, join=1),
        Results(1, 5_699, 29_408, 604, BROKEN, 5_311),
        "adopts_unasked",
    ),
    Pinned(
        "stored_lists_only",
        "the same if lists on their way do not count, which is meant to fail",
        ring(ONE, ideal(ONE, 2, 1), 3, printed="stored_lists_only", crash=1, join=1),
        Results(1, 6_521, 33_558, 604, BROKEN, 6_104),
        "stored_lists_only",
    ),
    Pinned(
        "never_pings",
        "the same if no node pings its predecessor, which is meant to fail: a dead one stays",
        ring(ONE, ideal(ONE, 2, 1), 3, printed="never_pings", crash=1, join=1),
        Results(1, 3_631, 20_783, 470, NEVER_IDEAL, 2_804),
        "never_pings",
    ),
    Pinned(
        "fingers_only",
        "n = 2, r = 1: one joins, by the lookup of the report, which is meant to fail: its question goes in circles",
        ring(ONE, ideal(ONE, 2, 1), 5, printed="fingers_only", join=1),
        Results(1, 29_948, 219_890, 5_069, NEVER_IDEAL, 25_705),
        "fingers_only",
        long=True,
    ),
    Pinned(
        "four",
        "n = 4, r = 2: one joins, and one crashes",
        ring(WIDE, ideal(WIDE, 4, 1), 2, crash=1, join=1),
        Results(1, 49_703, 319_220, 500, OPEN, 49_088),
    ),
    Pinned(
        "copies_head_only",
        "n = 4, r = 2: one joins and copies its head only, and one crashes, which is meant to fail",
        ring(WIDE, ideal(WIDE, 4, 1), 2, printed="copies_head_only", crash=1, join=1),
        Results(1, 63_225, 406_353, 534, HEAD_ONLY, 62_619),
        "copies_head_only",
        long=True,
    ),
    Pinned(
        "waits_for_answers",
        "n = 2, r = 1: one joins, if no node answers with a question open, which is meant to fail: all wait for ever",
        ring(ONE, ideal(ONE, 2, 1), 3, printed="waits_for_answers", join=1),
        Results(1, 1_473, 6_179, 318, WAITING, 1_143),
        "waits_for_answers",
    ),
    Pinned(
        "lists_used_now",
        "n = 4, r = 2: an answer came too late, and one crashes, if late lists do not count, which is meant to fail",
        overtaken(WIDE, 3, "lists_used_now"),
        Results(2, 74_859, 444_013, 1_989, (*OPEN[:5], *BROKEN[5:]), 72_076),
        "lists_used_now",
    ),
    Pinned(
        "grown_behind",
        "n = 4, r = 2: an answer came too late, a member has got in behind its sender, and one crashes",
        grown_behind(WIDE, 3),
        Results(2, 43_058, 260_849, 1_835, OPEN, 41_464),
    ),
    Pinned(
        "principals_fail_freely",
        "n = 3, r = 2: one crashes, if it does not count how many are left, which is meant to fail",
        ring(TWO, ideal(TWO, 3), 2, printed="principals_fail_freely", crash=1),
        Results(1, 1_369, 5_862, 67, PRINCIPALS, 1_314),
        "principals_fail_freely",
    ),
    Pinned(
        "backwards",
        "n = 3, r = 1: the ring backwards, which is meant to fail: without `meet` it stays",
        ring(ONE, heads(ONE, 2, 0, 1), 3),
        Results(1, 160, 867, 0, BACKWARDS, 147),
    ),
    Pinned(
        "two_rings",
        "n = 4, r = 1: two rings, which are meant to fail: without `meet` they stay",
        ring(ONE, heads(ONE, 2, 3, 0, 1), 3),
        Results(1, 293, 1_896, 0, TWO_RINGS, 276),
    ),
    Pinned(
        "false_suspicions",
        "n = 4, r = 1: two false suspicions",
        ring(ONE, ideal(ONE, 4), 2, false_suspicion=2),
        Results(1, 4_295, 27_376, 87, OPEN, 4_238),
    ),
    Pinned(
        "three_false_suspicions",
        "n = 3, r = 2: three false suspicions",
        ring(TWO, ideal(TWO, 3), 2, false_suspicion=3),
        Results(1, 31_070, 167_142, 88, KEPT, 30_378),
    ),
    Pinned(
        "named_outside",
        "n = 2, r = 1, with `meet`: any predecessors and lists, also of a node outside, and any message in flight",
        named_outside(MEETING, 2, 2),
        Results(51_678, 363_840, 2_275_159, 239, WITH_MEET, 357_503),
    ),
    Pinned(
        "two_rings_meet",
        "n = 4, r = 1, with `meet`: from two rings",
        ring(MEETING, heads(MEETING, 2, 3, 0, 1), 2),
        Results(1, 608, 4_544, 29, WITH_MEET, 592),
    ),
    Pinned(
        "backwards_and_meeting",
        "n = 4, r = 1, with `meet`: from the ring backwards",
        ring(MEETING, heads(MEETING, 3, 0, 1, 2), 2),
        Results(1, 7_245, 67_308, 29, WITH_MEET, 7_084),
    ),
    Pinned(
        "four_that_meet",
        "n = 4, r = 1, with `meet`: any predecessors and heads; the peers of each are all others",
        ring(MEETING, headed(MEETING, 4), 2),
        Results(20_736, 3_047_660, 30_625_772, 29, WITH_MEET, 3_024_980),
        long=True,
    ),
    Pinned(
        "three",
        "n = 3, r = 1, with `meet`: any predecessors and lists; the peers of each are all others",
        ring(MEETING, anything(MEETING, 3), 2),
        Results(729, 50_973, 373_284, 22, WITH_MEET, 49_866),
    ),
    Pinned(
        "three_with_two",
        "n = 3, r = 2, with `meet`: any predecessors and lists; the peers of each are all others",
        ring(MEETING_TWO, anything(MEETING_TWO, 3), 2),
        Results(3_375, 203_304, 1_421_013, 22, WITH_MEET, 198_279),
    ),
    Pinned(
        "three_and_a_message",
        "as `three`, and with any message in flight but a false word that a member has crashed",
        misled(MEETING, 3, 2),
        Results(230_364, 1_119_519, 8_221_035, 166, WITH_MEET, 1_110_069),
        long=True,
    ),
    Pinned(
        "three_further",
        "as `three`, with up to three messages in flight",
        ring(MEETING, anything(MEETING, 3), 3),
        Results(729, 519_039, 4_200_864, 424, WITH_MEET, 501_494),
        long=True,
    ),
)
