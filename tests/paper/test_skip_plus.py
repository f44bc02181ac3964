"""What the slides say of Skip+ and ALG+, slide by slide.

A test whose name begins with `refuted` shows that a sentence is false, or a rule wrong as printed, by the smallest case
that we know.

Source: slides on A Distributed Polylogarithmic Time Algorithm for Self-Stabilizing Skip Graphs
"""

from itertools import combinations, pairwise, product
from math import ceil, log2
from random import Random
from statistics import median

import networkx
import pytest
from msgspec.structs import replace

from spec.model import CERTAIN, Commanded
from spec.skip_plus import PROTOCOL
from spec.skip_plus.errata import ERRATA
from spec.skip_plus.names import string_of
from spec.skip_plus.ranges import neighbours, ranges
from spec.skip_plus.rules import Rules
from spec.skip_plus.space import assignments
from spec.skip_plus.state import ABSENT, Crash, Join, Leave, Node
from tests.spec.skip_plus.graphs import a_round, every_naming, faults, knowing, named, right, rounds_until_right

PRINTED = {erratum.name: erratum.of() for erratum in ERRATA}
NO_RULE = {"introduce_all": lambda _: iter(()), "linearize": lambda _: iter(())}


def graph(names):
    """Skip+ as an undirected graph."""
    found = networkx.Graph()
    found.add_nodes_from(names)
    found.add_edges_from((me, other) for me in names for other in neighbours(me, names))
    return found


def connected_digraphs(names):
    """Who may know whom, for every weakly connected graph."""
    arrows = [(one, other) for one in names for other in names if one != other]
    for chosen in product((False, True), repeat=len(arrows)):
        drawn = [arrow for arrow, there in zip(arrows, chosen, strict=True) if there]
        every = networkx.Graph(drawn)
        every.add_nodes_from(names)
        if networkx.is_connected(every):
            yield {name: tuple(sorted(other for one, other in drawn if one == name)) for name in names}


def random_tree(names, random):
    """Nodes on a random tree, each edge known at one end."""
    order, known = random.sample(names, len(names)), {name: [] for name in names}
    for place in range(1, len(order)):
        one, other = random.sample((order[place], order[random.randrange(place)]), 2)
        known[one].append(other)
    return knowing({name: tuple(others) for name, others in known.items()})


def test_neighbours_in_the_order_of_ids_are_adjacent():
    """Source: Slide 15."""
    for names in every_naming(4, 2):
        assert all(networkx.has_path(graph(names), one, other) for one, other in combinations(names, 2))
        assert all(after in neighbours(before, names) for before, after in pairwise(names))


def test_one_departure_never_disconnects_a_right_graph():
    """Source: Slide 33, "Joins / Leaves can be handled"."""
    for names in every_naming(5, 2):
        around = graph(names)
        assert all(networkx.is_connected(around.subgraph(set(names) - {gone})) for gone in names), names


def test_two_departures_can_disconnect_one_from_four_nodes_on():
    """Source: Slide 33."""

    def falls_apart(names):
        around = graph(names)
        rest = [set(names) - set(gone) for gone in combinations(names, 2)]
        return any(left and not networkx.is_connected(around.subgraph(left)) for left in rest)

    assert not any(falls_apart(names) for nodes in (2, 3) for names in every_naming(nodes, 2))
    assert any(falls_apart(names) for names in every_naming(4, 2))


def test_only_the_right_graph_stays_as_it_is():
    """Whatever else is weakly connected is changed by a round or two: every node can tell that it is not right.

    Source: Slide 10, "Not locally verifiable", which Skip+ mends
    """
    for names in every_naming(3, 2):
        for known in connected_digraphs(names):
            states = {
                name: Node(True, others, others, tuple(right(names)[name].told)) for name, others in known.items()
            }
            inbox = {}
            for _ in range(2):
                states, inbox = a_round(states, inbox)
            stays = {name: local.neighbours for name, local in states.items()} == known
            assert not stays or known == {name: neighbours(name, names) for name in names}


def test_every_connected_start_of_two_nodes_is_right_after_three_rounds():
    """Source: Slide 12, "Start from any weakly connected graph"."""
    for names in every_naming(2, 1):
        for known in connected_digraphs(names):
            assert rounds_until_right(knowing(known), most=3) is not None


@pytest.mark.parametrize("strings", [("0", "0", "0"), ("0", "1", "0"), ("00", "01", "10"), ("11", "00", "10")])
def test_every_connected_graph_of_three_nodes_is_right_after_five_rounds(strings):
    """Source: Slide 12."""
    for known in connected_digraphs(named(*strings)):
        assert rounds_until_right(knowing(known), most=5) is not None


@pytest.mark.parametrize("nodes", [4, 8, 16])
def test_random_trees_become_right_in_logarithmically_many_rounds(nodes):
    """Source: Slide 32, O(log^2 n); measured is less."""
    random = Random(nodes)
    taken = [rounds_until_right(random_tree(assignments(nodes)[seed], random)) for seed in range(6)]
    assert None not in taken
    assert median(taken) <= 2 * ceil(log2(nodes)) + 3


def test_what_is_connected_among_equal_prefixes_stays_so():
    """Source: Slide 25, "rho-connected graphs stay connected"."""
    for seed in range(5):
        names = assignments(8)[seed]
        states, inbox = random_tree(names, Random(seed)), {}
        before = connected_by_prefix(states, inbox)
        while faults(states, inbox):
            states, inbox = a_round(states, inbox)
            after = connected_by_prefix(states, inbox)
            assert before <= after
            before = after


def connected_by_prefix(states, inbox):
    """Every pair that is connected by nodes of a common prefix, with that prefix; inserts on their way count."""
    edges = [(name, other) for name, local in states.items() for other in local.neighbours]
    edges += [(name, other) for name, sent in inbox.items() for message in sent for other in message.inserts]
    found = set()
    for length in range(len(string_of(next(iter(states)))) + 1):
        for prefix in {string_of(name)[:length] for name in states}:
            members = [name for name in states if string_of(name).startswith(prefix)]
            around = networkx.Graph(edges).subgraph(members)
            for part in networkx.connected_components(around):
                found |= {(prefix, *pair) for pair in combinations(sorted(part), 2)}
    return found


@pytest.mark.parametrize("left_out", [("introduce_all",), ("linearize",), ("introduce_all", "linearize")])
def test_convergence_needs_neither_rule_3a_nor_rule_3b(left_out):
    """Source: Slide 23, Rules 3a and 3b; the slides do not say what they are for."""
    rules = Rules(**{name: NO_RULE[name] for name in left_out})
    for seed in range(3):
        assert rounds_until_right(random_tree(assignments(8)[seed], Random(seed)), most=30, rules=rules) is not None


@pytest.mark.parametrize(("command", "most"), [("join", 8), ("crash", 6), ("leave", 4)])
def test_one_join_crash_or_leave_is_over_soon(command, most):
    """Source: Slide 33, "Joins / Leaves can be handled O(log(n)) rounds"."""
    names = assignments(8)[0]
    for subject in names:
        states = right(names, absent=(subject,) if command == "join" else ())
        contact = names[0] if subject != names[0] else names[1]
        taken = {"join": Join(contact), "crash": Crash(), "leave": Leave()}[command]
        outcome = Rules().react(subject, states[subject], Commanded(taken), CERTAIN[0])
        states[subject] = outcome.local
        inbox = {name: [] for name in names}
        for send in outcome.sends:
            inbox[send.target].append(send.message)
        assert rounds_until_right(states, inbox, most=most) is not None


def test_a_right_graph_has_logarithmic_degree():
    """Source: Slide 33, "The Skip+ Graph has degree O(log(n))"; here the mean, of random strings."""
    for nodes in (16, 64):
        names = assignments(nodes)[0]
        assert sum(len(neighbours(name, names)) for name in names) / nodes <= 4 * log2(nodes)


def test_refuted_degree_stays_logarithmic_on_the_way():
    """From a star, the middle knows everybody at first, and others come to know more than in a right graph.

    Source: Slide 33
    """
    names = assignments(16)[0]
    states, inbox = knowing({names[0]: names[1:]} | dict.fromkeys(names[1:], ())), {}
    most = 0
    while faults(states, inbox):
        states, inbox = a_round(states, inbox)
        most = max(
            most, *(len(set(states[name].neighbours).union(*(m.inserts for m in inbox[name]))) for name in names)
        )
    assert most > max(len(neighbours(name, names)) for name in names)


def test_refuted_rule_3b_for_at_least_i():
    """Nodes that are no neighbours are introduced in a right graph, for ever. No smaller graph is known.

    Source: Slide 23, Rule 3b
    """

    def misfits(names):
        _, inbox = a_round(right(names), {}, PRINTED["linearize_at_least"])
        return [fault.rule for fault in faults(right(names), inbox)]

    assert not any(misfits(names) for nodes, bits in ((4, 2), (6, 1)) for names in every_naming(nodes, bits))
    assert set(misfits(named("000", "011", "110", "101", "010", "000", "000"))) == {"insert_is_stable"}


def test_refuted_ranges_that_end_at_oneself_are_symmetric():
    """Source: Slide 15; the strings 0, 0, 1 are the fewest."""
    rules = PRINTED["ranges_end_at_oneself"]

    def is_symmetric(names):
        return all(me in rules.neighbours(other, names) for me in names for other in rules.neighbours(me, names))

    assert all(is_symmetric(names) for names in every_naming(2, 2))
    assert not is_symmetric(named("0", "0", "1"))


def test_refuted_rule_2_as_a_copy():
    """A temporary edge that is kept is there for ever, from three nodes on.

    Source: Slide 22, Rule 2
    """
    a, b, c, d = names = named("0", "1", "0", "0")
    states = right(names) | {a: Node(True, (b, c, d))}
    assert d not in neighbours(a, names)
    assert rounds_until_right(states, most=20) is not None
    assert rounds_until_right(states, most=20, rules=PRINTED["forwarded_edges_stay"]) is None


def test_refuted_printed_introductions_with_references_to_departed_nodes():
    """As printed, references to who is gone are passed around faster than they are found out.

    Source: Slides 21 and 23
    """
    names = assignments(12)[0]
    random = Random(1)
    live = random.sample(names, 8)
    states = random_tree(live, random) | {name: ABSENT for name in names if name not in live}
    for gone in set(names) - set(live):
        for name in random.sample(live, 3):
            states[name] = replace(states[name], neighbours=tuple(sorted({*states[name].neighbours, gone})))
    assert rounds_until_right(dict(sorted(states.items())), most=20) is not None
    assert rounds_until_right(dict(sorted(states.items())), most=60, rules=PRINTED["printed_introduction"]) is None


def test_the_variants_are_those_of_the_rules():
    """Source: our reading of the slides."""
    assert [erratum.name for erratum in PROTOCOL.errata] == list(PRINTED)


def test_a_node_knows_its_true_ranges_when_it_knows_its_neighbours():
    """Source: Slide 15; Slide 18, "from the local view of the node"."""
    for names in every_naming(4, 2):
        assert all(ranges(me, neighbours(me, names)) == ranges(me, names) for me in names)
