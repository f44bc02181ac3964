"""All states at once: the same counts, words, numbers and runs as the plain explorer, on any small shared memory."""

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from gomboc.checker.explore.graph import examine as plain
from gomboc.checker.explore.questions.bounds import Bounds
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.explore.shared.examine import examine
from gomboc.checker.judge.verdict import Unknown, Violated
from gomboc.spec.core.model import Kind
from gomboc.spec.core.shared_memory import Counted, SharedMemory, model_of
from tests.checker.explore.shared.memories import machine, memories
from tests.plugins.dijkstra_rings import four_state_ring, three_state_ring, token_ring, token_ring_in_memory
from tests.plugins.promises import finding_on
from tests.sampling import share

RINGS = [(machines, values) for machines in (3, 4, 5) for values in (2, 3, 4)]
OF_FEW_STATES = [*map(three_state_ring, (3, 4, 5, 6)), *map(four_state_ring, (3, 4, 5))]


def said(exploration):
    """The content of an exploration, except its engine and the time that it took."""
    return replace(exploration, engine="", seconds=0.0)


def without_actions(exploration):
    """The same, where actions have other names."""
    findings = exploration.findings
    bare = [one if one.run is None else replace(one, run=replace(one.run, actions=())) for one in findings]
    return replace(said(exploration), findings=tuple(bare))


@pytest.mark.parametrize("fairness", Fairness)
@pytest.mark.parametrize(("machines", "values"), RINGS)
def test_a_ring_is_judged_as_it_is_when_it_is_written_as_a_model(machines, values, fairness):
    question = Question(fairness=fairness)
    one, other = (token_ring_in_memory(machines, values), question), (token_ring(machines, values), question)
    assert without_actions(examine(*one)) == without_actions(plain.examine(*other))


@pytest.mark.parametrize("fairness", Fairness)
@pytest.mark.parametrize("ring", OF_FEW_STATES, ids=lambda ring: f"{ring.name}_{len(ring.machines)}")
def test_a_ring_of_few_states_is_judged_as_its_model_is(ring, fairness):
    question = Question(fairness=fairness)
    assert said(examine(ring, question)) == said(plain.examine(model_of(ring), question))


@pytest.mark.parametrize("fairness", Fairness)
@settings(max_examples=share(150), deadline=None)
@given(memory=memories())
def test_both_explorers_say_the_same_of_any_shared_memory(fairness, memory):
    question = Question(fairness=fairness)
    assert said(examine(memory, question)) == said(plain.examine(model_of(memory), question))


def test_a_machine_with_two_moves_is_enabled_once_in_a_state():
    turning = machine("turning", ("x", "y"), (), {("x",): (("on", "y"),), ("y",): (("on", "x"),)})
    leaving = machine("leaving", ("in", "out"), ("turning",), {("in", "x"): (("one", "out"), ("other", "out"))})
    out = Counted(Kind.EVENTUALLY, "convergence", bool, "nowhere", lambda machine, own, *seen: int(own == "out"))
    memory = SharedMemory("two_moves", (turning, leaving), (out,))
    exploration = examine(memory)
    assert said(exploration) == said(plain.examine(model_of(memory)))
    assert isinstance(finding_on(exploration, "convergence", "every ").verdict, Violated), (
        "who may leave in every second state only is owed no turn"
    )


def test_a_memory_without_machines_has_one_state():
    memory = SharedMemory("empty", (), token_ring_in_memory(3, 2).promises)
    assert said(examine(memory)) == said(plain.examine(model_of(memory)))
    assert examine(memory).extent.states == 1


def test_a_machine_without_values_leaves_no_state():
    ring = token_ring_in_memory(3, 2)
    first, *others = ring.machines
    memory = replace(ring, machines=(replace(first, values=()), *others))
    assert said(examine(memory)) == said(plain.examine(model_of(memory)))


def test_a_bound_in_seconds_makes_everything_unknown():
    exploration = examine(token_ring_in_memory(4, 3), Question(bounds=Bounds(seconds=0)))
    assert exploration.extent.stopped == "the bound of 0 seconds was reached"
    assert {type(one.verdict) for one in exploration.findings} == {Unknown}


def test_the_examples_contain_what_is_violated_and_what_is_not():
    rings = [*OF_FEW_STATES, *(token_ring_in_memory(*ring) for ring in RINGS)]
    kinds = {type(one.verdict) for memory in rings for one in examine(memory).findings}
    assert Violated in kinds
    assert len(kinds) > 1
