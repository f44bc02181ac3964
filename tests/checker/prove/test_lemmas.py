"""Every lemma comes out as it is meant to, and every encoding agrees with the specification."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checker.judge.verdict import HOLDS
from checker.prove.finding import Proved, Refuted
from checker.prove.registry import find_lemmas
from checker.prove.runner import prove

LEMMAS = find_lemmas()
PROVED, REFUTED = "proved", "refuted"
RESULTS = {
    "reconciliation_makes_progress": (PROVED, REFUTED, REFUTED),
    "printed_claim_21": (REFUTED, PROVED, PROVED),
    "printed_claim_22": (REFUTED, PROVED),
    "chain_gives_neighbours_in_levels": (PROVED, REFUTED),
    "printed_merge_introduces_others": (REFUTED, PROVED),
    "printed_merge_loses_nobody": (REFUTED, PROVED, PROVED),
    "set_data_loses_no_reference": (PROVED, REFUTED),
    "edges_of_the_ring": (PROVED, REFUTED),
    "printed_number_of_edges": (REFUTED, PROVED),
    "labels_are_a_bijection": (PROVED, REFUTED),
    "no_reference_is_lost": (PROVED, REFUTED),
    "delegation_comes_nearer": (PROVED, REFUTED),
    "hearsay_does_not_relabel": (PROVED, REFUTED),
    "labels_lie_midway": (PROVED, REFUTED),
    "strings_are_ordered_as_numbers": (PROVED, REFUTED),
    "printed_partners_reach_every_shortcut": (REFUTED, REFUTED, PROVED),
    "repair_yields_the_first_labels": (PROVED, REFUTED),
    "relabelling_terminates": (PROVED, REFUTED),
    "subscribe_overwrites_nobody": (PROVED, REFUTED),
    "requests_stay_below_four_thirds": (PROVED, REFUTED),
    "requests_of_long_labels": (PROVED, REFUTED),
    "printed_theorem_5": (REFUTED, PROVED),
    "factored_replay_is_replay": (PROVED, REFUTED, REFUTED, REFUTED, REFUTED),
}
SMALLEST = {
    "printed_theorem_5": [{"nodes": 2}],
    "printed_number_of_edges": [{"nodes": 2}],
    "requests_stay_below_four_thirds": [{"nodes": 92}],
}
"""Counterexamples that are looked for from the smallest size on, so that they are the same with any z3."""


def named(lemma):
    return lemma.name


@pytest.fixture(scope="module")
def findings():
    """Each lemma is settled once for all tests here."""
    return {lemma.name: prove(lemma, 120) for lemma in LEMMAS}


def test_there_are_these_lemmas_and_no_others():
    assert {lemma.name for lemma in LEMMAS} == set(RESULTS)


@pytest.mark.parametrize("lemma", LEMMAS, ids=named)
def test_a_lemma_and_its_contrasts_come_out_as_pinned(findings, lemma):
    finding = findings[lemma.name]
    kinds = {Proved: PROVED, Refuted: REFUTED}
    assert tuple(kinds.get(type(one.result), one.result) for one in finding.settled()) == RESULTS[lemma.name]
    assert finding.exit_code() == HOLDS


@pytest.mark.parametrize("lemma", LEMMAS, ids=named)
def test_a_counterexample_is_one_in_the_specification_too(findings, lemma):
    finding = findings[lemma.name]
    for statement, settled in zip((lemma.statement, *lemma.contrasts), finding.settled(), strict=True):
        if isinstance(settled.result, Refuted) and statement.replay is not None:
            assert statement.replay(settled.result.values).confirms()


def test_only_repeated_ids_are_refuted_without_a_replay(findings):
    unconfirmed = [
        (finding.name, settled.says)
        for finding in findings.values()
        for settled in finding.settled()
        if isinstance(settled.result, Refuted) and settled.result.replayed is None
    ]
    assert unconfirmed == [("factored_replay_is_replay", "... if an id may be given to two messages")]


@pytest.mark.parametrize("lemma", LEMMAS, ids=named)
def test_a_lemma_has_a_statement_that_holds_and_one_that_does_not(lemma):
    assert {statement.holds for statement in (lemma.statement, *lemma.contrasts)} == {True, False}


@pytest.mark.parametrize(("name", "values"), SMALLEST.items())
def test_the_smallest_counterexample_is_found(findings, name, values):
    refuted = [one.result.values for one in findings[name].settled() if isinstance(one.result, Refuted)]
    assert refuted == values


def test_printed_partners_fail_first_for_5_subscribers_and_as_seen_locally_for_9(findings):
    settled = findings["printed_partners_reach_every_shortcut"].settled()
    assert [one.result.values["nodes"] for one in settled if isinstance(one.result, Refuted)] == [5, 9]


@pytest.mark.parametrize("lemma", LEMMAS, ids=named)
@settings(max_examples=20, deadline=None, derandomize=True)
@given(random=st.randoms(use_true_random=True))
def test_an_encoding_agrees_with_the_specification(lemma, random):
    sample = lemma.agrees_with_spec(random)
    assert sample.encoded == sample.specified, sample.input
