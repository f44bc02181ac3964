"""Protocols that are tables, written down or drawn by Hypothesis: two nodes, a few states, a few messages.

A reaction is a pair (state afterwards, sends), a send a pair (target, message). `reactions` gives, for (node, state,
message) or (node, state, None) for a timeout, one reaction for each result of the coins; an input that is not in it
changes nothing. The node and its messages may be at fault with any content; node "a" is the authority.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import (
    CERTAIN,
    Choice,
    Commanded,
    Fault,
    InFlight,
    Input,
    Offer,
    Outcome,
    Received,
    Send,
    States,
)
from gomboc.spec.core.promises import Always, Observer
from gomboc.spec.core.protocol import Actor, Cited, Discipline, Legitimacy, Naming, Protocol, Start, Starts, Vocabulary

NODES = ("a", "b")

Reaction = tuple[Any, Sequence[tuple[str, Any]]]
"""The state afterwards, and the sends."""

Key = tuple[str, Any, Any]


def key(me: str, local: int, taken: Input) -> Key:
    """The key of an input in `reactions`."""
    match taken:
        case Received(message):
            return me, local, message
        case Commanded(command):
            return me, local, command
    return me, local, None


def fault(*result: Any) -> tuple[Fault, ...]:
    """A fault that shows those values."""
    return (Fault("right", str(result[0]), "right", result, "nowhere"),)


def tabled(
    reactions: Mapping[Any, Sequence[Reaction]],
    wrong_locals: Collection[tuple[Any, ...]] = (),
    wrong_messages: Collection[tuple[Any, ...]] = (),
    mad: Collection[Any] = (),
    malformed: Collection[Any] = (),
) -> Protocol:
    """The protocol of a table. At fault are the pairs (node, state) and (target, message) given, and the anchors."""

    def react(me: str, local: Any, taken: Input, choice: Choice) -> Outcome:
        ways = reactions.get(key(me, local, taken), ((local, ()),))
        after, sends = ways[int(choice.name) if len(ways) > 1 else 0]
        delivered = (taken.message,) if isinstance(taken, Received) else ()
        return Outcome(after, tuple(Send(*send) for send in sends), delivered)

    def choices(me: str, local: Any, taken: Input) -> tuple[Choice, ...]:
        ways = len(reactions.get(key(me, local, taken), ((),)))
        return CERTAIN if ways == 1 else tuple(Choice(str(way), Fraction(1, ways)) for way in range(ways))

    return Protocol(
        name="tabled",
        discipline=Discipline.UNORDERED,
        vocabulary=Vocabulary(roles={"node": int}, member="node", message=int),
        actor=Actor(react=react, rule=lambda local, taken: Cited("a rule", "nowhere"), choices=choices),
        legitimacy=Legitimacy(
            anchor=lambda states: states["a"],
            node_faults=lambda anchor, me, local: fault(me, local) if (anchor, me, local) in wrong_locals else (),
            message_faults=lambda anchor, target, sent: (
                fault(target) if (anchor, target, sent) in wrong_messages else ()
            ),
            anchor_faults=lambda anchor: fault(anchor) if anchor in mad else (),
        ),
        starts=Starts(space=lambda size: OneOf((0,)), start=lambda nodes: Start((), ()), bound=lambda nodes: 1),
        naming=Naming(
            malformed=lambda value: fault(value) if value in malformed else (), renamed=lambda value, renaming: value
        ),
    )


def instance_of(
    protocol: Protocol,
    locals_: Iterable[Any] = (0,),
    messages: Iterable[Any] = (),
    in_flight: int = 0,
    copies: int = 1,
    most: int | None = None,
    coalesce: bool = True,
    **more: Any,
) -> Instance:
    """An instance in which both nodes begin in any of those states, with those messages."""
    domain = OneOf(tuple(locals_))
    return Instance(
        protocol=protocol,
        locals=tuple((node, "node", domain) for node in NODES),
        messages=OneOf(tuple(messages)),
        in_flight=in_flight,
        copies=copies,
        most=most,
        coalesce=coalesce,
        **more,
    )


STATES = st.integers(0, 2)
MESSAGES = st.integers(10, 11)
SENDS = st.lists(st.tuples(st.sampled_from(NODES), MESSAGES), max_size=2).map(tuple)
REACTION = st.tuples(STATES, SENDS)
WAYS = st.lists(REACTION, min_size=1, max_size=2).map(tuple)
KEYS = st.tuples(st.sampled_from(NODES), STATES, st.none() | MESSAGES)
WRONG = {"max_size": 6}


@st.composite
def protocols(draw: st.DrawFn) -> Protocol:
    """Any protocol of three states and two messages."""
    return tabled(
        draw(st.dictionaries(KEYS, WAYS, max_size=10)),
        draw(st.sets(st.tuples(STATES, st.sampled_from(NODES), STATES), **WRONG)),
        draw(st.sets(st.tuples(STATES, st.sampled_from(NODES), MESSAGES), **WRONG)),
        draw(st.sets(STATES, max_size=1)),
        draw(st.sets(st.integers(2, 4), max_size=1)),
    )


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    """Any instance of such a protocol, with channels bounded in any way; no start is beyond the bound."""
    coalesce, copies = draw(st.booleans()), draw(st.integers(1, 2))
    return instance_of(
        draw(protocols()),
        draw(st.lists(STATES, min_size=1, max_size=2, unique=True)),
        draw(st.lists(st.tuples(st.sampled_from(NODES), MESSAGES), max_size=2, unique=True)),
        draw(st.integers(0, 2 if coalesce else copies)),
        copies,
        draw(st.none() | st.integers(2, 3)),
        coalesce,
    )


COMMANDS = st.sampled_from(["loud", 77])
"""Numbers are quiet."""

OFFERS = st.lists(
    st.tuples(STATES, st.sampled_from(NODES), COMMANDS, st.sampled_from(["", "often", "once"]), st.booleans()),
    max_size=3,
    unique_by=lambda item: item[1:3],
)
TOTALS = st.sets(st.integers(0, 5), max_size=2)


def stating(
    protocol: Protocol,
    sleepers: Collection[int],
    offers: Sequence[tuple[int, str, Any, str, bool]],
    *,
    unlinked: Collection[int],
    lacking: Collection[int],
    broken: Collection[int],
    refused: Collection[int],
    unkept: Collection[int],
) -> Protocol:
    """The same, and more: sleeping states, offers while "a" is in a state, and sums that whole states must not have.

    A node with a state that is not in `unlinked` knows both. An observer counts the deliveries to a node, up to three
    of a kind.
    """

    def total(states: States, in_flight: InFlight) -> int:
        return sum(states.values()) + len(in_flight) % 2

    def wrong(totals: Collection[int]) -> Callable[[States, InFlight], tuple[Fault, ...]]:
        return lambda states, in_flight: fault(total(states, in_flight)) if total(states, in_flight) in totals else ()

    def environment(states: States, in_flight: InFlight) -> tuple[Offer, ...]:
        possible = (offer for offer in offers if offer[0] == states["a"] or len(in_flight) == 1)
        return tuple(Offer(node, command, budget, owed) for _, node, command, budget, owed in possible)

    def observe(node: str, seen: int, delivered: Any) -> tuple[int, tuple[Fault, ...]]:
        return min(3, seen + 1), (fault(node) if seen == 1 and delivered == 11 else ())

    return protocol.changed(
        asleep=lambda local: local in sleepers,
        offers=environment,
        quiet=(int,),
        edges=lambda node, value: () if value in unlinked else (("a", "b"),),
        premise=wrong(lacking),
        assumption=wrong(broken),
        commands_assumption=wrong(refused),
        always=(Always("adds_up", "nowhere", wrong(unkept)),),
        observers=(Observer("once", "nowhere", 0, observe),),
    )


@st.composite
def stated_instances(draw: st.DrawFn) -> Instance:
    """Any instance of a protocol that states everything there is to state."""
    made = draw(instances())
    ways = st.dictionaries(st.tuples(st.sampled_from(NODES), STATES, COMMANDS), WAYS, max_size=3)
    reactions: dict[Any, Any] = {**draw(st.dictionaries(KEYS, WAYS, max_size=10)), **draw(ways)}
    wrong = draw(st.sets(st.tuples(STATES, st.sampled_from(NODES), STATES), **WRONG))
    parts = {name: draw(TOTALS) for name in ("lacking", "broken", "refused", "unkept")}
    protocol = stating(
        tabled(reactions, wrong), draw(st.sets(STATES, max_size=1)), draw(OFFERS), unlinked=draw(TOTALS), **parts
    )
    most = draw(st.integers(1, 2))
    return replace(made, protocol=protocol, budget=(("often", 2), ("once", 1)), in_flight=most - 1, most=most)
