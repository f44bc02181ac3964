"""What the paper on the skip ring claims, each settled once, by its own function: the result, the reading, the figures.

Source: Feldmann, Kolb, Scheideler, Strothmann, Self-Stabilizing Supervised Publish-Subscribe Systems
"""

import pytest

from checker.errata.claim import Result, settle
from checker.errata.registry import find_claims
from checker.prove.registry import find_lemmas
from tests.checker.evidence.skip_ring.settled import findings

pytestmark = pytest.mark.xdist_group("claims")

RESULTS = {
    "theorem_13_as_printed": "refuted",
    "number_of_edges": "refuted",
    "node_degree": "reproduced",
    "two_shortcuts_on_each_level": "refuted",
    "lemma_4_labels_do_not_multiply": "refuted",
    "algorithm_2_candidate_is_kept": "refuted",
    "algorithm_2_nobody_is_introduced_to_itself": "refuted",
    "lemma_9_gap_can_be_filled": "refuted",
    "lemma_9_database_is_repaired": "reproduced",
    "copies_then_subscribe": "refuted",
    "theorem_5_configuration_requests": "refuted",
    "lemma_11_labels": "reproduced",
    "lemma_11_neighbours": "refuted",
    "lemma_12_introductions": "refuted",
    "algorithm_4_unchanged_shortcut": "refuted",
    "two_consecutive_subscribes": "refuted",
    "theorem_7_supervisor": "reproduced",
    "theorem_7_subscribers": "refuted",
    "unsubscribe_neighbours": "refuted",
    "lemma_6_introductions": "refuted",
    "section_3_3_one_failure_detector": "refuted",
    "section_4_2_hash_formula": "refuted",
    "theorem_8_linearize": "refuted",
    "theorem_13_explicit_edges": "refuted",
    "theorem_13_with_channels": "reproduced",
    "lemma_15_shortcut_introductions": "refuted",
    "corollary_18": "reproduced",
    "lemma_19_on_the_ring": "reproduced",
    "lemma_19_with_flooding": "refuted",
    "figure_2_example": "reproduced",
    "lemma_20_choice_of_t": "refuted",
    "claim_21": "refuted",
    "claim_22": "refuted",
    "degree_by_level": "refuted",
    "logarithmic_diameter": "reproduced",
    "linearize_one_side": "refuted",
    "shortcut_formula_wraps": "refuted",
    "text_and_pseudocode": "refuted",
    "empty_and_single": "refuted",
    "theorem_5_only_action_two": "refuted",
    "lemma_6_stays_away": "refuted",
    "any_graph": "reproduced",
    "convergence_is_guaranteed": "refuted",
    "lemma_10_recorded": "reproduced",
    "constant_rounds": "reproduced",
    "theorem_17_convergence": "reproduced",
    "theorem_13_late_messages": "refuted",
    "one_sided_initiation": "reproduced",
    "same_payload_twice": "refuted",
    "empty_trie": "refuted",
    "theorem_23_with_channels": "refuted",
}

HANG_ON_A_READING = {
    "linearize_one_side",
    "shortcut_formula_wraps",
    "logarithmic_diameter",
    "theorem_5_only_action_two",
    "lemma_6_stays_away",
    "convergence_is_guaranteed",
    "lemma_10_recorded",
    "constant_rounds",
    "theorem_17_convergence",
    "theorem_13_late_messages",
    "same_payload_twice",
    "theorem_23_with_channels",
    "algorithm_2_nobody_is_introduced_to_itself",
    "copies_then_subscribe",
    "lemma_11_neighbours",
    "lemma_15_shortcut_introductions",
    "lemma_4_labels_do_not_multiply",
    "lemma_9_gap_can_be_filled",
    "section_4_2_hash_formula",
    "theorem_13_as_printed",
    "algorithm_2_candidate_is_kept",
    "algorithm_4_unchanged_shortcut",
    "claim_21",
    "lemma_11_labels",
    "lemma_12_introductions",
    "lemma_19_on_the_ring",
    "lemma_19_with_flooding",
    "section_3_3_one_failure_detector",
    "theorem_13_explicit_edges",
    "theorem_7_subscribers",
    "unsubscribe_neighbours",
}

QUOTED = [
    ("number_of_edges", "counterexample", "the sum is 4; there are 2 directed edges, and 1 without direction"),
    ("number_of_edges", "why", "60 by the sum, 58 directed, 29 undirected"),
    ("node_degree", "why", "509/128 = 3.977, and 15"),
    ("two_shortcuts_on_each_level", "why", "true for n = 1 only"),
    (
        "lemma_4_labels_do_not_multiply",
        "why",
        "in every timeout (Algorithm 4, lines 12-14): 1, 2, 3, 4 after 0 to 3 timeouts",
    ),
    ("lemma_4_labels_do_not_multiply", "why", "becomes two: 1, 2."),
    ("lemma_4_labels_do_not_multiply", "why", "of 18,522 receipts"),
    ("lemma_4_labels_do_not_multiply", "why", "2,854 leave more false labels"),
    ("lemma_4_labels_do_not_multiply", "reading", "1,354 of the receipts still make more"),
    ("theorem_13_as_printed", "why", "wrong for n = 2, 3, 4, 5, 8, 16 once every node"),
    ("theorem_13_as_printed", "why", "there are 2, 6, 13, 27, 58, 121 in flight"),
    ("algorithm_2_nobody_is_introduced_to_itself", "reading", "told of itself in 1,120 of the cases"),
    ("copies_then_subscribe", "reading", "nobody is lost (in 0 of these databases)"),
    ("lemma_12_introductions", "reading", "told of, for n = 2 to 129"),
    ("lemma_15_shortcut_introductions", "why", "in 43 of 96 cases"),
    ("degree_by_level", "why", "For n = 16 they have 7, not 8."),
    ("linearize_one_side", "why", "in 16 of 256 cases"),
    ("shortcut_formula_wraps", "counterexample", "n = 4, label 0: the formula gives 1.5."),
    ("text_and_pseudocode", "why", "Of 60 databases with copies"),
    ("text_and_pseudocode", "why", "than the lowest in 32."),
    ("theorem_5_only_action_two", "why", "493/288 for n = 16 and about 1.7699 for n = 512"),
    ("lemma_6_stays_away", "why", "In 14 of 14 cases"),
    ("theorem_13_late_messages", "why", "disturbs them: Unsubscribe, Subscribe, SetData."),
    ("one_sided_initiation", "why", "58,720 of the 64,770 ordered pairs"),
    ("algorithm_2_candidate_is_kept", "why", "in 1,120 of 2,240 cases"),
    ("algorithm_2_candidate_is_kept", "why", "The specification loses it in 0."),
    ("algorithm_2_nobody_is_introduced_to_itself", "why", "in 2,240 of 2,240 cases"),
    ("lemma_9_gap_can_be_filled", "why", "in all 3,125 databases over l(0) to l(4)"),
    ("lemma_9_database_is_repaired", "why", "after at most 4 calls"),
    ("copies_then_subscribe", "counterexample", "v3 subscribes: (0, v1), (01, v3). v2 is lost."),
    ("copies_then_subscribe", "why", "78 of the 363 databases"),
    ("theorem_5_configuration_requests", "why", "exactly 1 for n = 2"),
    ("theorem_5_configuration_requests", "why", "17/16 for n = 3, 9/8 for n = 4, 349/288 for n = 16, about 1.2699"),
    ("lemma_11_neighbours", "why", "its right neighbour (01, v3) by (001, v3)"),
    ("lemma_12_introductions", "why", "n = 5, 9, 10, 11, 12, 13, 14, 15, 17, 18"),
    ("lemma_12_introductions", "why", "n = 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31."),
    ("algorithm_4_unchanged_shortcut", "why", "0 for n = 2, 4 for n = 4, 28 for n = 8, 108 for n = 16"),
    ("two_consecutive_subscribes", "counterexample", "SR(4), label 0: subscriptions 1, 4."),
    ("theorem_7_supervisor", "why", "1 message for a subscription, at most 2 when"),
    ("theorem_7_subscribers", "why", "3 for n = 4, 5 for n = 8, 7 for n = 16, 9 for n = 32, 11 for n = 64"),
    ("unsubscribe_neighbours", "counterexample", "v2 is sent SetData((1, v2), 0, (1, v2))"),
    ("unsubscribe_neighbours", "why", "Of 496 cases (every leaver but the last, n from 2 to 32)"),
    ("lemma_6_introductions", "counterexample", "n = 4: v1 to v2, v2 to v1."),
    ("section_3_3_one_failure_detector", "why", "drops them, 0 of 35 cases are not right"),
    ("section_3_3_one_failure_detector", "why", "so that no reference is lost, 7 are not"),
    ("section_3_3_one_failure_detector", "effect", "all 35 cases are right after at most 9 rounds"),
    ("section_4_2_hash_formula", "why", "34,000 of 64,770 ordered pairs of different tries (52.5 %)"),
    ("section_4_2_hash_formula", "counterexample", "One has 000, 010, 100, the other 001, 010, 100"),
    ("theorem_8_linearize", "why", "in 10 steps every node times out"),
    ("theorem_13_explicit_edges", "why", "2,408 of 4,233 for n = 2, 16,876 of 24,684 for n = 3"),
    ("theorem_13_with_channels", "why", "71 for n = 2, 142 for n = 3"),
    ("lemma_19_on_the_ring", "why", "each of 4,094 deliveries"),
    ("lemma_19_with_flooding", "why", "in 642 of 2,568 deliveries"),
    ("lemma_19_with_flooding", "counterexample", "takes Phi from 2 to 4"),
    ("figure_2_example", "why", "2 messages from u, and nothing delivered; 4 from v"),
    ("lemma_20_choice_of_t", "why", "In 4,028 of 82,860 choices"),
    ("lemma_20_choice_of_t", "why", "all 64,770 ordered pairs become equal, after at most 2"),
    ("claim_21", "why", "In 1,920 of 78,832 cases"),
    ("claim_21", "why", "1,680 of 58,720 ordered pairs"),
    ("claim_22", "why", "23,928 of 78,832 cases. In 13,468 it is a prefix"),
]


@pytest.mark.parametrize("name", RESULTS)
def test_the_claim_comes_out_as_it_is_recorded_and_nothing_stated_of_it_is_false(name):
    finding = findings()[name]
    assert finding.found.value == RESULTS[name]
    assert finding.found is finding.recorded
    assert finding.false == ()


def test_every_claim_is_pinned_here():
    assert set(findings()) == set(RESULTS)


def test_claims_that_hang_on_a_reading_are_said_to():
    assert {name for name, finding in findings().items() if finding.reading} == HANG_ON_A_READING


@pytest.mark.parametrize(("name", "field", "words"), QUOTED)
def test_the_figures_are_the_ones_that_were_found_before(name, field, words):
    assert words in getattr(findings()[name], field)


def test_every_refuted_claim_has_a_counterexample_and_says_what_we_do():
    lacking = [
        name
        for name, finding in findings().items()
        if finding.found is Result.REFUTED and not (finding.counterexample and finding.instead)
    ]
    assert lacking == []


def test_every_claim_says_whose_rules_ran():
    assert [name for name, finding in findings().items() if not finding.ran] == []


def test_every_lemma_that_a_claim_names_is_there():
    known = {lemma.name for lemma in find_lemmas()}
    named = {name for finding in findings().values() for name in finding.lemmas}
    assert named
    assert named <= known


def test_the_figures_do_not_depend_on_the_order_in_which_claims_are_settled():
    for claim in reversed(find_claims("skip_ring")):
        if claim.name in ("claim_22", "number_of_edges", "theorem_13_with_channels", "lemma_19_with_flooding"):
            assert settle("skip_ring", claim) == findings()[claim.name]
