"""The claims of the papers, each claim settled once, by its own experiment: the result, and what a claim has to say.

The figures and the words are those of the pages `ERRATA.md`, which are compared in `tests/checker/errata/test_page.py`.
"""

import re

import pytest

from gomboc.checker.errata.claim import UNSAID, Result
from gomboc.checker.errata.registry import find_claims, protocols_with_claims
from gomboc.checker.errata.settlement import settle
from gomboc.checker.prove.registry import find_lemmas
from tests.checker.evidence.settled import findings

pytestmark = [pytest.mark.xdist_group("claims"), pytest.mark.long]

PROTOCOLS = protocols_with_claims()
CLAIMS = [(protocol, claim.name) for protocol in PROTOCOLS for claim in find_claims(protocol)]
SETTLED_AGAIN = [
    ("skip_plus", {"levels_connect_in_turn", "rule_3b_common_prefix", "departed_nodes_are_removed"}),
    ("skip_ring", {"claim_22", "number_of_edges", "theorem_13_with_channels", "lemma_19_with_flooding"}),
]

each_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)


@pytest.mark.parametrize(("protocol", "name"), CLAIMS)
def test_the_claim_comes_out_as_it_is_recorded_and_nothing_stated_of_it_is_false(protocol, name):
    finding = findings(protocol)[name]
    assert finding.found is finding.recorded
    assert finding.false == ()


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
    assert any(finding.lemmas for protocol in PROTOCOLS for finding in findings(protocol).values())


@pytest.mark.parametrize(("protocol", "names"), SETTLED_AGAIN)
def test_the_figures_do_not_depend_on_the_order_in_which_claims_are_settled(protocol, names):
    again = [claim for claim in reversed(find_claims(protocol)) if claim.name in names]
    assert {claim.name for claim in again} == names
    for claim in again:
        assert settle(protocol, claim) == findings(protocol)[claim.name]
