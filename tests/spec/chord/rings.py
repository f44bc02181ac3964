"""Small rings for tests: the node n7 has the id 7, so one sees where it lies."""

from gomboc.spec.chord import chord_with
from gomboc.spec.chord.parameters import Parameters
from gomboc.spec.chord.rules import Rules
from gomboc.spec.chord.state import Node
from gomboc.spec.model import CERTAIN, Commanded, Received, Timeout

SMALL = Parameters(bits=4, ids="number", r=2)
"""Sixteen ids; a list has two successors at most."""

PLAIN = Parameters(bits=4, ids="number", r=2, fingers=False)
"""The same without fingers."""

MEETING = Parameters(bits=4, ids="number", r=2, fingers=False, meet=True)

RULES = Rules(SMALL)


def protocol(given=SMALL):
    return chord_with(Rules(given))


def member(predecessor=None, *successors, **others):
    """A member that knows those; nodes are numbers."""
    named = tuple(f"n{number}" for number in successors)
    return Node("inside", None if predecessor is None else f"n{predecessor}", named, **others)


def received(me, local, message, given=SMALL):
    return Rules(given).react(me, local, Received(message), CERTAIN[0])


def commanded(me, local, command, given=SMALL):
    return Rules(given).react(me, local, Commanded(command), CERTAIN[0])


def timed_out(me, local, given=SMALL, coin=CERTAIN[0].name):
    choices = Rules(given).choices(me, local, Timeout())
    (choice,) = [each for each in choices if each.name == coin]
    return Rules(given).react(me, local, Timeout(), choice)


def sent(outcome):
    """The messages that an outcome sends, with their targets."""
    return [(send.target, send.message) for send in outcome.sends]


def coins(me, local, given=MEETING):
    return {each.name: each.probability for each in Rules(given).choices(me, local, Timeout())}
