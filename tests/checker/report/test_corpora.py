"""Reports on a corpus: clusters of failures, its coverage, and the summary of both."""

import pytest
from msgspec.structs import replace

from gomboc.checker.distinct.findings import Fired
from gomboc.checker.judge.verdict import UNKNOWN, VIOLATED
from gomboc.checker.replay.exercised import left_or_converged
from gomboc.checker.report.table import table
from gomboc.checker.summary import clusters, coverage
from gomboc.checker.summary.clusters import Cluster
from gomboc.checker.summary.columns import sum_up_tables
from gomboc.checker.summary.summary import sum_up, was_false
from gomboc.checker.summary.verdict_row import Row
from gomboc.spec.core.protocol import configured
from gomboc.spec.protocols.delta_fault_tolerance import PROTOCOL as DELTA_FAULT_TOLERANCE
from gomboc.spec.protocols.delta_fault_tolerance.messages import Message
from tests.toys.words import spec as toy

ONE = Cluster("hear", "text", 2, "000000.pack", "long", 7, 90)
TELL = Fired("tell", "teller", "Timeout", "timeout", False, True, "speak")
HEAR = Fired("hear", "teller", "Received", "Word", True, False, None)


def test_clusters_of_one_rule_and_conjunct_are_one_with_the_smallest_witness():
    short, other = replace(ONE, trace="short", step=3), replace(ONE, conjunct="left", traces=1)
    wanted = (replace(short, traces=4), other)
    assert clusters.merged([ONE, other, short]) == clusters.merged([short, ONE, other]) == wanted


def test_of_witnesses_that_fail_at_one_step_the_shorter_trace_is_the_smaller():
    assert clusters.merged([ONE, replace(ONE, trace="z", steps=8)])[0].trace == "z"


def test_a_cluster_says_what_is_false_where_and_how_to_see_it():
    cluster = replace(ONE, witness="w.jsonl", says="the step is not what it should be", confirmed=True)
    assert list(clusters.lines([cluster, replace(ONE, conjunct="", confirmed=False)])) == [
        "  2 by hear, text: first at step 7 of long",
        "    the step is not what it should be",
        "    gomboc check w.jsonl",
        "  2 by hear: first at step 7 of long",
        "    The naive judge does not say the same of it: this is a fault of gomboc.",
    ]


def test_what_was_never_delivered_and_a_node_that_had_no_timeout_is_missing():
    covered = coverage.coverage(toy.UNORDERED, [(TELL, 3)], {"agrees": 2})
    assert covered.missing == ("no Word was delivered",)
    assert coverage.coverage(toy.UNORDERED, [(HEAR, 1)], {"right": 1}).missing == ("no teller had a timeout",)
    assert coverage.coverage(toy.UNORDERED, [(HEAR, 1), (TELL, 1)], {"right": 1}).missing == ()
    assert list(coverage.lines(covered)) == [
        "Distinct steps by rule: tell 3.",
        "Initially violated: agrees 2.",
        "Commands never given: say.",
        "Not covered: no Word was delivered.",
        "unknown: 1 thing never happened (see above); exempt them with --out-of-scope.",
    ]


def test_roles_that_share_a_type_of_state_are_not_told_apart_by_it():
    roles = toy.UNORDERED.vocabulary.roles
    shared = toy.UNORDERED.changed(roles={**roles, "guest": roles["teller"]})
    assert coverage.coverage(shared, [(HEAR, 1), (TELL, 1)], {"right": 1}).missing == ()
    assert coverage.coverage(shared, [(HEAR, 1)], {"right": 1}, idle=("ann",)).missing == (
        "no teller had a timeout",
        "no guest had a timeout",
        "ann had no timeout in any trace",
    )


def test_what_is_out_of_scope_on_purpose_is_told_and_not_missing():
    covered = coverage.coverage(toy.UNORDERED, [(TELL, 3)], {"right": 1}, idle=("ann",))
    scoped = coverage.scoped(covered, ["no Word was delivered", "no such thing"])
    assert (scoped.missing, scoped.out_of_scope) == (("ann had no timeout in any trace",), ("no Word was delivered",))
    assert "Out of scope: no Word was delivered." in coverage.lines(scoped)
    nothing = coverage.scoped(covered, covered.missing)
    assert not any("never happened" in line for line in coverage.lines(nothing))


def test_a_node_that_had_no_timeout_in_any_trace_and_what_was_never_watched_once_it_was_right_is_missing():
    covered = coverage.coverage(toy.UNORDERED, [(HEAR, 1), (TELL, 1)], {"right": 1}, idle=("ann",), unsettled=(2, 3))
    assert covered.missing == (
        "ann had no timeout in any trace",
        "no trace with n = 2 goes on for a round after it became legitimate",
        "no trace with n = 3 goes on for a round after it became legitimate",
    )


def test_what_has_no_effect_need_not_occur():
    silent = toy.UNORDERED.changed(without_effect=(toy.Word, toy.Say))
    covered = coverage.coverage(silent, [(TELL, 3)], {"right": 1})
    assert (covered.missing, covered.messages, covered.commands) == ((), {}, {})
    assert list(coverage.lines(covered)) == ["Distinct steps by rule: tell 3.", "Initially violated: right 1."]
    assert coverage.coverage(silent, [(TELL, 3), (HEAR, 1)], {}).messages == {"Word": 1}


OF_JOINING_AND_PAUSES = {"JoinRequest", "Tree", "Pause", "Continue"}
OF_FEW = OF_JOINING_AND_PAUSES | {"Digest", "Doubt", "Rows"}


@pytest.mark.parametrize(
    ("parameters", "demanded"),
    [
        ({"delta": 0}, {"Forward", "Confirm"}),
        ({"delta": 1}, set(coverage.kinds(Message)) - OF_FEW),
        ({"audit": True}, set(coverage.kinds(Message)) - OF_JOINING_AND_PAUSES),
    ],
)
def test_what_is_said_only_when_a_broker_fails_or_in_an_audit_is_demanded_there(parameters, demanded):
    covered = coverage.coverage(configured(DELTA_FAULT_TOLERANCE, parameters), [], {"right": 1})
    assert {gap for gap in covered.missing if "delivered" in gap} == {f"no {kind} was delivered" for kind in demanded}


def test_commands_that_were_given_are_counted_and_not_demanded():
    said = Fired("obey", "teller", "Commanded", "say", True, False, None)
    covered = coverage.coverage(toy.UNORDERED, [(TELL, 3), (HEAR, 1), (said, 2)], {"right": 1})
    assert (covered.missing, covered.commands) == ((), {"say": 2})
    assert not any("never given" in line for line in coverage.lines(covered))


def test_the_outcomes_of_each_rule_are_counted_and_those_that_never_occur_named():
    silent = Fired("tell", "teller", "Timeout", "timeout", False, False, "silent")
    (tell,) = coverage.coverage(toy.UNORDERED, [(TELL, 3), (silent, 2)], {"right": 1}).rules
    assert (tell.fired, tell.changed, tell.sent, tell.coins) == (5, 0, 3, {"silent": 2, "speak": 3})
    assert [says for says, times in tell.outcomes().items() if not times] == ["never changed the state"]


def test_a_corpus_that_covers_too_little_is_unknown_unless_something_is_violated():
    covered = coverage.coverage(toy.UNORDERED, [(TELL, 3)], {"right": 1})
    summary = replace(sum_up_tables([]), verdicts={"holds": 3}, coverage=covered)
    assert summary.exit_code() == UNKNOWN
    assert replace(summary, verdicts={"holds": 3, "violated": 1}).exit_code() == VIOLATED
    assert "Not covered: no Word was delivered." in table(summary, "a test")


def test_a_cluster_whose_witness_is_not_confirmed_is_never_called_a_violation():
    summary = replace(sum_up_tables([]), verdicts={"violated": 2}, clusters=(replace(ONE, confirmed=False),))
    assert summary.exit_code() == UNKNOWN
    assert replace(summary, clusters=(replace(ONE, confirmed=True),)).exit_code() == VIOLATED


def test_legitimacy_that_is_false_at_no_start_and_in_no_run_is_missing():
    steps = [(HEAR, 1), (TELL, 1)]
    assert coverage.coverage(toy.UNORDERED, steps, {"right": 0}).missing == (coverage.NEVER_FALSE,)
    assert coverage.coverage(toy.UNORDERED, steps, {"right": 1}).missing == ()
    assert coverage.coverage(toy.UNORDERED, steps, {}, was_false=True).missing == ()


def row(**changed):
    held = dict.fromkeys(("conformance", "closure", "convergence"), "holds")
    return Row("t", "holds", "s", "p", 3, 9, **{**held, "rounds": 0, "rounds_after": 1, **changed})


@pytest.mark.parametrize("changed", [{"rounds": 1}, {"closure": "violated"}, {"convergence": "violated"}])
def test_a_run_that_had_to_converge_or_left_legitimacy_shows_that_it_can_be_false(changed):
    assert not was_false(sum_up([row()]).lines)
    assert not left_or_converged(row())
    assert left_or_converged(row(**changed))
    assert was_false(sum_up([row(), row(**changed)]).lines)
