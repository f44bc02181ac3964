"""A run of applications over Chord, recorded, as the judge sees it: by values, and in columns."""

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds
from tests.checker.cli.command import gomboc
from tests.impl.protocols.chord.test_port import KEYS, NAMES, TOPIC, System, right


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The first begins a ring that others join; keys are looked up before and after one has left, one crashed."""
    there = System({"r": 2}).joined()
    assert there.owners(KEYS[:8]) == right(KEYS[:8], NAMES)
    there.nodes["eve"].unsubscribe(TOPIC)
    there.clock.advance(20)
    assert there.owners(KEYS[8:16]) == right(KEYS[8:16], NAMES[:-1])
    there.nodes["dan"].stop()
    there.clock.advance(20)
    assert there.owners(KEYS[16:24]) == right(KEYS[16:24], NAMES[:-2])
    there.clock.advance(5)
    folder = tmp_path_factory.mktemp("chord")
    (path,) = there.recording.write(folder)
    return path


def test_the_trace_holds(recorded):
    judgement = judge_file(recorded)
    assert {name: verdict for name, verdict in judgement.verdicts() if not isinstance(verdict, Holds)} == {}
    assert judgement.rounds_after > 3


def test_it_begins_with_no_node_inside_and_the_first_one_joins_through_itself(recorded):
    text = recorded.read_text()
    assert '"status":"inside"' not in text.splitlines()[0]
    assert f'"took":{{"kind":"Join","contact":"{NAMES[0]}"}}' in text


def test_replayed_in_columns_it_holds_as_well(recorded, tmp_path):
    """One run does not see everything that may happen, and replay says so; its verdict is the same."""
    assert gomboc("ingest", recorded, "--output", tmp_path / "packs").code == 0
    ran = gomboc("replay", tmp_path / "packs", "--jobs", 1, "--output", tmp_path / "verdicts")
    assert "Verdicts: 1 holds." in ran.out.splitlines()
