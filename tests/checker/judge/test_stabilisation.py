"""Violations stay, nodes that hang are named, and faults are counted as they are defined. `runs.txt` has single runs.

Source: traces/README.md, Conformance
"""

from functools import cache
from random import Random

import pytest

from gomboc.checker.judge.stabilisation import Stabilisation
from gomboc.checker.judge.system import System
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.checker.simulate.plan import PlannedCommand
from gomboc.checker.traces.trace import open_trace
from gomboc.spec.core.faults import legitimacy_faults
from tests.checker import ring
from tests.checker.judge.both import faults_after_each_step, judged
from tests.checker.replay.kernel.telling import honest_trace
from tests.toys.words import spec as toy
from tests.toys.words.spec import UNORDERED, header, rests, system_and_steps


@cache
def honest_runs():
    """Runs of the toy, each with one of its lengths."""
    runs = [honest_trace(UNORDERED, Random(seed), 30) for seed in range(120)]
    return [(lines, Random(seed).randint(1, 30)) for seed, lines in enumerate(runs)]


def convergence_after_each_step(head, *steps):
    """The convergence of every prefix that has a step; the class that judges it is asked after each."""
    system, taken = system_and_steps(head, *steps)
    stabilisation = Stabilisation(UNORDERED, system, head["bound"])
    for number, step in enumerate(taken, 1):
        stabilisation.observe(number, step, system.apply(step))
        yield stabilisation.closure_and_convergence(None)[1]


@pytest.mark.parametrize("bound", [0, 1, 2, 3])
def test_a_violation_of_a_prefix_is_one_of_the_whole_run(bound):
    seen = 0
    for (head, *steps), some in honest_runs():
        head, wanted = {**head, "bound": bound}, Unknown("")
        verdicts = list(convergence_after_each_step(head, *steps))
        for upto in (some, len(steps)):
            assert verdicts[upto - 1] == toy.judged(head, *steps[:upto]).convergence
        for result in verdicts:
            if isinstance(wanted, Violated):
                assert result == wanted
            wanted = result
        seen += isinstance(wanted, Violated)
    assert seen > 5


@pytest.mark.parametrize("idle", range(16))
def test_a_node_that_hangs_leaves_closure_unknown_and_is_named(idle):
    why = f"no round was completed in the last {idle} steps, where none before took more than 2: "
    held = Holds("legitimate for 2 further rounds, to the end of the trace")
    judgement = judged(header(), *(rests("a"), rests("b")) * 2, *[rests("a")] * idle)
    assert judgement.closure == (held if idle < 5 * 2 else Unknown(f"{why}waiting for a timeout of b"))


LEAVES_AND_RETURNS = (
    PlannedCommand(2, "v1", "Unsubscribe"),
    PlannedCommand(15, "v2", "Unsubscribe"),
    PlannedCommand(18, "v1", "Subscribe"),
)


@pytest.mark.parametrize("seed", range(6))
def test_the_count_of_faults_is_that_of_the_definition_after_every_step(seed, tmp_path):
    path = ring.simulated(tmp_path, nodes=(2 + seed % 4,), seed=seed, commands=LEAVES_AND_RETURNS)
    with open_trace(path) as reader:
        system, anchors = System(reader.header, reader.protocol), set()

        def followed():
            for step in reader.steps():
                yield step
                in_flight = tuple((sent.to, sent.message) for sent in system.in_flight.values())
                assert legitimacy_faults(reader.protocol, *system.now) == legitimacy_faults(
                    reader.protocol, system.states, in_flight
                )
                anchors.add(reader.protocol.legitimacy.anchor(system.states))

        totals = faults_after_each_step(reader.protocol, system, followed())
    assert len(anchors) > 2, "the anchor has to change for this to mean anything"
    assert max(totals) > 0 == totals[-1]
