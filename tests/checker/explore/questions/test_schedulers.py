"""Several nodes at once: each sees the state before, and each writes its own variable."""

from itertools import chain, combinations

import pytest
from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.schedulers import Scheduler, Together, scheduled
from gomboc.spec.core.model import Model
from tests.plugins.dijkstra_rings import move, privileged, token_ring
from tests.plugins.herman_ring import herman_ring

STATE = (0, 1, 0, 0)


def acting(model, state):
    return [tuple(action.actions) for action in model.enabled(state)]


def test_a_central_scheduler_leaves_the_model_as_it_is():
    model = token_ring(4, 3)
    assert scheduled(model, Scheduler.CENTRAL) is model


def test_a_distributed_scheduler_chooses_any_of_those_that_can_act():
    able = privileged(STATE)
    every = chain.from_iterable(combinations(able, size) for size in range(1, len(able) + 1))
    assert len(able) > 1
    assert acting(scheduled(token_ring(4, 3), Scheduler.DISTRIBUTED), STATE) == list(every)


def test_a_synchronous_scheduler_chooses_all_of_them():
    assert acting(scheduled(token_ring(4, 3), Scheduler.SYNCHRONOUS), STATE) == [privileged(STATE)]


def test_no_node_acts_where_no_node_can():
    idle = replace(token_ring(4, 3), enabled=lambda state: ())
    assert [scheduled(idle, scheduler).enabled(STATE) for scheduler in Scheduler] == [()] * 3


def test_what_several_do_at_once_disturbs_if_one_of_them_does():
    first = privileged(STATE)[0]
    model = scheduled(replace(token_ring(4, 3), disturbs=lambda action: action == first), Scheduler.DISTRIBUTED)
    assert [model.disturbs(action) for action in model.enabled(STATE)] == [
        first in action.actions for action in model.enabled(STATE)
    ]


def test_each_sees_the_state_before():
    model = scheduled(token_ring(4, 3), Scheduler.SYNCHRONOUS)
    (action,) = model.enabled(STATE)
    after = model.step(STATE, action)
    alone = [move(STATE, machine, 3) for machine in privileged(STATE)]
    changed = {machine: state[machine] for machine, state in zip(privileged(STATE), alone, strict=True)}
    assert after == tuple(changed.get(machine, STATE[machine]) for machine in range(4))
    in_turn = STATE
    for machine in privileged(STATE):
        in_turn = move(in_turn, machine, 3)
    assert in_turn != after, "one after the other they would come to something else"


def test_any_node_that_acts_together_has_a_turn_together():
    model = scheduled(token_ring(4, 3), Scheduler.SYNCHRONOUS)
    (action,) = model.enabled(STATE)
    assert model.actor(action) == "m0+m1+m2"
    assert model.fair(action) == ("m0", "m1", "m2")
    owed = replace(token_ring(4, 3), fair=lambda machine: (machine, "all"))
    assert scheduled(owed, Scheduler.SYNCHRONOUS).fair(action) == (0, "all", 1, "all", 2, "all")


def test_coins_that_are_tossed_together_fall_independently():
    model = scheduled(herman_ring(3), Scheduler.SYNCHRONOUS)
    together = model.enabled((True, True, True))
    assert sum(map(model.chance, together)) == 1
    assert {model.pick(action) for action in together} == {("a round",)}


def test_two_nodes_that_write_one_variable_are_refused():
    both = Model(
        name="both",
        initial=lambda: [(0,)],
        enabled=lambda state: ("one", "other"),
        step=lambda state, action: (len(action),),
        actor=lambda action: action,
        promises=(),
    )
    with pytest.raises(UsageError, match=r"^The model both has two nodes that write the variable 0 at once\.$"):
        scheduled(both, Scheduler.SYNCHRONOUS).step((0,), Together(("one", "other")))


def test_a_model_without_shared_memory_is_refused():
    alone = Model("alone", lambda: [0], lambda state: ("go",), lambda state, action: 1, lambda action: "it", ())
    with pytest.raises(UsageError, match=r"The model alone has no shared memory: its states are no tuples of var"):
        explore(scheduled(alone, Scheduler.SYNCHRONOUS))
