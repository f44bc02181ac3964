from itertools import islice

import msgspec
import pytest

from gomboc.impl.api.registry import implementation
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.failures import Budget
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
from tests.impl.protocols.skip_ring.starts import blank
from tests.impl.refusing import refusing
from tests.impl.runtime.test_disciplines import queue
from tests.impl.runtime.test_simulator import ECHO, echo
from tests.toys.crowd.impl import IMPLEMENTATION as CROWD
from tests.toys.queue.impl import IMPLEMENTATION as QUEUE


def crowd(names="abcd"):
    return {
        "protocol": "crowd",
        "roles": dict.fromkeys(names, "member"),
        "states": {name: {"live": True, "known": [other for other in names if other != name]} for name in names},
        "messages": [],
    }


def run(start, tested, steps, seed=1, *, commands=(), discipline=Discipline.UNORDERED, **budget):
    options = Conditions(commands=commands, discipline=discipline, failures=Budget(**budget), mean_delay=1.0)
    return list(islice(Simulation(start, tested, seed, options).steps(), steps))


def commands_of(steps):
    return [(step.node, msgspec.to_builtins(step.took)) for step in steps if not isinstance(step.took, int | str)]


def test_as_many_nodes_crash_and_start_again_as_the_budget_says():
    taken = commands_of(run(blank(6), implementation("skip_ring"), 3_000, crashes=3, restarts=2))
    crashed = [node for node, command in taken if command == {"kind": "Crash"}]
    again = [node for node, command in taken if command["kind"] == "Restart"]
    assert (len(crashed), len(set(crashed)), len(again)) == (3, 3, 2)
    assert set(again) < set(crashed)


def test_the_same_seed_draws_the_same_failures():
    runs = [commands_of(run(crowd(), CROWD, 300, seed, crashes=2, within=3)) for seed in (1, 1, 2, 3)]
    assert runs[0] == runs[1]
    assert runs[2] != runs[0] or runs[3] != runs[0]


def test_any_node_that_must_hear_of_a_crash_does_so_once_something_was_sent_there():
    taken = commands_of(run(crowd(), CROWD, 2_000, crashes=1, within=1, detection=2.0))
    ((gone, _), *commands) = taken
    assert {node for node, _ in commands} == set("abcd") - {gone}
    assert all(command == {"kind": "suspect", "node": gone} for _, command in commands)


def test_a_node_that_forgets_whom_it_suspects_is_told_again_until_it_sends_nothing_more_there():
    steps = run(crowd(), CROWD, 2_000, crashes=1, within=1, detection=2.0)
    ((gone, _), *commands) = commands_of(steps)
    assert len(commands) > 3
    assert not [sent for step in steps[-500:] for sent in step.sent if sent.to == gone]


def test_without_a_detector_no_node_hears():
    assert len(commands_of(run(crowd(), CROWD, 2_000, crashes=1, within=1))) == 1


def test_a_node_that_starts_again_is_trusted_again_after_it_was_suspected():
    commands = []
    for seed in range(8):
        taken = commands_of(
            run(blank(3), implementation("skip_ring"), 2_000, seed, crashes=1, restarts=1, detection=1.0)
        )
        commands.append([command["kind"] for node, command in taken if node == "supervisor"])
    assert [] in commands or ["Suspect", "Trust"] in commands
    assert {tuple(kinds) for kinds in commands} <= {(), ("Suspect", "Trust")}
    assert commands.count(["Suspect", "Trust"]) > 2


def is_command(step):
    return not isinstance(step.took, int | str)


CHORD = implementation("chord")
CRASH, RESTART = ({"kind": kind} for kind in ("crash", "restart"))


def test_under_fifo_nothing_reaches_a_node_that_is_down_nor_what_was_on_its_way_before():
    for seed in range(10):
        commands = TimedCommand(5, "r1", CRASH), TimedCommand(6, "r1", RESTART)
        steps = run(queue(2), QUEUE, 800, seed, commands=commands, discipline=Discipline.FIFO)
        down, up = (index for index, step in enumerate(steps) if step.node == "r1" and is_command(step))
        before = {sent.id for step in steps[:up] for sent in step.sent}
        assert not [step for step in steps[down:up] if step.node == "r1" and isinstance(step.took, int)]
        assert not [step for step in steps[up:] if step.node == "r1" and step.took in before]
        assert [step for step in steps[up:] if step.node == "r1" and isinstance(step.took, int)]


def test_under_fifo_a_suffix_of_what_a_crashed_node_had_on_its_way_is_lost_and_no_middle():
    lost = set()
    for seed in range(20):
        sends = tuple(TimedCommand(4.9, "p", {"kind": "publish"}) for _ in range(3))
        commands = (*sends, TimedCommand(5, "p", CRASH))
        steps = run(queue(1), QUEUE, 100, seed, commands=commands, discipline=Discipline.FIFO)
        sent = [message.id for step in steps for message in step.sent]
        taken = [step.took for step in steps if step.node == "r1" and isinstance(step.took, int)]
        assert taken == sent[: len(taken)]
        lost.add(len(sent) - len(taken))
    assert len(lost) > 2
    assert 0 in lost


def test_elsewhere_what_reaches_a_node_that_is_down_is_taken_without_effect():
    steps = run(queue(1), QUEUE, 200, commands=(TimedCommand(5, "r1", CRASH),))
    after = [step for step in steps if step.node == "r1" and isinstance(step.took, int)][-1]
    assert msgspec.json.decode(after.state)["crashed"]
    assert not after.delivered


ONE = {"protocol": "chord", "roles": {"n1": "node"}, "states": {"n1": CHORD.blank["node"]}, "messages": []}


@pytest.mark.parametrize(
    ("start", "tested", "budget", "says"),
    [
        (crowd(), CROWD, {"crashes": 1, "restarts": 2}, "Only a crashed node starts again: 2 of 1 cannot."),
        (crowd(), CROWD, {"within": 0}, "Failures happen within a time above 0, not within 0."),
        (crowd(), CROWD, {"detection": 0}, "A detector takes a time above 0, not 0."),
        (crowd("ab"), CROWD, {"crashes": 3}, "3 nodes are to crash, and there are 2 that may."),
        (ECHO, echo("a"), {}, "echo does not say how a node fails, so none can."),
        (ONE, CHORD, {"crashes": 1, "restarts": 1}, "1 node is to start again, and a crashed node never does here."),
    ],
)
def test_failures_that_make_no_sense_are_refused(start, tested, budget, says):
    with refusing(says):
        run(start, tested, 1, **budget)


def test_a_node_that_is_down_in_the_header_is_down():
    start = queue(1)
    start["states"]["r1"]["crashed"] = True
    steps = run(start, QUEUE, 100, discipline=Discipline.FIFO)
    assert not [step for step in steps if step.node == "r1" and isinstance(step.took, int)]
