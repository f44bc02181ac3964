"""A run ends: when it is settled, when its rounds are over, and in any case.

Source: checker/README.md
"""

import pytest
from msgspec.structs import replace

from gomboc.checker.simulate import under_test
from gomboc.checker.simulate.packs import local, simulate_packs
from gomboc.checker.simulate.plan import PlannedCommand, check_plan, header
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.checker.simulate.under_test import PERIODS_PER_ROUND, Due, End
from gomboc.spec.core.protocol import Discipline
from gomboc.spec.core.registry import find_protocol
from tests.checker.refusing import sentence
from tests.checker.replay.pack.packs import quiet
from tests.checker.ring import plan

RING = find_protocol("skip_ring")
ROLES = {"supervisor": "supervisor", "v1": "subscriber"}


class Running:
    now = 0.0


NONE_DUE = Due(0, 0.0)


def end(due=NONE_DUE, **changes):
    return End(plan(**changes), RING, ROLES, Running(), due)


def test_a_run_ends_when_it_has_been_legitimate_for_as_long_as_it_should():
    ends = end(settle=3)
    assert not ends.is_reached(0, 2, 4, 4)
    assert ends.is_reached(0, 2, 5, 5)


def test_a_run_that_does_not_become_legitimate_ends_after_the_bound():
    ends = end(settle=3)
    assert not ends.is_reached(0, None, ends.bound + 2, 99)
    assert ends.is_reached(0, None, ends.bound + 3, 99)


def test_no_run_ends_before_its_last_command_unless_its_rounds_are_over():
    late = Due(2, 5.0)
    ends = end(late)
    assert not ends.is_reached(2, 0, 99, 99), "one of them is what an environment owed, and the last is not due yet"
    ends._running.now = 5.0
    assert not ends.is_reached(1, 0, 99, 99)
    assert ends.is_reached(2, 0, 99, 99)
    assert end(late, rounds=99).is_reached(1, None, 1, 99)


def test_a_run_that_completes_no_round_ends_all_the_same():
    ends = end(Due(1, 50.0), rounds=3)
    ends._running.now = 50.0 + 4 * PERIODS_PER_ROUND - 1
    assert not ends.is_reached(1, None, 0, 0)
    ends._running.now += 1
    assert ends.is_reached(1, None, 0, 0)


@pytest.mark.parametrize("discipline", list(Discipline))
def test_an_implementation_runs_under_the_discipline_of_its_protocol(discipline, monkeypatch):
    seen, simulation = [], under_test.Simulation

    def noted(head, tested, seed, options):
        seen.append(options)
        return simulation(head, tested, seed, options)

    monkeypatch.setattr(under_test, "Simulation", noted)
    monkeypatch.setattr(under_test, "specification", lambda plan: replace(RING, discipline=discipline))
    chosen = plan(traces=1)
    under_test.simulation(chosen, 0, header(chosen, 0), under_test.under_test(chosen, {}))
    assert [options.discipline.value for options in seen] == [discipline.value]


def test_rounds_bound_a_run_whose_command_never_comes_in_files_and_in_packs(tmp_path):
    late = plan(rounds=4, traces=1, commands=(PlannedCommand(1e308, "v1", "Unsubscribe"),))
    simulated = simulate_trace(late, tmp_path, 0)
    manifest, _ = simulate_packs(late, tmp_path / "packs", 1, local(1), quiet)
    assert simulated.steps == manifest.counts.events < 1_000


def test_a_command_that_is_due_after_any_run_is_refused_unless_rounds_say_when_it_ends():
    late = (PlannedCommand(1e308, "v1", "Unsubscribe"),)
    assert sentence(check_plan, plan(commands=late)) == (
        "The command for v1 is due at 1e+308, after more than 100,000 periods: say with --rounds when the run ends."
    )
    check_plan(plan(commands=late, rounds=4))
