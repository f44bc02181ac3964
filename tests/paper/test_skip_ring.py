"""The paper's sentences on the ring, sentence by sentence; publications are elsewhere.

Claims settled by `gomboc errata` are in `test_claims.py`, once; here are the facts that the claims rest on.

Source: Feldmann, Kolb, Scheideler, Strothmann, Self-Stabilizing Supervised Publish-Subscribe Systems
"""

from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from gomboc.checker.evidence.skip_ring.experiments.ring import levels, members
from gomboc.spec.core.domain import enumerate_values
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import CERTAIN, Received, Timeout
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.build_list import linearize
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.legitimacy import OUTSIDE, ring_of
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import (
    SUPERVISOR,
    Claim,
    Entry,
    GetConfiguration,
    Introduce,
    Linearize,
    SetData,
    Subscribe,
    Subscriber,
    Supervisor,
    Unsubscribe,
)
from gomboc.spec.protocols.skip_ring.subscriber import coin, references, sides
from gomboc.spec.protocols.skip_ring.supervisor import timeout, unsubscribe
from tests.paper.rounds import ASK, SILENT, number, play_round, react
from tests.spec.protocols.skip_ring.starts import database_of, messages_in, right_states


def is_legitimate(states, in_flight):
    return not legitimacy_faults(PROTOCOL, states, tuple(in_flight))


# Theorem 5 and Section 3.2.1


def test_a_subscriber_without_connections_asks_every_other_time():
    """If v does not have connections to other subscribers, then v requests its configuration via action (iv).

    Source: Lemma 10
    """
    assert all(coin(Subscriber(label_of(index)))[0].probability == Fraction(1, 2) for index in range(20))


def test_a_subscriber_without_a_label_asks_to_be_integrated():
    """If v.label is bottom, then v asks the supervisor to integrate v and send v its correct configuration.

    Source: Section 3.2.1 (i)
    """
    states = {**right_states(2), "v3": Subscriber()}
    ((target, message),) = react(PROTOCOL, states, "v3", Timeout(), 0)
    assert (target, message) == (SUPERVISOR, Subscribe("v3"))
    (answer,) = react(PROTOCOL, states, SUPERVISOR, Received(message))
    assert answer == ("v3", SetData(Claim("0", "v1"), "01", Claim("1", "v2")))


def test_an_unrecorded_neighbour_that_is_closer_is_reported_to_the_supervisor():
    """If w.left is at least as close as the pred proposed, w requests the supervisor to send it its configuration.

    Source: Section 3.2.1 (iii); Lemma 10
    """
    states = {"v2": replace(right_states(3)["v2"], left=Claim("011", "x"))}
    sent = react(PROTOCOL, states, "v2", Received(SetData(Claim("01", "v3"), "1", Claim("0", "v1"))))
    assert (SUPERVISOR, GetConfiguration("x")) in sent


# Section 3.1 and Lemma 9


@pytest.mark.parametrize(
    ("condition", "database"),
    [
        ("(i)", (Entry("0", "a"), Entry("01", None), Entry("1", "b"))),
        ("(ii)", (Entry("0", "a"), Entry("01", "a"), Entry("1", "b"))),
        ("(iii)", (Entry("0", "a"), Entry("01", "b"))),
        ("(iv)", (Entry("0", "a"), Entry("1", "b"), Entry("111", "c"))),
    ],
)
def test_each_corruption_of_the_database_is_repaired_by_one_timeout_without_a_message(condition, database):
    """Eventually the supervisor's database will not be corrupted anymore; all of these actions are local.

    Source: Lemma 9; Section 3.1 (i) to (iv)
    """
    assert PROTOCOL.legitimacy.anchor_faults(database)
    outcome = timeout(Supervisor(database))
    assert PROTOCOL.legitimacy.anchor_faults(outcome.local.database) == ()
    assert {e.node for e in outcome.local.database} == {e.node for e in database if e.node}
    assert [type(send.message) for send in outcome.sends] == [SetData]


# Algorithm 2, lines 25-38


def test_no_candidate_for_the_closing_edge_is_lost_and_no_node_is_introduced_to_itself():
    """u.ring = argmax; u <- Introduce(w', LIN); w <- Introduce(u.ring, LIN). Read literally, w is told of itself.

    Source: Algorithm 2, lines 31-34
    """
    labels = ["001", "01", "1", "11", "111"]
    for old, new in product(labels, repeat=2):
        if old != new:
            states = {"me": Subscriber("0", ring=Claim(old, "old"))}
            sent = react(PROTOCOL, states, "me", Received(Introduce(Claim(new, "new"), "CYC")))
            u = states["me"]
            assert {u.ring.node, u.right.node} == {"old", "new"}
            assert number(u.ring.label) > number(u.right.label)
            assert sent == [(u.ring.node, Introduce(u.right, "LIN"))]


@pytest.mark.parametrize("nodes", range(1, 20))
def test_no_node_in_a_legitimate_ring_is_told_of_itself(nodes):
    """Then v introduces u to w, by sending a message to w containing the reference of u, and w to u.

    Source: Section 3.2.2
    """
    states = right_states(nodes)
    for target, message in play_round(PROTOCOL, states, []):
        claim = getattr(message, "sender", getattr(message, "claim", None))
        assert claim is None or claim.node != target


# Theorem 8: false claims in flight


@pytest.mark.parametrize("nodes", [2, 3, 4])
def test_no_hearsay_disturbs_a_right_ring(nodes):
    """Eventually the false information is either corrected or received but not spread anymore.

    With verified introduction, at once: a false claim by a third party changes no node in a right ring, and ends in
    some rounds.

    Source: Theorem 8 (Deviation: verified introduction)
    """
    right = right_states(nodes)
    for node, index, target in product(names(nodes), range(2 * nodes + 2), names(nodes)):
        claim = Claim(label_of(index), node)
        for message in (Linearize(claim), Introduce(claim, "LIN")):
            states, in_flight = dict(right), [(target, message)]
            for _ in range(levels(nodes) + 4):
                in_flight = play_round(PROTOCOL, states, in_flight)
            assert is_legitimate(states, in_flight), (target, message)


# Theorem 13: closure


def disturbing(nodes):
    """Every pair of target and message of the space that, by its delivery, changes a node of SR(nodes)."""
    right = right_states(nodes)
    for message in enumerate_values(messages_in(nodes)):
        for target, local in right.items():
            states = {target: local}
            react(PROTOCOL, states, target, Received(message), 0)
            if replace(states[target], **({"next": local.next} if target == SUPERVISOR else {})) != local:
                yield target, message


@pytest.mark.parametrize("nodes", [1, 2, 3, 5, 8, 13])
def test_a_legitimate_ring_stays_legitimate_round_by_round(nodes):
    """Starting from a legitimate state, the protocol remains in legitimate states thereafter.

    Source: Definition 1; Theorem 13
    """
    for fall in (SILENT, ASK):
        states, in_flight = right_states(nodes), []
        for _ in range(nodes + 2):
            in_flight = play_round(PROTOCOL, states, in_flight, fall)
            assert is_legitimate(states, in_flight)


def test_the_database_of_a_legitimate_ring_is_modified_by_no_node_that_stays():
    """The database does not get modified anymore, if no subscriber joins or leaves the system. Source: Lemma 14."""
    changed = [message for target, message in disturbing(3) if target == SUPERVISOR]
    assert {type(message) for message in changed} == {Unsubscribe}


# Section 4.1: subscribe and unsubscribe


def configurations(nodes):
    return ring_of(database_of(nodes)).configurations


def test_new_subscribers_of_a_ring_of_sixteen_are_inserted_between_consecutive_pairs():
    """These new subscribers receive labels 1/32, 3/32, 5/32, ... Source: Section 4.1."""
    assert [number(label_of(index)) for index in range(16, 32)] == [Fraction(odd, 32) for odd in range(1, 32, 2)]


@pytest.mark.parametrize("nodes", [*range(1, 20), 31, 32, 33])
def test_an_arrival_affects_only_its_neighbours(nodes):
    """An arrival or departure of a node only affects its neighbours. Source: Section 2.1."""
    before, after = members(nodes), members(nodes + 1)
    neighbours = {claim.node for claim in references(after[f"v{nodes + 1}"])}
    assert {node for node in before if before[node] != after[node]} <= neighbours


@pytest.mark.parametrize("nodes", range(2, 18))
def test_a_departure_affects_the_neighbours_of_the_leaver_and_of_the_last_and_no_node_else(nodes):
    """An arrival or departure of a node only affects its neighbours. Source: Section 2.1; Section 4.1."""
    before, last = members(nodes), f"v{nodes}"
    for leaver in names(nodes):
        after = ring_of(unsubscribe(Supervisor(database_of(nodes)), leaver).local.database).nodes
        touched = {claim.node for claim in references(before[leaver]) + references(before[last])} | {last}
        assert {node for node in after if after[node] != before[node]} <= touched


@pytest.mark.parametrize("nodes", [1, 2, 3, 5, 8])
def test_an_unsubscribed_node_gets_disconnected_and_the_others_form_a_ring(nodes):
    """After v has sent unsubscribe(v), v eventually gets disconnected from the graph. Source: Lemma 6."""
    for leaver in names(nodes):
        states, in_flight = right_states(nodes), []
        states[leaver] = replace(states[leaver], wants=False)
        for _ in range(PROTOCOL.starts.bound(nodes)):
            in_flight = play_round(PROTOCOL, states, in_flight)
            if is_legitimate(states, in_flight):
                break
        assert states[leaver] == OUTSIDE
        assert is_legitimate(states, in_flight)
        others = [u for node, u in states.items() if node not in (SUPERVISOR, leaver)]
        assert leaver not in {claim.node for u in others for claim in references(u)}


def test_a_node_that_left_is_not_brought_back_by_its_neighbours():
    """Upon receiving a configuration request, the supervisor integrates v if it is not already contained.

    Then any neighbour's request about one that left would bring it back. We answer that it has no configuration, as
    the pseudocode does.

    Source: Section 3.2.1; Algorithm 3, line 30
    """
    states = right_states(2)
    sent = react(PROTOCOL, states, SUPERVISOR, Received(GetConfiguration("gone")))
    assert sent == [("gone", SetData(None, None, None))]
    assert states == right_states(2)


def test_a_database_without_a_crashed_subscriber_is_restored():
    """If the supervisor notices that v has crashed, it just has to remove v from its database. Source: Section 3.3."""
    for nodes in range(1, 20):
        for crashed in names(nodes):
            left = tuple(entry for entry in database_of(nodes) if entry.node != crashed)
            restored = timeout(Supervisor(left)).local.database
            assert PROTOCOL.legitimacy.anchor_faults(restored) == ()
            assert {entry.node for entry in restored} == set(names(nodes)) - {crashed}


def test_a_neighbour_that_believes_a_wrong_label_is_corrected():
    """Node w checks the label, and if it differs, w sends v its correct value of w.label.

    Source: Section 2.2; Lemma 4
    """
    states = right_states(3)
    states["v1"] = replace(states["v1"], right=Claim("001", "v3"))
    in_flight = [new for new in react(PROTOCOL, states, "v1", Timeout()) if new[0] == "v3"]
    answers = [new for target, message in in_flight for new in react(PROTOCOL, states, target, Received(message))]
    for target, message in answers:
        react(PROTOCOL, states, target, Received(message))
    assert states["v1"].right == Claim("01", "v3")


def test_nodes_further_away_are_delegated_to_the_closer_neighbour():
    """Any other nodes u are delegated by v to either v.left or v.right, depending on which node is closer to u.

    Source: Section 2.2
    """
    u = Subscriber("1", left=Claim("01", "b"), right=Claim("11", "c"))
    assert [send.target for send in linearize(u, "me", Claim("0", "x")).sends] == ["b"]
    assert [send.target for send in linearize(u, "me", Claim("111", "x")).sends] == ["c"]


def test_the_sides_of_a_legitimate_node_are_its_configuration():
    """v.left and v.right indicate v's neighbours in the ring, even if one is stored in v.ring. Source: Section 3.2."""
    for nodes in range(1, 40):
        for node, configuration in configurations(nodes).items():
            before, after = sides(members(nodes)[node])
            assert (before.neighbour, after.neighbour) == (configuration.pred, configuration.succ)


def test_a_false_message_leaves_the_coins_alone():
    """Every other rule is deterministic: the only coin is that of action (ii) and (iv). Source: Section 6."""
    for message in enumerate_values(messages_in(1)):
        assert PROTOCOL.actor.choices("v1", right_states(1)["v1"], Received(message)) == CERTAIN
