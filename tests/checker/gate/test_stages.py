"""The exit code of a command counts, regardless of its cases."""

import pytest

from gomboc.checker.gate.case import GateCase, worst
from gomboc.checker.gate.read import checked, is_about, replayed
from gomboc.checker.gate.running import Ran
from gomboc.checker.gate.stages import StageCommand, _cases, _package
from gomboc.checker.prove.registry import find_lemmas

HELD = {"trace": "t", "members": 1, "verdict": "holds"}


def holding(written):
    yield GateCase("conformance", "t", 0, "it holds")


@pytest.mark.parametrize("code", [1, 2, 3, 70])
def test_a_command_that_wrote_holds_but_ended_otherwise_does_not_hold(code):
    ran = Ran(("check", "--format", "json"), code, (HELD,), "")
    assert worst(case.code for case in _cases(StageCommand(("check",), holding), ran)) == code


def test_a_command_that_wrote_less_than_it_was_given_is_unknown():
    ran = Ran(("check", "--format", "json"), 0, (HELD,), "")
    assert worst(case.code for case in _cases(StageCommand(("check",), holding, least=2), ran)) == 3


def summary(**changed):
    output = {
        "verdicts": {"holds": 3},
        "lines": [],
        "named": [],
        "coverage": {"missing": [], "rules": [], "out_of_scope": []},
    }
    return {**output, **changed}


def test_a_corpus_without_members_is_unknown():
    line = {name: {"holds": 3, "violated": 0, "unknown": 0} for name in ("conformance", "closure", "convergence")}
    for members in ([], [0], [None]):
        output = summary(lines=[{"members": member, **line} for member in members])
        assert worst(case.code for case in replayed(output, 3, 1)) == 3
    assert worst(case.code for case in replayed(summary(lines=[{"members": 1, **line}]), 3, 1)) == 0


def test_a_trace_without_members_is_unknown():
    held = {"type": "holds", "claim": "all"}
    output = {**HELD, "promises": [], "conformance": held, "closure": held, "convergence": held}
    assert worst(case.code for case in checked(output)) == 0
    assert worst(case.code for case in checked({**output, "members": 0})) == 3


@pytest.mark.parametrize(
    ("protocol", "has_lemmas"), [("chord", True), ("skip_plus", True), ("skip_ring", True), ("dissemination", False)]
)
def test_a_lemma_is_about_the_protocol_to_whose_functions_it_is_tied(protocol, has_lemmas):
    written = [{"tied_to": list(lemma.ties())} for lemma in find_lemmas()]
    assert any(is_about(_package(protocol), lemma) for lemma in written) is has_lemmas


def test_a_foreign_protocol_may_have_its_functions_anywhere_in_its_package():
    assert _package("ferry.spec:PROTOCOL") == "ferry"
    assert is_about("ferry", {"tied_to": ["ferry.rules.react"]})
    assert not is_about("ferry", {"tied_to": ["ferryman.react"]})
