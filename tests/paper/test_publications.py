"""The paper's sentences on publications, on leaving and on crashing, one by one.

A test with a name that begins with `refuted` shows that a sentence is false, by the smallest case that we know.

Source: Feldmann, Kolb, Scheideler, Strothmann, Self-Stabilizing Supervised Publish-Subscribe Systems
"""

from fractions import Fraction
from math import ceil, log2
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from gomboc.spec.core.domain import sample
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import CERTAIN, Commanded, Received, Timeout
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.agreement import held, missing
from gomboc.spec.protocols.skip_ring.legitimacy import ring_of
from gomboc.spec.protocols.skip_ring.rules import OF_PUBLICATIONS
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
    Supervisor,
    WantOut,
)
from gomboc.spec.protocols.skip_ring.subscriber import references
from gomboc.spec.protocols.skip_ring.supervisor import subscribe, suspect, unsubscribe
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish
from gomboc.spec.publishing.holdings import universe
from gomboc.spec.publishing.publications import Parameters, published, right_set
from gomboc.spec.publishing.trie import hash_of_children, summary
from gomboc.spec.types.kinds import Crash, Suspect, Trust
from tests.spec.protocols.skip_ring.reconciling import OTHER, PUBLISHING, holding, session
from tests.spec.protocols.skip_ring.sessions import OURS, PRINTED, SETS, every_session
from tests.spec.protocols.skip_ring.starts import database_of, right_states

pytestmark = [pytest.mark.xdist_group("claims"), pytest.mark.long]

LONG = Parameters(64)
LONG_KEYS = configured(PROTOCOL, {"key_bits": 64})
# Section 4.2: publish


def end(formula, one, other):
    """Where two sets end if both initiate in turn, until nothing changes."""
    after, before = every_session(formula), None
    while one != other and (one, other) != before:
        before = one, other
        one, other = after[one, other]
        if one != other:
            other, one = after[other, one]
    return one, other


@pytest.mark.dear  # The claim on Lemma 20 counts the same pairs.
def test_every_pair_of_tries_becomes_equal_if_both_initiate_in_turn_and_nothing_is_lost_or_invented():
    """All 64,770 ordered pairs of tries that are not empty, and the 510 with one that is."""
    pairs = [(one, other) for one in SETS for other in SETS if one != other]
    assert len([pair for pair in pairs if 0 not in pair]) == 64_770
    assert len(pairs) == 64_770 + 2 * 255
    for one, other in pairs:
        assert end(OURS, one, other) == (one | other, one | other)


@pytest.mark.dear  # The claim on Section 4.2 counts the same pairs.
def test_refuted_with_the_printed_hashes_most_pairs_never_become_equal():
    """Section 4.2: "t.hash := h(h(c1(t).label) o h(c2(t).label))"."""
    pairs = [(one, other) for one in SETS[1:] for other in SETS[1:] if one != other]
    stuck = [pair for pair in pairs if len(set(end(PRINTED, *pair))) > 1]
    assert (len(stuck), len(pairs)) == (34_000, 64_770)


def test_a_session_with_the_empty_trie_brings_it_everything_any_node_that_initiates():
    for number in SETS[1:]:
        assert every_session(OURS)[0, number] == every_session(OURS)[number, 0] == (number, number)


FIGURE_2 = holding({"000", "010", "100", "101"})
LACKS_P4 = holding({"000", "010", "100"})
P4 = holding({"101"})


def node(publications, label):
    return summary(tuple(publication.key for publication in publications), label, hash_of_children)


def test_figure_2_started_at_u_two_messages_are_sent_and_nothing_is_delivered():
    """ "Both comparisons result in the hashes being equal, which ends the chain of messages at subscriber u"."""
    sets, messages = session(PUBLISHING, {"v1": FIGURE_2, "v2": LACKS_P4}, "v1")
    assert messages == [
        ("v2", CheckTrie("v1", (node(FIGURE_2, ""),))),
        ("v1", CheckTrie("v2", (node(LACKS_P4, "0"), node(LACKS_P4, "100")))),
    ]
    assert sets == {"v1": FIGURE_2, "v2": LACKS_P4}


def test_figure_2_started_at_v_four_messages_are_sent_and_p4_is_delivered():
    """ "After v has inserted P4 in its Patricia trie, both tries are equal"."""
    sets, messages = session(PUBLISHING, {"v1": FIGURE_2, "v2": LACKS_P4}, "v2")
    assert messages == [
        ("v1", CheckTrie("v2", (node(LACKS_P4, ""),))),
        ("v2", CheckTrie("v1", (node(FIGURE_2, "0"), node(FIGURE_2, "10")))),
        ("v1", CheckAndPublish("v2", (node(LACKS_P4, "100"),), "101")),
        ("v2", Publish(P4)),
    ]
    assert sets == {"v1": FIGURE_2, "v2": FIGURE_2}


@pytest.mark.parametrize(("initiator", "needed"), [("v1", 11), ("v2", 12)])
def test_sessions_bring_a_newcomer_a_thousand_publications_once_each_in_bounded_messages(initiator, needed):
    """Section 4.3: a new subscriber "has to rely on the core protocol to receive all publications".

    A request is answered with one message: those that are left come by later sessions.
    """
    all_held = tuple(sorted(published("v2", number, f"message {number}", LONG) for number in range(1_000)))
    sets, sessions = {"v1": (), "v2": all_held}, []
    while sets["v1"] != all_held:
        sets, messages = session(LONG_KEYS, sets, initiator)
        sessions.append([message for _, message in messages])
        initiator = OTHER[initiator]
    sent = [message for messages in sessions for message in messages]
    handed = [len(message.publications) for message in sent if isinstance(message, Publish)]
    assert (len(sessions), sum(handed), max(handed)) == (needed, 1_000, LONG.chunk)
    assert len(handed) <= sum(isinstance(message, CheckAndPublish) for message in sent)
    largest = max(len(msgspec.json.encode(part)) for part in all_held)
    assert max(len(msgspec.json.encode(message)) for message in sent) <= LONG.chunk * (largest + 1) + 64


# Section 4.3: flooding


def flooded(nodes, publisher):
    """A publication in SR(nodes), hop by hop: the states, how many hops, how many messages, and which deliveries."""
    states, messages, hops = right_states(nodes), 0, 0
    waiting = [(publisher, Commanded(PublishRequest(0, "news")))]
    delivered = []
    while waiting:
        sent = []
        for target, taken in waiting:
            outcome = LONG_KEYS.actor.react(target, states[target], taken, CERTAIN[0])
            states[target] = outcome.local
            delivered += [target] * len(outcome.delivered)
            sent += [(send.target, Received(send.message)) for send in outcome.sends]
        hops, messages, waiting = hops + bool(sent), messages + len(sent), sent
    return states, hops, messages, delivered


@pytest.mark.parametrize("nodes", [*range(2, 19), 31, 32, 33])
def test_flooding_reaches_every_node_once_within_the_diameter_for_at_most_3n_minus_5_messages(nodes):
    """ "recall that the skip ring has a diameter of log n". The last hop may be one of messages that are dropped."""
    for publisher in names(nodes):
        _, hops, messages, delivered = flooded(nodes, publisher)
        assert sorted(delivered) == sorted(names(nodes))
        assert messages <= 3 * nodes - 5
        assert arrival(nodes, publisher) <= ceil(log2(nodes))
        assert hops <= ceil(log2(nodes)) + 1


def arrival(nodes, publisher):
    """After how many hops the last node has heard of it: the eccentricity of the publisher."""
    states, reached, hops = right_states(nodes), {publisher}, 0
    while len(reached) < nodes:
        reached |= {claim.node for known in reached for claim in references(states[known])}
        hops += 1
    return hops


@pytest.mark.parametrize("nodes", [1, 2, 5, 9, 16])
def test_after_flooding_the_comparison_of_tries_finds_nothing_to_do(nodes):
    states, *_ = flooded(nodes, "v1")
    assert legitimacy_faults(LONG_KEYS, states, ()) == ()
    for me in names(nodes):
        for choice in LONG_KEYS.actor.choices(me, states[me], Timeout()):
            for send in LONG_KEYS.actor.react(me, states[me], Timeout(), choice).sends:
                if isinstance(send.message, OF_PUBLICATIONS):
                    taken = Received(send.message)
                    answer = LONG_KEYS.actor.react(send.target, states[send.target], taken, CERTAIN[0])
                    assert (answer.local, answer.sends) == (states[send.target], ())


# Section 4.1 and Theorem 7


def test_the_supervisor_sends_a_constant_number_of_messages_for_each_request():
    """One to a newcomer; two at most if a node leaves or is suspected: to the node, and to the one that moves."""
    for nodes in range(1, 65):
        local = Supervisor(database_of(nodes))
        assert len(subscribe(local, "new").sends) == 1
        costs = {len(rule(local, node).sends) for node in names(nodes) for rule in (unsubscribe, suspect)}
        assert costs == ({1} if nodes == 1 else {1, 2})


def expected_requests(nodes):
    """How many configurations are asked for per period, in a ring that is right and publishes."""
    states = {node: u for node, u in right_states(nodes).items() if node != SUPERVISOR}
    chances = [
        choice.probability
        for node, u in states.items()
        for choice in LONG_KEYS.actor.choices(node, u, Timeout())
        if any(
            send == (SUPERVISOR, GetConfiguration(node))
            for send in ((s.target, s.message) for s in LONG_KEYS.actor.react(node, u, Timeout(), choice).sends)
        )
    ]
    return sum(chances)


@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 7, 16, 33, 64])
def test_with_publications_as_many_configurations_are_asked_for_as_without(nodes):
    """Theorem 5 says fewer than one per period. It is 1/2, and 2^-k k^-2 for each other node with a label of k bits."""
    others = [len(u.label) for node, u in right_states(nodes).items() if node not in (SUPERVISOR, "v1")]
    assert expected_requests(nodes) == Fraction(1, 2) + sum(Fraction(1, 2**bits * bits**2) for bits in others)


# Theorems 8 and 17, Section 3.3: runs


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
