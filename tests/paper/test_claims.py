"""The claims of the papers, each claim settled once, by its own function: the result, the reading, the figures.

The expected results of a protocol's claims are in `pinned`, a module of each.
"""

import re
from importlib import import_module

import pytest

from gomboc.checker.errata.claim import UNSAID, Result
from gomboc.checker.errata.registry import find_claims, protocols_with_claims
from gomboc.checker.errata.settlement import settle
from gomboc.checker.prove.registry import find_lemmas
from tests.checker.evidence.settled import findings
from tests.paper import pinned

pytestmark = [pytest.mark.xdist_group("claims"), pytest.mark.long]

PINNED = {name: import_module(f"{pinned.__name__}.{name}") for name in protocols_with_claims()}
CLAIMS = [(protocol, name) for protocol, known in PINNED.items() for name in known.RESULTS]
QUOTED = [(protocol, *quoted) for protocol, known in PINNED.items() for quoted in known.QUOTED]
SETTLED_AGAIN = [
    ("skip_plus", {"levels_connect_in_turn", "rule_3b_common_prefix", "departed_nodes_are_removed"}),
    ("skip_ring", {"claim_22", "number_of_edges", "theorem_13_with_channels", "lemma_19_with_flooding"}),
]

each_protocol = pytest.mark.parametrize("protocol", PINNED)


@pytest.mark.parametrize(("protocol", "name"), CLAIMS)
def test_the_claim_comes_out_as_it_is_recorded_and_nothing_stated_of_it_is_false(protocol, name):
    finding = findings(protocol)[name]
    assert finding.found.value == PINNED[protocol].RESULTS[name]
    assert finding.found is finding.recorded
    assert finding.false == ()


@each_protocol
def test_every_claim_is_pinned(protocol):
    assert set(findings(protocol)) == set(PINNED[protocol].RESULTS)


@each_protocol
def test_claims_that_hang_on_a_reading_are_said_to(protocol):
    without = {name for name, finding in findings(protocol).items() if not finding.reading}
    assert without == PINNED[protocol].WITHOUT_A_READING


@pytest.mark.parametrize(("protocol", "name", "field", "words"), QUOTED)
def test_the_figures_are_the_ones_that_were_found_before(protocol, name, field, words):
    assert words in getattr(findings(protocol)[name], field)


READINGS = [
    (
        "skip_plus",
        "departed_nodes_are_removed",
        0,
        "that know 4 failed ones are right after 7 rounds at most",
    ),
    ("skip_plus", "departed_nodes_are_removed", 1, "8 of the 8 random trees are not right after 60 rounds"),
    ("skip_plus", "all_in_between_are_neighbours", 0, "so it is in all 325 right graphs of 2 to 5 nodes"),
    ("skip_plus", "every_level_has_a_buddy", 0, "each of 1,426 pairs of a node and such a level has one"),
    ("skip_plus", "levels_finish_in_turn", 0, "it took 2 rounds at most as printed, and 2 with ours"),
    ("skip_ring", "lemma_4_trace_is_monotone", 1, "1,568 of 2,800 changes make the label greater"),
    ("skip_ring", "lemma_12_introductions", 0, "n = 5, 9, 10, 11, 12, 13, 14, 15, 17, 18"),
    ("skip_ring", "lemma_12_introductions", 1, "n = 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31."),
    ("skip_ring", "lemma_12_introductions", 2, "is introduced, for n = 2 to 129"),
    ("skip_ring", "lemma_9_gap_can_be_filled", 0, "in all 3,125 databases over l(0) to l(4)"),
    ("skip_ring", "algorithm_2_candidate_is_kept", 0, "the old one is forgotten in 0 cases"),
    ("skip_ring", "algorithm_2_candidate_is_kept", 1, "is forgotten, in 1,120 cases"),
    ("skip_ring", "copies_then_subscribe", 0, "each of the 15 databases that are not corrupted"),
    ("skip_ring", "copies_then_subscribe", 1, "in 78 of the 363 databases that have no gap"),
    ("skip_ring", "two_consecutive_subscribes", 0, "so it is in all 126 cases"),
    ("skip_ring", "two_consecutive_subscribes", 1, "not so in 126 of these cases"),
    ("skip_ring", "theorem_7_subscribers", 0, "2.75 for n = 4, 4.50 for n = 8"),
    ("skip_ring", "theorem_7_subscribers", 1, "3 for n = 4, 5 for n = 8, 7 for n = 16, 9 for n = 32, 11 for n = 64"),
    ("skip_ring", "line_18_across_the_closing_edge", 0, "exactly the 227 nodes between u and the proposed one"),
    ("skip_ring", "line_18_across_the_closing_edge", 1, "227 of these 227 are not asked about, and 1,230 of the 1,230"),
    ("skip_ring", "length_and_level", 1, "57 of these n have ring edges whose labels are shorter"),
    ("skip_ring", "length_and_level", 3, "f(1) is 7"),
    ("skip_ring", "lemma_6_stays_away", 1, "14 of 14 have a label again"),
    ("chord", "few_principals_suffice", 0, "0 of 300 random runs break any promise"),
    ("chord", "few_principals_suffice", 1, "19 of 300 random runs end"),
    ("skip_ring", "convergence_is_guaranteed", 0, "10 random runs from arbitrary states with n = 4"),
]


@pytest.mark.parametrize(("protocol", "name", "number", "words"), READINGS)
def test_the_figures_of_readings_are_the_ones_that_were_found_before(protocol, name, number, words):
    assert words in findings(protocol)[name].readings[number].says


@each_protocol
def test_every_refuted_claim_has_a_counterexample_and_says_what_we_do(protocol):
    outcomes = {
        name: (one.found, *(claim.outcome for claim in one.readings)) for name, one in findings(protocol).items()
    }
    assert any(Result.REFUTED in came_out for came_out in outcomes.values())
    refuted = [finding for finding in findings(protocol).values() if finding.found is Result.REFUTED]
    assert [claim.name for claim in refuted if not (claim.counterexample and claim.instead)] == []


@each_protocol
def test_every_claim_that_depends_on_the_reading_has_readings_that_come_out_differently(protocol):
    for finding in findings(protocol).values():
        outcomes = {reading.outcome for reading in finding.readings}
        assert (finding.found is Result.DEPENDS) == (len(outcomes) > 1), finding.name


@each_protocol
def test_what_the_paper_does_not_say_has_been_examined_and_says_what_we_do(protocol):
    for finding in findings(protocol).values():
        assert (finding.found in UNSAID) == (finding.examined is not None), finding.name
        assert finding.examined not in {*UNSAID, Result.DEPENDS}
        assert finding.instead or finding.found is not Result.SILENT, finding.name


SMALLEST = re.compile(r"\b(smallest|fewest|no fewer|shortest)\b", re.IGNORECASE)


@each_protocol
def test_only_what_was_searched_below_is_called_the_smallest(protocol):
    called = [
        finding.name
        for finding in findings(protocol).values()
        if SMALLEST.search(f"{finding.counterexample} {finding.why} {finding.reading}")
    ]
    assert [name for name in called if not findings(protocol)[name].searched] == []


@each_protocol
def test_every_claim_says_whose_rules_ran(protocol):
    assert [name for name, finding in findings(protocol).items() if not finding.ran] == []


@each_protocol
def test_every_lemma_that_a_claim_names_is_there(protocol):
    known = {lemma.name for lemma in find_lemmas()}
    assert {name for finding in findings(protocol).values() for name in finding.lemmas} <= known


def test_claims_name_lemmas():
    assert any(finding.lemmas for protocol in PINNED for finding in findings(protocol).values())


@pytest.mark.parametrize(("protocol", "names"), SETTLED_AGAIN)
def test_the_figures_do_not_depend_on_the_order_in_which_claims_are_settled(protocol, names):
    again = [claim for claim in reversed(find_claims(protocol)) if claim.name in names]
    assert {claim.name for claim in again} == names
    for claim in again:
        assert settle(protocol, claim) == findings(protocol)[claim.name]
