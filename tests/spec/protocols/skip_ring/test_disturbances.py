"""Disturbances of a run: counted, sampled, and over in time."""

from collections import Counter
from random import Random

import pytest

from gomboc.spec.core.domain import count, sample
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, PublishRequest, Restart, Restore, WantIn, WantOut
from gomboc.spec.publishing.holdings import universe
from gomboc.spec.publishing.publications import Parameters
from gomboc.spec.types.kinds import Crash, Suspect, Trust

PUBLISHING = configured(PROTOCOL, {"key_bits": 64})
SIZE = Size(9, 0, 12)
DRAWN = [sample(PUBLISHING.environment.disturbances(SIZE, names(SIZE.nodes)), Random(seed)) for seed in range(300)]


def kinds(events):
    return [type(event.command) for event in events]


def about(events, node):
    """The disturbances of a node, and what the supervisor's failure detector says of it, publications apart."""
    reports = (Suspect, Trust)
    return [
        event.command
        for event in events
        if (event.node == node and not isinstance(event.command, (PublishRequest, *reports)))
        or (event.node == SUPERVISOR and isinstance(event.command, reports) and event.command.node == node)
    ]


def test_every_kind_of_command_occurs():
    assert {kind for events in DRAWN for kind in kinds(events)} == set(PROTOCOL.vocabulary.command.__args__)


def test_in_the_end_those_are_suspected_a_node_that_have_crashed_for_good():
    for events in DRAWN:
        crashed, suspected = set(), set()
        for event in events:
            match event.command:
                case Crash():
                    crashed.add(event.node)
                case Restart():
                    crashed.discard(event.node)
                case Suspect(node):
                    suspected.add(node)
                case Trust(node):
                    suspected.discard(node)
        assert crashed == suspected


def test_every_other_member_hears_of_a_suspicion_too_and_of_no_trust():
    for events in DRAWN:
        told = {node: set() for node in names(SIZE.nodes)}
        for event in events:
            if isinstance(event.command, Suspect):
                told[event.command.node].add(event.node)
            assert not isinstance(event.command, Trust) or event.node == SUPERVISOR
        assert all(hearers in (set(), {SUPERVISOR, *told} - {node}) for node, hearers in told.items())


def test_they_come_in_order_and_the_last_one_within_forty_periods():
    for events in DRAWN:
        times = [event.at for event in events]
        assert times == sorted(times)
        assert not times or (times[0] >= 1 and times[-1] <= 40)


def test_each_subscriber_has_one_episode_and_the_supervisor_is_restored_once():
    episodes = {
        (WantOut,),
        (WantOut, WantIn),
        (WantIn,),
        (Crash, Suspect),
        (Crash, Restart),
        (Crash, Suspect, Restart, Trust),
        (Suspect, Trust),
    }
    seen = set()
    for events in DRAWN:
        result = {node: tuple(map(type, about(events, node))) for node in names(SIZE.nodes)}
        seen |= {episode for episode in result.values() if episode}
        assert kinds(events).count(Restore) <= 1
        assert {event.node for event in events if isinstance(event.command, Restore)} <= {SUPERVISOR}
    assert seen == episodes


def test_the_supervisor_is_restored_with_an_empty_database_or_with_another_one():
    restored = {
        bool(event.command.database) for events in DRAWN for event in events if isinstance(event.command, Restore)
    }
    assert restored == {True, False}


def test_no_node_uses_a_number_twice_nor_one_that_is_placed_at_the_start():
    placed = {(entry.publisher, entry.number) for entry in universe(names(9), 12, Parameters(64))}
    for events in DRAWN:
        used = Counter(
            (entry.node, entry.command.number) for entry in events if isinstance(entry.command, PublishRequest)
        )
        assert set(used.values()) <= {1}
        assert not placed & set(used)


def test_without_parameters_all_the_same_befalls_a_run_but_nothing_is_published():
    drawn = [sample(PROTOCOL.environment.disturbances(SIZE, names(SIZE.nodes)), Random(seed)) for seed in range(300)]
    assert {kind for events in drawn for kind in kinds(events)} == set(PROTOCOL.vocabulary.command.__args__) - {
        PublishRequest
    }


@pytest.mark.parametrize("nodes", [1, 2, 24])
def test_they_are_counted(nodes):
    episodes = 60 + 180 + 30 + 90 + 180 + 30 * 27 * 2 + 90
    assert count(PROTOCOL.environment.disturbances(Size(0), ())) == 1 + 30 * 3
    one = 1 + 30 * (1 + 2 * (1 + 3 * 2 + 3 * 4))
    assert count(PROTOCOL.environment.disturbances(Size(1), names(1))) == (1 + episodes) * one
    assert count(PUBLISHING.environment.disturbances(Size(nodes, 0, 3), names(nodes))) == 31**3 * count(
        PROTOCOL.environment.disturbances(Size(nodes), names(nodes))
    )
