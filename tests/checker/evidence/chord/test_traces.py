"""The traces of the errata of Chord: made anew they are the same, the judge confirms them, and the page names them."""

import json

import pytest

from checker.errata.scene import play
from checker.judge.naive import Options, judge_file
from checker.judge.verdict import Holds
from spec.chord import PROTOCOL
from spec.chord.errata import ERRATA
from tests.checker.evidence.chord.settled import findings
from tests.golden.drive import reached
from tests.golden.errata import folder, made, scenes, variant_of

pytestmark = pytest.mark.xdist_group("claims")

FOLDER = folder("chord")
SCENES = scenes("chord")
ASSUMED = {each.name for each in ERRATA if each.assumption is not None}


def test_making_them_again_gives_the_same_files_and_no_others():
    there = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
    assert dict(made("chord")) == there


def test_every_variant_has_one():
    assert {scene.variant for scene in SCENES.values()} == {erratum.name for erratum in PROTOCOL.errata}


@pytest.mark.parametrize("name", SCENES)
def test_the_judge_says_of_it_what_the_page_says(name):
    judgement = judge_file(FOLDER / f"{name}.jsonl", Options(variant=SCENES[name].variant))
    assert isinstance(judgement.conformance, Holds)
    assert judgement.exit_code() == SCENES[name].exit_code == 1


@pytest.mark.parametrize("name", SCENES)
def test_by_our_rules_it_does_not_conform_or_breaks_the_operating_assumption(name):
    judgement = judge_file(FOLDER / f"{name}.jsonl")
    conforms = isinstance(judgement.conformance, Holds)
    assert conforms == (SCENES[name].variant in ASSUMED)
    assert judgement.exit_code() == (3 if conforms else 1)


@pytest.mark.parametrize("name", SCENES)
def test_the_page_names_it(name):
    commands = [shown.command for finding in findings().values() for shown in finding.traces]
    assert any(command.endswith(f"traces/chord/errata/{name}.jsonl") for command in commands)


@pytest.mark.parametrize("name", SCENES)
def test_it_ends_where_the_scene_of_the_specification_ends(name):
    scene = SCENES[name]
    *_, end = play(variant_of("chord", scene), scene.script())
    lines = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]
    states, in_flight = reached(lines)
    assert set(states) == set(end.states)
    assert len(in_flight) == len(end.in_flight)
