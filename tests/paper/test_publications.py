"""The paper's sentences on publications, on leaving and on crashing, one by one.

A test with a name that begins with `refuted` shows that a sentence is false, by the smallest case that we know.

Source: Feldmann, Kolb, Scheideler, Strothmann, Self-Stabilizing Supervised Publish-Subscribe Systems
"""

from fractions import Fraction
from math import ceil, log2

import msgspec
import pytest

from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import CERTAIN, Commanded, Received, Timeout
from gomboc.spec.protocols.skip_ring.rules import OF_PUBLICATIONS
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, GetConfiguration, PublishRequest, Supervisor
from gomboc.spec.protocols.skip_ring.subscriber import references
from gomboc.spec.protocols.skip_ring.supervisor import subscribe, suspect, unsubscribe
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish
from gomboc.spec.publishing.publications import published
from gomboc.spec.publishing.trie import hash_of_children, summary
from tests.spec.protocols.skip_ring.reconciling import (
    LONG,
    LONG_KEYS,
    OTHER,
    OURS,
    PRINTED,
    PUBLISHING,
    SETS,
    every_session,
    holding,
    session,
)
from tests.spec.protocols.skip_ring.starts import database_of, right_states

pytestmark = [pytest.mark.xdist_group("claims"), pytest.mark.long]

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
