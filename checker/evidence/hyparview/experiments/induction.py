"""Closure by induction on single steps, for any number of messages in flight: every right state, step and message.

A step changes one node, and so the anchor that all messages in flight are judged by. It is right if the state after it
is, what it sends is, and every message that was right before it still is.
"""

from collections.abc import Iterator, Mapping
from functools import cache, partial
from itertools import product

import msgspec

from gomboc.spec.core.domain import enumerate_values
from gomboc.spec.core.faults import anchor_of, is_faultless
from gomboc.spec.core.model import Input, Received, Timeout
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.hyparview.models import any_view, protocol_of
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.space import Cast, message, names
from gomboc.spec.protocols.hyparview.state import Node

States = tuple[tuple[str, Node], ...]
"""The state of each member, by its name."""

Messages = frozenset[tuple[str, object]]
Right = Mapping[States, Messages]
"""The right states, each with the messages that are right in it."""


class Induction(msgspec.Struct, frozen=True):
    """The number of right states and of steps from them, and the first step that leads astray, in words."""

    states: int
    steps: int
    astray: str = ""


@cache
def induction(parameters: Parameters, nodes: int, printed: str | None = None) -> Induction:
    """Every step from a right state of so many members that know one another, with any right messages in flight."""
    right = right_states(parameters, nodes)
    # What a node does depends on its own state alone, in which it is in many right states.
    steps = cache(partial(_steps, protocol_of(parameters, printed)))
    taken = 0
    for states, harmless in right.items():
        local, after = dict(states), cache(partial(right_after, right, states))
        for name, taken_input in _inputs(names(nodes), harmless):
            for changed, sent in steps(name, local[name], taken_input):
                taken += 1
                still = after(name, changed)
                if still is None or not sent <= still:
                    return Induction(len(right), taken, f"{name} takes {taken_input}")
    return Induction(len(right), taken)


@cache
def right_states(parameters: Parameters, nodes: int) -> Right:
    """The right states of so many members; a printed rule has no legitimacy of its own."""
    protocol, members = protocol_of(parameters), names(nodes)
    every = frozenset(enumerate_values(message(parameters, Cast(members, (), (), dict.fromkeys(members, ())), ())))
    right = {}
    for chosen in product(*(tuple(any_view(parameters, members, name)) for name in members)):
        states = dict(zip(members, chosen, strict=True))
        if is_faultless(protocol, states, ()):
            anchor, faults = anchor_of(protocol, states), protocol.legitimacy.message_faults
            right[tuple(states.items())] = frozenset(pair for pair in every if not faults(anchor, *pair))
    return right


def _inputs(members: tuple[str, ...], harmless: Messages) -> Iterator[tuple[str, Input]]:
    yield from ((name, Timeout()) for name in members)
    yield from ((name, Received(content)) for name, content in harmless)


def _steps(protocol: Protocol, name: str, local: Node, taken: Input) -> list[tuple[Node, Messages]]:
    """The state of a node after each of its steps with that input, and what it sends."""
    outcomes = [
        protocol.actor.react(name, local, taken, choice) for choice in protocol.actor.choices(name, local, taken)
    ]
    return [(outcome.local, frozenset((send.target, send.message) for send in outcome.sends)) for outcome in outcomes]


def right_after(right: Right, states: States, name: str, changed: Node) -> Messages | None:
    """The messages that are right once a node has changed; None if the state is not, or a message no longer is."""
    after = tuple((other, changed if other == name else local) for other, local in states)
    return right[after] if after in right and right[states] <= right[after] else None
