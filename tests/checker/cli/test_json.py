"""JSON has a contract: the keys that the page names are those that each command gives, in the form that it says."""

import json
import re
from pathlib import Path

import pytest

from tests.checker import ring
from tests.checker.cli.command import gomboc

PAGE = (Path(__file__).resolve().parents[3] / "checker" / "JSON.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `gomboc-(\w+)` \| (.*) \|$", PAGE, re.MULTILINE))
MODEL = """
from gomboc.spec.core.model import Kind, Model, Promise

MODEL = Model(
    name="countdown", initial=lambda: range(4), enabled=lambda left: (left,) if left else (),
    step=lambda left, action: left - 1, actor=lambda action: "clock",
    promises=(Promise(Kind.EVENTUALLY, "it_ends", lambda left: left == 0, "nowhere"),),
)
"""

TABLE = """
[tool.gomboc]
protocol = "skip_ring"
[tool.gomboc.check]
traces = ["traces/holds.jsonl"]
"""


def documented(command):
    """The form of a command's output, the keys that are always there, and those that may be."""
    form, keys = ROWS[command].split(" | ")
    always, *sometimes = keys.split(";")
    names = re.compile(r"`([a-z_]+)`")
    return form.split(",")[0], names.findall(always), names.findall(";".join(sometimes))


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """A folder with a trace that holds, one that is violated, one that cannot be read, and a model."""
    monkeypatch.chdir(tmp_path)
    Path("traces").mkdir()
    for name in ("holds", "violated", "unreadable"):
        (Path("traces") / f"{name}.jsonl").write_bytes(getattr(ring, name.upper()))
    Path("countdown.py").write_text(MODEL)
    Path("pyproject.toml").write_text(TABLE)
    assert gomboc("simulate", "skip_ring", "--nodes", "2", "--into", "packs", "--output", "corpus").code == 0
    return tmp_path


CALLS = {
    "simulate": ("skip_ring", "--nodes", "1", "--output", "new"),
    "ingest": ("traces/holds.jsonl", "--output", "new"),
    "export": ("corpus", "--output", "new"),
    "check": ("traces/holds.jsonl", "traces/violated.jsonl"),
    "shrink": ("traces/violated.jsonl",),
    "replay": ("corpus", "--output", "verdicts"),
    "explore": ("countdown:MODEL",),
    "prove": ("labels_are_a_bijection",),
    "errata": ("skip_ring", "corollary_18"),
    "report": ("traces/holds.jsonl", "--output", "page.html"),
    "gate": ("--stage", "check"),
}


def test_the_page_has_every_command():
    assert [*ROWS] == [*CALLS]


@pytest.mark.parametrize("command", CALLS)
def test_a_command_gives_the_keys_that_the_page_names(command, runs):
    form, always, sometimes = documented(command)
    out = gomboc(command, *CALLS[command], "--format", "json").out
    rows = [json.loads(line) for line in out.splitlines()] if form == "lines" else [json.loads(out)]
    assert rows
    for event in rows:
        assert [*event][:2] == ["format", "verdict"]
        assert event["format"] == f"gomboc-{command}"
        assert event["verdict"] in ("holds", "violated", "unknown", "unreadable", "done")
        keys = set(event) - {"format", "verdict"}
        assert set(always) <= keys <= {*always, *sometimes}, keys ^ set(always)


def test_a_trace_that_cannot_be_read_has_a_row(runs):
    ran = gomboc("check", "--format", "json", "traces")
    rows = {row["trace"]: row for row in map(json.loads, ran.out.splitlines())}
    assert {Path(name).stem: row["verdict"] for name, row in rows.items()} == {
        "holds": "holds",
        "violated": "violated",
        "unreadable": "unreadable",
    }
    row = rows["traces/unreadable.jsonl"]
    assert [*row] == ["format", "verdict", "trace", "error"]
    assert ran.err == f"gomboc: {row['error']}\n"


def test_the_verdict_is_the_exit_code_in_a_word(runs):
    for name, code in (("holds", 0), ("violated", 1), ("unreadable", 2)):
        ran = gomboc("check", "--format", "json", f"traces/{name}.jsonl")
        assert (ran.code, json.loads(ran.out)["verdict"]) == (code, name)
