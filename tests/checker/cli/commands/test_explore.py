"""`gomboc explore`: its output and files, and its exit codes."""

import json
import sys
from pathlib import Path

import pytest

from gomboc.checker.cli.commands import explore
from gomboc.checker.core.output import only_writer
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED
from tests.checker.cli.command import gomboc, refused
from tests.checker.cli.exploring import HERE, explored


def findings_of(name, *words):
    """The findings, by promise and first words of the claim."""
    (line,) = explored(name, "--format", "json", *words).out.splitlines()
    return {(f["promise"], f["of"].split()[0]): f["verdict"]["type"] for f in json.loads(line)["findings"]}


def test_a_model_that_keeps_its_promises_is_told_line_by_line():
    ran = explored("COUNTER")
    lines = ran.out.splitlines()
    assert ran.code == HOLDS
    assert lines[:2] == [f"{HERE}:COUNTER", "  3 initial states, 4 states, 3 transitions, 1 legitimate state"]
    assert lines[2].startswith("  engine: plain; central scheduler; ")
    assert lines[2].endswith(" states/s")
    assert lines[3] == "  holds: closure: once it holds, every step keeps it: in 1 state"
    assert lines[-1] == (
        "  holds: convergence: the number of steps until it holds is bounded, under any scheduler: at most 3 steps"
    )
    assert len(lines) == 7


def test_a_violated_promise_is_told_with_the_command_that_finds_it_again():
    ran = explored("four_machines_with_two_values")
    assert ran.code == VIOLATED
    assert ran.out.splitlines()[-1] == f"  reproduce: gomboc explore {HERE}:four_machines_with_two_values"
    (violation,) = [line for line in ran.out.splitlines() if line.startswith("  violated: ")]
    assert violation.endswith(": after 0 steps a cycle of 8 can go on for ever [Dijkstra 1974]")


def test_the_bounds_of_all_claims_are_told_once_as_text_and_with_every_claim_as_json():
    bound = "deduplicating channels, at most 1 of the same message in flight"
    words = "linear", "--engine", "table"
    (line,) = [line for line in explored(*words).out.splitlines() if bound in line]
    assert line.startswith("  bounds: ")
    findings = json.loads(explored(*words, "--format", "json").out)["findings"]
    claims = [finding["verdict"]["claim"] for finding in findings if finding["promise"] != "not_vacuous"]
    assert len(claims) == 5
    assert all(bound in claim for claim in claims)


@pytest.mark.parametrize(("option", "bound"), [("--states", "2 states"), ("--memory", "1 MB of memory")])
def test_an_exploration_that_comes_to_a_bound_is_unknown_and_says_how_far_it_came(option, bound):
    ran = explored("four_machines", option, bound.split()[0])
    assert ran.code == UNKNOWN
    assert f"  stopped: the bound of {bound} was reached" in ran.out.splitlines()
    assert f"the bound of {bound} was reached: 0 of " in ran.out


@pytest.mark.parametrize("name", ["linear", "four_machines_with_two_values_in_memory"])
def test_both_engines_and_auto_say_the_same_of_an_instance_and_of_a_shared_memory(name):
    plain, table, auto = (explored(name, "--engine", engine) for engine in ("plain", "table", "auto"))
    assert plain.code == table.code == auto.code == (HOLDS if name == "linear" else VIOLATED)
    told = [ran.out.splitlines() for ran in (plain, table, auto)]
    assert told[0][1] == told[1][1] == told[2][1]
    assert told[0][3:-1] == told[1][3:-1]
    # What is settled for any number of messages gives that as its extent.
    claims = [[line.partition(": any number of messages")[0] for line in lines[3:-1]] for lines in told]
    assert all(whole.startswith(claim) for whole, claim in zip(claims[0], claims[2], strict=True))
    assert [lines[2].split(";")[0] for lines in told] == ["  engine: plain", "  engine: table", "  engine: table"]


@pytest.mark.parametrize("words", [("--scheduler", "distributed"), ("--scheduler", "synchronous"), ("--states", "80")])
def test_a_shared_memory_is_explored_by_values_where_not_all_states_are_taken_one_move_at_a_time(words):
    ran, same = explored("four_machines_in_memory", *words), explored("four_machines", *words)
    assert "  engine: plain; " in ran.out
    assert ran.out.splitlines()[1] == same.out.splitlines()[1]
    assert ran.out.splitlines()[3:-1] == same.out.splitlines()[3:-1]


def test_the_run_of_a_shared_memory_is_saved_in_the_informal_trace_format(tmp_path):
    ran = explored("four_machines_with_two_values_in_memory", "--output", str(tmp_path))
    (path,) = tmp_path.iterdir()
    assert f"saved as {path}; not confirmed: the model is no protocol, and has no judge" in ran.out
    assert json.loads(path.read_text())["loop"] == 0


def test_two_explorations_do_not_save_into_one_folder(tmp_path):
    words = ("explore", f"{HERE}:four_machines_with_two_values", "--output", str(tmp_path / "found"))
    with only_writer(tmp_path / "found"):
        assert refused(*words) == (
            f"gomboc: {tmp_path / 'found'}: another gomboc is writing it at this moment; wait for its end, or choose "
            "another --output.\n"
        )
    assert gomboc(*words).code == VIOLATED
    assert [path.name for path in tmp_path.iterdir()] == ["found"]


def test_the_scheduler_the_fairness_and_the_coins_are_those_asked_for():
    assert findings_of("four_machines", "--scheduler", "distributed")["convergence", "every"] == "violated"
    assert findings_of("four_machines", "--scheduler", "synchronous")["convergence", "every"] == "violated"
    assert findings_of("linear", "--fairness", "none")["convergence", "every"] == "violated"
    assert findings_of("linear", "--fairness", "strong")["convergence", "every"] == "holds"
    ran = gomboc("explore", "skip_ring", "--instance", "two_hearsay", "--coins", "adversary")
    assert "however the coins fall" in ran.out


def test_the_whole_graph_is_written_for_other_checkers(tmp_path):
    path = tmp_path / "ring.drn"
    ran = explored("four_machines", "--drn", str(path))
    assert (ran.code, ran.out) == (HOLDS, "")
    lines = path.read_text().splitlines()
    assert (lines[1], lines[lines.index("@nr_states") + 1]) == ("@type: MDP", "81")


def test_again_says_every_option_that_is_not_the_default():
    words = (
        "--fairness",
        "none",
        "--coins",
        "adversary",
        "--engine",
        "plain",
        "--numbers",
        "--states",
        "9000",
        "--memory",
        "9999",
    )
    ran = explored("linear", "--seconds", "600", *words)
    assert ran.code == VIOLATED
    again = "--fairness none --coins adversary --engine plain --states 9000 --seconds 600 --memory 9999 --numbers"
    assert ran.out.splitlines()[-1] == f"  reproduce: gomboc explore {HERE}:linear {again}"
    assert gomboc(*f"explore {HERE}:linear {again}".split()).out.splitlines()[3:] == ran.out.splitlines()[3:]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (
            "without_a_start",
            "closure: once it holds, every step keeps it: there is no initial state, so nothing is judged",
        ),
        ("without_a_promise", "nothing: what the model promises: it promises nothing, so nothing is judged"),
    ],
)
def test_a_model_of_which_nothing_can_be_said_is_unknown(name, why):
    ran = explored(name)
    assert ran.code == UNKNOWN
    assert f"  unknown: {why}" in ran.out.splitlines()


def test_a_synchronous_protocol_is_explored_by_whole_rounds_and_plainly_by_single_steps():
    whole, single = explored("in_rounds"), explored("in_rounds", "--engine", "plain", "--states", "5000")
    assert "  engine: table; " in whole.out
    assert "; whole rounds are single steps, as receipts commute, and states are looked at between them\n" in whole.out
    assert "  engine: plain; " in single.out
    assert "whole rounds" not in single.out


def test_a_counterexample_of_a_protocol_is_a_trace_that_the_judge_confirms(tmp_path):
    ran = gomboc("explore", "skip_ring", "--instance", "printed_linearize", "--output", tmp_path)
    path, way_out = (
        tmp_path / "printed_linearize-3-convergence.jsonl",
        tmp_path / "printed_linearize-2-convergence.jsonl",
    )
    assert ran.code == VIOLATED
    assert {*tmp_path.iterdir()} == {path, way_out}
    command = f"gomboc check {path} --variant printed_linearize"
    assert f"    saved as {path}; confirmed by: {command}" in ran.out.splitlines()
    judged = gomboc(*command.split()[1:])
    assert judged.code == VIOLATED
    assert "  convergence: violated " in judged.out
    assert "  conformance: holds: " in judged.out
    leads = f"    saved as {way_out}; not confirmed: it leads to what is unknown, and violates nothing by itself"
    assert leads in ran.out.splitlines(), "AG EF"
    led = gomboc("check", way_out, "--variant", "printed_linearize")
    assert "  conformance: holds: " in led.out
    assert json.loads(way_out.read_text().splitlines()[0])["origin"]["story"].startswith(
        "printed_linearize: convergence is unknown: "
    )


@pytest.mark.parametrize(
    ("engine", "number", "first"), [("plain", 5, "1-closure"), ("table", 5, "1-closure"), ("auto", 3, "2-convergence")]
)
def test_where_a_bound_is_too_small_all_is_unknown_and_the_way_out_is_saved_once(engine, number, first, tmp_path):
    """If no engine is chosen, closure and well-formed values are settled for any number of messages."""
    ran = explored("short", "--engine", engine, "--output", tmp_path)
    assert ran.code == UNKNOWN
    (path,) = tmp_path.iterdir()
    assert path.name == f"{HERE}-short-{first}.itf.json"
    lines = ran.out.splitlines()
    (bounds,) = [line for line in lines if line.startswith("  bounds: ")]
    exceeding = bounds.rpartition("; ")[2]
    assert exceeding.endswith(" states lead beyond the bound")
    unknown = [line for line in lines if line.startswith("  unknown: ")]
    assert len(unknown) == number
    assert all(f"{exceeding}, the nearest by a run of 1 step" in line for line in unknown)
    assert sum(line.startswith(f"    saved as {path}; not confirmed: ") for line in lines) == number
    document = json.loads(path.read_text())
    assert "linearisation" not in document["#meta"]["description"]
    assert f"{first[2:]} is unknown: " in document["#meta"]["description"]
    assert len(document["states"]) == 2


def test_the_way_out_is_offered_and_is_part_of_json():
    hint = "  add --output DIR to save a run that leads to what is unknown as a trace"
    assert explored("short").out.splitlines()[-2] == hint
    document = json.loads(explored("short", "--format", "json").out)
    assert document["verdict"] == "unknown"
    assert document["beyond"] > document["leaving"] > document["outside"] == 0
    unknown = [finding for finding in document["findings"] if finding["verdict"]["type"] == "unknown"]
    assert {(finding["run"]["steps"], finding["run"]["back"]) for finding in unknown} == {(1, None)}


@pytest.mark.parametrize(
    ("name", "starts"),
    [
        ("short_from_the_start", "more than 1 message in flight"),
        ("short_of_copies", "more than 1 copy of the same message"),
    ],
)
def test_initial_states_beyond_the_bound_are_told(name, starts, tmp_path):
    ran = explored(name, "--output", tmp_path)
    assert ran.code == UNKNOWN
    assert "  engine: plain; " in ran.out
    assert "initial states are beyond the bound, the nearest by a run of 0 steps" in ran.out
    assert refused("explore", f"{HERE}:{name}", "--engine", "table") == (
        f"gomboc: The table-driven explorer holds no start with {starts}, the bound of the instance; "
        "explore it with --engine plain.\n"
    )


def test_a_counterexample_of_another_model_is_in_the_itf(tmp_path):
    ran = explored("loop", "--output", tmp_path)
    assert ran.code == VIOLATED
    saved = sorted(tmp_path.iterdir())
    assert [path.name for path in saved] == [
        f"{HERE}-loop-1-convergence.itf.json",
        f"{HERE}-loop-2-convergence.itf.json",
    ]
    assert f"    saved as {saved[1]}; not confirmed: the model is no protocol, and has no judge" in ran.out.splitlines()
    lasso = json.loads(saved[1].read_text())
    assert (lasso["loop"], lasso["vars"], len(lasso["states"])) == (0, ["action", "state"], 3)


def test_nothing_is_saved_of_what_holds(tmp_path):
    assert explored("COUNTER", "--output", tmp_path / "new").code == HOLDS
    assert list((tmp_path / "new").iterdir()) == []


def test_json_is_one_object_with_every_finding(tmp_path):
    ran = explored("loop", "--format", "json", "--output", tmp_path)
    (line,) = ran.out.splitlines()
    document = json.loads(line)
    assert (
        document["name"],
        document["engine"],
        document["scheduler"],
        document["starts"],
        document["states"],
        document["transitions"],
    ) == (*(f"{HERE}:loop", "plain", "central"), *(1, 3, 3))
    assert document["states_per_second"] > 0
    hopeless, endless = document["findings"]
    assert (hopeless["run"], endless["run"]) == ({"steps": 0, "back": None}, {"steps": 3, "back": 0})
    assert endless["saved"]["path"] == str(tmp_path / f"{HERE}-loop-2-convergence.itf.json")
    assert document["reproduce"] == f"gomboc explore {HERE}:loop"


def test_a_module_of_the_current_folder_is_found(tmp_path, monkeypatch):
    (tmp_path / "mine_to_explore.py").write_text(f"from {HERE} import COUNTER\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert gomboc("explore", "mine_to_explore:COUNTER").code == HOLDS


def test_without_numpy_instances_are_explored_plainly(monkeypatch):
    monkeypatch.setattr("gomboc.checker.explore.engines.find_spec", lambda name: None)
    assert "  engine: plain; " in explored("linear").out
    assert refused("explore", f"{HERE}:linear", "--engine", "table") == (
        "gomboc: The table-driven explorer needs the package numpy: pip install 'gomboc[explore]'.\n"
    )


def test_the_command_is_read_without_the_tables():
    assert explore.command.name == "explore"
    assert "numpy" not in Path(explore.__file__).read_text()
