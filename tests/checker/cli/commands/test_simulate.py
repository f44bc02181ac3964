"""`gomboc simulate` writes traces by its options, every time the same bytes, whole or not at all."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from gomboc.checker.cli.planned import CommandAt, NodeCounts
from gomboc.checker.core.output import MARKER
from gomboc.checker.core.processes import pool
from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.judge.verdict import Holds
from tests.checker import ring
from tests.checker.cli.command import gomboc, refused

GOMBOC = Path(sys.executable).with_name("gomboc")
SMALL = "simulate", "skip_ring", "--nodes", "2,3", "--traces", "4", "--settle", "2", "--jobs", "1"
"""In this process, where nothing is said of others: to start two takes longer than the traces."""


def simulate(folder, *words):
    """The contents of the folder that the command has written."""
    ran = gomboc(*SMALL, "--output", folder, *words)
    assert (ran.code, ran.err) == (0, ""), ran
    return contents(folder)


STARTED = """
import sys
from gomboc.checker.cli import main
sys.argv = ["gomboc", *sys.argv[1:]]
try:
    main()
finally:
    print(*sorted(n for n in sys.modules if n.endswith(".api.node") or n.startswith("gomboc.checker.simulate.stacks")))
    print(*sorted({n.split(".")[3] for n in sys.modules if n.startswith("gomboc.spec.protocols.")}))
"""


@pytest.mark.parametrize("words", [(), ("--help",)])
def test_a_run_of_a_protocol_imports_no_stack_and_no_other_protocol(words, tmp_path):
    called = [sys.executable, "-c", STARTED, *SMALL, "--output", tmp_path / "runs", "--quiet", *words]
    ran = subprocess.run(called, capture_output=True, text=True, check=False)
    assert ran.stdout.splitlines()[-2:] == ["", "skip_ring"], ran.stdout + ran.stderr


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != MARKER}


def first_line(content):
    return json.loads(content.split(b"\n", 1)[0])


def bodies(traces):
    """The traces without where they came from."""
    return [{**first_line(trace), "origin": None, "steps": trace.split(b"\n", 1)[1]} for trace in traces.values()]


def members(traces):
    return [len(first_line(trace)["roles"]) - 1 for trace in traces.values()]


def test_what_was_written_is_summed_up_in_one_line(tmp_path):
    ran = gomboc(*SMALL, "--output", tmp_path / "traces")
    steps = sum(content.count(b"\n") - 1 for content in contents(tmp_path / "traces").values())
    assert ran == (0, f"{tmp_path / 'traces'}: 4 traces, {steps:,} steps; 4 ended legitimate.\n", "")


def test_how_many_ended_legitimate_is_counted(tmp_path):
    ran = gomboc("simulate", "skip_ring", "--nodes", "8", "--rounds", "1", "--output", tmp_path / "traces")
    assert ran.out.endswith("; 0 ended legitimate.\n")


def test_every_trace_holds_for_the_judge(tmp_path):
    simulate(tmp_path / "traces", "--start", "arbitrary")
    assert {judge_file(path).exit_code() for path in (tmp_path / "traces").glob("*.jsonl")} == {0}


def test_one_process_and_two_write_the_same_bytes(tmp_path):
    assert simulate(tmp_path / "one", "--jobs", "1") == simulate(tmp_path / "two", "--jobs", "2")


def test_without_jobs_each_core_has_a_process(tmp_path, monkeypatch):
    asked = []

    def in_pool(work, pieces, jobs, at_once):
        asked.append(jobs)
        return map(work, range(pieces))

    monkeypatch.setattr(pool, "in_pool", in_pool)
    words = "simulate", "skip_ring", "--nodes", "2", "--traces", "9", "--output"
    for cores in (3, 1):
        assert gomboc(*words, tmp_path / str(cores), cores=cores).code == 0
    assert asked == [3]


def test_another_seed_writes_other_bytes(tmp_path):
    first, second = (simulate(tmp_path / seed, "--seed", seed) for seed in ("1", "2"))
    assert not set(first.values()) & set(second.values())


@pytest.mark.parametrize("option", [(), ("--command", "3:v1:Unsubscribe"), ("--variant", "printed_linearize")])
def test_the_command_in_the_header_writes_the_same_bytes_again(option, tmp_path):
    all_ = simulate(tmp_path / "all", "--seed", "7", "--bound", "90", *option)
    for name, content in list(all_.items())[1:3]:
        words = shlex.split(first_line(content)["origin"]["command"])
        assert gomboc(*words[1:], "--output", tmp_path / "again").code == 0
        assert (tmp_path / "again" / name).read_bytes() == content
    assert len(contents(tmp_path / "again")) == 2


def test_the_command_in_the_header_leaves_out_what_does_not_decide(tmp_path):
    words = ["simulate", "skip_ring", "--seed", "3", "--start", "legitimate"]
    kept = shlex.join(["gomboc", *words])
    for index, more in enumerate((("--jobs", "1"), ("--jobs=1",), ("--overwrite",), ("--only", "0"), ("--only=0",))):
        folder = tmp_path / str(index)
        assert gomboc(*words, *more, f"--output={folder}").code == 0
        (content,) = contents(folder).values()
        assert first_line(content)["origin"]["command"] == f"{kept} --only 0"


def test_one_trace_alone_has_the_bytes_that_it_has_among_all(tmp_path):
    all_ = simulate(tmp_path / "all")
    ran = gomboc(*SMALL, "--only", "2", "--output", tmp_path / "one")
    path = tmp_path / "one" / "skip_ring-000002.jsonl"
    steps = all_[path.name].count(b"\n") - 1
    assert ran == (0, f"{path}: 1 trace, {steps:,} steps; 1 ended legitimate.\n", "")
    assert contents(tmp_path / "one") == {path.name: all_[path.name]}


def test_one_trace_alone_joins_what_is_there(tmp_path):
    (tmp_path / "mine").write_text("precious")
    assert gomboc(*SMALL, "--only", "1", "--output", tmp_path).code == 0
    assert [*contents(tmp_path)] == ["mine", "skip_ring-000001.jsonl"]


def test_a_legitimate_start_needs_no_round(tmp_path):
    simulate(tmp_path / "traces", "--start", "legitimate")
    assert {judge_file(path).rounds for path in (tmp_path / "traces").glob("*.jsonl")} == {0}


def test_an_arbitrary_start_is_the_default(tmp_path):
    assert bodies(simulate(tmp_path / "a", "--start", "arbitrary")) == bodies(simulate(tmp_path / "b"))
    assert any(judge_file(path).rounds > 0 for path in (tmp_path / "b").glob("*.jsonl"))


def test_a_file_gives_its_start(tmp_path):
    path = tmp_path / "start.jsonl"
    path.write_bytes(ring.HOLDS)
    words = "--traces", "4", "--jobs", "1", "--start", path
    assert gomboc("simulate", "skip_ring", *words, "--output", tmp_path / "traces").code == 0
    traces = contents(tmp_path / "traces")
    assert members(traces) == [1] * 4
    assert all(first_line(trace)["states"] == ring.HEADER["states"] for trace in traces.values())


def test_messages_in_flight_at_the_start_are_at_most_as_many_as_asked_for(tmp_path):
    traces = simulate(tmp_path / "none", "--messages", "0", "--traces", "9")
    assert {len(first_line(trace)["messages"]) for trace in traces.values()} == {0}
    traces = simulate(tmp_path / "few", "--messages", "2", "--traces", "9")
    assert {len(first_line(trace)["messages"]) for trace in traces.values()} == {0, 1, 2}


def test_commands_are_taken_at_their_times(tmp_path):
    words = "--start", "legitimate", "--command", "9:v1:Subscribe", "--command", "6:v2:Unsubscribe"
    for content in simulate(tmp_path / "traces", *words).values():
        steps = [json.loads(line) for line in content.splitlines()[1:]]
        taken = [(step["node"], step["took"]["kind"]) for step in steps if isinstance(step["took"], dict)]
        assert taken == [("v2", "Unsubscribe"), ("v1", "Subscribe")]


def test_a_command_with_arguments_is_the_object_that_a_trace_has(tmp_path):
    command = '3:v1:{"kind": "Unsubscribe", "forget": true}'
    words = "--key-bits", "8", "--start", "legitimate", "--command", command
    for content in simulate(tmp_path / "traces", *words).values():
        assert b'"took":{"kind":"Unsubscribe","forget":true}' in content


def test_publications_come_with_keys_of_32_bits_and_a_smaller_number_is_a_choice(tmp_path):
    cases = (
        (("--publications", "3"), {"key_bits": 32}),
        (("--publications", "3", "--key-bits", "8", "--keep", "2"), {"key_bits": 8, "keep": 2}),
        (("--key-bits", "8", "--payload-limit", "9", "--chunk", "7"), {"key_bits": 8, "payload_limit": 9, "chunk": 7}),
        (("--parameter", "keep=2", "--parameter", "key_bits=8"), {"key_bits": 8, "keep": 2}),
        ((), {}),
    )
    for number, (words, parameters) in enumerate(cases):
        traces = simulate(tmp_path / str(number), *words, "--rounds", "1").values()
        assert [first_line(trace)["parameters"] for trace in traces] == [parameters] * 4


def test_publications_and_disturbances_leave_what_is_simulated_without_them_as_it_is(tmp_path):
    plain = simulate(tmp_path / "plain")
    loud = simulate(tmp_path / "loud", "--publications", "4", "--disturb")
    assert [first_line(trace)["roles"] for trace in plain.values()] == [
        first_line(trace)["roles"] for trace in loud.values()
    ]
    assert all(b"publications" not in trace and b"suspect" not in trace.lower() for trace in plain.values())
    assert any(b'"publications":' in trace for trace in loud.values())
    assert any(b'"kind":"Suspect"' in trace for trace in loud.values())


def both_ways(folder, *words):
    """The traces that the command writes, which are the same in files and in packs."""
    assert gomboc(*words, "--output", folder / "lines").code == 0
    assert gomboc(*words, "--output", folder / "packs", "--into", "packs").code == 0
    assert gomboc("export", folder / "packs", "--output", folder / "exported").code == 0
    assert contents(folder / "exported") == contents(folder / "lines")
    return contents(folder / "lines").values()


def test_disturbed_runs_end_after_the_last_disturbance_the_same_in_files_and_in_packs(tmp_path):
    assert both_ways(tmp_path, *SMALL, "--publications", "4", "--disturb", "--settle", "2")
    assert {judge_file(path).exit_code() for path in (tmp_path / "lines").glob("*.jsonl")} == {0}


def kinds(trace):
    """How often each command was given in a trace."""
    took = (json.loads(line)["took"] for line in trace.splitlines()[1:])
    return Counter(taken["kind"] for taken in took if isinstance(taken, dict))


def test_so_many_nodes_crash_and_start_again_and_a_detector_tells_of_them(tmp_path):
    words = "simulate", "skip_ring", "--nodes", "3", "--traces", "2", "--settle", "2", "--start", "legitimate"
    traces = both_ways(tmp_path, *words, "--crashes", "2", "--restarts", "1", "--within", "4", "--detection", "1")
    for trace in traces:
        assert (kinds(trace)["Crash"], kinds(trace)["Restart"]) == (2, 1)
        assert kinds(trace)["Suspect"] > 0
    assert {judge_file(path).exit_code() for path in (tmp_path / "lines").glob("*.jsonl")} == {0}
    (tmp_path / "deaf").mkdir()
    assert all("Suspect" not in kinds(trace) for trace in both_ways(tmp_path / "deaf", *words, "--crashes", "2"))


def test_detectors_of_the_nodes_find_crashes_by_heartbeats_with_every_other_option(tmp_path):
    for name, *words in (
        ("skip_ring", "--nodes", "3", "--crashes", "1", "--command", "9:v1:Unsubscribe", "--disturb"),
        ("chord", "--nodes", "4", "--meet", "true", "--crashes", "1", "--outside", "1"),
    ):
        folders = [tmp_path / name / part for part in ("lossy", "lossless")]
        for folder in folders:
            folder.mkdir(parents=True)
        called = ("simulate", name, *words, "--traces", "2", "--settle", "2", "--within", "2", "--patience", "3")
        traces = both_ways(folders[0], *called, "--loss", "0.2")
        assert all(kinds(trace)["Suspect"] > 0 for trace in traces)
        lossy, lossless = (
            [trace.splitlines()[1:] for trace in each] for each in (traces, both_ways(folders[1], *called))
        )
        assert lossy != lossless


def test_detectors_of_a_stack_find_crashes_by_heartbeats(tmp_path):
    words = "simulate", "chord_scribe", "--nodes", "5", "--disturb", "--seed", "1", "--patience", "3", "--output"
    assert gomboc(*words, tmp_path / "runs").code == 0
    assert sum(kinds(path.read_text())["Suspect"] for path in (tmp_path / "runs").rglob("chord*.jsonl")) > 0


QUEUE = ("--protocol", "tests.toys.queue.spec:PROTOCOL", "--implementation", "tests.toys.queue.impl:IMPLEMENTATION")


@pytest.mark.usefixtures("own_folder")
def test_crashes_cut_first_in_first_out_links_and_runs_end_the_same_in_files_and_in_packs(tmp_path):
    words = "simulate", "queue", *QUEUE, "--nodes", "3", "--traces", "4", "--settle", "3", "--seed", "1"
    traces = both_ways(tmp_path, *words, "--crashes", "3", "--restarts", "3")
    assert [kinds(trace)["crash"] for trace in traces] == [3] * 4
    taken = gomboc("check", tmp_path / "lines", "--protocol", "tests.toys.queue.spec:PROTOCOL", "--format", "json")
    assert (taken.code, taken.out.count('"rounds_after":3')) == (0, 4)


BAD_NODE = """
from dataclasses import replace
from tests.toys.queue import impl

class Bad(impl.Reader):
    def handle(self, now, given):
        {}

def make(role, name, state, random):
    return Bad(dict(state)) if role == "reader" else impl.make(role, name, state, random)

IMPLEMENTATION = replace(impl.IMPLEMENTATION, name="bad", make=make)
"""

BAD = [
    ("raise StopIteration", "StopIteration"),
    ("raise KeyError('x')", "KeyError"),
    ("import asyncio; raise asyncio.CancelledError('late')", "late"),
    ("raise GeneratorExit('late')", "late"),
    ("import pytest; pytest.skip('late')", "late"),
    ("import os; os._exit(0)", "sys.exit(0)"),
    ("import sys; sys.exit(0)", "sys.exit(0)"),
    ("return None", "answers with NoneType"),
    ("return 7", "answers with int"),
]


@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize(
    ("statement", "says", "jobs"),
    # Two processes are begun for two of them only, since each costs a second.
    [*((*case, 1) for case in BAD), (BAD[0][0], "StopIteration", 2), (BAD[5][0], "died", 2)],
)
def test_an_implementation_that_misbehaves_is_no_success(own_folder, statement, says, jobs):
    (own_folder / "bad.py").write_text(BAD_NODE.format(statement))
    words = "--nodes", "3", "--traces", "4", "--jobs", jobs, "--output", "runs"
    said = refused("simulate", "queue", *QUEUE[:3], "bad:IMPLEMENTATION", *words)
    assert "Traceback" not in said
    assert says in said
    assert not (own_folder / "runs").exists()


@pytest.mark.usefixtures("own_folder")
def test_a_commanded_crash_cuts_first_in_first_out_links_too(tmp_path):
    crashing = [word for at in range(1, 9) for word in ("--command", f"{at}:r1:{('restart', 'crash')[at % 2]}")]
    words = "simulate", "queue", *QUEUE, "--nodes", "2", "--traces", "4", "--settle", "3", *crashing
    assert all(kinds(trace) == {"crash": 4, "restart": 4} for trace in both_ways(tmp_path, *words))
    assert gomboc("check", tmp_path / "lines", "--protocol", "tests.toys.queue.spec:PROTOCOL").code == 0


def test_a_bound_is_for_the_judge(tmp_path):
    for content in simulate(tmp_path / "traces", "--bound", "17").values():
        assert first_line(content)["bound"] == 17


def test_a_variant_is_the_implementation_with_the_rule_as_printed(tmp_path):
    simulate(tmp_path / "traces", "--nodes", "6", "--variant", "printed_linearize", "--rounds", "20")
    assert 1 in {judge_file(path).exit_code() for path in (tmp_path / "traces").glob("*.jsonl")}
    published = Options(variant="printed_linearize")
    for path in (tmp_path / "traces").glob("*.jsonl"):
        assert isinstance(judge_file(path, published).conformance, Holds)


def test_traces_that_are_there_are_replaced_on_request_only(tmp_path):
    first = simulate(tmp_path / "traces")
    says = "there is something already; choose another --output, or --overwrite it."
    assert refused(*SMALL, "--output", tmp_path / "traces") == f"gomboc: {tmp_path / 'traces'}: {says}\n"
    assert contents(tmp_path / "traces") == first
    second = simulate(tmp_path / "traces", "--overwrite", "--traces", "1", "--seed", "5")
    assert len(second) == 1


@pytest.mark.parametrize(
    ("text", "counts"), [("8", (8,)), ("1..3", (1, 2, 3)), ("2,4,8", (2, 4, 8)), ("8,1..2", (8, 1, 2)), ("5..5", (5,))]
)
def test_numbers_of_members_are_read_as_they_are_written(text, counts, tmp_path):
    assert NodeCounts().convert(text, None, None) == counts


def test_a_command_is_read_as_it_is_written():
    command = CommandAt().convert("2.5:v:3:Unsubscribe", None, None)
    assert (command.at, command.node, command.kind) == (2.5, "v:3", "Unsubscribe")


def test_what_gomboc_did_not_write_is_not_overwritten(tmp_path):
    folder = tmp_path / "traces"
    simulate(folder)
    (folder / "mine").write_text("precious")
    before = contents(folder)
    says = "it holds 'mine', which gomboc did not write, so it is not overwritten."
    assert refused(*SMALL, "--overwrite", "--output", folder) == f"gomboc: {folder}: {says}\n"
    assert contents(folder) == before
    assert ring.names(tmp_path) == ["traces"]


def test_one_trace_alone_cannot_be_written_where_a_folder_has_its_name(tmp_path):
    (tmp_path / "skip_ring-000000.jsonl").mkdir()
    refusal = refused(*SMALL, "--only", "0", "--output", tmp_path)
    assert refusal.startswith(f"gomboc: {tmp_path}")
    assert refusal.endswith(": Is a directory.\n")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_campaign_leaves_nothing_half_written(jobs, tmp_path):
    words = "simulate", "skip_ring", "--nodes", "2", "--traces", "4000", "--jobs", jobs, "--output", "traces"
    running = subprocess.Popen(
        [GOMBOC, *words],
        cwd=tmp_path,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not list(tmp_path.glob(".traces.*.partial/*.jsonl")):
        assert running.poll() is None, running.communicate()
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate()
    assert (running.returncode, out, err.strip()) == (130, "", "gomboc: interrupted.")
    assert ring.names(tmp_path) == []


def read_whole(path, file):
    while file.readline(9):
        pass


def test_a_single_trace_that_is_interrupted_leaves_nothing_half_written(tmp_path, monkeypatch):
    def lines(head, steps):
        yield b"half\n"
        raise KeyboardInterrupt

    monkeypatch.setattr("gomboc.checker.simulate.simulate.lines", lines)
    monkeypatch.setattr("gomboc.checker.simulate.simulate.TraceReader", read_whole)
    ran = gomboc("simulate", "skip_ring", "--only", "0", "--output", tmp_path)
    assert (ran.code, ran.out, ran.err.strip()) == (130, "", "gomboc: interrupted.")
    assert ring.names(tmp_path) == []
