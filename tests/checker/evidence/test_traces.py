"""The traces of all errata: made anew they are the same, the judge confirms them, and the page names them."""

from collections import Counter

import pytest

from gomboc.checker.errata.registry import protocols_with_claims, script_of
from gomboc.checker.errata.scene import play
from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.judge.verdict import Holds
from gomboc.spec.core.registry import find_protocol
from gomboc.spec.protocols.chord.errata import VARIANTS as OF_CHORD
from tests.checker.evidence.settled import findings
from tests.golden.drive import lines_of, reached
from tests.golden.errata import folder, made, scenes, variant_of

pytestmark = [pytest.mark.xdist_group("claims"), pytest.mark.long]

PROTOCOLS = protocols_with_claims()
SCENES = {(protocol, name): scene for protocol in PROTOCOLS for name, scene in scenes(protocol).items()}
NOT_SHOWN = {"delta_fault_tolerance": {"no_stamps", "tree_of_links"}, "skip_plus": {"ranges_end_at_oneself"}}
"""Variants without a trace: nothing has been seen to go wrong by them, or legitimacy does not speak of them.

A right graph of Skip+ has our ranges, also under `ranges_end_at_oneself`, so that a trace would show nothing of these.
"""

PRESUME_OTHERWISE = {("chord", name) for name, variant in OF_CHORD.items() if variant.assumption is not None}
"""Variants whose steps are ours: only what is assumed of the surroundings is another."""

each_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)
each_scene = pytest.mark.parametrize(("protocol", "name"), SCENES)


def path_of(protocol, name):
    return folder(protocol) / f"{name}.jsonl"


@each_protocol
def test_making_them_again_gives_the_same_files_and_no_others(protocol):
    there = {path.name: path.read_bytes() for path in folder(protocol).iterdir()}
    assert there
    assert dict(made(protocol)) == there


@each_protocol
def test_every_variant_that_is_known_to_break_something_has_one(protocol):
    shown = {scene.variant for scene in scenes(protocol).values() if scene.variant}
    known = {erratum.name for erratum in find_protocol(protocol).variants.errata}
    assert shown == known - NOT_SHOWN.get(protocol, set())


@each_scene
def test_the_judge_says_of_it_what_the_page_says(protocol, name):
    scene = SCENES[protocol, name]
    judgement = judge_file(path_of(protocol, name), Options(variant=scene.variant))
    assert isinstance(judgement.conformance, Holds)
    assert judgement.exit_code() == scene.exit_code


@pytest.mark.parametrize(("protocol", "name"), [key for key, scene in SCENES.items() if scene.variant])
def test_by_our_rules_a_trace_of_a_printed_rule_does_not_conform_or_breaks_the_assumption(protocol, name):
    judgement = judge_file(path_of(protocol, name))
    presumes = (protocol, SCENES[protocol, name].variant) in PRESUME_OTHERWISE
    assert isinstance(judgement.conformance, Holds) == presumes
    assert judgement.exit_code() == (3 if presumes else 1)


@each_scene
def test_the_page_names_it(protocol, name):
    commands = [shown.command for finding in findings(protocol).values() for shown in finding.traces]
    assert any(command.endswith(f"traces/{protocol}/errata/{name}.jsonl") for command in commands)


@each_scene
def test_it_ends_where_the_scene_of_the_specification_ends(protocol, name):
    scene = SCENES[protocol, name]
    *_, end = play(variant_of(protocol, scene), script_of(protocol, scene))
    states, in_flight = reached(lines_of(path_of(protocol, name)))
    assert set(states) == set(end.states)
    assert Counter(each["to"] for each in in_flight.values()) == Counter(target for target, _ in end.in_flight)
