"""Small rings for tests: the node n7 has the id 7, so one sees where it lies."""

from typing import Any

from gomboc.spec.core.model import CERTAIN, Commanded, Received, Timeout
from gomboc.spec.protocols.chord import chord_with
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.rules import Rules
from gomboc.spec.protocols.chord.state import Node

SMALL = Parameters(bits=4, ids="number", r=2)
"""Sixteen ids; a list has two successors at most."""

PLAIN = Parameters(bits=4, ids="number", r=2, fingers=False)
"""The same without fingers."""

MEETING = Parameters(bits=4, ids="number", r=2, fingers=False, meet=True)

RULES = Rules(SMALL)


def protocol(parameters: Parameters = SMALL) -> Any:
    return chord_with(Rules(parameters))


def member(predecessor: Any = None, *successors: Any, **others: Any) -> Node:
    """A member that knows those; nodes are numbers."""
    named = tuple(f"n{number}" for number in successors)
    return Node("inside", None if predecessor is None else f"n{predecessor}", named, **others)


def received(me: str, local: Any, message: Any, parameters: Parameters = SMALL) -> Any:
    return Rules(parameters).react(me, local, Received(message), CERTAIN[0])


def commanded(me: str, local: Any, command: Any, parameters: Parameters = SMALL) -> Any:
    return Rules(parameters).react(me, local, Commanded(command), CERTAIN[0])


def timed_out(me: str, local: Any, parameters: Parameters = SMALL, coin: Any = CERTAIN[0].name) -> Any:
    choices = Rules(parameters).choices(me, local, Timeout())
    (choice,) = [choice for choice in choices if choice.name == coin]
    return Rules(parameters).react(me, local, Timeout(), choice)


def sent(outcome: Any) -> list[Any]:
    """The messages that an outcome sends, with their targets."""
    return [(send.target, send.message) for send in outcome.sends]


def coins(me: str, local: Any, parameters: Parameters = MEETING) -> dict[str, Any]:
    return {choice.name: choice.probability for choice in Rules(parameters).choices(me, local, Timeout())}
