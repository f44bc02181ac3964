"""Small rings that are explored completely: the starts. The results are in `models.toml`.

With `meet`, the claims are settled for any number of messages in flight. Elsewhere little but violations is known, as
some run comes to the bound of the instance.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations

from msgspec.structs import replace

from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.instance import Instance, instance_of
from gomboc.spec.core.pinned import read_models
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

MODELS = read_models(
    __name__,
    {
        "join": ring(TWO, ideal(TWO, 3, 1), 3, join=1),
        "crash": ring(TWO, ideal(TWO, 4), 3, crash=1),
        "grow": ring(TWO, ideal(TWO, 1, 2), 3, join=2),
        "join_and_crash": ring(TWO, ideal(TWO, 3, 1), 2, crash=1, join=1),
        "asks_first": ring(ONE, ideal(ONE, 2, 1), 3, crash=1, join=1),
        "adopts_unasked": ring(ONE, ideal(ONE, 2, 1), 3, printed="adopts_unasked", crash=1, join=1),
        "stored_lists_only": ring(ONE, ideal(ONE, 2, 1), 3, printed="stored_lists_only", crash=1, join=1),
        "never_pings": ring(ONE, ideal(ONE, 2, 1), 3, printed="never_pings", crash=1, join=1),
        "fingers_only": ring(ONE, ideal(ONE, 2, 1), 5, printed="fingers_only", join=1),
        "four": ring(WIDE, ideal(WIDE, 4, 1), 2, crash=1, join=1),
        "copies_head_only": ring(WIDE, ideal(WIDE, 4, 1), 2, printed="copies_head_only", crash=1, join=1),
        "waits_for_answers": ring(ONE, ideal(ONE, 2, 1), 3, printed="waits_for_answers", join=1),
        "lists_used_now": overtaken(WIDE, 3, "lists_used_now"),
        "grown_behind": grown_behind(WIDE, 3),
        "principals_fail_freely": ring(TWO, ideal(TWO, 3), 2, printed="principals_fail_freely", crash=1),
        "backwards": ring(ONE, heads(ONE, 2, 0, 1), 3),
        "two_rings": ring(ONE, heads(ONE, 2, 3, 0, 1), 3),
        "false_suspicions": ring(ONE, ideal(ONE, 4), 2, false_suspicion=2),
        "three_false_suspicions": ring(TWO, ideal(TWO, 3), 2, false_suspicion=3),
        "named_outside": named_outside(MEETING, 2, 2),
        "two_rings_meet": ring(MEETING, heads(MEETING, 2, 3, 0, 1), 2),
        "backwards_and_meeting": ring(MEETING, heads(MEETING, 3, 0, 1, 2), 2),
        "four_that_meet": ring(MEETING, headed(MEETING, 4), 2),
        "three": ring(MEETING, anything(MEETING, 3), 2),
        "three_with_two": ring(MEETING_TWO, anything(MEETING_TWO, 3), 2),
        "three_and_a_message": misled(MEETING, 3, 2),
        "three_further": ring(MEETING, anything(MEETING, 3), 3),
    },
)
