"""The gate of a project that is not ours: it passes, and every fault that is planted in it is caught and named."""

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest

from tests.checker.cli.command import gomboc, refused
from tests.checker.gate.project import FAULTS, REFUSED, SAMPLE, change, gate

pytestmark = pytest.mark.long

PAGE = (Path(__file__).resolve().parents[3] / "checker" / "GATE.md").read_text(encoding="utf-8")
TRACES = Path(__file__).resolve().parents[3] / "traces" / "skip_ring"
SHOWN = "a lamp does not copy"
"""The fault for which the page shows the gate's output."""
HERE = "run gomboc gate in the folder of your project, or name that folder"
TWICE = "simulate", "check", "replay", "explore"


def without_places(result):
    return {
        **result,
        "project": "",
        "stages": [{**stage, "commands": len(stage["commands"])} for stage in result["stages"]],
    }


def test_a_right_project_passes_the_same_for_any_hash_seed_and_cores(apart, lamps, monkeypatch):
    ran, first = gate()
    assert (ran.code, ran.out.splitlines()[-1]) == (
        0,
        "holds: build/gomboc/junit.xml, build/gomboc/report.html",
    ), ran
    assert [stage["stage"] for stage in first["stages"]] == [
        "simulate",
        "check",
        "replay",
        "explore",
        "mutants",
        "report",
    ]
    assert all(case["verdict"] == "holds" for stage in first["stages"] for case in stage["cases"])
    page = Path("build/gomboc/report.html").read_text()
    assert '<h1><span class="verdict holds">' in page
    assert not re.search(r'class="verdict (violated|unknown|unreadable)"', page)
    apart()
    monkeypatch.setenv("PYTHONHASHSEED", "2")
    _, second = gate("--jobs", "2", *(word for stage in TWICE for word in ("--stage", stage)))
    assert without_places(second)["stages"] == without_places(first)["stages"][:4]


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_caught_and_named(name, apart, lamps):
    fault = FAULTS[name]
    fault.plant(lamps)
    if fault.apart:
        apart()
    ran, result = gate(*(word for stage in fault.stages for word in ("--stage", stage)))
    assert ran.code == fault.code, ran
    lines = ran.out.splitlines()
    output = next((index for index, line in enumerate(lines) if line.startswith("  ") and fault.says in line), None)
    assert output is not None, ran.out
    assert lines[output + 1].strip().startswith(fault.at), lines[output + 1]
    assert result["verdict"] == {1: "violated", 2: "unreadable", 3: "unknown"}[fault.code]
    suites = Tree.parse(lamps / "build/gomboc/junit.xml").getroot()
    assert suites.findall(".//failure") + suites.findall(".//error")
    assert name != SHOWN or re.search(r"```text\n(.*?)```", PAGE, re.DOTALL)[1] in ran.out


@pytest.mark.parametrize("name", REFUSED)
def test_a_table_that_makes_no_sense_is_refused_before_anything_runs(name, lamps):
    REFUSED[name].plant(lamps)
    assert REFUSED[name].says in refused("gate")
    assert not (lamps / "build").exists()


def test_stages_not_asked_for_or_missing_are_refused(lamps):
    assert "there is no [tool.gomboc.prove], so that stage cannot be run: add it." in refused(
        "gate", "--stage", "prove"
    )
    assert refused("gate", "nowhere") == f"gomboc: nowhere/pyproject.toml: No such file or directory: {HERE}.\n"
    (lamps / "mine").mkdir()
    (lamps / "mine" / "note").write_text("mine")
    assert "it has no .gomboc that says that gomboc wrote it" in refused("gate", "--output", "mine")
    said = "gomboc: none/junit.xml: it cannot be written: there is no folder none.\n"
    assert refused("gate", "--junit", "none/junit.xml") == said
    assert refused("gate", "--output", "/proc/x").startswith("gomboc: /proc/x: it cannot be written: ")


def test_for_github_each_case_that_does_not_hold_is_an_annotation_at_its_line(lamps):
    FAULTS["a recorded trace lies"].plant(lamps)
    ran = gomboc("gate", "--stage", "check", "--format", "github")
    first = ran.out.splitlines()[0]
    index = "file=recorded/two_lamps.jsonl,line=3,title=gomboc check%3A conformance (recorded/two_lamps.jsonl)"
    assert first.startswith(f"::error {index}::violated: violated at step 2 at lamp2: copy: ")
    change(lamps, "pyproject.toml", "[tool.gomboc.check]", "[tool.gomboc.chek]")
    ran = gomboc("gate", "--format", "github")
    assert ran.code == 2
    assert re.match(r"::error file=pyproject.toml,line=20,title=gomboc usage::.* the unknown key 'chek'", ran.out)


@pytest.mark.parametrize("root", ["a repository", "a workspace"])
def test_annotations_name_files_from_the_root_of_the_repository(root, apart, lamps, monkeypatch):
    """The project is a folder in it, and the gate is called from there or from somewhere else."""
    FAULTS["a recorded trace lies"].plant(lamps)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    if root == "a workspace":
        monkeypatch.setenv("GITHUB_WORKSPACE", str(lamps.parent))
        apart()
    else:
        (lamps.parent / ".git").mkdir()
    here = gomboc("gate", "--stage", "check", "--format", "github")
    monkeypatch.chdir("/")
    elsewhere = gomboc("gate", lamps, "--stage", "check", "--format", "github")
    for ran in (here, elsewhere):
        assert ran.out.startswith("::error file=lamps/recorded/two_lamps.jsonl,line=3,"), ran
    change(lamps, "pyproject.toml", "[tool.gomboc.check]", "[tool.gomboc.chek]")
    assert gomboc("gate", lamps, "--format", "github").out.startswith("::error file=lamps/pyproject.toml,line=20,")


def test_each_case_has_the_time_that_it_took(lamps):
    assert gate("--stage", "check", "--stage", "simulate")[0].code == 0
    suites = Tree.parse(lamps / "build/gomboc/junit.xml").getroot()
    assert len(suites.findall(".//testcase")) >= 4
    assert all(float(case.attrib["time"]) > 0 for case in suites.findall(".//testcase"))


def test_as_json_it_lists_the_files_it_wrote(lamps):
    ran = gomboc("gate", "--stage", "check", "--format", "json")
    assert json.loads(ran.out) == json.loads((lamps / "build/gomboc/gate.json").read_text())
    assert json.loads(ran.out)["left_out"] == ["simulate", "replay", "explore", "mutants", "report"]


def test_a_specification_that_cannot_be_imported_is_reported_once(lamps):
    change(lamps, "lamps.py", "PROTOCOL = Protocol(", "PROTOCOL = Protcol(")
    ran, result = gate()
    assert ran.out.count("cannot be imported") == 1
    assert [stage["stage"] for stage in result["stages"]] == ["protocol"]
    assert result["left_out"] == ["simulate", "check", "replay", "explore", "mutants", "report"]


def test_a_trace_of_an_unknown_protocol_names_the_key_of_the_table(lamps):
    change(lamps, "recorded/two_lamps.jsonl", '"protocol":"lamps"', '"protocol":"lumps"')
    ran, _ = gate("--stage", "check")
    assert 'for one of your own write protocol = "package.module:PROTOCOL" in [tool.gomboc].' in ran.out


def test_with_debug_the_traceback_of_a_stage_is_shown(lamps):
    FAULTS["a lamp raises an exception"].plant(lamps)
    assert "Traceback" not in gomboc("gate", "--stage", "simulate").err
    shown = gomboc("--debug", "gate", "--stage", "simulate").err
    assert "Traceback" in shown
    assert 'lamp.py", line ' in shown


def test_a_quiet_gate_says_one_line(lamps):
    loud = gomboc("gate", "--stage", "check")
    quiet = gomboc("gate", "--stage", "check", "-q")
    assert loud.err == "gate: check ...\n"
    assert (quiet.code, quiet.err) == (0, "")
    assert quiet.out == "holds: build/gomboc/junit.xml\n"
    assert loud.out.startswith("check: holds (")


def test_the_page_shows_the_table_of_the_sample():
    output = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1]
    assert (SAMPLE / "pyproject.toml").read_text(encoding="utf-8").endswith(output)


def test_traces_of_a_protocol_that_the_table_does_not_name_show_nothing(lamps):
    shutil.copy(TRACES / "corrupted_database.ok.jsonl", lamps / "recorded")
    ran, _ = gate("--stage", "check")
    assert ran.code == 3, ran
    assert "traces of skip_ring were judged, and the table asks for lamps" in ran.out


REPLAYED = "[tool.gomboc.replay]\nleast = 60\n"
SIMULATED = '[tool.gomboc.simulate]\nnodes = "1..3"\ntraces = 60\nseed = 5\n'


def rightly_lit():
    """A trace that is legitimate at its start, and stays so."""
    states = {"source": {"number": 0, "next": "lamp1"}, "lamp1": {"number": 0, "next": ""}}
    header = {"format": "gomboc-trace", "version": 1, "protocol": "lamps", "parameters": {}, "states": states}
    header |= {"roles": {"source": "source", "lamp1": "lamp"}, "messages": [], "origin": {"implementation": "by hand"}}
    lines = [header]
    for number in range(3):
        sent = [{"id": number, "to": "lamp1", "message": {"kind": "tell", "number": 0}}]
        lines.append({"node": "source", "took": "timeout", "state": states["source"], "sent": sent})
        lines += [{"node": "lamp1", "took": took, "state": states["lamp1"], "sent": []} for took in ("timeout", number)]
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.mark.parametrize("excuse", ["", "always-legitimate = true", "another stage"])
def test_traces_in_which_legitimacy_is_never_false_show_nothing_unless_that_is_declared(excuse, lamps):
    Path("recorded/two_lamps.jsonl").write_text(rightly_lit())
    text = Path("pyproject.toml").read_text()
    if excuse != "another stage":
        text = text[: text.index("[[tool.gomboc.mutants]]")].replace(REPLAYED, "").replace(SIMULATED, excuse)
    Path("pyproject.toml").write_text(text)
    ran, _ = gate("--stage", "check")
    assert ran.code == (0 if excuse else 3), ran
    assert ("unknown: legitimacy (all): no conjunct of legitimacy was ever false" in ran.out) == (not excuse)


@pytest.mark.parametrize("declared", [False, True])
def test_a_corpus_in_which_legitimacy_is_never_false_shows_nothing_unless_that_is_declared(declared, lamps):
    change(lamps, "pyproject.toml", "seed = 5", 'seed = 5\nstart = "legitimate"')
    line = "always-legitimate = true\n" if declared else ""
    change(lamps, "pyproject.toml", "[tool.gomboc.simulate]", f"{line}[tool.gomboc.simulate]")
    ran, _ = gate("--stage", "simulate", "--stage", "replay")
    assert ran.code == 3
    assert ("; no conjunct of legitimacy was ever false" in ran.out) == (not declared)
    assert ("out of scope: no conjunct of legitimacy was ever false" in ran.out) == declared


def test_a_linked_folder_with_a_violating_trace_is_judged(lamps, tmp_path):
    (tmp_path / "other").mkdir()
    shutil.copy(TRACES / "send_left_out.bad.jsonl", tmp_path / "other")
    (lamps / "recorded" / "linked").symlink_to(tmp_path / "other")
    (lamps / "recorded" / "loop").symlink_to(lamps / "recorded")
    ran, _ = gate("--stage", "check")
    assert ran.code == 1, ran


def test_no_mutant_is_killed_where_the_unchanged_project_fails_already(lamps):
    FAULTS[SHOWN].plant(lamps)
    change(lamps, "pyproject.toml", 'new = "Told(0))] if self.next"', 'new = "Told(self.number))] if  self.next"')
    ran, result = gate("--stage", "mutants")
    assert ran.code == 1, ran
    assert result["stages"][0]["cases"][0]["says"].startswith("it is not tried: the unchanged project does not hold: ")
