"""Conformance in words and values that `runs.txt` cannot have: there each rule is broken once, and kept once.

Source: traces/README.md, Conformance
"""

import msgspec

from gomboc.checker.judge.conformance import differences
from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Difference, Holds, Violated
from gomboc.spec.core.model import Outcome
from gomboc.spec.protocols.skip_ring.state import Check, Claim
from tests.checker import ring
from tests.checker.judge.both import judged
from tests.toys.words.spec import UNORDERED, Word, header, rests


class Point(msgspec.Struct, frozen=True, array_like=True):
    x: int
    y: int


class Line(msgspec.Struct, frozen=True):
    name: str
    start: Point
    word: Word


def test_a_value_that_the_application_is_handed_is_compared_as_the_trace_writes_it():
    handing = UNORDERED.changed(react=lambda me, local, taken, choice: Outcome(local, (), (Word("good"),)))
    right, wrong = (
        judged(header(), rests("a", delivered=[delivered]), protocol=handing).conformance
        for delivered in ({"text": "good"}, "good")
    )
    assert right == Holds("the only step is one that the specification allows")
    assert wrong.differences == (Difference("delivered", ({"text": "good"},), ("good",)),)


def test_a_rule_of_the_skip_ring_is_named_with_its_place_in_the_paper(tmp_path):
    path = tmp_path / "t.jsonl"
    check = Check(Claim("1", "v1"), "0", "LIN")
    wrong = {**ring.HEARS, "sent": [{"id": 1, "to": "v1", "message": msgspec.to_builtins(check)}]}
    path.write_bytes(ring.written(ring.HEADER, ring.SUPERVISES, wrong))
    assert judge_file(path).conformance == Violated(
        2,
        "set_data",
        "the step is not what the rule 'set_data' produces",
        "v1",
        "Algorithm 4, lines 16-20; Section 3.2.1 (iii)",
        (Difference("sent to v1", None, check),),
    )


def test_equal_values_do_not_differ():
    assert differences(Line("l", Point(1, 2), Word("x")), Line("l", Point(1, 2), Word("x"))) == ()


def test_structs_differ_field_by_field_and_arrays_as_a_whole():
    assert differences(Line("l", Point(1, 2), Word("x")), Line("m", Point(1, 3), Word("y"))) == (
        Difference("name", "l", "m"),
        Difference("start", Point(1, 2), Point(1, 3)),
        Difference("word.text", "x", "y"),
    )


def test_values_of_two_kinds_differ_as_a_whole():
    assert differences(Word("x"), None, "left") == (Difference("left", Word("x"), None),)
    assert differences(Word("x"), Point(1, 2), "left") == (Difference("left", Word("x"), Point(1, 2)),)
