"""What the slides say of Skip+ and ALG+: each claim settled once, by its own function, and some facts besides.

Source: slides on A Distributed Polylogarithmic Time Algorithm for Self-Stabilizing Skip Graphs
"""

from itertools import combinations, pairwise

import networkx
import pytest

from checker.errata.claim import Result, settle
from checker.errata.registry import find_claims
from checker.prove.registry import find_lemmas
from spec.skip_plus import PROTOCOL
from spec.skip_plus.errata import ERRATA
from spec.skip_plus.ranges import neighbours, ranges
from tests.checker.evidence.skip_plus.settled import findings
from tests.spec.skip_plus.graphs import every_naming

pytestmark = pytest.mark.xdist_group("claims")

RESULTS = {
    "departed_nodes_are_removed": "refuted",
    "removing_failed_nodes_loses_nothing": "refuted",
    "any_weakly_connected_graph": "reproduced",
    "all_in_between_are_neighbours": "refuted",
    "ranges_have_two_ends": "refuted",
    "skip_graphs_are_not_locally_verifiable": "reproduced",
    "only_the_right_graph_stays": "reproduced",
    "routes_are_logarithmic": "reproduced",
    "degree_is_logarithmic": "reproduced",
    "rule_1_every_neighbour": "reproduced",
    "rule_2_moves": "refuted",
    "rule_3a_and_3b_are_needed": "refuted",
    "rule_3b_common_prefix": "refuted",
    "rho_connected_stays_connected": "reproduced",
    "v_links_connect_in_one_round": "reproduced",
    "pre_components_connect_in_four_rounds": "reproduced",
    "temporary_edges_bubble_up": "reproduced",
    "levels_connect_in_turn": "reproduced",
    "levels_finish_in_turn": "reproduced",
    "rounds_are_polylogarithmic": "reproduced",
    "degree_on_the_way": "refuted",
    "only_neighbours_are_involved": "reproduced",
    "membership_takes_o_log_n_rounds": "reproduced",
    "few_edges_are_inserted": "undecided",
}

DO_NOT_HANG_ON_A_READING = {
    "removing_failed_nodes_loses_nothing",
    "ranges_have_two_ends",
    "skip_graphs_are_not_locally_verifiable",
    "only_the_right_graph_stays",
    "routes_are_logarithmic",
    "v_links_connect_in_one_round",
    "levels_connect_in_turn",
    "membership_takes_o_log_n_rounds",
}

QUOTED = [
    ("departed_nodes_are_removed", "counterexample", "b knows c, and c knows a, which does not take part"),
    ("departed_nodes_are_removed", "why", "Of 8 random trees of 8 nodes that know 4 others which are gone, 8 are not"),
    ("departed_nodes_are_removed", "instead", "right after 4 rounds, and the random ones after 8 at most"),
    ("removing_failed_nodes_loses_nothing", "instead", "right after 4 rounds"),
    ("any_weakly_connected_graph", "why", "All 12 weakly connected graphs of two nodes and all 432 of three"),
    ("any_weakly_connected_graph", "why", "are right after 3 and 5 rounds at most"),
    ("all_in_between_are_neighbours", "counterexample", "a:00, b:00, c:10, d:10: d:10 lies in a range of a:00"),
    ("skip_graphs_are_not_locally_verifiable", "why", "Five nodes a:0, b:1, c:1, d:1, e:0"),
    ("only_the_right_graph_stays", "why", "after 2 unchanged rounds at most"),
    ("routes_are_logarithmic", "why", "has 2, 3, 4, 5 edges"),
    ("degree_is_logarithmic", "why", "the greatest degree is 7, 12, 14, 23"),
    ("rule_1_every_neighbour", "why", "it takes 8 rounds as printed, and 11.5 for stable ones only"),
    ("rule_3a_and_3b_are_needed", "why", "Without Rule 1a 8 of them never do, without 1b, 1c and 3a 8."),
    ("rule_3b_common_prefix", "counterexample", "n = 7: a:000, b:011, c:110, d:101, e:010, f:000, g:000."),
    ("rho_connected_stays_connected", "why", "none was disconnected"),
    ("v_links_connect_in_one_round", "why", "was connected 1 round later"),
    ("v_links_connect_in_one_round", "effect", "it takes 3 rounds at most"),
    ("pre_components_connect_in_four_rounds", "why", "after 2 rounds at most as printed"),
    ("levels_connect_in_turn", "why", "never more than H - |rho| + 1"),
    ("levels_finish_in_turn", "why", "it took 2 rounds at most as printed, and 2 with ours"),
    ("rounds_are_polylogarithmic", "why", "5, 8, 8.5 rounds in the median, 6, 10, 11 at most"),
    ("degree_on_the_way", "why", "others come to know 15"),
    ("membership_takes_o_log_n_rounds", "why", "a join took 8, 8 rounds at most, a leave 3, 4, a crash 5, 6"),
    ("few_edges_are_inserted", "why", "57, 352, 1964 times at most, a leave 24, 115, 614 times"),
]


@pytest.mark.parametrize("name", RESULTS)
def test_the_claim_comes_out_as_it_is_recorded_and_nothing_stated_of_it_is_false(name):
    finding = findings()[name]
    assert finding.found.value == RESULTS[name]
    assert finding.found is finding.recorded
    assert finding.false == ()


def test_every_claim_is_pinned_here():
    assert list(findings()) == list(RESULTS)


def test_claims_that_hang_on_a_reading_are_said_to():
    assert {name for name, finding in findings().items() if not finding.reading} == DO_NOT_HANG_ON_A_READING


@pytest.mark.parametrize(("name", "field", "words"), QUOTED)
def test_the_figures_are_the_ones_that_were_found_before(name, field, words):
    assert words in getattr(findings()[name], field)


def test_every_refuted_claim_has_a_counterexample_and_says_what_we_do():
    refuted = [finding for finding in findings().values() if finding.found is Result.REFUTED]
    assert [each.name for each in refuted if not (each.counterexample and each.instead)] == []


def test_every_claim_says_whose_rules_ran():
    assert [name for name, finding in findings().items() if not finding.ran] == []


def test_every_lemma_that_a_claim_names_is_there():
    known = {lemma.name for lemma in find_lemmas()}
    assert {name for finding in findings().values() for name in finding.lemmas} <= known


def test_the_figures_do_not_depend_on_the_order_in_which_claims_are_settled():
    for claim in reversed(find_claims("skip_plus")):
        if claim.name in ("levels_connect_in_turn", "rule_3b_common_prefix", "departed_nodes_are_removed"):
            assert settle("skip_plus", claim) == findings()[claim.name]


def test_the_variants_are_those_of_the_rules():
    """Source: our reading of the slides."""
    assert [erratum.name for erratum in PROTOCOL.errata] == [erratum.name for erratum in ERRATA]


def graph(names):
    """Skip+ as an undirected graph."""
    found = networkx.Graph()
    found.add_nodes_from(names)
    found.add_edges_from((me, other) for me in names for other in neighbours(me, names))
    return found


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


def test_a_node_knows_its_true_ranges_when_it_knows_its_neighbours():
    """Source: Slide 15; Slide 18, "from the local view of the node"."""
    for names in every_naming(4, 2):
        assert all(ranges(me, neighbours(me, names)) == ranges(me, names) for me in names)
