"""The coverage goals of a corpus: the frequent outcomes of the specification from arbitrary starts, and no others.

Source: checker/README.md, Corpora
"""

import itertools
import json
from types import SimpleNamespace

import pytest

from gomboc.checker.distinct.findings import Fired
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN
from gomboc.checker.summary import coverage_goals as goals
from gomboc.checker.summary.coverage import NEVER_FALSE, Demanded, coverage, outcomes
from gomboc.checker.summary.coverage_goals import demanded
from gomboc.spec.core.model import Fault
from gomboc.spec.core.registry import find_protocol, protocol_names
from tests.checker.cli.command import gomboc
from tests.toys.words import spec as toy

TELL = Fired("tell", "teller", "Timeout", "timeout", False, True, "speak")
HEAR = Fired("hear", "teller", "Received", "Word", True, False, None)

FEWEST = {
    "chord": 11,
    "delta_fault_tolerance": 1,
    "dissemination": 4,
    "hyparview": 14,
    "scribe": 8,
    "topic_directory": 4,
    "skip_ring": 6,
    "skip_plus": 5,
}
"""Rules that single steps show, of each protocol; of HyParView all but `forget`, which is drawn too seldom."""

MASKS = {"delta_fault_tolerance"}
"""A protocol that makes no promise from corrupted states, so that no start is one."""


@pytest.mark.parametrize("name", protocol_names())
def test_of_a_protocol_each_rule_that_takes_a_message_is_demanded_and_some_corruption(name):
    wanted = demanded(find_protocol(name), (2, 3, 4))
    rules = {rule for rule, _ in wanted.outcomes}
    assert len(rules) >= FEWEST[name]
    assert bool(wanted.corruptions) != (name in MASKS)
    assert all((rule, "never fired") in wanted.outcomes for rule in rules)


def test_what_the_specification_never_does_is_not_demanded():
    """Algorithm 4: a node that is told to remove a connection does not answer."""
    wanted = demanded(find_protocol("skip_ring"), (2, 3, 4)).outcomes
    assert ("remove_connections", "never changed the state") in wanted
    assert ("remove_connections", "never sent anything") not in wanted


def test_what_is_demanded_is_the_same_each_time_and_depends_on_the_sizes():
    ring = find_protocol("skip_ring")
    assert demanded(ring, (3, 2)) == demanded(ring, (2, 3, 3))
    assert demanded(ring, (1,)) != demanded(ring, (3,))
    assert demanded(ring, ()) == Demanded()


def missing(fired, starts=("agrees",), **wanted):
    """The gaps of a corpus with those steps, with one start for each of those conjuncts in which it is false."""
    covered = coverage(toy.UNORDERED, fired, dict.fromkeys(starts, 1), Demanded(**wanted))
    return covered.missing


BOTH = [(TELL, 3), (HEAR, 1)]
SIDES = {
    "never fired": [(HEAR, 1), (Fired("say", "teller", "Timeout", "timeout", True, True, None), 1)],
    "never changed the state": BOTH,
    "always sent something": BOTH,
    "never tossed 'silent'": BOTH,
}


@pytest.mark.parametrize("outcome", SIDES)
def test_an_outcome_that_is_demanded_and_never_occurs_is_missing(outcome):
    assert missing(SIDES[outcome], outcomes=(("tell", outcome),)) == (f"tell {outcome}",)


@pytest.mark.parametrize("outcome", ["never fired", "never sent anything", "always changed the state"])
def test_an_outcome_that_occurs_is_not_missing(outcome):
    assert missing(BOTH, outcomes=(("tell", outcome),)) == ()


def test_a_rule_that_never_fired_is_missed_once_and_not_for_each_of_its_sides():
    sides = tuple(("shout", outcome) for outcome in outcomes(BOTH)[0].outcomes())
    assert missing(BOTH, outcomes=sides) == ("shout never fired",)


def test_coins_that_no_trace_names_are_not_missed():
    assert missing(BOTH, outcomes=(("hear", "never tossed 'silent'"),)) == ()


def test_a_corpus_in_which_legitimacy_is_false_at_no_start_says_so():
    assert missing(BOTH, starts=()) == (NEVER_FALSE,)


def test_a_corruption_that_is_demanded_and_that_no_trace_starts_with_is_missing():
    wanted = ("agrees", "speaks")
    assert missing(BOTH, ("agrees",), corruptions=wanted) == ("no trace starts with speaks false",)


def test_a_corpus_of_right_starts_says_of_each_corruption_that_it_is_missing(tmp_path):
    words = ("simulate", "skip_ring", "--into", "packs", "--nodes", 2, "--jobs", 1)
    assert gomboc(*words, "--start", "legitimate", "--rounds", 2, "--output", tmp_path / "right").code == HOLDS
    ran = gomboc("replay", tmp_path / "right", "--jobs", 1, "--format", "json")
    summary = json.loads(ran.out)
    assert (ran.code, summary["verdicts"]) == (UNKNOWN, {"holds": 1})
    wanted = demanded(find_protocol("skip_ring"), (2,)).corruptions
    assert {f"no trace starts with {name} false" for name in wanted} <= set(summary["coverage"]["missing"])


@pytest.mark.parametrize(("often", "wanted"), [(10, ("sometimes",)), (11, ())])
def test_what_occurs_in_just_one_of_ten_cases_is_demanded_and_less_is_not(often, wanted, monkeypatch):
    """One start of ten, or of eleven, has the fault; a rule that fires ten times, or eleven, does it once."""
    asked = itertools.count()
    fault = Fault("sometimes", "", "", "", "")
    monkeypatch.setattr(goals, "STARTS", 10 * often)
    monkeypatch.setattr(goals, "legitimacy_faults", lambda *arguments: (fault,) if next(asked) % often == 0 else ())
    rule = SimpleNamespace(rule="tell", fired=often, outcomes=lambda: {"sent something": 1})
    monkeypatch.setattr(goals, "outcomes", lambda steps: (rule,))
    result = demanded(find_protocol("skip_ring"), (2,))
    assert result.corruptions == wanted
    assert result.outcomes == ((("tell", "sent something"),) if wanted else ())
