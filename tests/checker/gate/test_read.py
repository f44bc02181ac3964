"""Output of commands becomes cases, none better than the output; and cases become XML and annotations."""

from pathlib import Path
from xml.etree import ElementTree as Tree

import msgspec
import pytest

from gomboc.checker.cli.commands.gate import options_of_stages
from gomboc.checker.gate.annotations import annotation
from gomboc.checker.gate.case import GateCase, Stage, worst
from gomboc.checker.gate.junit import junit
from gomboc.checker.gate.read import THREE, checked, explored, failing, proved, replayed, settled, simulated
from gomboc.checker.gate.running import Ran, WorkingPlace, run
from gomboc.checker.gate.stages import Gate, run_stage
from gomboc.checker.gate.table import read_table
from tests.checker.gate.project import project

COVERED = {"rules": [{}, {}], "missing": [], "out_of_scope": []}
ROUND = {"holds": 2, "violated": 0, "unknown": 0}
LINE = {"members": 3, "conformance": ROUND, "closure": ROUND, "convergence": ROUND}
REPLAYED = {
    "verdicts": {"holds": 2},
    "lines": [LINE, {**LINE, "members": None}],
    "named": [],
    "coverage": COVERED,
}
PLACE = WorkingPlace(Path(), (".",), 60.0)


def codes(cases):
    return {f"{case.property} {case.chunk}".strip(): case.code for case in cases}


def test_a_corpus_that_holds_has_a_case_for_each_property_and_size():
    assert codes(replayed(REPLAYED, 2, 2)) == {
        "traces all": 0,
        "coverage all": 0,
        "conformance n = 3": 0,
        "closure n = 3": 0,
        "convergence n = 3": 0,
    }


@pytest.mark.parametrize(
    ("rows", "traces", "least", "case", "says"),
    [
        ({}, 2, 3, "traces all", "2 traces of 2 judged, and at least 3 asked for"),
        ({}, 3, 1, "traces all", "2 traces of 3 judged, and at least 1 asked for"),
        ({"verdicts": {}}, 0, 0, "traces all", "0 traces judged, and at least 1 asked for"),
        ({"coverage": None}, 2, 1, "coverage all", "what the traces cover is not known"),
        ({"coverage": {**COVERED, "missing": ["a", "b"]}}, 2, 1, "coverage all", "not covered: a; b"),
        ({"lines": [{**LINE, "closure": {**ROUND, "holds": 0}}]}, 2, 1, "closure n = 3", "0 holds"),
        (
            {"lines": [{**LINE, "closure": {**ROUND, "unknown": 1}}]},
            2,
            1,
            "closure n = 3",
            "2 holds, 1 unknown",
        ),
        (
            {"named": [{"trace": "a.jsonl", "why": "unknown"}]},
            2,
            1,
            "trace a.jsonl",
            "unknown",
        ),
    ],
)
def test_too_little_is_unknown(rows, traces, least, case, says):
    wrong = failing(replayed({**REPLAYED, **rows}, traces, least))
    assert [(f"{entry.property} {entry.chunk}", entry.code, entry.says) for entry in wrong] == [(case, 3, says)]


def test_a_kind_of_failure_is_at_the_line_of_its_witness_and_one_that_is_not_confirmed_is_a_fault():
    cluster = {"rule": "copy", "conjunct": "number", "traces": 2, "trace": "t", "step": 4, "says": "wrong"}
    cluster |= {"witness": "w.jsonl", "small": None, "confirmed": True}
    first, second, third = (
        next(iter(replayed({**REPLAYED, "clusters": [{**cluster, **more}]}, 2, 1)))
        for more in ({}, {"small": "s.jsonl"}, {"confirmed": False})
    )
    assert first == GateCase("failure", "copy number", 1, "2 traces, first at step 4 of t: wrong", "w.jsonl", 5)
    assert (second.file, second.line) == ("s.jsonl", 1)
    assert third.code == 70


def test_nothing_recorded_shows_nothing():
    assert codes(simulated({"traces": 0, "steps": 0})) == {"recorded": 3}
    assert codes(simulated({"traces": 1, "steps": 9})) == {"recorded": 0}


def test_each_promise_of_a_trace_is_a_case_and_so_is_an_unreadable_trace():
    holds, unknown = {"type": "holds", "claim": "yes"}, {"type": "unknown", "why": "too short"}
    violated = {"type": "violated", "step": 7, "rule": "copy", "says": "no", "node": "v1", "source": "page 1"}
    promises = [{"name": "nothing_is_lost", "verdict": unknown}]
    three = {"conformance": violated, "closure": holds, "convergence": holds}
    output = {"trace": "t.jsonl", "members": 2, **three, "promises": promises}
    cases = [*checked(output)]
    assert codes(cases) == {
        "conformance t.jsonl": 1,
        "closure t.jsonl": 0,
        "convergence t.jsonl": 0,
        "nothing_is_lost t.jsonl": 3,
    }
    assert cases[0].says == "violated at step 7 at v1: copy: no [page 1]"
    assert (cases[0].file, cases[0].line) == ("t.jsonl", 8)
    expected = {"trace": "t.jsonl", "verdict": "violated", "expected": {}, "differs": "it holds", "judgement": output}
    assert codes(checked(expected)) == {"as expected t.jsonl": 1}
    assert codes(checked({**expected, "verdict": "holds", "differs": ""})) == {"as expected t.jsonl": 0}
    unread = next(checked({"trace": "t.jsonl", "verdict": "unreadable", "error": "t.jsonl:3: no JSON."}))
    assert (unread.code, unread.file, unread.line) == (2, "t.jsonl", 3)
    failed = next(checked({"trace": "t.jsonl", "verdict": "unknown", "error": "the judge failed."}))
    assert (failed.code, failed.says, failed.file) == (3, "the judge failed.", "t.jsonl")


def test_models_lemmas_and_claims_are_cases():
    finding = {"promise": "closure", "of": "every step", "verdict": {"type": "unknown", "why": "late"}, "saved": None}
    assert codes(explored({"name": "two", "findings": [finding]})) == {"closure: every step two": 3}
    statement = {"says": "always", "holds": True, "result": {"type": "proved"}}
    contrast = {"says": "never", "holds": False, "result": {"type": "undecided"}}
    lemma = {"name": "l", "verdict": "unknown", "statement": statement, "contrasts": [contrast]}
    assert [*proved(lemma)] == [GateCase("lemma", "l", 3, "never: undecided")]
    assert [*proved({**lemma, "verdict": "holds", "contrasts": []})] == [GateCase("lemma", "l", 0, "always")]
    claim = {"name": "c", "title": "t", "recorded": "refuted", "found": "refuted", "false": []}
    changed = [claim, {**claim, "name": "d", "found": "reproduced"}, {**claim, "name": "e", "false": ["a text"]}]
    assert codes(settled({"claims": changed})) == {"claim c": 0, "claim d": 1, "claim e": 1}
    assert [case.says for case in settled({"claims": changed})] == [
        "t: refuted",
        "t: reproduced, and recorded as refuted",
        "t: refuted; stated, but not so: a text",
    ]


def test_of_several_the_worst_counts_and_of_none_nothing_is_known():
    assert [worst(entry) for entry in ((0, 3), (0, 3, 2), (3, 2, 70), (2, 70, 1), (0,), ())] == [3, 2, 70, 1, 0, 3]
    assert Stage("replay", (), ()).code == 3


def test_the_xml_counts_its_cases_and_holds_any_text():
    cases = (
        GateCase("a", "b", 0, "yes", seconds=1.5),
        GateCase("c", "", 1, "no \x00 <"),
        GateCase("d", "", 3, "why", seconds=0.25),
        GateCase("e", "", 2, "bad"),
    )
    root = Tree.fromstring(junit([Stage("check", (), cases)]))
    suite = root.find("testsuite")
    counts = {"tests": "4", "failures": "2", "errors": "1", "time": "1.750"}
    assert root.attrib == {"name": "gomboc", **counts}
    assert suite.attrib == {"name": "gomboc check", **counts, "skipped": "0"}
    assert [entry.attrib["time"] for entry in suite] == ["1.500", "0.000", "0.250", "0.000"]
    output = [(entry.attrib["name"], [inner.tag for inner in entry]) for entry in suite]
    assert output == [("a (b)", ["system-out"]), ("c", ["failure"]), ("d", ["failure"]), ("e", ["error"])]
    assert suite.find("testcase/failure").attrib == {"type": "violated", "message": "no \ufffd <"}


UNDERSTOOD = {
    "testsuites": {"name", "tests", "failures", "errors", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"name", "classname", "file", "line", "time"},
    "system-out": set(),
    "failure": {"type", "message"},
    "error": {"type", "message"},
}
"""Attributes known to readers of such files: the schema of Jenkins (junit-10), and the place, which
GitLab reads too.
"""


def test_the_xml_has_nothing_that_its_readers_do_not_know():
    cases = tuple(GateCase("a", "b", code, "says") for code in (0, 1, 2, 3, 70))
    result = list(Tree.fromstring(junit([Stage("check", (), cases)])).iter())
    assert {entry.tag for entry in result} == UNDERSTOOD.keys()
    assert [entry.tag for entry in result if set(entry.attrib) != UNDERSTOOD[entry.tag]] == []


def test_an_annotation_is_always_one_line():
    output = annotation("100 %\nis: wrong, too", "a:b", "x,y.jsonl", 3)
    assert output == "::error file=x%2Cy.jsonl,line=3,title=gomboc a%3Ab::100 %25%0Ais: wrong, too"


def test_a_command_that_takes_too_long_is_ended_and_shows_nothing():
    ran = run(("prove", "--list"), msgspec.structs.replace(PLACE, seconds=0.001))
    assert (ran.code, ran.told) == (3, ())
    assert ran.lacking.startswith("it was ended after 1.66667e-05 minutes, and nothing is known")


def test_a_command_that_ends_early_shows_too_little_even_if_it_says_that_all_is_well(tmp_path, monkeypatch):
    """Code of the project may end the process under exit code 0, after the first of two traces was told of."""
    position = project(tmp_path)
    (position / "recorded" / "another.jsonl").write_text("")
    holds = {"type": "holds", "claim": "yes"}
    output = {"trace": "recorded/two_lamps.jsonl", "members": 2, **dict.fromkeys(THREE, holds), "promises": []}
    monkeypatch.setattr("gomboc.checker.gate.stages.run", lambda words, index: Ran((*words, "", ""), 0, (output,), ""))
    (tmp_path / "found").mkdir()
    stage = run_stage(Gate(read_table(position, options_of_stages()), tmp_path / "found", 1, "lamps"), "check")
    assert stage.code == 3
    (wrong,) = failing(stage.cases)
    assert wrong.says == "it ended early: 1 of 2 objects written"


def test_a_command_that_is_refused_says_why():
    ran = run(("check", "nowhere.jsonl"), PLACE)
    assert (ran.code, ran.lacking) == (2, "nowhere.jsonl: No such file or directory.")
