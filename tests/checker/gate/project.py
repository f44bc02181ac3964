"""The sample project with one fault in it, and the expected result of its gate."""

import json
import shutil
from pathlib import Path
from typing import NamedTuple

from tests.checker.cli.command import gomboc

SAMPLE = Path(__file__).resolve().parents[2] / "sample"
RUNS = ("simulate", "replay")


class Fault(NamedTuple):
    """One change: in `file`, `old` becomes `new`. The `stages` run, the gate ends with `code` and these sentences."""

    file: str
    old: str
    new: str
    stages: tuple[str, ...]
    code: int
    says: str
    at: str


FAULTS = {
    "a lamp does not copy": Fault(
        "lamp.py",
        "event.message.number if isinstance",
        "self.number if isinstance",
        RUNS,
        1,
        "violated: failure (copy number): 55 traces, first at step 1 of lamps-000054: the step is not what the rule ",
        "at build/gomboc/verdicts/witnesses/copy_number.jsonl:2",
    ),
    "a lamp raises an exception": Fault(
        "lamp.py",
        "            return []\n",
        '            raise ValueError("I am the source")\n',
        RUNS,
        2,
        "lamp:IMPLEMENTATION failed (ValueError: I am the source), and nothing is known: fix it",
        "at pyproject.toml:9",
    ),
    "a lamp ends the process as if all were well": Fault(
        "lamp.py",
        "            return []\n",
        '            __import__("os")._exit(0)\n',
        RUNS,
        2,
        "unreadable: run (simulate): your module called sys.exit(0): no verdict; remove that call",
        "at pyproject.toml:9",
    ),
    "the specification keeps the highest number": Fault(
        "lamps.py",
        "return Outcome(replace(local, number=number))\n        case Commanded",
        "return Outcome(replace(local, number=max(local.number, number)))\n        case Commanded",
        ("explore",),
        1,
        "violated: convergence: every weakly fair run reaches a state where it holds (central scheduler) (lamps:MODEL)",
        "at build/gomboc/explored/lamps-MODEL-3-convergence.jsonl:1",
    ),
    "the specification cannot be imported": Fault(
        "lamps.py",
        "PROTOCOL = Protocol(",
        "PROTOCOL = Protcol(",
        ("check", "explore"),
        2,
        "unreadable: protocol (lamps:PROTOCOL): lamps:PROTOCOL cannot be imported (NameError: name 'Protcol' is not ",
        "at pyproject.toml:6",
    ),
    "the module of the specification is not there": Fault(
        "pyproject.toml",
        "lamps:PROTOCOL",
        "spec.lamps:PROTOCOL",
        ("check",),
        2,
        "write gomboc.spec or, if it is yours, name its folder in pythonpath): fix or install it.",
        "at pyproject.toml:6",
    ),
    "the protocol is not installed": Fault(
        "pyproject.toml",
        "lamps:PROTOCOL",
        "lamps",
        ("check",),
        2,
        'for one of your own write protocol = "package.module:PROTOCOL".',
        "at pyproject.toml:6",
    ),
    "the implementation is not in its module": Fault(
        "pyproject.toml",
        "lamp:IMPLEMENTATION",
        "lamp:IMPL",
        RUNS,
        2,
        "unreadable: implementation (lamp:IMPL): The module lamp has no 'IMPL'",
        "at pyproject.toml:7",
    ),
    "there is no implementation": Fault(
        "pyproject.toml",
        'implementation = "lamp:IMPLEMENTATION"',
        "",
        RUNS,
        2,
        'for one of your own write implementation = "package.module:IMPLEMENTATION".',
        "at pyproject.toml:5",
    ),
    "a recorded trace lies": Fault(
        "recorded/two_lamps.jsonl",
        '"took":2,"state":{"number":2',
        '"took":2,"state":{"number":0',
        ("check",),
        1,
        "violated: conformance (recorded/two_lamps.jsonl): violated at step 2 at lamp2: copy: the step is not what",
        "at recorded/two_lamps.jsonl:3",
    ),
    "a recorded trace is cut off": Fault(
        "recorded/two_lamps.jsonl",
        '"sent":[]}\n{"node":"lamp2","took":2',
        '"sent":[]}\n{"node":"la',
        ("check",),
        2,
        "unreadable: read (recorded/two_lamps.jsonl): recorded/two_lamps.jsonl:3: ",
        "at recorded/two_lamps.jsonl:3",
    ),
    "nothing was recorded": Fault(
        "pyproject.toml",
        '["recorded"]',
        '["recorded/none"]',
        ("check",),
        2,
        "unreadable: read (recorded/none): recorded/none: No such file or directory.",
        "at pyproject.toml:15",
    ),
    "no run begins corrupted": Fault(
        "pyproject.toml",
        "seed = 5",
        'seed = 5\nstart = "legitimate"',
        RUNS,
        3,
        "unknown: coverage (all): not covered: ",
        "at pyproject.toml:18",
    ),
    "a mutant that nobody notices": Fault(
        "pyproject.toml",
        'new = "Told(0))] if self.next"',
        'new = "Told(self.number + 0))] if self.next"',
        ("mutants",),
        1,
        "violated: mutant (a lamp tells what it was told before): it survives: simulate and replay find nothing",
        "at lamp.py:27",
    ),
}
"""Each is caught by the gate, and named."""

REFUSED = {
    "an unknown key": (
        "seed = 5",
        "sed = 5",
        "pyproject.toml:12: [tool.gomboc.simulate] has the unknown key 'sed'; it may have: traces, nodes, start, ",
    ),
    "an unknown stage": (
        "[tool.gomboc.check]",
        "[tool.gomboc.chek]",
        "pyproject.toml:14: [tool.gomboc] has the unknown key 'chek'; it may have: protocol, implementation, ",
    ),
    "a number that is a text": (
        "least = 60",
        'least = "60"',
        "pyproject.toml:18: [tool.gomboc.replay] least: Expected `int`, got `str`.",
    ),
    "a truth value that is none": (
        "seed = 5",
        "seed = true",
        "pyproject.toml:12: [tool.gomboc.simulate] seed is true: it must be a number.",
    ),
    "an option's number that is a text": (
        "traces = 60",
        'traces = "60"',
        'pyproject.toml:11: [tool.gomboc.simulate] traces is "60": it must be a number.',
    ),
    "a text that is a truth value": (
        'nodes = "1..3"',
        "nodes = true",
        "pyproject.toml:10: [tool.gomboc.simulate] nodes is true: it must be no truth value.",
    ),
    "no model": (
        '["lamps:MODEL"]',
        "[]",
        "pyproject.toml:21: [tool.gomboc.explore] models is [], so nothing is asked for: name something.",
    ),
    "no protocol": (
        'protocol = "lamps:PROTOCOL"\n',
        "",
        "pyproject.toml:5: [tool.gomboc] Object missing required field `protocol`.",
    ),
    "nothing that judges": (
        "[tool.gomboc.replay]\nleast = 60\n",
        "",
        "pyproject.toml:9: [tool.gomboc.simulate] is judged by nothing: add [tool.gomboc.replay].",
    ),
    "no time": (
        "[tool.gomboc.simulate]",
        "minutes = 0\n[tool.gomboc.simulate]",
        "pyproject.toml:9: [tool.gomboc] allows 0 minutes: allow more than 0.",
    ),
    "a mutant without a file": (
        'file = "lamp.py"\n',
        "",
        "pyproject.toml:23: [tool.gomboc] mutants: Object missing required field `file`.",
    ),
    "no TOML": ("[tool.gomboc.check]", "[tool.gomboc.check", "pyproject.toml: it is no TOML: "),
    "no table": (
        "tool.gomboc",
        "tool.other",
        "pyproject.toml: it has no table [tool.gomboc], so nothing is asked for: ",
    ),
}
"""Faults of the table itself: the replacement in it, and the sentence."""


def project(folder):
    """A copy of the sample project in a folder."""
    return Path(shutil.copytree(SAMPLE, folder / "lamps", ignore=shutil.ignore_patterns("__pycache__", "build")))


def change(folder, file, old, new):
    """Replace a text in a file of a project, which has it."""
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new))


def gate(*words):
    """The text and the files of the gate of the project in the current folder."""
    ran = gomboc("gate", "--jobs", "1", *words)
    result = Path("build/gomboc/gate.json")
    return ran, json.loads(result.read_text()) if result.exists() else None
