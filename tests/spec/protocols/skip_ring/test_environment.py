"""The environment of a skip ring, its nodes that are asleep, and the states that its authority may see."""

from msgspec.structs import replace

from gomboc.spec.core.faults import anchor_of, legitimacy_faults, premise_faults
from gomboc.spec.core.model import Offer
from gomboc.spec.core.network import begin, enabled, offered, step
from gomboc.spec.core.protocol import configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.legitimacy import OUTSIDE
from gomboc.spec.protocols.skip_ring.space import start
from gomboc.spec.protocols.skip_ring.state import (
    SUPERVISOR,
    Claim,
    Linearize,
    Restart,
    Subscriber,
    Supervisor,
    WantIn,
    WantOut,
)
from gomboc.spec.types.kinds import Crash, Suspect, Trust

PUBLISHING = configured(PROTOCOL, {"key_bits": 8})
BUDGET = tuple((name, 1) for name in ("crash", "restart", "subscribe", "suspect", "unsubscribe"))


def offers(**changed):
    """The offers in a right ring of two in which some nodes have other states."""
    states = dict(start(2).locals) | changed
    return [offer for offer in PROTOCOL.environment.offers(states, ()) if offer.node in (*changed, SUPERVISOR)]


V1 = dict(start(2).locals)["v1"]


def test_a_node_that_is_there_may_crash_leave_and_be_suspected_by_mistake():
    assert offers(v1=V1)[:3] == [
        Offer("v1", Crash(), "crash"),
        Offer("v1", WantOut(), "unsubscribe"),
        Offer(SUPERVISOR, Suspect("v1"), "suspect"),
    ]
    assert Offer("v1", WantIn(), "subscribe") in offers(v1=replace(V1, wants=False))


def test_a_node_that_has_crashed_may_restart_and_a_suspicion_of_it_is_owed():
    assert offers(v1=replace(V1, crashed=True))[:3] == [
        Offer("v1", Restart(True), "restart"),
        Offer("v1", Restart(False), "restart"),
        Offer(SUPERVISOR, Suspect("v1"), "", owed=True),
    ]
    supervisor = replace(dict(start(2).locals)[SUPERVISOR], suspects=("v1",))
    suspected = offers(v1=replace(V1, crashed=True), supervisor=supervisor)
    assert not [offer for offer in suspected if offer.owed]


def test_a_node_that_is_suspected_and_there_is_trusted_in_the_end():
    supervisor = replace(dict(start(2).locals)[SUPERVISOR], suspects=("v1",))
    assert Offer(SUPERVISOR, Trust("v1"), "", owed=True) in offers(supervisor=supervisor)


def test_every_offer_has_a_rule_and_does_something():
    whole_ring = begin(start(2), PROTOCOL.discipline, BUDGET)
    with_crash = whole_ring.with_local("v1", replace(V1, crashed=True))
    taken = set()
    for world in (whole_ring, with_crash):
        for act in (act for act in enabled(PROTOCOL, world) if act.offer is not None):
            taken.add(PROTOCOL.actor.rule(world.states()[act.node], act.input).name)
            assert step(PROTOCOL, world, act).states() != world.states()
    assert taken == {"crash", "restart", "want_out", "suspect"}


def test_without_a_budget_nothing_comes_from_outside_of_a_ring_in_which_no_node_has_crashed():
    assert offered(PROTOCOL, begin(start(3), PROTOCOL.discipline)) == ()


def test_any_node_that_has_crashed_is_asleep_and_what_is_in_flight_to_it_is_of_no_node_fault():
    assert PROTOCOL.environment.asleep(Subscriber(crashed=True))
    assert not PROTOCOL.environment.asleep(Subscriber())
    assert not PROTOCOL.environment.asleep(Supervisor())
    assert not PROTOCOL.environment.asleep(OUTSIDE), "whoever does not belong to the ring answers all the same"
    states = dict(start(2).locals) | {"v3": replace(OUTSIDE, crashed=True)}
    wrong = ("v3", Linearize(Claim("11", "v1")))
    assert legitimacy_faults(PROTOCOL, states, (wrong,)) == ()
    assert legitimacy_faults(PROTOCOL, states | {"v3": OUTSIDE}, (wrong,)) != ()


def test_the_authority_sees_the_database_and_of_publications_those_of_members():
    states = dict(start(2).locals)
    assert PROTOCOL.legitimacy.share(states["v1"]) is None
    assert PROTOCOL.legitimacy.share(states[SUPERVISOR]) == anchor_of(PROTOCOL, states)
    assert PUBLISHING.legitimacy.share(states["v1"]) == ()
    assert anchor_of(PUBLISHING, states).database == anchor_of(PROTOCOL, states)


def test_convergence_needs_no_connection_for_every_node_knows_the_supervisor():
    alone = dict(start(3).locals) | {node: Subscriber() for node in ("v1", "v2", "v3")} | {SUPERVISOR: Supervisor()}
    assert premise_faults(PROTOCOL, alone, ()) == ()
