"""Specification and implementation of Scribe, side by side under one schedule, wherever they start."""

import msgspec
import pytest

from gomboc.impl.protocols.scribe import IMPLEMENTATION
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.scribe import PROTOCOL
from gomboc.spec.protocols.scribe.parameters import parameters_of
from gomboc.spec.publishing.publications import published
from tests.lockstep.side_by_side import DrawnSides, differences, named
from tests.sampling import share

SUSPICION = '{"kind":"Suspect","node":"n001"}'
RUNS = 100


def commands(protocol):
    """The commands of an application, a detector and the layers around; two long ones do not fit into one message."""
    item = published("n001", 7, "", protocol)
    written = msgspec.json.encode(item).decode()
    return (
        '{"kind":"Subscribe"}',
        '{"kind":"Unsubscribe"}',
        '{"kind":"Unsubscribe","forget":true}',
        '{"kind":"Issue","number":7,"payload":""}',
        '{"kind":"Issue","number":8,"payload":"longer"}',
        *(f'{{"kind":"Issue","number":{number},"payload":"{"long" * 9_000}"}}' for number in (9, 10)),
        '{"kind":"Routed","next":"n000"}',
        '{"kind":"Routed","next":"n001"}',
        '{"kind":"Routed","next":null}',
        '{"kind":"StillRouted","next":"n001"}',
        f'{{"kind":"Heard","publication":{written}}}',
        SUSPICION,
        '{"kind":"Leave"}',
        '{"kind":"Crash"}',
    )


class Sides(DrawnSides):
    """Both sides of Scribe with those parameters; the nodes n000 and n001 are always there."""

    steps = 120

    def __init__(self, **values):
        super().__init__(PROTOCOL, IMPLEMENTATION, values, {"node": ()})
        self.commands = {"node": commands(parameters_of(values))}

    def both_steps(self, name, local, core, coin, what, toss):
        """One input for both; no detector suspects its own node."""
        if what == ("command", SUSPICION) and name == "n001":
            return local, ((), ()), ((), ())
        return super().both_steps(name, local, core, coin, what, toss)

    def size(self, random):
        """Two to six nodes, some of them outside."""
        members = random.randint(1, 4)
        return Size(members, random.randint(0, 12), random.randint(0, 4), max(2 - members, random.randint(0, 2)))


SIDES = (
    Sides(payload_limit=40_000),
    Sides(key_bits=6, chunk=1),
    Sides(key_bits=12, keep=1, payload_limit=3),
    Sides(low=1, high=2),
    Sides(key_bits=9, chunk=2, keep=2, low=2, high=4),
)


@pytest.mark.parametrize("sides", SIDES, ids=named)
def test_specification_and_implementation_take_the_same_steps(sides):
    # With long payloads a step that sends too much is rare.
    runs = RUNS if sides is SIDES[0] else share(RUNS, 3)
    assert differences((sides, *sides.run(seed)) for seed in range(runs)) == []
