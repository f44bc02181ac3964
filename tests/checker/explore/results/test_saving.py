"""Counterexamples as files: the judge confirms each trace that is said to be confirmed, and no other is."""

import json
from functools import cache

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.questions.bounds import silent
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.questions.target import Target
from gomboc.checker.explore.results.finding import Finding, Run
from gomboc.checker.explore.results.saving import ROUNDS, confirms, rules_of, save
from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.judge.verdict import VIOLATED, Holds, Unknown, Violated
from gomboc.spec.core.channels import Envelope
from gomboc.spec.core.domain import OneOf, Record
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import CERTAIN, Received, Timeout
from gomboc.spec.core.network import Act, begin, step
from gomboc.spec.protocols.skip_plus import PROTOCOL as SKIP_PLUS
from gomboc.spec.protocols.skip_plus.space import ROLE, assignments, subset
from gomboc.spec.protocols.skip_plus.state import Node
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.models import around_right
from gomboc.spec.protocols.skip_ring.small import closure, first_labels, hearsay, right_start
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import RemoveConnections, Subscriber
from tests.checker.cli.command import gomboc
from tests.checker.cli.explored import counter, linear
from tests.plugins.promises import finding_on


def target(model, name="a_model"):
    return Target(name, "", model, "gomboc explore a_model")


def finding(promise, run):
    return Finding(promise, "whatever", Violated(len(run.states) - 1, promise, "it shows"), run)


def run_from(start, *acts):
    """The run of the skip ring that takes those acts."""
    worlds = [begin(start, PROTOCOL.discipline)]
    for act in acts:
        worlds.append(step(PROTOCOL, worlds[-1], act))
    return Run(tuple(worlds), tuple(acts))


def delivery(node, message):
    return Act(node, Received(message), CERTAIN[0], Envelope(node, message))


FORGOTTEN = RemoveConnections("v1")
START = replace(right_start(names(2), 0), in_flight=(("v2", FORGOTTEN),))
MODEL = around_right(2, hearsay(2, first_labels(4)), most=4, coalesce=False, printed="printed_linearize")


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@cache
def endless():
    return finding_on(explore(MODEL, "auto", Question(), silent), "convergence", "every ")


def test_a_fair_lasso_is_a_trace_that_does_not_converge(tmp_path):
    saved = save(target(MODEL), endless(), tmp_path / "lasso")
    path = tmp_path / "lasso.jsonl"
    assert (saved.path, saved.why) == (str(path), "")
    assert saved.confirm == f"gomboc check {path} --variant printed_linearize"
    judgement = judge_file(path, Options("printed_linearize"))
    assert isinstance(judgement.conformance, Holds)
    assert judgement.convergence.rule == "convergence"
    header = lines_of(path)[0]
    assert header["bound"] == ROUNDS
    assert header["origin"] == {
        "implementation": "the specification of skip_ring.printed_linearize",
        "command": "gomboc explore a_model",
        "story": f"a_model: convergence: {endless().verdict.says}",
    }


def test_its_cycle_is_repeated_until_the_rounds_are_over_and_no_longer(tmp_path):
    save(target(MODEL), endless(), tmp_path / "lasso")
    steps = len(lines_of(tmp_path / "lasso.jsonl")) - 1
    cycle = len(endless().run.actions) - endless().run.back
    assert steps % cycle == endless().run.back == 0
    shorter = b"".join((tmp_path / "lasso.jsonl").read_bytes().splitlines(True)[: 1 + steps - cycle])
    assert not confirms(tmp_path / "lasso.jsonl", shorter, "printed_linearize", "convergence")


def test_a_run_that_the_judge_finds_nothing_in_is_not_said_to_be_confirmed(tmp_path):
    """The run of a ring that forgets a member was never legitimate, so it does not leave legitimacy."""
    saved = save(target(closure(2)), finding("closure", run_from(START, delivery("v2", FORGOTTEN))), tmp_path / "left")
    assert (saved.confirm, saved.why) == ("", "the judge does not find the same in it")
    assert isinstance(judge_file(tmp_path / "left.jsonl").closure, Unknown)


def test_a_run_from_which_no_state_is_right_any_more_is_followed_for_some_rounds(tmp_path):
    start = right_start(names(2), 0)
    leaving = replace(start, locals=tuple((n, replace(u, wants=False) if n == "v1" else u) for n, u in start.locals))
    saved = save(target(MODEL), finding("convergence", run_from(leaving)), tmp_path / "followed")
    assert saved.confirm == f"gomboc check {tmp_path / 'followed.jsonl'} --variant printed_linearize"
    steps = lines_of(tmp_path / "followed.jsonl")[1:]
    assert sum(step["took"] == "timeout" for step in steps) == 3 * ROUNDS


def test_a_run_that_becomes_legitimate_after_all_is_not_confirmed(tmp_path):
    saved = save(target(MODEL), finding("convergence", run_from(right_start(names(2), 0))), tmp_path / "followed")
    assert (saved.confirm, saved.why) == ("", "the judge does not find the same in it")


def test_a_value_that_is_not_canonical_is_a_trace_that_does_not_conform(tmp_path):
    start = right_start(names(1), 0)
    wrong = replace(start, locals=tuple((n, Subscriber("10") if n == "v1" else u) for n, u in start.locals))
    saved = save(target(closure(2)), finding("canonical", run_from(wrong, Act("v1", Timeout(), ASK))), tmp_path / "odd")
    assert saved.confirm == f"gomboc check {tmp_path / 'odd.jsonl'}"
    assert judge_file(tmp_path / "odd.jsonl").conformance.rule == "canonical"


ASK = PROTOCOL.actor.choices("v1", Subscriber("0"), Timeout())[0]


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (counter(), "the model is no protocol, and has no judge"),
        (replace(MODEL, alike=("v1", "v2")), "states that differ by names only were taken as one"),
        (linear, "the judge knows no linearisation with these rules"),
        (
            replace(MODEL, protocol=PROTOCOL.changed(react=lambda *_: None)),
            "the judge knows no skip_ring with these rules",
        ),
    ],
)
def test_what_has_no_judge_is_written_in_the_itf(model, why, tmp_path):
    saved = save(target(model), finding("convergence", run_from(START)), tmp_path / "one")
    assert (saved.path, saved.confirm, saved.why) == (str(tmp_path / "one.itf.json"), "", why)
    assert json.loads((tmp_path / "one.itf.json").read_text())["#meta"] == {
        "format": "ITF",
        "description": "a_model: convergence: it shows",
    }


def test_the_rules_of_a_protocol_are_ours_a_variants_or_of_no_node():
    assert rules_of(PROTOCOL) == ""
    assert {rules_of(erratum.protocol) for erratum in PROTOCOL.variants.errata} == {
        item.name for item in PROTOCOL.variants.errata
    }
    assert rules_of(PROTOCOL.changed(react=lambda *_: None)) is None
    assert rules_of(linear.protocol) is None


@cache
def found_in_rounds():
    """The findings on two nodes of Skip+, from every connected start, with ranges that end at oneself."""
    (variant,) = (erratum.protocol for erratum in SKIP_PLUS.variants.errata if erratum.name == "ranges_end_at_oneself")
    names = assignments(2)[0]
    known = {me: subset(tuple(name for name in names if name != me), 1) for me in names}
    nodes = tuple((me, ROLE, Record(lambda known: Node(neighbours=known), (known[me],))) for me in names)
    two = Instance(variant, nodes, OneOf(()), in_flight=0, copies=1, most=None)
    return two, explore(two, "table", Question(), silent)


@pytest.mark.parametrize("index", [1, 2])
def test_a_counterexample_of_whole_rounds_is_confirmed_by_the_command_that_it_names(index, tmp_path):
    two, exploration = found_in_rounds()
    divergent = exploration.findings[index]
    assert (divergent.promise, type(divergent.verdict)) == ("convergence", Violated)
    saved = save(target(two), divergent, tmp_path / "rounds")
    path = tmp_path / "rounds.jsonl"
    assert saved.confirm == f"gomboc check {path} --variant ranges_end_at_oneself"
    checked = gomboc("check", path, "--variant", "ranges_end_at_oneself")
    assert checked.code == VIOLATED
    assert "convergence" in checked.out
    assert gomboc("check", path).code == VIOLATED, "by our rules it is no run at all"
    sound = judge_file(path, Options("ranges_end_at_oneself"))
    assert isinstance(sound.conformance, Holds), "receipts before timeouts, and every round to its end"
