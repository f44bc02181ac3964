"""Results of a gate as JUnit XML: a suite for each stage, a case for each property of each piece."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree as Tree

from gomboc.checker.gate.case import GateCase, Stage
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED

FORBIDDEN = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""

STARTS_WITH = b"<?xml version='1.0' encoding='utf-8'?>\n<testsuites name=\"gomboc\""
"""The beginning of a document of a gate."""


def junit(stages: Sequence[Stage]) -> bytes:
    """The document. Violations and unknown verdicts are failures; a piece that could not be judged is an error."""
    root = Tree.Element("testsuites", {"name": "gomboc", **_sums([case for stage in stages for case in stage.cases])})
    for stage in stages:
        suite = Tree.SubElement(
            root, "testsuite", {"name": f"gomboc {stage.name}", **_sums(stage.cases), "skipped": "0"}
        )
        for case in stage.cases:
            _add(suite, stage.name, case)
    Tree.indent(root)
    return bytes(Tree.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _sums(cases: Sequence[GateCase]) -> dict[str, str]:
    failures = sum(case.code in (VIOLATED, UNKNOWN) for case in cases)
    errors = sum(case.code not in (HOLDS, VIOLATED, UNKNOWN) for case in cases)
    time = _time(sum(case.seconds for case in cases))
    return {"tests": str(len(cases)), "failures": str(failures), "errors": str(errors), "time": time}


def _time(seconds: float) -> str:
    return f"{seconds:.3f}"


def _add(suite: Tree.Element, stage: str, case: GateCase) -> None:
    element = Tree.SubElement(
        suite,
        "testcase",
        classname=f"gomboc.{stage}",
        name=_writable(case.about()),
        file=_writable(case.file),
        line=str(case.line),
        time=_time(case.seconds),
    )
    if case.code == HOLDS:
        Tree.SubElement(element, "system-out").text = _writable(case.says)
        return
    kind = "failure" if case.code in (VIOLATED, UNKNOWN) else "error"
    problem = Tree.SubElement(element, kind, type=case.verdict(), message=_writable(case.says))
    problem.text = _writable(f"{case.file}:{case.line}: {case.says}")


def _writable(text: str) -> str:
    return FORBIDDEN.sub("\ufffd", text)
