"""Commands from outside: they may end a promise, and runs neither wait for them unless owed, nor rely on them."""

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.graph.convergence import inevitable
from gomboc.checker.explore.graph.reach import possible
from gomboc.checker.explore.graph.safety import stable
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.fairness import Coins, Fairness
from gomboc.checker.judge.verdict import Holds, Violated
from gomboc.spec.core.model import Kind
from tests.checker.explore.graph.graphs import graph_model

COMMANDS = ("crash", "suspect")


def model(arrows, goals, owed=("suspect",)):
    """A graph in which the classes `crash` and `suspect` are commands from outside."""
    plain = graph_model(arrows, goals, kinds=(Kind.STABLE, Kind.EVENTUALLY))
    return replace(
        plain,
        fair=lambda action: () if action[0] in COMMANDS and action[0] not in owed else (action[0],),
        disturbs=lambda action: action[0] in COMMANDS,
    )


def convergence(*parts, **more):
    result = model(*parts, **more)
    return inevitable(explore(result), result.promises[1], Fairness.WEAK, Coins.TOSSED)


def test_a_command_may_end_what_held_and_a_step_may_not():
    commanded, stepped = (model([(0, [(name, 1)]), (1, [("a", 0)])], goals=(0,)) for name in ("crash", "a"))
    assert isinstance(stable(explore(commanded), commanded.promises[0]).verdict, Holds)
    assert isinstance(stable(explore(stepped), stepped.promises[0]).verdict, Violated)


def test_where_a_command_and_a_step_lead_alike_the_step_is_the_counterexample():
    both = model([(0, [("crash", 1), ("a", 1)]), (1, [("a", 0)])], goals=(0,))
    run = stable(explore(both), both.promises[0]).run
    assert [action[0] for action in run.actions] == ["a"]


def test_a_run_may_stop_where_only_a_command_is_possible_that_no_node_is_owed():
    stops = convergence([(0, [("crash", 1)])], (1,))
    assert stops.verdict.says == "nothing is possible any more after 0 steps"
    assert isinstance(convergence([(0, [("suspect", 1)])], (1,)).verdict, Holds)


@pytest.mark.parametrize(("name", "kind"), [("crash", Holds), ("d", Violated)])
def test_commands_for_ever_are_no_way_to_avoid_convergence_and_steps_are(name, kind):
    result = convergence([(0, [(name, 1), ("c", 2)]), (1, [("b", 0), ("a", 2)])], (2,))
    assert isinstance(result.verdict, kind)


@pytest.mark.parametrize(("name", "kind"), [("crash", Violated), ("suspect", Holds)])
def test_no_node_relies_on_a_command_that_need_not_come(name, kind):
    result = model([(0, [(name, 1)])], goals=(1,))
    assert isinstance(possible(explore(result), result.promises[1]).verdict, kind)
