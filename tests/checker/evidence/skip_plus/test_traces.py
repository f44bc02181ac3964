"""The traces of the errata of Skip+: made anew they are the same, the judge confirms them, and the page names them."""

import json

import pytest

from checker.errata.scene import play
from checker.judge.naive import Options, judge_file
from checker.judge.verdict import Holds
from spec.protocol import legitimacy_faults
from spec.skip_plus import PROTOCOL
from tests.checker.evidence.skip_plus.settled import findings
from tests.golden.drive import reached
from tests.golden.errata import folder, made, scenes, variant_of

pytestmark = pytest.mark.xdist_group("claims")

FOLDER = folder("skip_plus")
SCENES = scenes("skip_plus")
PRINTED = [name for name, scene in SCENES.items() if scene.variant]


def lines_of(name):
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


def test_making_them_again_gives_the_same_files_and_no_others():
    there = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
    assert dict(made("skip_plus")) == there


def test_every_variant_has_one():
    assert {SCENES[name].variant for name in PRINTED} == {erratum.name for erratum in PROTOCOL.errata}


@pytest.mark.parametrize("name", SCENES)
def test_the_judge_says_of_it_what_the_page_says(name):
    judgement = judge_file(FOLDER / f"{name}.jsonl", Options(variant=SCENES[name].variant))
    assert isinstance(judgement.conformance, Holds)
    assert judgement.exit_code() == SCENES[name].exit_code == (1 if SCENES[name].variant else 0)


@pytest.mark.parametrize("name", PRINTED)
def test_a_trace_of_a_printed_rule_does_not_conform_to_ours(name):
    assert judge_file(FOLDER / f"{name}.jsonl").conformance.__class__ is not Holds


@pytest.mark.parametrize("name", SCENES)
def test_the_page_names_it(name):
    commands = [shown.command for finding in findings().values() for shown in finding.traces]
    assert any(command.endswith(f"traces/skip_plus/errata/{name}.jsonl") for command in commands)


@pytest.mark.parametrize("name", SCENES)
def test_it_ends_where_the_scene_of_the_specification_ends(name):
    scene = SCENES[name]
    *_, end = play(variant_of("skip_plus", scene), scene.script())
    states, in_flight = reached(lines_of(name))
    assert set(states) == set(end.states)
    assert len(in_flight) == len(end.in_flight)


def test_the_misfits_are_introduced_in_a_right_graph():
    start = SCENES["misfits_are_introduced"].script().start
    assert not legitimacy_faults(PROTOCOL, dict(start.locals), start.in_flight)


def test_a_departed_node_is_passed_around_in_the_last_round_as_in_the_first():
    lines = lines_of("departed_node_is_passed_around")
    gone = next(name for name, state in lines[0]["states"].items() if not state["live"])
    knows = {step["node"]: gone in step["state"]["neighbours"] for step in lines[1:]}
    assert any(knows.values())
    states, _ = reached(lines_of("departed_node_is_found_out"))
    assert not any(gone in state["neighbours"] for state in states.values())
