"""A toy protocol for each discipline, from simulator to verdict: its own order holds, any other is found out."""

from itertools import islice

import msgspec
import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds, Violated
from gomboc.impl.api.recorder import record
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.failures import Budget
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
from gomboc.spec.core.registry import NAMED, forget
from tests.impl.runtime.test_disciplines import line, queue
from tests.impl.runtime.test_failures import crowd
from tests.toys.crowd.impl import IMPLEMENTATION as CROWD
from tests.toys.distances.impl import IMPLEMENTATION as DISTANCES
from tests.toys.queue.impl import IMPLEMENTATION as QUEUE

PUBLISH = tuple(TimedCommand(at, "p", {"kind": "publish"}) for at in (3.0, 9.0, 9.1))
TOYS = {
    "crowd": (CROWD, crowd(), Discipline.UNORDERED, ()),
    "queue": (QUEUE, queue(3), Discipline.FIFO, PUBLISH),
    "distances": (DISTANCES, line(4), Discipline.ROUNDS, ()),
}
BUDGETS = {
    "crowd": Budget(crashes=2, within=5.0, detection=1.0),
    "queue": Budget(crashes=2, restarts=1),
    "distances": Budget(crashes=2, restarts=2),
}


@pytest.fixture(autouse=True)
def _toys_are_protocols(monkeypatch):
    monkeypatch.setenv(NAMED, " ".join(f"tests.toys.{toy}.spec:PROTOCOL" for toy in TOYS))
    forget()
    yield
    forget()


def judged(toy, folder, seed, *, discipline=None, failures=None, steps=700):
    tested, start, own, commands = TOYS[toy]
    header = {"format": "gomboc-trace", "version": 1, **start, "parameters": {}, "origin": {"seed": seed}}
    if failures is not None:
        # No toy has a premise that says so, but none converges while a node is down of which no other knows it.
        header["bound"] = 100
    options = Conditions(commands=commands, discipline=discipline or own, failures=failures, mean_delay=1.0)
    run = Simulation(header, tested, seed, options)
    path = folder / f"{toy}.jsonl"
    record(path, header, islice(run.steps(), steps))
    return judge_file(path)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("toy", TOYS)
def test_a_run_in_its_own_discipline_holds(toy, seed, tmp_path):
    judgement = judged(toy, tmp_path, seed)
    for verdict in (judgement.conformance, judgement.closure, judgement.convergence):
        assert isinstance(verdict, Holds), verdict


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("toy", TOYS)
def test_a_run_with_failures_conforms_and_its_rounds_go_on(toy, seed, tmp_path):
    judgement = judged(toy, tmp_path, seed, failures=BUDGETS[toy])
    assert isinstance(judgement.conformance, Holds), judgement.conformance
    for verdict in (judgement.closure, judgement.convergence):
        assert not isinstance(verdict, Violated), verdict
    if toy == "queue":
        # What was lost stays in flight in the trace, so legitimacy is not reached.
        return
    assert isinstance(judgement.convergence, Holds), judgement.convergence
    assert judgement.rounds_after > 5


@pytest.mark.parametrize("toy", ["queue", "distances"])
def test_what_another_discipline_allows_is_refused(toy, tmp_path):
    verdicts = [judged(toy, tmp_path, seed, discipline=Discipline.UNORDERED).conformance for seed in range(5)]
    assert {verdict.rule for verdict in verdicts if isinstance(verdict, Violated)} == {"delivered_in_order"}
    assert sum(isinstance(verdict, Violated) for verdict in verdicts) > 2


def test_a_restarted_reader_misses_what_was_published_meanwhile_and_never_goes_back(tmp_path):
    crash, restart = (TimedCommand(at, "r1", {"kind": kind}) for at, kind in ((8.0, "crash"), (14.0, "restart")))
    tested, start, own, commands = TOYS["queue"]
    options = Conditions(commands=(*commands, crash, restart), discipline=own, failures=Budget())
    steps = list(islice(Simulation(start, tested, 1, options).steps(), 300))
    delivered = [content for step in steps if step.node == "r1" for content in step.delivered]
    assert delivered == [1]
    assert msgspec.json.decode([step for step in steps if step.node == "r1"][-1].state)["last"] == 3
