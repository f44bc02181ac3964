"""Skip rings as the paper speaks of them: numbers of labels, subscribers, and rounds."""

from fractions import Fraction
from functools import cache
from typing import Any

from gomboc.spec.core.model import Input, Received, Timeout
from gomboc.spec.core.protocol import Protocol

SILENT, ASK = -1, 0
"""Tosses of a subscriber's coin, as indices of the choices."""

Sent = list[tuple[str, Any]]
"""Messages, as pairs of target and message."""


@cache
def number(label: str) -> Fraction:
    """r(label)."""
    return sum((Fraction(int(bit), 2**index) for index, bit in enumerate(label, 1)), Fraction())


def react(protocol: Protocol, states: dict[str, Any], node: str, taken: Input, fall: int = SILENT) -> Sent:
    """One step of `node`; the messages that it sends, as pairs of target and message. `states` is updated."""
    choice = protocol.actor.choices(node, states[node], taken)[fall]
    outcome = protocol.actor.react(node, states[node], taken, choice)
    states[node] = outcome.local
    return [(send.target, send.message) for send in outcome.sends]


def play_round(protocol: Protocol, states: dict[str, Any], in_flight: Sent, fall: int = SILENT) -> Sent:
    """A round: everything in flight is delivered, then all nodes time out; the messages in flight afterwards."""
    sent = [new for target, message in in_flight for new in react(protocol, states, target, Received(message))]
    return sent + [new for node in sorted(states) for new in react(protocol, states, node, Timeout(), fall)]
