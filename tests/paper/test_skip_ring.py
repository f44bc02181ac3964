"""What the paper says of the ring, sentence by sentence; publications are elsewhere.

A test whose name begins with `refuted` shows that a sentence is false, by the smallest case that we know.

Source: Feldmann, Kolb, Scheideler, Strothmann, Self-Stabilizing Supervised Publish-Subscribe Systems
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import ceil, log2

import networkx
import pytest
from msgspec.structs import replace

from spec.domain import enumerate_values
from spec.model import CERTAIN, Received, Timeout
from spec.protocol import legitimacy_faults
from spec.skip_ring import PROTOCOL
from spec.skip_ring.build_list import linearize
from spec.skip_ring.labels import index_of, label_of, shortcut_chain
from spec.skip_ring.legitimacy import OUTSIDE, malformed, message_faults, ring_of
from spec.skip_ring.rules import Rules
from spec.skip_ring.space import names
from spec.skip_ring.state import (
    SUPERVISOR,
    Check,
    Claim,
    Entry,
    GetConfiguration,
    Introduce,
    IntroduceShortcut,
    Linearize,
    RemoveConnections,
    SetData,
    Subscribe,
    Subscriber,
    Supervisor,
    Unsubscribe,
)
from spec.skip_ring.subscriber import coin, partner, references, sides, thinks_minimal
from spec.skip_ring.supervisor import repair, subscribe, timeout, unsubscribe
from tests.spec.skip_ring.starts import database_of, messages_in, right_states

PRINTED = {erratum.name: erratum.protocol for erratum in PROTOCOL.errata}
POWERS = [2**power for power in range(1, 10)]
SILENT, ASK = -1, 0


@cache
def number(label):
    """r(label)."""
    return sum(Fraction(int(bit), 2**place) for place, bit in enumerate(label, 1))


def levels(nodes):
    """ceil(log n)."""
    return ceil(log2(nodes)) if nodes > 1 else 0


def subscribers(nodes):
    """The local states of the subscribers of SR(nodes), by name."""
    return {node: local for node, local in right_states(nodes).items() if node != SUPERVISOR}


def stored_edges(nodes):
    """Every directed edge between labels that some subscriber of a legitimate state stores, once for each variable."""
    return [(u.label, claim.label) for u in subscribers(nodes).values() for claim in references(u)]


def stored_graph(nodes):
    """SR(nodes) as the legitimate state of the specification has it."""
    graph = networkx.Graph()
    graph.add_nodes_from(u.label for u in subscribers(nodes).values())
    graph.add_edges_from(stored_edges(nodes))
    return graph


def sorted_ring(labels):
    """The edges of the sorted ring over these labels."""
    ordered = sorted(labels, key=number)
    return [(one, other) for one, other in pairwise([*ordered, ordered[0]]) if one != other]


def defined_graph(nodes):
    """SR(nodes) word for word as Definition 2 has it."""
    labels = [label_of(index) for index in range(nodes)]
    graph = networkx.Graph()
    graph.add_nodes_from(labels)
    graph.add_edges_from(sorted_ring(labels))
    for level in range(1, levels(nodes)):
        graph.add_edges_from(sorted_ring([label for label in labels if len(label) <= level]))
    return graph


def react(protocol, states, node, taken, fall=SILENT):
    """One step of `node`; what it sends, as pairs of target and message. `states` is updated."""
    choice = protocol.choices(node, states[node], taken)[fall]
    outcome = protocol.react(node, states[node], taken, choice)
    states[node] = outcome.local
    return [(send.target, send.message) for send in outcome.sends]


def play_round(protocol, states, in_flight, fall=SILENT):
    """A round: everything in flight is delivered, then everybody times out; what is in flight afterwards."""
    sent = [new for target, message in in_flight for new in react(protocol, states, target, Received(message))]
    return sent + [new for node in sorted(states) for new in react(protocol, states, node, Timeout(), fall)]


def is_legitimate(states, in_flight):
    return not legitimacy_faults(PROTOCOL, states, tuple(in_flight))


# Section 2.1: the skip ring


def test_labels_are_generated_in_the_order_of_the_paper():
    """Labels are generated in the order: 0, 1, 01, 11, 001, 011, 101, 111, 0001, ...

    Source: Section 2.1
    """
    assert [label_of(x) for x in range(9)] == ["0", "1", "01", "11", "001", "011", "101", "111", "0001"]


def test_the_label_function_is_invertible():
    """Note that l is invertible.

    Source: Section 2.1
    """
    assert [index_of(label_of(x)) for x in range(5000)] == list(range(5000))


@pytest.mark.parametrize("d", range(9))
def test_new_labels_lie_midway_between_the_old_ones(d):
    """For all x in 2^d .. 2^(d+1)-1 the values r(l(x)) are uniformly spread in between old values r(l(y)).

    Source: Section 2.1
    """
    old = sorted(number(label_of(y)) for y in range(2**d))
    new = sorted(number(label_of(x)) for x in range(2**d, 2 ** (d + 1)))
    assert new == [(one + other) / 2 for one, other in pairwise([*old, Fraction(1)])]


def test_figure_1_has_sixteen_ring_edges_and_eight_four_and_one_shortcuts():
    """Black edges are ring edges (k = 4), green edges shortcuts for k = 3, red for k = 2, the blue one for k = 1.

    Source: Figure 1
    """
    graph = stored_graph(16)
    at_level = [sum(max(map(len, edge)) == level for edge in graph.edges) for level in (4, 3, 2, 1)]
    assert at_level == [16, 8, 4, 1]
    assert {frozenset(edge) for edge in graph.edges if max(map(len, edge)) == 4} == {
        frozenset(edge) for edge in sorted_ring(graph.nodes)
    }


def test_the_legitimate_state_is_the_graph_of_definition_2():
    """E_R: consecutive in the ordering induced by r. E_S: part of the sorted ring over K_i, for i below ceil(log n).

    Source: Definition 2
    """
    for nodes in range(1, 513):
        assert networkx.utils.graphs_equal(stored_graph(nodes), defined_graph(nodes)), nodes


def test_every_edge_is_stored_at_both_ends():
    """All nodes with label of length at most k form a bidirected sorted ring.

    Source: Section 2.1
    """
    for nodes in (*range(1, 40), 100, 512):
        edges = set(stored_edges(nodes))
        assert edges == {(other, one) for one, other in edges}, nodes


def test_shortcuts_stay_on_ones_own_semicircle():
    """A subscriber has only shortcuts to subscribers on the same semicircle, where the 1 is represented by label 0.

    Source: Section 3.2.2
    """
    half = Fraction(1, 2)
    for nodes in range(1, 130):
        for one, other in stored_edges(nodes):
            a, b = sorted((number(one), number(other)))
            assert (a <= half and b <= half) or (a >= half and b >= half) or (a == 0 and b >= half)


def test_the_longer_a_node_takes_part_the_more_shortcuts_it_has():
    """This implies that the longer a node is a participant of the system, the more shortcuts it has.

    Source: Section 2.1
    """
    for nodes in (2, 4, 8, 16, 64):
        held = [len(u.shortcuts) for u in subscribers(nodes).values()]
        top = levels(nodes)
        assert held == [2 * (top - max(len(label_of(x)), 1)) - (x < 2 and top > 1) for x in range(nodes)]
        assert held[2:] == sorted(held[2:], reverse=True)


@pytest.mark.parametrize("nodes", [*range(1, 34), 63, 64, 65, 100, 127, 128, 129, 255, 256])
def test_the_diameter_is_at_most_the_logarithm(nodes):
    """Recall that the skip ring has a diameter of log n.

    Source: Section 4.3
    """
    assert networkx.diameter(stored_graph(nodes)) <= levels(nodes)


@pytest.mark.parametrize("nodes", POWERS[:7])
def test_the_diameter_is_exactly_the_logarithm_for_powers_of_two(nodes):
    """Recall that the skip ring has a diameter of log n.

    Source: Section 4.3
    """
    assert networkx.diameter(stored_graph(nodes)) == levels(nodes)


# Lemma 3


@pytest.mark.parametrize("nodes", POWERS)
def test_the_sum_of_lemma_3_counts_the_two_edges_of_level_1_twice(nodes):
    """|E_R + E_S| = sum over k of f(k) * 2 (log n - k + 1) = 4n - 4: right as a sum, but not the number of edges.

    It counts a successor and a predecessor for each node on each level. On level 1 there are two nodes, so both are
    the same edge. The directed edges are 4n - 6, those without direction 2n - 3.

    Source: Lemma 3
    """
    holders = {1: 2, **{k: 2 ** (k - 1) for k in range(2, levels(nodes) + 1)}}
    assert sum(f * 2 * (levels(nodes) - k + 1) for k, f in holders.items()) == 4 * nodes - 4
    assert len(set(stored_edges(nodes))) == 4 * nodes - 6
    assert stored_graph(nodes).number_of_edges() == 2 * nodes - 3


def test_the_number_of_edges_is_the_same_formula_for_every_size():
    """The paper counts for powers of two only; the number of edges is 2n - 3 for every n from 2 on.

    Source: Lemma 3
    """
    assert all(stored_graph(nodes).number_of_edges() == 2 * nodes - 3 for nodes in range(2, 200))


def test_the_average_degree_is_below_four_and_the_worst_logarithmic():
    """The degree of nodes in a skip ring is logarithmic in the worst case and constant in the average case.

    Source: Lemma 3
    """
    for nodes in range(2, 200):
        degrees = [degree for _, degree in stored_graph(nodes).degree]
        assert sum(degrees) < 4 * nodes
        assert max(degrees) <= 2 * levels(nodes)


def test_refuted_two_shortcuts_on_every_level_from_ones_own():
    """A subscriber has exactly 2 shortcuts on each level in {k, ..., ceil(log n)} in a legitimate state.

    False on level 1, where there is one edge; and where n is no power of two, first for n = 3: labels 0 and 1 have
    one neighbour on level 2 each.

    Source: Section 3.2.2
    """

    def exceptions(nodes):
        edges = set(stored_edges(nodes))
        return {
            (label, level): held
            for label in stored_graph(nodes).nodes
            for level in range(len(label), levels(nodes) + 1)
            if (held := sum(one == label and max(len(one), len(other)) == level for one, other in edges)) != 2
        }

    assert all(exceptions(nodes) == {("0", 1): 1, ("1", 1): 1} for nodes in POWERS)
    assert exceptions(3) == {("0", 1): 1, ("1", 1): 1, ("0", 2): 1, ("1", 2): 1}


# Section 3.2.2: computing shortcuts


def test_a_quarter_computes_its_shortcuts_from_its_neighbours():
    """Node 1/4 with neighbours 3/16 and 5/16 computes the shortcuts 1/8, 0 and 3/8, 1/2.

    Source: Section 3.2.2
    """
    before, after = shortcut_chain("01", "0011"), shortcut_chain("01", "0101")
    assert list(map(number, before)) == [Fraction(1, 8), 0]
    assert list(map(number, after)) == [Fraction(3, 8), Fraction(1, 2)]
    (quarter,) = (u for u in subscribers(16).values() if u.label == "01")
    assert [entry.label for entry in quarter.shortcuts] == sorted(before + after)


def without_shortcuts(nodes):
    """SR(nodes), in which no shortcut's node is known."""
    return {
        node: replace(local, shortcuts=tuple(Entry(entry.label, None) for entry in local.shortcuts))
        if isinstance(local, Subscriber)
        else local
        for node, local in right_states(nodes).items()
    }


def rounds_to_shortcuts(protocol, nodes, most=10):
    """The rounds until every shortcut is right, starting from none; None if it takes more than `most`."""
    states, in_flight = without_shortcuts(nodes), []
    for rounds in range(most):
        if all(states[node] == u for node, u in subscribers(nodes).items()):
            return rounds
        in_flight = play_round(protocol, states, in_flight)
    return None


def test_shortcuts_are_established_bottom_up_one_level_a_round():
    """Once the ring is right, all correct shortcut links will eventually be established.

    Source: Lemma 12
    """
    for nodes in range(1, 66):
        assert rounds_to_shortcuts(PROTOCOL, nodes) <= max(levels(nodes), 1), nodes


def introducers_as_printed(nodes):
    """The protocol with: both shortcuts on level |label|; the two ring neighbours if and only if |label| = ceil(log n).

    A node does not know n; here it is told.
    """

    def partners(u, before, after):
        if len(u.label) == levels(nodes):
            return before.neighbour, after.neighbour
        if before.chain and after.chain:
            return partner(u, before), partner(u, after)
        return None, None

    return replace(PROTOCOL, react=Rules(partners=partners).react, errata=())


def test_refuted_the_printed_introductions_establish_all_shortcuts():
    """v introduces the two on level |v.label|; for |v.label| = ceil(log n), v has to consider its two ring neighbours.

    Complete for powers of two, and missing shortcuts for most other n, first for n = 5.

    Source: Section 3.2.2; Lemma 12
    """
    missing = [nodes for nodes in range(1, 33) if rounds_to_shortcuts(introducers_as_printed(nodes), nodes) is None]
    assert missing == [5, *range(9, 16), *range(17, 32)]
    assert {5, 9, 10, 12, 15, 17, 24} <= set(missing)


def test_refuted_the_printed_introductions_read_locally_establish_all_shortcuts():
    """The same, where a node with no longer neighbour counts as one of the last level, since nobody knows n.

    Source: Section 3.2.2; Lemma 12
    """
    variant = PRINTED["printed_partners"]
    missing = [nodes for nodes in range(1, 33) if rounds_to_shortcuts(variant, nodes) is None]
    assert missing == [9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31]


# Theorem 5 and Section 3.2.1


def expected_requests(nodes):
    """How many subscribers of SR(nodes) are expected to ask for their configuration in a timeout interval."""
    return sum(choice.probability for u in subscribers(nodes).values() for choice in coin(u) if choice.name == "ask")


def test_refuted_fewer_than_one_configuration_request_is_expected():
    """The expected number of configuration requests sent out by all subscribers is less than 1 in each interval.

    It is 1 for n = 2 and above 1 from n = 3 on. The proof takes 2^(k-1) subscribers with label length k, but there
    are two of length 1; and it leaves out action (iv), which the subscriber with label 0 executes for ever. It stays
    below 1 + (pi^2 / 6 - 1) / 2 = 1.3225.

    Source: Theorem 5
    """
    assert [expected_requests(nodes) for nodes in (1, 2, 3, 4)] == [
        Fraction(1, 2),
        Fraction(1),
        Fraction(17, 16),
        Fraction(9, 8),
    ]
    assert all(expected_requests(nodes) > 1 for nodes in (*range(3, 70), 127, 128, 512))
    assert float(expected_requests(16)) == 1.2118055555555556
    assert Fraction(126, 100) < expected_requests(512) < Fraction(13225, 10000)


def test_refuted_fewer_than_one_request_even_by_action_two_alone():
    """With probability 1 / (2^k k^2) for each of the subscribers, without action (iv): the same numbers.

    Source: Theorem 5
    """

    def by_action_two(nodes):
        lengths = [len(label_of(index)) for index in range(nodes)]
        return sum(Fraction(1, 2**k * k**2) for k in lengths)

    assert all(by_action_two(nodes) == expected_requests(nodes) for nodes in range(1, 129))


def test_exactly_one_subscriber_of_a_legitimate_ring_thinks_that_its_label_is_minimal():
    """In a legitimate state, only the second action (ii) is executed by subscribers. (One executes action (iv).)

    Source: Theorem 5
    """
    for nodes in range(1, 100):
        assert [u.label for u in subscribers(nodes).values() if thinks_minimal(u)] == ["0"]


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
    assert PROTOCOL.anchor_faults(database)
    outcome = timeout(Supervisor(database))
    assert PROTOCOL.anchor_faults(outcome.local.database) == ()
    assert {e.node for e in outcome.local.database} == {e.node for e in database if e.node}
    assert [type(send.message) for send in outcome.sends] == [SetData]


def printed_check_labels(database):
    """CheckLabels as printed, on a dictionary from label to subscriber; None if line 44 finds no tuple.

    Source: Algorithm 3, lines 38-45
    """
    database = {label: node for label, node in database.items() if node is not None}
    index = {label_of(i): i for i in range(64)}
    for i in range(len(database)):
        if label_of(i) not in database:
            beyond = [index[label] for label in database if index.get(label, -1) > i]
            if not beyond:
                return None
            database[label_of(i)] = database.pop(label_of(max(beyond)))
    return database


def test_refuted_the_tuple_to_move_into_a_gap_always_exists():
    """Note that (l(j), w) has to exist in this case, since otherwise i >= |database| = n, which is a contradiction.

    It need not if a label is none that l gives out: "10" is no l(j), and stands for the same number as "1". We
    take such a value for malformed, wherever it comes from.

    Source: Lemma 9 (iii)
    """
    assert printed_check_labels({"0": "a", "10": "b"}) is None
    assert printed_check_labels({"0": "a", "11": "b"}) == {"0": "a", "1": "b"}
    assert number("10") == number("1")
    assert [fault.found for fault in malformed(Supervisor((Entry("0", "a"), Entry("10", "b"))))] == ["10"]


def test_refuted_removing_copies_before_a_subscription_harms_nobody():
    """CheckMultipleCopies removes the duplicates of a subscriber, and Subscribe stores the newcomer at l(n).

    Without a repair in between, l(n) may be the label of somebody else, whose record is lost. Ours repairs first.

    Source: Section 3.1 (ii); Algorithm 3, lines 6-10 and 31-37
    """
    corrupted = {"0": "a", "1": "a", "01": "b"}
    without_copies = {"0": "a", "01": "b"}
    assert {**without_copies, label_of(len(without_copies)): "c"} == {"0": "a", "01": "c"}
    ours = subscribe(Supervisor(tuple(sorted(Entry(label, node) for label, node in corrupted.items()))), "c")
    assert {entry.node for entry in ours.local.database} == {"a", "b", "c"}


def test_after_n_timeouts_of_the_supervisor_everybody_recorded_has_its_label():
    """After n calls of the supervisor's Timeout procedure, each subscriber has stored its correct label.

    It has been sent it; it has stored it as soon as that is delivered, in whichever state it was.

    Source: Lemma 11
    """
    for nodes in range(1, 10):
        states = dict.fromkeys(names(nodes), Subscriber("111", left=Claim("0", "v1")))
        states[SUPERVISOR] = Supervisor(database_of(nodes), 7)
        sent = [new for _ in range(nodes) for new in react(PROTOCOL, states, SUPERVISOR, Timeout())]
        for target, message in sent:
            react(PROTOCOL, states, target, Received(message))
        assert {node: states[node].label for node in names(nodes)} == dict(ring_of(database_of(nodes)).labels)


def test_refuted_neighbours_do_not_change_after_the_second_configuration():
    """Each subscriber receives its configuration the second time and does not change its list neighbours anymore.

    It does if somebody with a false label introduced itself before it learned its own: v3 believed to have 001.

    Source: Lemma 11
    """
    states = right_states(3)
    ring = ring_of(database_of(3))
    late = Check(Claim("001", "v3"), "0", "LIN")
    for node in names(3) * 2:
        assert react(PROTOCOL, states, node, Received(ring.configurations[node])) == []
    react(PROTOCOL, states, "v1", Received(late))
    assert states["v1"].right == Claim("001", "v3") != right_states(3)["v1"].right


# Lemma 4


def false_claims(states, in_flight):
    """How many claims, stored or in flight, name a label that is not their node's."""
    true = {node: local.label for node, local in states.items() if node != SUPERVISOR}

    def count(value):
        if isinstance(value, Claim):
            return int(true[value.node] != value.label)
        return sum(count(getattr(value, field)) for field in getattr(value, "__struct_fields__", ()))

    return sum(map(count, states.values())) + sum(count(message) for _, message in in_flight)


def test_refuted_corrupted_labels_do_not_multiply():
    """Since the number of corrupted node labels is finite and is not duplicating, it will reduce to 0.

    It does not stay finite by itself: one that is stored is introduced anew at every timeout (Algorithm 4, lines
    12-14), and on the closing edge one candidate goes to two nodes (Algorithm 2, lines 31-34).

    Source: Lemma 4
    """
    states, in_flight = right_states(4), []
    states["v4"] = replace(states["v4"], left=Claim("01", "v2"))
    counted = [false_claims(states, in_flight)]
    for _ in range(3):
        in_flight += react(PROTOCOL, states, "v4", Timeout())
        counted.append(false_claims(states, in_flight))
    assert counted == [1, 2, 3, 4]


def test_refuted_a_false_candidate_for_the_closing_edge_stays_one():
    """The nearer of two candidates is introduced to the farther one and to oneself: one false claim becomes two.

    Source: Lemma 4; Algorithm 2, lines 31-34
    """
    states = {"v1": Subscriber("0", ring=Claim("11", "v3")), "v2": Subscriber("111"), "v3": Subscriber("01")}
    assert false_claims(states, []) == 1
    in_flight = react(PROTOCOL, states, "v1", Received(Introduce(Claim("111", "v2"), "CYC")))
    assert in_flight == [("v2", Introduce(Claim("11", "v3"), "LIN"))]
    assert false_claims(states, in_flight) == 2


# Algorithm 2, lines 25-38


def test_no_candidate_for_the_closing_edge_is_lost_and_nobody_is_introduced_to_itself():
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
def test_nobody_in_a_legitimate_ring_is_told_of_itself(nodes):
    """Then v introduces u to w, by sending a message to w containing the reference of u, and w to u.

    Source: Section 3.2.2
    """
    states = right_states(nodes)
    for target, message in play_round(PROTOCOL, states, []):
        claim = getattr(message, "sender", getattr(message, "claim", None))
        assert claim is None or claim.node != target


# Algorithm 4, lines 22-30


def linearizations(protocol, nodes, rounds=6):
    """How many Linearize messages are in flight after each of some rounds of a legitimate ring."""
    states, in_flight, counted = right_states(nodes), [], []
    for _ in range(rounds):
        in_flight = play_round(protocol, states, in_flight)
        counted.append(sum(isinstance(message, Linearize) for _, message in in_flight))
    return counted


@pytest.mark.parametrize("nodes", [2, 4, 8, 16])
def test_a_shortcut_that_did_not_change_costs_nothing(nodes):
    """If v' is not v, the old shortcut is removed; if v' is not bottom, v' is linearised.

    Source: Algorithm 4, lines 24-28 (Deviation: only if it changed)
    """
    assert linearizations(PROTOCOL, nodes) == [0] * 6


@pytest.mark.parametrize(("nodes", "after_six_rounds"), [(2, 0), (4, 4), (8, 28), (16, 72)])
def test_as_printed_shortcuts_are_linearised_in_every_round_of_a_legitimate_ring(nodes, after_six_rounds):
    """Line 26 stands beside line 24 and not inside it: a shortcut that did not change is linearised too.

    The number grows until the delegated claims have gone their whole way, for n = 16 to 108 from round 15 on.

    Source: Algorithm 4, lines 24-28
    """
    assert linearizations(PRINTED["printed_introduce_shortcut"], nodes)[-1] == after_six_rounds


# Theorem 8: false claims in flight


def a_turn_of_the_adversary(protocol, states, false, fall):
    """Everybody times out, everything but the false message is delivered until nothing is left, then that one.

    The supervisor times out once for each subscriber, so that its turn comes round. Answers what is in flight.
    """
    timeouts = [SUPERVISOR] * 2 + ["v1", "v2"]
    waiting = [new for node in timeouts for new in react(protocol, states, node, Timeout(), fall)]
    while waiting:
        target, message = waiting.pop(0)
        waiting += react(protocol, states, target, Received(message))
    target, message = false
    return react(protocol, states, target, Received(message))


@pytest.mark.parametrize("fall", [SILENT, ASK])
def test_refuted_false_information_is_eventually_corrected_or_received_but_not_spread(fall):
    """A corrupted message cannot trigger an infinite chain of corrupted messages. We assume this fact.

    A fair schedule that comes back to where it was, however the coins fall: v2 (label 1) hears that its left
    neighbour v1 has the label 11, forgets it and sends itself the claim again; v1 introduces itself; and so on.

    Source: Theorem 8; Algorithm 1, lines 16-22
    """
    published = PRINTED["printed_linearize"]
    false = ("v2", Linearize(Claim("11", "v1")))
    states = right_states(2)
    assert a_turn_of_the_adversary(published, states, false, fall) == [false]
    assert states["v2"].left is None
    before = dict(states)
    assert a_turn_of_the_adversary(published, states, false, fall) == [false]
    assert states == before
    assert not is_legitimate(states, [false])


@pytest.mark.parametrize("fall", [SILENT, ASK])
def test_verified_introduction_ends_the_false_claim_under_the_same_schedule(fall):
    """A corrupted message cannot trigger an infinite chain of corrupted messages.

    Source: Theorem 8 (Deviation: verified introduction)
    """
    states = right_states(2)
    in_flight = a_turn_of_the_adversary(PROTOCOL, states, ("v2", Linearize(Claim("11", "v1"))), fall)
    assert [target for target, _ in in_flight] == ["v1"]
    assert states == right_states(2)
    assert is_legitimate(states, in_flight)


@pytest.mark.parametrize("nodes", [2, 3, 4])
def test_no_hearsay_disturbs_a_right_ring(nodes):
    """Eventually the false information is either corrected or received but not spread anymore.

    With verified introduction, at once: a false claim by a third party changes nobody in a right ring, and ends in
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
    """Every pair of target and message of the space whose delivery changes a node of SR(nodes)."""
    right = right_states(nodes)
    for message in enumerate_values(messages_in(nodes)):
        for target, local in right.items():
            states = {target: local}
            react(PROTOCOL, states, target, Received(message), 0)
            if replace(states[target], **({"next": local.next} if target == SUPERVISOR else {})) != local:
                yield target, message


def test_refuted_explicit_edges_alone_are_closed():
    """If the explicit edges already form a supervised skip ring, they are preserved if nobody joins or leaves.

    A false message in a channel changes them: v2 is asked to forget v1.

    Source: Theorem 13; Lemma 15
    """
    states = right_states(2)
    assert is_legitimate(states, [])
    react(PROTOCOL, states, "v2", Received(RemoveConnections("v1")))
    assert states["v2"] == Subscriber("1")


def test_with_channels_in_the_predicate_no_message_of_a_legitimate_state_changes_an_edge():
    """If the explicit edges already form a supervised skip ring, they are preserved if nobody joins or leaves.

    Source: Theorem 13, with messages in flight
    """
    changing = list(disturbing(2))
    assert {type(message) for _, message in changing} >= {SetData, Check, RemoveConnections, Unsubscribe}
    assert all(message_faults(database_of(2), target, message) for target, message in changing)


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


def test_the_database_of_a_legitimate_ring_is_modified_by_nobody_that_stays():
    """The database does not get modified anymore, if no subscriber joins or leaves the system.

    Source: Lemma 14
    """
    changed = [message for target, message in disturbing(3) if target == SUPERVISOR]
    assert {type(message) for message in changed} == {Unsubscribe}


def test_refuted_introductions_of_shortcuts_never_modify_the_direct_ring_neighbours():
    """Introduction messages for shortcuts do not modify v.left, v.right and v.ring.

    True in a legitimate ring; false elsewhere, since what is no shortcut is linearised (Algorithm 4, line 30).

    Source: Lemma 15
    """
    states = {"v1": Subscriber("0")}
    react(PROTOCOL, states, "v1", Received(IntroduceShortcut(Claim("01", "v3"))))
    assert states["v1"] == Subscriber("0", right=Claim("01", "v3"))


# Section 4.1: subscribe and unsubscribe


def configurations(nodes):
    return ring_of(database_of(nodes)).configurations


def involvements(d):
    """Which of the subscriptions number 0 to 2^d - 1 that double SR(2^d) change whose configuration."""
    involved = {}
    for turn, nodes in enumerate(range(2**d, 2 ** (d + 1))):
        before, after = configurations(nodes), configurations(nodes + 1)
        for node in before:
            if before[node] != after[node]:
                involved.setdefault(node, []).append(turn)
    return involved


@pytest.mark.parametrize("d", range(1, 7))
def test_a_pre_existing_subscriber_is_involved_in_exactly_two_subscriptions_of_a_doubling(d):
    """A pre-existing subscriber has to change its configuration only for two consecutive subscribe operations.

    Source: Section 4.1
    """
    involved = involvements(d)
    assert set(involved) == set(names(2**d))
    assert all(len(turns) == 2 for turns in involved.values())


@pytest.mark.parametrize("d", range(2, 7))
def test_refuted_the_two_subscriptions_are_consecutive_for_the_subscriber_with_label_0(d):
    """A pre-existing subscriber has to change its configuration only for two consecutive subscribe operations.

    For everybody but label 0, which is involved in the first and in the last subscription of a doubling.

    Source: Section 4.1
    """
    involved = involvements(d)
    assert involved.pop("v1") == [0, 2**d - 1]
    assert all(second == first + 1 for first, second in involved.values())


def test_new_subscribers_of_a_ring_of_sixteen_are_inserted_between_consecutive_pairs():
    """These new subscribers receive labels 1/32, 3/32, 5/32, ...

    Source: Section 4.1
    """
    assert [number(label_of(index)) for index in range(16, 32)] == [Fraction(odd, 32) for odd in range(1, 32, 2)]


@pytest.mark.parametrize("nodes", [*range(1, 20), 31, 32, 33])
def test_an_arrival_affects_only_its_neighbours(nodes):
    """An arrival or departure of a node only affects its neighbours.

    Source: Section 2.1
    """
    before, after = subscribers(nodes), subscribers(nodes + 1)
    neighbours = {claim.node for claim in references(after[f"v{nodes + 1}"])}
    assert {node for node in before if before[node] != after[node]} <= neighbours


@pytest.mark.parametrize("nodes", range(2, 18))
def test_a_departure_affects_the_neighbours_of_the_leaver_and_of_the_last_and_nobody_else(nodes):
    """An arrival or departure of a node only affects its neighbours.

    Source: Section 2.1; Section 4.1
    """
    before, last = subscribers(nodes), f"v{nodes}"
    for leaver in names(nodes):
        after = ring_of(unsubscribe(Supervisor(database_of(nodes)), leaver).local.database).nodes
        touched = {claim.node for claim in references(before[leaver]) + references(before[last])} | {last}
        assert {node for node in after if after[node] != before[node]} <= touched


def test_the_supervisor_sends_a_constant_number_of_messages_for_each_operation():
    """The supervisor only has to send out a constant number of messages per subscribe/unsubscribe request.

    Source: Theorem 7
    """
    for nodes in range(40):
        local = Supervisor(database_of(nodes))
        assert len(subscribe(local, "new").sends) == 1
        assert max((len(unsubscribe(local, node).sends) for node in names(nodes)), default=1) <= 2


def states_changed_by_leaving(nodes, leaver):
    """How many of the others have another right state after `leaver` has left SR(nodes)."""
    before = subscribers(nodes)
    after = ring_of(unsubscribe(Supervisor(database_of(nodes)), leaver).local.database).nodes
    return sum(after[node] != before[node] for node in after)


def test_a_subscription_changes_at_most_two_other_subscribers():
    """In a legitimate state, the message overhead of subscribers is constant for subscribe operations.

    Source: Theorem 7
    """
    for nodes in range(1, 100):
        before, after = subscribers(nodes), subscribers(nodes + 1)
        assert sum(before[node] != after[node] for node in before) <= 2


def test_refuted_the_overhead_of_subscribers_is_constant_for_unsubscribe_operations():
    """In a legitimate state, the message overhead of subscribers is constant for unsubscribe operations.

    When label 0 leaves SR(2^d), 2d - 1 others must learn somebody new, and the leaver tells as many to forget it.

    Source: Theorem 7
    """
    assert [states_changed_by_leaving(2**d, "v1") for d in range(2, 7)] == [3, 5, 7, 9, 11]
    for d in range(2, 7):
        states = right_states(2**d)
        told = react(PROTOCOL, states, "v1", Received(SetData(None, None, None)))
        assert [message for _, message in told] == [RemoveConnections("v1")] * (2 * d - 1)


def told_as_printed(nodes, leaver):
    """What the last subscriber is told if its neighbours are looked up before it moves.

    Source: Algorithm 3, lines 16-20
    """
    ring = ring_of(database_of(nodes))
    pred, succ = ring.configurations[leaver].pred, ring.configurations[leaver].succ
    return f"v{nodes}", SetData(pred, ring.labels[leaver], succ)


def test_refuted_the_last_subscriber_can_be_told_the_neighbours_of_the_leaver():
    """Let pred_v, succ_v be the predecessor/successor of v; ...; w <- SetData(pred_v, label_u, succ_v).

    Where the last subscriber is itself a neighbour of the leaver, first for n = 2, it is told that it is its own.

    Source: Algorithm 3, lines 17-20; Section 4.1
    """
    assert told_as_printed(2, "v1") == ("v2", SetData(Claim("1", "v2"), "0", Claim("1", "v2")))


@pytest.mark.parametrize("nodes", range(2, 20))
def test_neighbours_computed_after_the_move_never_name_their_receiver(nodes):
    """Send w its new configuration (pred_v, label_v, succ_v).

    Source: Section 4.1 (Deviation: computed after the move)
    """
    for leaver in names(nodes):
        outcome = unsubscribe(Supervisor(database_of(nodes)), leaver)
        assert outcome.local.database == repair(outcome.local.database)
        for send in outcome.sends:
            named = {claim.node for claim in (send.message.pred, send.message.succ) if claim}
            assert send.target not in named
            assert leaver not in named


@pytest.mark.parametrize("nodes", [1, 2, 3, 5, 8])
def test_an_unsubscribed_node_gets_disconnected_and_the_others_form_a_ring(nodes):
    """After v has sent unsubscribe(v), v eventually gets disconnected from the graph.

    Source: Lemma 6
    """
    for leaver in names(nodes):
        states, in_flight = right_states(nodes), []
        states[leaver] = replace(states[leaver], wants=False)
        for _ in range(PROTOCOL.bound(nodes)):
            in_flight = play_round(PROTOCOL, states, in_flight)
            if is_legitimate(states, in_flight):
                break
        assert states[leaver] == OUTSIDE
        assert is_legitimate(states, in_flight)
        others = [u for node, u in states.items() if node not in (SUPERVISOR, leaver)]
        assert leaver not in {claim.node for u in others for claim in references(u)}


def test_refuted_everybody_with_an_edge_to_a_node_introduces_itself_to_it():
    """Every subscriber u that has an edge (u, v) will eventually introduce itself to v.

    Not over a shortcut: for n = 4, v1 (label 0) has a shortcut to v2 (label 1) and sends it nothing. The leaver is
    forgotten all the same, since it tells those whom it knows, and edges are stored at both ends.

    Source: Lemma 6
    """
    states = right_states(4)
    assert Entry("1", "v2") in states["v1"].shortcuts
    assert "v2" not in {target for target, _ in react(PROTOCOL, states, "v1", Timeout())}
    told = react(PROTOCOL, states, "v2", Received(SetData(None, None, None)))
    assert ("v1", RemoveConnections("v2")) in told


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
    """If the supervisor notices that v has crashed, it just has to remove v from its database.

    Source: Section 3.3
    """
    for nodes in range(1, 20):
        for crashed in names(nodes):
            left = tuple(entry for entry in database_of(nodes) if entry.node != crashed)
            restored = timeout(Supervisor(left)).local.database
            assert PROTOCOL.anchor_faults(restored) == ()
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
    """v.left and v.right indicate v's neighbours in the ring, even if one is stored in v.ring.

    Source: Section 3.2
    """
    for nodes in range(1, 40):
        for node, told in configurations(nodes).items():
            before, after = sides(subscribers(nodes)[node])
            assert (before.neighbour, after.neighbour) == (told.pred, told.succ)


def test_a_false_message_leaves_the_coins_alone():
    """Every other rule is deterministic: the only coin is that of action (ii) and (iv).

    Source: Section 6
    """
    for message in enumerate_values(messages_in(1)):
        assert PROTOCOL.choices("v1", right_states(1)["v1"], Received(message)) == CERTAIN
