"""Every lemma comes out as it is meant to, and every encoding agrees with the specification."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from gomboc.checker.judge.verdict import HOLDS
from gomboc.checker.prove.corners import samples
from gomboc.checker.prove.registry import find_lemmas
from gomboc.checker.prove.runner import prove
from gomboc.checker.prove.settlement import Proved, Refuted
from tests.checker.prove.reach import code_of, lines_of, unreached

pytestmark = pytest.mark.long

LEMMAS = find_lemmas()
RESULTS = tomllib.loads(Path(__file__).with_name("results.toml").read_text(encoding="utf-8"))
STARTS = (
    "closure_of_subscribers",
    "closure_of_skip_plus",
    "closure_of_publishing",
    "closure_for",
    "the_invariant_is_kept",
    "the_shortest_reference",
)
ALONG_PATHS = tuple(lemma for lemma in LEMMAS if lemma.name.startswith(STARTS))
"""These take minutes of a processor together; small parts are in `closure/test_statement.py` and `test_cuts.py`."""
AT_ONCE = tuple(lemma for lemma in LEMMAS if lemma not in ALONG_PATHS)
SMALLEST = {
    "printed_theorem_5": [{"nodes": 2}],
    "printed_number_of_edges": [{"nodes": 2}],
    "requests_stay_below_four_thirds": [{"nodes": 92}],
}
"""Counterexamples that are looked for from the smallest size on, so that they are the same with any z3."""

SAMPLES = 60
"""Samples that compare an encoding with the specification; rows of `tests/mutants` are changes they must notice."""
NOT_ENCODED = {
    "return one(u, claim.node, RemoveConnections(me))",  # nodes without a label
    "return Outcome(replace(local, database=database), (configure(database, subscriber),))",  # suspects
    'return Violated(number, "known_node", f"{step.node!r} is not among the roles of the header", step.node)',
    "self._take_command(step)",  # which asks when counting begins anew: the lemma leaves closure out
    "self._follow_sleep(step)",  # links that are first in, first out
    "self.returned = taken is not None and taken.id in self.lost and step.node not in self.asleep",
}
"""Lines that no sample reaches, since the encoding has no such state or message."""


def named(lemma):
    return lemma.name


WORDS = {
    *("reset", "set-info", "declare-fun", "declare-sort", "assert", "check-sat", "let", "_", "forall", "exists"),
    *("Int", "Bool", "Real", "=", "distinct", "not", "and", "or", "xor", "=>", "ite"),
    *("<", "<=", ">", ">=", "+", "-", "*", "/", "div", "mod", "abs", "to_real", "to_int", "is_int", "select", "store"),
    *("concat", "extract", "zero_extend", "sign_extend", "bvnot", "bvneg", "bvand", "bvor", "bvxor", "bvadd", "bvsub"),
    *("bvmul", "bvudiv", "bvurem", "bvshl", "bvlshr", "bvashr", "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle"),
}
"""The words of SMT-LIB 2.6, of its commands, Core, Ints, Reals, ArraysEx and FixedSizeBitVectors with its logic."""


@pytest.fixture(scope="module")
def queries():
    """The queries of each lemma, after `findings`."""
    return {lemma.name: [] for lemma in AT_ONCE}


@pytest.fixture(scope="module")
def findings(queries):
    """Each lemma is settled once for all tests here."""

    def taken(name):
        return lambda status, query: queries[name].append(query)

    return {lemma.name: prove(lemma, 120, taken(lemma.name)) for lemma in AT_ONCE}


def test_there_are_these_lemmas_and_no_others():
    assert {lemma.name for lemma in LEMMAS} == set(RESULTS)


@pytest.mark.parametrize("lemma", AT_ONCE, ids=named)
def test_a_lemma_and_its_contrasts_come_out_as_pinned(findings, lemma):
    come_out(findings[lemma.name], lemma)


def words(query):
    """The words that stand first in an expression, but for names that the query gives."""
    declared = re.findall(r"\(declare-(?:fun|sort) (\|[^|]*\||\S+)", query)
    first = {inner or word for inner, word in re.findall(r"\((?:\(_ (\S+) |(\|[^|]*\||[^\s()]+))", query)}
    return {word for word in first - {*declared} if not re.fullmatch(r"([?$]x|a!)\d+", word)}


@pytest.mark.parametrize("lemma", AT_ONCE, ids=named)
def test_the_queries_of_a_lemma_have_no_words_that_only_z3_knows(findings, queries, lemma):
    assert queries[lemma.name]
    assert {word for query in queries[lemma.name] for word in words(query)} <= WORDS


@pytest.mark.dear
@pytest.mark.parametrize("lemma", ALONG_PATHS, ids=named)
def test_closure_and_its_contrasts_come_out_as_pinned(lemma):
    finding = prove(lemma, 600)
    come_out(finding, lemma)
    refuted = [one.result for one in finding.settled() if isinstance(one.result, Refuted)]
    assert all(result.replayed is not None and result.replayed.confirms() for result in refuted)


def come_out(finding, lemma):
    """Asserts that a lemma and its contrasts are settled as pinned."""
    kinds = {Proved: "proved", Refuted: "refuted"}
    assert [kinds.get(type(one.result), one.result) for one in finding.settled()] == RESULTS[lemma.name]
    assert finding.exit_code() == HOLDS


@pytest.mark.parametrize("lemma", AT_ONCE, ids=named)
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


@cache
def differing(agrees):
    """The first sample on which an encoding differs from the specification; lemmas may be proved of one encoding."""
    return next((sample for sample in samples(agrees, SAMPLES) if sample.encoded != sample.specified), None)


@pytest.mark.parametrize("lemma", LEMMAS, ids=named)
def test_an_encoding_agrees_with_the_specification(lemma):
    assert differing(lemma.agrees_with_spec) is None


@pytest.mark.dear
@pytest.mark.parametrize("lemma", LEMMAS, ids=named)
def test_samples_reach_every_line_of_what_an_encoding_stands_for(lemma):
    drawn = []
    missed = unreached(lemma.tied_to, lambda: drawn.extend(samples(lemma.agrees_with_spec, SAMPLES)))
    assert len(drawn) == SAMPLES
    assert missed - NOT_ENCODED == set()


def test_what_is_not_encoded_is_there():
    """A line that has changed would otherwise excuse nothing."""
    functions = {function for lemma in LEMMAS for function in lemma.tied_to}
    there = {line for function in functions for line in lines_of(code_of(function)).values()}
    assert there >= NOT_ENCODED


@pytest.mark.parametrize("lemma", LEMMAS, ids=named)
def test_a_lemma_says_what_is_done_by_hand_and_what_it_leaves_out(lemma):
    assert lemma.by_hand
    assert lemma.leaves_out
    assert not {lemma.by_hand[-1], lemma.leaves_out[-1]} & set(". ")


VACUOUS = {
    "rule_2_makes_progress": (16, 0),
    "printed_merge_introduces_others": (0, 13),
    "printed_claim_22": (0, 388),
    "closure_of_the_supervisor_for_every_n": (8, 0, 0, 0),
}
"""The vacuous parts of each statement, where there are any: true, with a premise that never holds, and not counted."""


@pytest.mark.parametrize("lemma", AT_ONCE, ids=named)
def test_parts_about_nothing_are_counted_apart(findings, lemma):
    vacuous = tuple(getattr(settled.result, "vacuous", 0) for settled in findings[lemma.name].settled())
    assert vacuous == VACUOUS.get(lemma.name, (0,) * len(vacuous))
