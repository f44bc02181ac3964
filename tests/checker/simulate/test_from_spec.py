"""The specification runs itself: its traces hold, under each discipline, with any nodes asleep on the way.

Source: checker/README.md
"""

import json
from fractions import Fraction

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, Holds
from gomboc.checker.replay.pack.export import export
from gomboc.checker.simulate import plan
from gomboc.checker.simulate.packs import local, simulate_packs
from gomboc.checker.simulate.plan import Plan, PlannedCommand, header
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.spec.core.model import Choice, Fault
from gomboc.spec.core.registry import load
from tests.checker.cli.command import gomboc
from tests.checker.refusing import sentence
from tests.checker.replay.pack.packs import everything_in, quiet

TOYS = {name: f"tests.toys.{name}.spec:PROTOCOL" for name in ("crowd", "queue", "distances")}


@pytest.fixture
def toy(monkeypatch):
    """Makes a toy known under its name."""

    def known(name, **changes):
        protocol = load(TOYS[name]).changed(**changes)
        for module in ("gomboc.checker.simulate.plan", "gomboc.checker.traces.trace", "gomboc.checker.judge.naive"):
            monkeypatch.setattr(f"{module}.find_protocol", lambda _: protocol)
            monkeypatch.setattr(f"{module}.protocol_names", lambda: (protocol.name,))
        plan._starts.cache_clear()
        plan._configured.cache_clear()
        return protocol

    return known


def walked(protocol, **changes):
    return Plan(
        **{"protocol": protocol.name, "implementation": protocol.name, "nodes": (3,), "traces": 4, "seed": 1}
        | {"from_spec": True, "start": "legitimate", "settle": 3}
        | changes
    )


@pytest.mark.parametrize("name", TOYS)
@pytest.mark.parametrize("start", ["legitimate", "arbitrary"])
def test_what_the_specification_does_conforms_under_each_discipline(toy, tmp_path, name, start):
    protocol = toy(name)
    made = walked(protocol, start=start)
    for index in range(made.traces):
        judged = judge_file(type(tmp_path)(simulate_trace(made, tmp_path, index).path))
        assert isinstance(judged.conformance, Holds), judged.conformance
        assert judged.steps > 5


def test_a_walk_of_the_ring_holds_in_files_and_in_packs_alike(tmp_path):
    made = Plan("skip_ring", "skip_ring", (3,), 3, seed=4, settle=2, from_spec=True)
    for index in range(3):
        assert judge_file(type(tmp_path)(simulate_trace(made, tmp_path, index).path)).exit_code() == HOLDS
    simulate_packs(made, tmp_path / "packs", 3, local(1), quiet)
    export(tmp_path / "packs", (), tmp_path / "exported")
    lines = {path.name: path.read_bytes() for path in tmp_path.glob("*.jsonl")}
    assert everything_in(tmp_path / "exported") == lines
    assert header(made, 0)["origin"]["implementation"] == "gomboc specification of skip_ring"


def test_a_node_that_crashes_takes_no_step_until_it_is_there_again(toy, tmp_path):
    protocol = toy("queue")
    commands = (
        PlannedCommand(2.0, "r1", "crash"),
        PlannedCommand(3.0, "p", "publish"),
        PlannedCommand(5.0, "r1", "restart"),
    )
    made = walked(protocol, commands=commands)
    judged = judge_file(type(tmp_path)(simulate_trace(made, tmp_path, 0).path))
    assert isinstance(judged.conformance, Holds), judged.conformance


def test_the_same_seed_gives_the_same_trace(tmp_path):
    made = Plan("skip_ring", "skip_ring", (3,), 2, seed=4, settle=1, from_spec=True)
    first, second = (type(tmp_path)(simulate_trace(made, tmp_path, index).path).read_bytes() for index in (0, 0))
    assert first == second != type(tmp_path)(simulate_trace(made, tmp_path, 1).path).read_bytes()


def test_a_start_from_which_nothing_is_promised_is_drawn_again(toy):
    def at_least(states, in_flight):
        return () if states["p"].last >= 2 else (Fault("enough", "p", 2, states["p"].last, ""),)

    protocol = toy("queue", premise=at_least)
    made = walked(protocol, start="arbitrary")
    assert {header(made, index)["states"]["p"]["last"] for index in range(40)} == {2, 3}


def test_where_no_start_is_promised_anything_that_is_said(toy):
    protocol = toy("queue", premise=lambda states, in_flight: (Fault("enough", "p", 9, 0, ""),))
    assert sentence(header, walked(protocol, start="arbitrary"), 0) == (
        "None of 1000 arbitrary starts of queue fulfils its premise (enough): "
        "choose another size, or --start legitimate."
    )


@pytest.mark.usefixtures("own_folder")
def test_a_first_trace_exists_before_an_implementation(tmp_path):
    words = ("simulate", "queue", "--protocol", TOYS["queue"], "--from-spec", "--start", "legitimate", "--nodes", 2)
    assert gomboc(*words, "--output", tmp_path / "out").code == HOLDS
    ran = gomboc("check", "--protocol", TOYS["queue"], *(tmp_path / "out").glob("*.jsonl"))
    assert ran.code in (HOLDS, UNKNOWN), ran


def test_what_was_on_its_way_to_a_node_that_crashed_does_not_arrive_when_it_is_there_again(toy, tmp_path):
    times = ((2.0, "p", "publish"), (2.001, "r1", "crash"), (2.002, "r1", "restart"))
    made = walked(toy("queue"), commands=tuple(PlannedCommand(*time) for time in times), traces=8)
    for index in range(made.traces):
        judged = judge_file(type(tmp_path)(simulate_trace(made, tmp_path, index).path))
        assert isinstance(judged.conformance, Holds), judged.conformance


def test_coins_fall_by_their_chances(toy, tmp_path):
    def choices(me, local, taken):
        return Choice("rarely", Fraction(1, 10**9)), Choice("nearly always", 1 - Fraction(1, 10**9))

    made = walked(toy("queue", choices=choices))
    lines = type(tmp_path)(simulate_trace(made, tmp_path, 0).path).read_bytes().splitlines()[1:]
    assert {json.loads(line)["coin"] for line in lines} == {"nearly always"}
