"""The explorer by tables agrees with the plain one: the same counts, verdicts and words, on any small protocol."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.questions.bounds import Bounds
from gomboc.checker.explore.questions.question import Coins, Fairness, Question
from gomboc.checker.explore.table.examine import examine
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.domain import OneOf
from tests.checker.explore.alike import explored_alike
from tests.checker.explore.table.protocols import instance_of, instances, tabled
from tests.plugins.promises import finding_on
from tests.sampling import share


@pytest.mark.parametrize(("fairness", "coins"), list(product(Fairness, Coins)))
@settings(max_examples=share(60))
@given(instance=instances())
def test_both_explorers_say_the_same(fairness, coins, instance):
    explored_alike(instance, Question(fairness=fairness, coins=coins))


@settings(max_examples=share(60))
@given(instance=instances(), most=st.integers(1, 60))
def test_a_bound_never_changes_a_verdict_but_to_unknown(instance, most):
    whole = {(one.promise, one.of): one.verdict for one in examine(instance).findings}
    part = examine(instance, Question(bounds=Bounds(most_states=most)))
    assert part.extent.stopped in ("", f"the bound of {counted(most, 'state')} was reached")
    for one in part.findings:
        result = one.of, one.promise
        assert isinstance(one.verdict, (Unknown, type(whole.get(result[::-1], one.verdict))))


PING = tabled({("a", 0, None): ((0, (("b", 10),)),), ("b", 0, 10): ((1, ()),), ("b", 1, None): ((2, ()),)})


@pytest.mark.parametrize(
    ("bounds", "why"),
    [
        (Bounds(seconds=0), "the bound of 0 seconds was reached"),
        (Bounds(megabytes=1), "the bound of 1 MB of memory was reached"),
        (Bounds(most_states=2), "the bound of 2 states was reached"),
    ],
)
def test_a_bound_that_is_reached_leaves_everything_unknown(bounds, why):
    exploration = examine(instance_of(PING), Question(bounds=bounds))
    assert exploration.extent.stopped == why
    assert exploration.exit_code() == 3
    open_ = [one.verdict for one in exploration.findings if isinstance(one.verdict, Unknown)]
    assert all(one.why.startswith(f"{why}: ") for one in open_), open_


def test_a_state_that_is_too_wide_leaves_everything_unknown():
    wide = replace(instance_of(PING), messages=OneOf(tuple(("a", number) for number in range(99))), in_flight=1)
    exploration = examine(wide)
    why = (
        "a state needs 101 bits, and the table-driven explorer has 63: if a value grows without bound, bound it in the "
    )
    why += "model; else take a smaller model, or --engine plain"
    assert exploration.extent.stopped == why
    assert {one.verdict for one in exploration.findings} == {Unknown(why)}


def test_progress_is_reported():
    reports = []
    examine(instance_of(PING), report=lambda *numbers: reports.append(numbers))
    assert (1, 2, 1) in reports


def test_a_violation_of_closure_is_a_shortest_one():
    path = {("a", state, None): ((state + 1, ()),) for state in range(5)}
    wrong = {(1, "a", 1), (3, "a", 3)}
    exploration = examine(instance_of(tabled(path, wrong), locals_=(2, 0)))
    closure = finding_on(exploration, "closure")
    assert isinstance(closure.verdict, Violated)
    assert len(closure.run.actions) == 1


def test_fairness_is_not_judged_where_names_are_taken_as_one():
    both = {(me, 0, None): ((1, ()),) for me in "ab"}
    exploration = examine(replace(instance_of(tabled(both)), alike=("a", "b")))
    why = "states that differ by names were taken as one; fairness tells them apart"
    (must,) = (one for one in exploration.findings if one.of.startswith("every weakly fair run"))
    assert must.verdict == Unknown(why)


def test_a_finding_holds_for_the_bounds_of_the_instance():
    exploration = examine(instance_of(PING, most=1))
    assert exploration.extent.bounds.endswith("and at most 1 in all")
    assert any(
        isinstance(one.verdict, Holds) and exploration.extent.bounds in one.verdict.claim
        for one in exploration.findings
    )
