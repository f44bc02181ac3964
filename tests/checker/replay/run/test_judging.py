"""Distinct steps are judged in parts: for any division the findings are the same, of steps that occur in traces only.

Source: checker/README.md, Corpora
"""

import numpy as np
import pytest

from gomboc.checker.distinct.findings import Fired, LocalFinding, PackFindings
from gomboc.checker.judge.naive import Options
from gomboc.checker.replay.run.judging import PartFindings, judge_part, merged
from gomboc.checker.replay.run.work import Damaged, Job, Part, survey

FIRED = Fired("hear", "teller", "Received", "Word", True, False, None)


@pytest.fixture
def job(lying, tmp_path):
    packs = survey(lying[1], False)
    return Job(str(lying[1]), packs.protocol, Options(), str(tmp_path), packs.content, packs.parameters), packs


def test_parts_together_have_the_findings_of_one(job):
    job, packs = job
    names = sorted(packs.digests)
    alone = judge_part(job, Part("a", 0, 1), names)
    together = merged(judge_part(job, Part(str(number), number, 3), names) for number in range(3))
    assert together == merged([alone])
    assert alone.findings
    assert "supervisor" in alone.timed_out


def test_steps_in_no_trace_are_neither_judged_nor_counted(job, monkeypatch):
    job, packs = job
    monkeypatch.setattr(
        "gomboc.checker.replay.pack.read.Pack.occurring_steps", lambda pack: np.zeros(pack.counts.steps, bool)
    )
    result = judge_part(job, Part("a", 0, 1), sorted(packs.digests))
    assert (result.fired, result.distinct, result.timed_out) == ([], 0, [])
    assert all(not finding.steps for finding in result.findings.values())


def test_a_pack_that_cannot_be_read_costs_the_others_nothing(job):
    job, packs = job
    result = judge_part(job, Part("a", 0, 1), [*sorted(packs.digests), "none.pack"])
    assert [entry.name for entry in result.damaged] == ["none.pack"]
    assert result.fired


def test_merging_adds_fired_rules_and_keeps_each_damage_once():
    wrong = LocalFinding("hear", "text")
    one = PartFindings({"a": PackFindings({}, {}, {1: wrong})}, [(FIRED, 2)], [Damaged("b", "gone")], 2, ["ann"])
    other = PartFindings({"a": PackFindings({3: wrong}, {}, {})}, [(FIRED, 1)], [Damaged("b", "gone")], 1, ["ben"])
    assert merged([one, other]) == PartFindings(
        {"a": PackFindings({3: wrong}, {}, {1: wrong})}, [(FIRED, 3)], [Damaged("b", "gone")], 3, ["ann", "ben"]
    )
