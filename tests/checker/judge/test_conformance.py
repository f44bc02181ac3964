"""Conformance in words and values that `runs.txt` cannot have: there each rule is broken once, and kept once.

Source: traces/README.md, Conformance
"""

import msgspec

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Difference, Holds, Violated
from gomboc.spec.core.model import Outcome
from gomboc.spec.protocols.skip_ring.state import Check, Claim
from tests.checker import ring
from tests.checker.judge.both import judged
from tests.toys.words.spec import UNORDERED, Word, header, rests


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
