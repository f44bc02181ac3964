"""Disturbances: nodes crash, change their minds, publish and are routed wrongly; in the end routes are right."""

from random import Random

from gomboc.spec.core.domain import sampler
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.layers.lists import SETTLED
from gomboc.spec.layers.routing import Routed, StillRouted, route_faults
from gomboc.spec.protocols.scribe import PROTOCOL
from gomboc.spec.protocols.scribe.space import names
from gomboc.spec.protocols.scribe.state import Depart, Heard, Issue, WantIn, WantOut
from gomboc.spec.types.kinds import Crash

SIZE = Size(7, outside=2, publications=3)
SEEDS = range(100)


def drawn(**parameters):
    protocol = configured(PROTOCOL, {"key_bits": 32, **parameters})
    draw = sampler(protocol.environment.disturbances(SIZE, names(9)))
    return [draw(Random(seed)) for seed in SEEDS]


def test_in_the_end_each_live_node_is_told_its_right_route_twice():
    for events in drawn():
        crashed = {event.node for event in events if isinstance(event.command, Crash | Depart)}
        live = {*names(9)} - crashed
        told = {event.node: event.command for event in events if event.at == SETTLED}
        still = {event.node: event.command for event in events if event.at == SETTLED + 2}
        right = {name: command.next for name, command in told.items()}
        assert {*right} == {*still} == live
        assert {*right.values()} <= live
        assert route_faults(right) == ()
        assert still == {name: StillRouted(hop) for name, hop in right.items()}


def test_each_kind_occurs_and_every_third_node_may_crash_or_leave():
    events = [event for some in drawn() for event in some if event.at < SETTLED]
    assert {type(event.command) for event in events} == {Crash, Depart, WantIn, WantOut, Issue, Routed}
    for end in (Crash, Depart):
        assert {event.node for event in events if isinstance(event.command, end)} == {"n001", "n004"}
    assert {event.command.next for event in events if isinstance(event.command, Routed)} == {None, *names(9)}


def test_with_a_switch_the_publications_that_are_broadcast_are_those_that_are_issued_in_other_runs():
    events = [event for some in drawn(low=2, high=4) for event in some]
    heard = {event.command.publication for event in events if isinstance(event.command, Heard)}
    issued = {(event.node, event.command.number) for event in events if isinstance(event.command, Issue)}
    assert {(item.publisher, item.number) for item in heard} == issued
