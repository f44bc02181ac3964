"""The executions of Zave as traces: the judge takes each step for one of her machine, and finds the broken property."""

import pytest

from gomboc.checker.evidence.chord.experiments import zave_protocol
from gomboc.checker.evidence.chord.experiments.zave import RUNS
from gomboc.checker.evidence.chord.experiments.zave_protocol import NODE, PROTOCOL, TRACES, Happens, start
from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds, Violated
from gomboc.spec.core.model import CERTAIN, Commanded, Timeout
from gomboc.spec.core.registry import NAMED, forget
from tests.checker.evidence.chord.test_zave import BREAKS_AT
from tests.golden.zave import trace_of

each_execution = pytest.mark.parametrize("name", RUNS)


def test_making_the_traces_again_gives_the_same_files_and_no_others():
    """If not: python -m tests.golden.zave."""
    assert {path.stem: path.read_bytes() for path in TRACES.iterdir()} == {name: trace_of(name) for name in RUNS}


@pytest.fixture
def known(monkeypatch):
    """Zave's machine is known to the judge in this test."""
    monkeypatch.setenv(NAMED, f"{zave_protocol.__name__}:PROTOCOL")
    forget()
    yield
    monkeypatch.delenv(NAMED)
    forget()


def verdicts(path):
    return dict(judge_file(path).verdicts())


@each_execution
def test_the_judge_finds_the_property_broken_where_the_page_says(known, name):
    judged = verdicts(TRACES / f"{name}.jsonl")
    assert isinstance(judged["conformance"], Holds)
    assert isinstance(judged[name], Violated)
    assert judged[name].step == BREAKS_AT[name]


def test_a_step_that_keeps_the_old_head_as_second_successor_is_not_one_of_her_machine(known, tmp_path):
    lines = trace_of("at_most_one_ring").splitlines(keepends=True)
    index = next(number for number, line in enumerate(lines) if b'"0 stabilizes"' in line)
    lines[index] = lines[index].replace(b'"second":null', b'"second":0', 1)
    (tmp_path / "moved.jsonl").write_bytes(b"".join(lines))
    conformance = verdicts(tmp_path / "moved.jsonl")["conformance"]
    assert isinstance(conformance, Violated)
    assert conformance.step == index


def test_an_event_that_cannot_happen_has_no_rule():
    ((_, alone),) = start(3).locals
    with pytest.raises(ValueError, match=r"^all has no rule for "):
        PROTOCOL.actor.react(NODE, alone, Commanded(Happens("0 is notified by 2")), CERTAIN[0])
    assert PROTOCOL.actor.react(NODE, alone, Timeout(), CERTAIN[0]).local == alone
