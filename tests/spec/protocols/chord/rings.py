"""Small rings for tests: the node n7 has the id 7, so one sees where it lies."""

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


def protocol(parameters=SMALL):
    return chord_with(Rules(parameters))


def member(predecessor=None, *successors, **others):
    """A member that knows those; nodes are numbers."""
    named = tuple(f"n{number}" for number in successors)
    return Node("inside", None if predecessor is None else f"n{predecessor}", named, **others)


def received(me, local, message, parameters=SMALL):
    return Rules(parameters).react(me, local, Received(message), CERTAIN[0])


def commanded(me, local, command, parameters=SMALL):
    return Rules(parameters).react(me, local, Commanded(command), CERTAIN[0])


def timed_out(me, local, parameters=SMALL, coin=CERTAIN[0].name):
    choices = Rules(parameters).choices(me, local, Timeout())
    (choice,) = [choice for choice in choices if choice.name == coin]
    return Rules(parameters).react(me, local, Timeout(), choice)


def sent(outcome):
    """The messages that an outcome sends, with their targets."""
    return [(send.target, send.message) for send in outcome.sends]


def coins(me, local, parameters=MEETING):
    return {choice.name: choice.probability for choice in Rules(parameters).choices(me, local, Timeout())}
