"""The pinned models of Skip+: small ones give the recorded results, and the negative control fails."""

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.questions.bounds import silent
from gomboc.checker.explore.questions.question import Coins, Question
from gomboc.checker.explore.results.report import results_of
from gomboc.checker.judge.verdict import Holds, Violated
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.pinned import Closure
from gomboc.spec.core.protocol import variant
from gomboc.spec.protocols.skip_plus import PROTOCOL, models
from gomboc.spec.protocols.skip_plus.rules import Rules
from gomboc.spec.protocols.skip_plus.state import ABSENT
from tests.spec.protocols.exploring import run

BY_NAME = {pinned.name: pinned for pinned in models.MODELS}


def test_the_starts_of_three_are_those_of_four_choices_of_strings():
    three = {name: pinned.results for name, pinned in BY_NAME.items() if name.startswith("three")}
    for bounded in (False, True):
        assert sum(result.starts for name, result in three.items() if name.endswith("by_one") is bounded) == 2_958_336


@pytest.mark.parametrize(("coins", "verdict"), [(Coins.TOSSED, Holds), (Coins.ADVERSARY, Violated)])
def test_one_name_in_a_message_is_enough_by_a_coin_and_not_if_an_adversary_chooses_the_name(coins, verdict):
    findings = explore(
        models.sparse_graphs(models.named("0", "1", "0"), 1), "auto", Question(coins=coins), silent
    ).findings
    (every,) = (finding for finding in findings if finding.promise == "convergence" and "fair run" in finding.of)
    assert isinstance(every.verdict, verdict)


def test_single_steps_and_whole_rounds_come_to_the_same_verdicts():
    """The plain engine takes single steps, in every order; the tables take a round as one."""
    model = models.anything(models.named("0", "1"), 0)
    table, plain = (results_of(explore(model, engine, Question(), silent)) for engine in ("table", "plain"))
    assert (table.starts, table.verdicts) == (plain.starts, (*plain.verdicts, "holds")), "and receipts commute"
    assert plain.transitions > table.transitions


def test_by_our_rules_the_seven_stay_right():
    assert all(isinstance(finding.verdict, Holds) for finding in run(models.around_right(models.MISFITS)).findings)


def test_closure_notices_a_rule_that_inserts_whom_it_should_not():
    starts = tuple(models.right_start(models.MISFITS, (), known) for known in (True, False))
    model = replace(models.closure(1, 1), protocol=variant(PROTOCOL, "linearize_at_least"), rights=lambda: starts)
    (finding,) = run(model).findings
    assert isinstance(finding.verdict, Violated)
    assert "insert_is_stable" in finding.verdict.says


def test_closure_notices_a_right_state_that_is_not_looked_at():
    model = models.closure(2, 1)
    once = replace(model, rights=lambda: tuple(start for start in model.rights() if not told_of_itself(start)))
    (finding,) = run(once).findings
    assert not isinstance(finding.verdict, Holds)


def told_of_itself(start):
    return any(name in local.neighbours for name, local in start.locals)


def test_what_a_closure_begins_with_is_right():
    for pinned in models.MODELS:
        if isinstance(pinned.model, Closure) and pinned.name != "closure_of_five":
            for start in pinned.model.rights()[::7]:
                assert legitimacy_faults(PROTOCOL, dict(start.locals), ()) == ()


def test_namings_and_absent_nodes_are_as_they_say():
    assert len(list(models.every_naming(3, 2))) == 64
    start = models.right_start(models.named("0", "1", "0"), ("a:0",))
    assert dict(start.locals)["a:0"] == ABSENT
    assert Rules().neighbours("b:1", ("b:1", "c:0")) == dict(start.locals)["b:1"].neighbours
