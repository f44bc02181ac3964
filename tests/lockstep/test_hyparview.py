"""Specification and implementation of HyParView, side by side under one schedule, wherever they start."""

import pytest

from gomboc.impl.protocols.hyparview import IMPLEMENTATION
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.hyparview import PROTOCOL
from gomboc.spec.publishing.publications import Parameters, published
from tests.lockstep.side_by_side import DrawnSides, differences, encode, named
from tests.sampling import share

RUNS = share(100, 3)


def spread(topic, publisher, number):
    """The command to spread a valid publication."""
    publication = published(publisher, number, "", Parameters(8))
    return encode({"kind": "Spread", "topic": topic, "publication": publication}).decode()


COMMANDS = (
    '{"kind":"Join","contact":"n000"}',
    '{"kind":"Join","contact":"n001"}',
    '{"kind":"Leave"}',
    '{"kind":"Crash"}',
    '{"kind":"Suspect","node":"n001"}',
    '{"kind":"Suspect","node":"n002"}',
    spread("news", "n000", 5),
    spread("news", "n001", 6),
    spread("other", "n001", 6),
    spread("news", "n001", 6).replace('"n001"]', '"n002"]'),
)
"""The last one is forged."""


class Coin:
    """Numbers by which a node draws the names of a coin: an active one, then a passive one, where there is a choice."""

    def __init__(self):
        self._numbers = iter(())

    def fall(self, choices, choice):
        """Let the next coin fall like this."""
        names = [one.name.split(" ") for one in choices]
        sides = [list(dict.fromkeys(side)) for side in zip(*names, strict=True)]
        drawn = zip(sides, choice.name.split(" "), strict=False)
        self._numbers = iter([(side.index(name) + 0.5) / len(side) for side, name in drawn if len(side) > 1])

    def random(self):
        """The next number."""
        return next(self._numbers, 0.0)


class Sides(DrawnSides):
    """Both sides of HyParView with those parameters; the nodes n000 to n002 are always there."""

    def __init__(self, **values):
        super().__init__(PROTOCOL, IMPLEMENTATION, {"key_bits": 8, **values}, {"node": COMMANDS})

    def tossed(self):
        """A source of randomness that falls as it is told."""
        return Coin()

    def size(self, random):
        """Three to eight nodes, some of them outside."""
        members = random.randint(1, 6)
        return Size(members, random.randint(0, 12), random.randint(0, 4), max(3 - members, random.randint(0, 2)))


TINY = {"arwl": 1, "prwl": 0, "ka": 1, "kp": 1}
ALL = [
    Sides(),
    Sides(active=2, passive=2, **TINY, chunk=3),
    Sides(active=2, passive=1, **TINY, keep=1),
    Sides(active=3, passive=3, arwl=2, prwl=2, ka=0, kp=2, keep=2, chunk=1),
]


@pytest.mark.parametrize("sides", ALL, ids=named)
def test_specification_and_implementation_take_the_same_steps(sides):
    assert differences((sides, *sides.run(seed)) for seed in range(RUNS)) == []
