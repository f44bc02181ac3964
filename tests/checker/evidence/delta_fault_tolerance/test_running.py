"""The runs behind the claims: messages that must be lost are lost, and wrong states are seen."""

from random import Random

from gomboc.checker.errata.claim import Result
from gomboc.checker.evidence.delta_fault_tolerance.experiments.drawn import drawn_on_trees, never_seen
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run, walk
from gomboc.checker.evidence.delta_fault_tolerance.experiments.shortest import is_broken, is_stuck, shortest
from gomboc.spec.core.instance import bounded_model, first_world, starts
from gomboc.spec.core.model import Commanded
from gomboc.spec.core.network import command
from gomboc.spec.protocols.delta_fault_tolerance.commands import Publish
from gomboc.spec.protocols.delta_fault_tolerance.models import LINE, NEAR, TWO, brokers, protocol
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
from gomboc.spec.types.kinds import Crash, Restart, Suspect

PUBLISHED = Publish((("x", 1),))


def run_of_two():
    return Run(protocol(1), right_start(Parameters(1), TWO, NEAR))


def test_what_is_on_its_way_to_a_node_that_crashes_is_lost_and_so_is_what_is_sent_to_it_then():
    run = run_of_two()
    run.command("0", PUBLISHED)
    assert run.ready() == [("0", "0.1")]
    run.command("0.1", Crash())
    assert run.ready() == []
    run.command("0", PUBLISHED)
    assert run.ready() == []


def test_of_what_is_on_its_way_from_a_node_that_crashes_the_last_is_lost():
    left = set()
    for seed in range(20):
        run = run_of_two()
        for _ in range(2):
            run.command("0", PUBLISHED)
        first = run.links["0", "0.1"][0]
        run.command("0", Crash(), Random(seed))
        assert list(run.links["0", "0.1"])[:1] in ([], [first])
        left.add(len(run.links["0", "0.1"]))
    assert left == {0, 1, 2}


def test_the_detector_owes_its_word_to_each_peer_and_a_restart_is_owed():
    run = Run(protocol(1), right_start(Parameters(1), LINE, {}))
    run.command("0", Crash())
    assert run.owed() == [("0", Restart()), ("0.1", Suspect("0")), ("0.2", Suspect("0"))]


def test_no_node_crashes_whom_the_assumption_keeps():
    run = walk(protocol(0), 0, LINE, Random(0), 60, 0.3)
    assert not [turn for turn in run.turns if turn.taken == Commanded(Crash())]
    run = walk(protocol(1), 1, LINE, Random(0), 60, 0.3)
    assert [turn for turn in run.turns if turn.taken == Commanded(Crash())]


def test_runs_that_are_drawn_show_what_is_wrong_with_a_variant():
    """A claim that no run breaks is made of runs that would show a fault."""
    runs, wrong = drawn_on_trees("any_direction", (1,), 3, 4)
    assert runs == 8
    assert 0 < wrong <= runs
    assert drawn_on_trees(None, (1,), 3, 4) == (8, 0)


def test_a_variant_that_breaks_is_not_called_undecided():
    assert never_seen("any_direction").result is Result.REFUTED


def test_what_is_on_its_way_or_owed_may_yet_come_right():
    instance = brokers(1, TWO, NEAR, publication=1, crash=1)
    (world,) = (first_world(instance, start) for start in starts(instance))
    stuck = is_stuck(instance)
    assert not stuck(world)
    assert not stuck(command(instance.protocol, world, "0", PUBLISHED)), "a copy is on its way"
    assert not stuck(command(instance.protocol, world, "0", Crash())), "a restart is owed"
    assert stuck(command(instance.protocol, world, "0", Suspect("0.1"))), "a false suspicion: nothing follows"


def test_the_shortest_way_is_as_long_as_the_first_level_on_which_something_is_wrong():
    instance = brokers(1, TWO, NEAR, "status_of_the_other", crash=1)
    acts = shortest(instance, is_stuck(instance))
    model = bounded_model(instance)
    (world,) = model.initial()
    for act in acts:
        assert not is_stuck(instance)(world)
        world = model.step(world, act)
    assert is_stuck(instance)(world)
    assert shortest(brokers(1, TWO, NEAR, crash=1), is_broken("no_loss")) is None
