"""Closure by induction on single steps, for any number of messages in flight: every right state, step and message.

A step changes one node, and so the anchor that all messages in flight are judged by. It is right if the state after it
is, what it sends is, and every message that was right before it still is.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

import msgspec

from gomboc.spec.core.domain import enumerate_values
from gomboc.spec.core.faults import anchor_of, legitimacy_faults
from gomboc.spec.core.model import Input, Received, Timeout
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.hyparview.models import any_view, protocol_of
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.space import Cast, message, names
from gomboc.spec.protocols.hyparview.state import Node

States = Mapping[str, Node]
Messages = frozenset[tuple[str, object]]


class Induction(msgspec.Struct, frozen=True):
    """The number of right states and of steps from them, and the first step that leads astray, in words."""

    states: int
    steps: int
    astray: str = ""


@cache
def induction(parameters: Parameters, nodes: int, printed: str | None = None) -> Induction:
    """Every step from a right state of so many members that know one another, with any right messages in flight."""
    protocol, members = protocol_of(parameters, printed), names(nodes)
    every = frozenset(enumerate_values(message(parameters, Cast(members, (), (), dict.fromkeys(members, ())), ())))
    right = dict(_right_states(parameters, protocol, members, every))
    taken = 0
    for states, harmless in right.items():
        for name, taken_input in _inputs(members, harmless):
            for choice in protocol.actor.choices(name, dict(states)[name], taken_input):
                taken += 1
                outcome = protocol.actor.react(name, dict(states)[name], taken_input, choice)
                after = tuple((other, outcome.local if other == name else local) for other, local in states)
                sent = {(send.target, send.message) for send in outcome.sends}
                wrong = (harmless | sent) - right[after] if after in right else {"the state"}
                if wrong:
                    return Induction(len(right), taken, f"{name} takes {taken_input}: {sorted(map(str, wrong))[0]}")
    return Induction(len(right), taken)


def _right_states(
    parameters: Parameters, protocol: Protocol, members: tuple[str, ...], every: Messages
) -> Iterator[tuple[tuple[tuple[str, Node], ...], Messages]]:
    """The right states, each with the messages that are right in it."""
    for chosen in product(*(tuple(any_view(parameters, members, name)) for name in members)):
        states = dict(zip(members, chosen, strict=True))
        if not legitimacy_faults(protocol, states, ()):
            anchor, faults = anchor_of(protocol, states), protocol.legitimacy.message_faults
            yield tuple(states.items()), frozenset(pair for pair in every if not faults(anchor, *pair))


def _inputs(members: tuple[str, ...], harmless: Messages) -> Iterator[tuple[str, Input]]:
    yield from ((name, Timeout()) for name in members)
    yield from ((name, Received(content)) for name, content in harmless)
