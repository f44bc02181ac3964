"""The traces of the errata of delta-fault-tolerance: made anew they are the same, and the judge confirms them."""

import pytest

from checker.judge.naive import Options, judge_file
from checker.judge.verdict import Holds
from spec.delta_fault_tolerance import PROTOCOL
from tests.golden.errata import folder, made, scenes

pytestmark = pytest.mark.xdist_group("claims")

FOLDER = folder("delta_fault_tolerance")
SCENES = scenes("delta_fault_tolerance")
NEVER_SEEN = {"no_stamps", "no_rejoin"}
"""What is left out in these has not been seen to be needed."""


def test_making_them_again_gives_the_same_files_and_no_others():
    there = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
    assert dict(made("delta_fault_tolerance")) == there


def test_every_variant_that_breaks_something_has_one():
    shown = {scene.variant for scene in SCENES.values() if scene.variant}
    assert shown == {erratum.name for erratum in PROTOCOL.errata} - NEVER_SEEN


@pytest.mark.parametrize("name", SCENES)
def test_the_judge_says_of_it_what_the_page_says(name):
    judgement = judge_file(FOLDER / f"{name}.jsonl", Options(variant=SCENES[name].variant))
    assert isinstance(judgement.conformance, Holds)
    assert judgement.exit_code() == SCENES[name].exit_code == 1


@pytest.mark.parametrize("name", [name for name, scene in SCENES.items() if scene.variant])
def test_by_our_rules_it_does_not_conform(name):
    judgement = judge_file(FOLDER / f"{name}.jsonl")
    assert not isinstance(judgement.conformance, Holds)
