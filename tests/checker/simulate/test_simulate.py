"""A campaign writes all its traces or none, and the same bytes whenever and however it is run."""

import msgspec
import pytest

from gomboc.checker.core.output import MARKER
from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.judge.verdict import Holds
from gomboc.checker.simulate import simulate
from gomboc.checker.simulate.plan import PlannedCommand
from gomboc.checker.simulate.simulate import Simulated, simulate_plan, simulate_trace
from tests.checker import ring
from tests.checker.refusing import sentence
from tests.checker.ring import plan
from tests.known import IMPLEMENTATIONS


def run(folder, jobs=1, overwrite=False, **changes):
    return simulate_plan(plan(**changes), folder, jobs, lambda done, total: None, overwrite)


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != MARKER}


def steps_of(path):
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()[1:]]


def test_traces_are_written_under_their_names_and_nothing_else(tmp_path):
    done = run(tmp_path / "made" / "traces")
    assert [*contents(tmp_path / "made" / "traces")] == [f"skip_ring-00000{index}.jsonl" for index in range(3)]
    assert ring.names(tmp_path / "made") == ["traces"]
    assert all(isinstance(simulated, Simulated) for simulated in done)


def test_what_is_said_of_a_trace_is_what_its_judge_finds(tmp_path):
    for index in range(4):
        simulated = simulate_trace(plan(traces=4), tmp_path, index)
        judged = judge_file(tmp_path / f"skip_ring-00000{index}.jsonl")
        assert judged.exit_code() == 0
        assert (simulated.steps, simulated.rounds) == (judged.steps, judged.rounds)


def test_the_same_plan_gives_the_same_bytes_in_one_process_and_in_two(tmp_path):
    commands = (PlannedCommand(4, "v1", "Unsubscribe"),)
    for jobs, name in ((1, "one"), (1, "again"), (2, "two")):
        run(tmp_path / name, jobs, commands=commands, traces=5)
    assert contents(tmp_path / "one") == contents(tmp_path / "again") == contents(tmp_path / "two")
    run(tmp_path / "other", seed=2, commands=commands, traces=5)
    for path in (tmp_path / "one").glob("*.jsonl"):
        assert steps_of(path) != steps_of(tmp_path / "other" / path.name)


def test_one_trace_alone_has_the_bytes_that_it_has_among_all(tmp_path):
    run(tmp_path / "all")
    (tmp_path / "one").mkdir()
    simulate_trace(plan(), tmp_path / "one", 1)
    assert contents(tmp_path / "one").items() < contents(tmp_path / "all").items()


def test_progress_counts_every_trace(tmp_path):
    progress = []
    simulate_plan(plan(), tmp_path / "traces", 1, lambda done, total: progress.append((done, total)))
    assert progress == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("settle", [0, 1, 7])
def test_a_run_goes_on_for_so_many_rounds_once_it_is_legitimate(settle, tmp_path):
    judged = judge_file(ring.simulated(tmp_path, settle=settle))
    assert isinstance(judged.convergence, Holds)
    assert judged.rounds_after == settle


def test_a_run_ends_after_so_many_rounds_though_it_is_not_legitimate(tmp_path):
    judged = judge_file(ring.simulated(tmp_path, nodes=(8,), rounds=2))
    assert (judged.rounds, judged.exit_code()) == (None, 3)
    assert judged.convergence.why.startswith("the trace ends after 2 rounds, ")


def test_a_run_whose_messages_multiply_ends_after_so_many_steps(tmp_path):
    """As Algorithms 1 and 2 are printed, a node's messages about itself bounce on, and each round takes longer."""
    path = ring.simulated(tmp_path, implementation="skip_ring.printed_build_ring", nodes=(8,), rounds=9, steps=2_000)
    judged = judge_file(path, Options(variant="printed_build_ring"))
    assert (judged.steps, judged.exit_code()) == (2_000, 3)


def test_a_run_does_not_end_before_its_last_command(tmp_path):
    commands = PlannedCommand(30, "v2", "Subscribe"), PlannedCommand(20, "v1", "Unsubscribe")
    path = ring.simulated(tmp_path, start="legitimate", commands=commands, settle=3)
    taken = [(step["node"], step["took"]) for step in steps_of(path) if isinstance(step["took"], dict)]
    assert taken == [("v1", {"kind": "Unsubscribe"}), ("v2", {"kind": "Subscribe"})]
    judged = judge_file(path)
    assert (judged.exit_code(), judged.rounds_after) == (0, 3)


def test_a_command_is_taken_at_its_time(tmp_path):
    path = ring.simulated(tmp_path, start="legitimate", nodes=(4,), commands=(PlannedCommand(20, "v1", "Unsubscribe"),))
    steps = steps_of(path)
    (position,) = (index for index, step in enumerate(steps) if isinstance(step["took"], dict))
    timeouts = sum(step["took"] == "timeout" for step in steps[:position])
    assert 90 <= timeouts <= 110, "twenty periods of five nodes"


def test_an_unsubscribed_node_leaves_the_ring(tmp_path):
    path = ring.simulated(tmp_path, start="legitimate", nodes=(3,), commands=(PlannedCommand(3, "v2", "Unsubscribe"),))
    last = {step["node"]: step["state"] for step in steps_of(path)}
    assert {node for _, node in last["supervisor"]["database"]} == {"v1", "v3"}
    assert (last["v2"]["label"], last["v2"]["wants"]) == (None, False)


def test_the_start_of_a_file_is_where_the_run_starts(tmp_path):
    (tmp_path / "first").mkdir()
    path = ring.simulated(tmp_path / "first", nodes=(3,))
    again = ring.simulated(tmp_path, nodes=(8,), seed=99, start=str(path))
    first, second = (msgspec.json.decode(trace.read_bytes().splitlines()[0]) for trace in (path, again))
    assert first.pop("origin") != second.pop("origin")
    assert first == second
    assert steps_of(path) != steps_of(again)


def test_a_run_from_a_file_may_take_the_rounds_that_its_own_members_need(tmp_path, monkeypatch):
    path = ring.simulated(tmp_path, nodes=(5,), rounds=1)
    bounds = []

    class Watched(simulate.Stabilisation):
        def __init__(self, protocol, system, bound):
            bounds.append(bound)
            super().__init__(protocol, system, bound)

    monkeypatch.setattr(simulate, "Stabilisation", Watched)
    ring.simulated(tmp_path, 1, nodes=(2,), start=str(path))
    assert bounds == [100 + 20 * 5]


def refusal(*arguments, **changes):
    return sentence(run, *arguments, **changes)


def test_what_is_there_already_is_left_alone(tmp_path):
    (tmp_path / "traces").mkdir()
    (tmp_path / "traces" / "mine").write_text("precious")
    says = "there is something already; choose another --output, or --overwrite it."
    assert refusal(tmp_path / "traces") == f"{tmp_path / 'traces'}: {says}"
    assert contents(tmp_path / "traces") == {"mine": b"precious"}


def test_traces_are_overwritten_on_request_and_none_of_the_old_stays(tmp_path):
    run(tmp_path / "traces", traces=5)
    run(tmp_path / "traces", overwrite=True, traces=2, seed=2)
    run(tmp_path / "other", traces=2, seed=2)
    assert contents(tmp_path / "traces") == contents(tmp_path / "other")


def test_what_gomboc_did_not_write_is_not_overwritten(tmp_path):
    run(tmp_path / "traces")
    before = contents(tmp_path / "traces")
    (tmp_path / "traces" / "mine").write_text("precious")
    says = "it holds 'mine', which gomboc did not write, so it is not overwritten."
    assert refusal(tmp_path / "traces", overwrite=True, seed=2) == f"{tmp_path / 'traces'}: {says}"
    assert contents(tmp_path / "traces") == {**before, "mine": b"precious"}
    assert ring.names(tmp_path) == ["traces"]


def test_a_file_is_not_overwritten_with_a_folder(tmp_path):
    (tmp_path / "mine").write_text("precious")
    says = "it is no folder, so it is not overwritten."
    assert refusal(tmp_path / "mine", overwrite=True) == f"{tmp_path / 'mine'}: {says}"
    assert contents(tmp_path) == {"mine": b"precious"}


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "mine").write_text("precious")
    folder = tmp_path / "mine" / "traces"
    assert refusal(folder) == f"{folder}: it cannot be written: Not a directory."
    assert contents(tmp_path) == {"mine": b"precious"}


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_the_implementation_refuses_leaves_nothing_behind(jobs, tmp_path):
    commands = (PlannedCommand(1, "v9", "Subscribe"),)
    says = "A command is for v9, which has no role in the header."
    assert refusal(tmp_path / "traces", jobs, commands=commands) == says
    assert ring.names(tmp_path) == []


def test_one_trace_that_is_refused_leaves_nothing_behind(tmp_path):
    assert sentence(ring.simulated, tmp_path, implementation="skip_ring.unheard_of") == (
        f"There is no implementation 'skip_ring.unheard_of'; there are: {IMPLEMENTATIONS}."
    )
    assert ring.names(tmp_path) == []


@pytest.mark.parametrize("exception", [KeyboardInterrupt, ZeroDivisionError])
def test_whatever_stops_a_campaign_leaves_nothing_half_written(exception, tmp_path, monkeypatch):
    def progress(done, total):
        assert list(tmp_path.glob(".traces.*.partial/*.jsonl")), "there has to be something to leave behind"
        raise exception

    with pytest.raises(exception):
        simulate_plan(plan(), tmp_path / "traces", 1, progress)
    assert ring.names(tmp_path) == []


def test_a_run_that_breaks_off_leaves_the_former_traces_alone(tmp_path):
    run(tmp_path / "traces")
    before = contents(tmp_path / "traces")
    assert refusal(tmp_path / "traces", overwrite=True, implementation="skip_ring.unheard_of")
    assert contents(tmp_path / "traces") == before
    assert ring.names(tmp_path) == ["traces"]
