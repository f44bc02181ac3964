"""Wrong hand-overs are refused by both engines; what they join, and what they refuse, is the same."""

from unittest.mock import patch

import pytest

from gomboc.checker.stacks import columns
from gomboc.checker.stacks.joins import Joins, do_joins
from gomboc.checker.stacks.pack import ingest_stacks, read_corpus
from gomboc.checker.stacks.recorded import FILE
from tests.checker.stacks.mutating import KINDS, UPPER, begun_crashed, crash_missing, mutated
from tests.checker.stacks.runs import ASKING, OVER_RING, followers_known, read, simulated, until, write
from tests.sampling import share

EACH = share(40)
"""Mutated runs of each kind."""


@pytest.fixture(scope="module")
def simulations(tmp_path_factory):
    """A folder for each stack, with two runs of it in `lines`."""
    folder = tmp_path_factory.mktemp("simulations")
    with followers_known():
        for stack in (OVER_RING, ASKING):
            simulated(folder / stack / "lines", stack, runs=2, seed=1)
        yield folder


@pytest.fixture(scope="module")
def both(simulations, tmp_path_factory):
    """The rows of the naive judge and of columns, for each mutated run, by its name."""
    folder, recorded = tmp_path_factory.mktemp("mutated"), simulations / OVER_RING / "lines/000000"
    said = (recorded / FILE).read_text()
    run = until(read(recorded), 8)
    write(folder / "lines/good", run, said)
    for kind in KINDS:
        for seed in range(EACH):
            write(folder / f"lines/{kind}-{seed}", mutated(run, kind, seed), said)
    for name in (*UPPER, "ring"):
        write(folder / f"lines/no-crash-{name.replace('/', '-')}", crash_missing(run, name), said)
        write(folder / f"lines/crashed-{name.replace('/', '-')}", begun_crashed(run, name), said)
    return rows_of(folder)


def rows_of(folder):
    """The rows of both engines for the runs in folder/lines."""
    ingest_stacks(folder / "lines", folder / "packs", 50, 1, lambda *_: None)
    runs = tuple(sorted(read_corpus(folder / "packs").runs))
    engines = (Joins(str(folder / "lines"), False, runs), Joins(str(folder / "packs"), True, runs))
    return [{row.run: row for row in do_joins(joins)} for joins in engines]


def test_a_run_as_it_was_recorded_joins(both):
    assert {rows["good"].verdict for rows in both} == {"holds"}


@pytest.mark.parametrize("kind", KINDS)
def test_each_wrong_hand_over_is_refused_by_both_engines(both, kind):
    for rows in both:
        refused = [row for name, row in rows.items() if name.startswith(f"{kind}-")]
        assert len(refused) == EACH
        assert {row.verdict for row in refused} == {"violated"}
        assert {row.rule for row in refused} <= {"handed_over", "handed_over_in_turn"}
        assert all(row.trace and row.step and row.node for row in refused)


def test_a_delayed_command_is_refused_by_its_turn(both):
    rules = {row.rule for name, row in both[0].items() if name.startswith("delayed-")}
    assert "handed_over_in_turn" in rules


@pytest.mark.parametrize("name", [*UPPER, "ring"])
def test_a_crash_that_is_missing_in_one_layer_is_refused(both, name):
    for rows in both:
        row = rows[f"no-crash-{name.replace('/', '-')}"]
        assert (row.verdict, row.rule) == ("violated", "taken_together")
        assert row.says.count(f"and not in the same turn in {name}") == 1


@pytest.mark.parametrize("name", [*UPPER, "ring"])
def test_a_start_with_a_node_crashed_in_one_layer_only_is_refused(both, name):
    for rows in both:
        row = rows[f"crashed-{name.replace('/', '-')}"]
        assert (row.verdict, row.rule, row.trace, row.step) == ("violated", "crashed_together", name, 0)
        assert row.says.count("the node begins crashed here, and not in ") == 1


def test_both_engines_give_the_same_rows(both):
    naive, packed = both
    assert naive == packed


def test_both_engines_join_runs_of_both_stacks_alike_and_leave_none_of_the_packed_to_the_naive_judge(simulations):
    with patch.object(columns, "naively", side_effect=AssertionError):
        for stack in (OVER_RING, ASKING):
            naive, packed = rows_of(simulations / stack)
            assert naive == packed
            assert {row.verdict for row in naive.values()} == {"holds"}


def test_a_command_of_a_topic_that_the_run_does_not_have_is_refused_by_both_engines(simulations, tmp_path):
    folder = simulations / ASKING / "lines/000000"
    run = read(folder)
    # In a turn that begins at its time anyway, so that nothing else is wrong.
    at, timeout = next((at, line) for at, line in enumerate(run["ring"]) if line.get("took") == "timeout")
    forged = {**timeout, "took": {"kind": "Watch", "key": "00"}, "sent": [], "delivered": []}
    run["ring"].insert(at + 1, forged)
    write(tmp_path / "lines/forged", run, (folder / FILE).read_text())
    naive, packed = rows_of(tmp_path)
    assert naive == packed
    row = naive["forged"]
    assert (row.verdict, row.rule, row.trace, row.node) == ("violated", "handed_over", "ring", timeout["node"])
    assert "no topic of the run hands this command over" in row.says
