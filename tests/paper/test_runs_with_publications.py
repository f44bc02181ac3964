"""The sentences on runs with publications: joining, leaving, crashing and starting again, from any state.

Source: Feldmann, Kolb, Scheideler, Strothmann, Self-Stabilizing Supervised Publish-Subscribe Systems
"""

from random import Random

import pytest
from msgspec.structs import replace

from gomboc.spec.core.domain import sample
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import Commanded, Received, Timeout
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.skip_ring.agreement import held, missing
from gomboc.spec.protocols.skip_ring.legitimacy import ring_of
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import (
    SUPERVISOR,
    GetConfiguration,
    PublishNew,
    PublishRequest,
    Restart,
    Restore,
    SetData,
    Subscriber,
    WantOut,
)
from gomboc.spec.protocols.skip_ring.subscriber import references
from gomboc.spec.publishing.exchange import Publish
from gomboc.spec.publishing.holdings import universe
from gomboc.spec.publishing.publications import published, right_set
from gomboc.spec.types.kinds import Crash, Suspect, Trust
from tests.spec.protocols.skip_ring.reconciling import LONG, LONG_KEYS
from tests.spec.protocols.skip_ring.starts import database_of, right_states


class Run:
    """A run in rounds: everything in flight is delivered in any order, then all nodes time out."""

    def __init__(self, protocol, states, in_flight=(), seed=0):
        self.protocol, self.states, self.in_flight, self.random = protocol, dict(states), list(in_flight), Random(seed)
        self.delivered = []

    def take(self, node, taken):
        choices = self.protocol.actor.choices(node, self.states[node], taken)
        (choice,) = self.random.choices(choices, [float(result.probability) for result in choices])
        outcome = self.protocol.actor.react(node, self.states[node], taken, choice)
        self.states[node] = outcome.local
        self.in_flight += [(send.target, send.message) for send in outcome.sends]
        self.delivered += [(node, publication) for publication in outcome.delivered]

    def command(self, node, command):
        self.take(node, Commanded(command))

    def round(self):
        arriving, self.in_flight = self.in_flight, []
        self.random.shuffle(arriving)
        for target, message in arriving:
            self.take(target, Received(message))
        for node in sorted(self.states):
            self.take(node, Timeout())

    def is_right(self):
        return not legitimacy_faults(self.protocol, self.states, tuple(self.in_flight))

    def settles(self, most=400):
        """Whether it becomes right within so many rounds, and is so for ten more."""
        for _ in range(most):
            if self.is_right():
                return self.stays_right(10)
            self.round()
        return False

    def stays_right(self, rounds):
        for _ in range(rounds):
            self.round()
            if not self.is_right():
                return False
        return True


def agreed(nodes, publications=()):
    """SR(nodes) with members that hold those publications."""
    states = right_states(nodes)
    return states | {node: replace(states[node], publications=publications) for node in names(nodes)}


SIZE = Size(5, 8, 10)


@pytest.mark.parametrize("seed", range(12))
def test_from_any_start_every_node_comes_to_hold_everything_and_nothing_is_lost(seed):
    """Theorem 17, with crashes, suspicions and restored databases. Possible losses are left out: see below."""
    start = sample(LONG_KEYS.starts.space(SIZE), Random(seed))
    run = Run(LONG_KEYS, dict(start.locals), start.in_flight, seed)
    disturbances = sample(LONG_KEYS.environment.disturbances(SIZE, names(SIZE.nodes)), Random(seed))
    harmless = {WantOut(True): WantOut(), Restart(False): Restart(True)}
    before = held(run.states, LONG)
    for period in range(41):
        for item in [item for item in disturbances if item.at == period]:
            run.command(item.node, harmless.get(item.command, item.command))
        run.round()
    assert run.settles()
    stores = [u.publications for u in run.states.values() if isinstance(u, Subscriber)]
    assert before <= {item for store in stores for item in right_set(store, LONG)}
    members = ring_of(run.states[SUPERVISOR].database).labels
    sets = {run.states[member].publications for member in members}
    assert len(sets) <= 1


@pytest.mark.parametrize("seed", range(6))
def test_between_commands_the_potential_never_rises_once_all_have_joined(seed):
    """Lemma 19, with the sum of the publications that members lack for the potential."""
    run = Run(LONG_KEYS, agreed(6), seed=seed)
    for index, publication in enumerate(universe(names(6), 12, LONG)):
        node = names(6)[index % 6]
        run.states[node] = replace(
            run.states[node], publications=tuple(sorted((*run.states[node].publications, publication)))
        )
    run.command("v3", PublishRequest(99, ""))
    lacking = [missing(run.states, run.in_flight, LONG)]
    while lacking[-1]:
        run.round()
        lacking.append(missing(run.states, run.in_flight, LONG))
    assert lacking == sorted(lacking, reverse=True)
    assert run.settles()


@pytest.mark.parametrize("nodes", [2, 3, 5, 8])
def test_a_node_that_crashes_is_excluded_and_no_node_refers_to_it_any_more(nodes):
    """Section 3.3: "it suffices to establish only one single failure detector at the supervisor"."""
    for crashed in names(nodes):
        run = Run(LONG_KEYS, agreed(nodes, universe(names(nodes), 3, LONG)))
        run.command(crashed, Crash())
        run.round()
        run.command(SUPERVISOR, Suspect(crashed))
        assert run.settles()
        assert crashed not in ring_of(run.states[SUPERVISOR].database).labels
        living = (u for node, u in run.states.items() if node not in (SUPERVISOR, crashed))
        assert crashed not in {claim.node for u in living for claim in references(u)}


def test_a_reference_to_a_crashed_node_vanishes_once_some_node_asks_about_it():
    """A configuration replaces the neighbour, so action (iii) asks; other nodes that refer to it get the answer."""
    run = Run(LONG_KEYS, agreed(4))
    run.command("v3", Crash())
    run.command(SUPERVISOR, Suspect("v3"))
    targets = {
        target for target, message in [*run.in_flight] if isinstance(message, SetData) and message.label is not None
    }
    assert targets == {"v4"}
    assert run.settles()
    asked = Run(LONG_KEYS, run.states)
    asked.take(SUPERVISOR, Received(GetConfiguration("v3")))
    assert {target for target, _ in asked.in_flight} == {"v1", "v2", "v3", "v4"}


@pytest.mark.parametrize("nodes", [1, 2, 3, 6])
def test_a_false_suspicion_heals_and_no_publication_is_lost(nodes):
    publications = universe(names(nodes), 4, LONG)
    for suspected in names(nodes):
        run = Run(LONG_KEYS, agreed(nodes, tuple(sorted(publications))))
        run.command(SUPERVISOR, Suspect(suspected))
        for _ in range(3):
            run.round()
        run.command(SUPERVISOR, Trust(suspected))
        assert run.settles()
        assert set(ring_of(run.states[SUPERVISOR].database).labels) == set(names(nodes))
        assert held(run.states, LONG) == set(publications)


@pytest.mark.parametrize("keep", [True, False])
def test_a_node_that_restarts_holds_everything_again(keep):
    publications = tuple(sorted(universe(names(4), 6, LONG)))
    run = Run(LONG_KEYS, agreed(4, publications))
    run.command("v2", Crash())
    for _ in range(2):
        run.round()
    run.command("v2", Restart(keep))
    assert run.settles()
    assert run.states["v2"].publications == publications


@pytest.mark.parametrize("database", [(), database_of(2)], ids=["empty", "stale"])
def test_a_supervisor_that_starts_again_has_every_node_recorded_again(database):
    run = Run(LONG_KEYS, agreed(5, universe(names(5), 1, LONG)))
    run.command(SUPERVISOR, Restore(database))
    assert run.settles(1000)
    everybody = set(names(5))
    while set(ring_of(run.states[SUPERVISOR].database).labels) != everybody:
        run.round()
    assert run.settles()


@pytest.mark.parametrize("forget", [True, False])
def test_a_leaver_hands_over_what_only_it_has_and_keeps_or_forgets_it(forget):
    """It compares tries, and answers, as long as it has a label; publications not handed over in time go with it."""
    mine = universe(("v2",), 1, LONG)
    run = Run(LONG_KEYS, agreed(3))
    run.states["v2"] = replace(run.states["v2"], publications=mine)
    run.round()
    run.round()
    run.command("v2", WantOut(forget))
    assert run.settles()
    assert run.states["v2"].publications == (() if forget else mine)
    assert {run.states[node].publications for node in ("v1", "v3")} == {mine}


def test_a_crashed_publisher_may_take_with_it_what_no_node_else_has_yet():
    """The promise that nothing is lost is one about subscribers that live."""
    run = Run(LONG_KEYS, agreed(2))
    run.states["v2"] = replace(run.states["v2"], publications=universe(("v2",), 1, LONG))
    run.command("v2", Crash())
    run.command(SUPERVISOR, Suspect("v2"))
    assert run.settles()
    assert held(run.states, LONG) == frozenset()


def test_a_forged_publication_is_refused_and_the_ring_is_right_with_the_forger_in_it():
    """A peer's forgery is dropped by each receiver, and by the forger's own audit."""
    false = replace(published("v1", 0, "I am v1", LONG), signer="v2")
    run = Run(LONG_KEYS, agreed(3), [("v3", PublishNew("v2", false)), ("v1", Publish((false,)))])
    run.states["v2"] = replace(run.states["v2"], publications=(false,))
    assert run.settles()
    assert run.delivered == []
    assert held(run.states, LONG) == frozenset()
