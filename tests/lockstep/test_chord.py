"""Specification and implementation of Chord, side by side under one schedule, wherever they start."""

import math
from itertools import product

import pytest

from gomboc.impl.protocols.chord import IMPLEMENTATION
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.chord import PROTOCOL
from gomboc.spec.protocols.chord.routing import PEER, USUAL
from tests.lockstep.side_by_side import DrawnSides, differences, named
from tests.sampling import share

COMMANDS = (
    '{"kind":"Join","contact":"n000"}',
    '{"kind":"Join","contact":"n001"}',
    '{"kind":"Leave"}',
    '{"kind":"Crash"}',
    '{"kind":"Suspect","node":"n001"}',
    '{"kind":"Suspect","node":"n002"}',
    '{"kind":"Peers","nodes":[]}',
    '{"kind":"Peers","nodes":["n000","n002","n003"]}',
    '{"kind":"Lookup","key":"5"}',
    '{"kind":"Watch","key":"5"}',
    '{"kind":"Watch","key":"c"}',
    '{"kind":"Unwatch","key":"5"}',
)
KEYED = 4
"""The last commands that have keys of four bits."""

RUNS = share(100, 3)


class Sides(DrawnSides):
    """Both sides of Chord with those parameters; the nodes n000 to n003 are always there."""

    def __init__(self, variant="", **values):
        commands = COMMANDS if values.get("bits") == 4 else COMMANDS[:-KEYED]
        super().__init__(PROTOCOL, IMPLEMENTATION, values, {"node": commands}, variant)

    def tossed(self):
        """A source of randomness that falls as it is told."""
        return Coin()

    def size(self, random):
        """Four to seven nodes, some of them outside."""
        members = random.randint(1, 3)
        return Size(members, random.randint(0, 12), outside=max(4 - members, random.randint(0, 2)))


class Coin:
    """Numbers that have the node ask the chosen peer: first whether that is the head, then which peer."""

    def __init__(self):
        self._numbers = iter(())

    def fall(self, choices, choice):
        """Let the next coin fall like this."""
        names = [choice.name for choice in choices]
        peers = [name for name in names if name.startswith(PEER)]
        first = [math.nextafter(0.5, 0.0) if choice.name == USUAL else 0.5] if USUAL in names else []
        second = [(peers.index(choice.name) + 0.5) / len(peers)] if choice.name in peers else []
        self._numbers = iter((*first, *second))

    def random(self):
        """The next number."""
        return next(self._numbers, 0.0)


SMALL = [
    Sides(bits=4, ids="number", r=r, meet=meet, fingers=fingers)
    for r, meet, fingers in product((1, 2, 3), (False, True), (False, True))
]
VARIANTS = [
    Sides(variant.name.removeprefix("chord."), bits=4, ids="number", r=r, meet=True, fingers=False)
    for r, variant in product((1, 3), IMPLEMENTATION.variants)
]
LARGE = [Sides(meet=meet) for meet in (False, True)]


@pytest.mark.parametrize(
    "sides", [*SMALL, *LARGE, *VARIANTS], ids=lambda sides: f"{sides.implementation.name}-{named(sides)}"
)
def test_specification_and_implementation_take_the_same_steps(sides):
    assert differences((sides, *sides.run(seed)) for seed in range(RUNS)) == []
