"""Exploration of user code ends on request, at any point, and with any exception of that code."""

import signal
import subprocess
import sys

import pytest

from gomboc.checker.core.user_code import let_through, under_guard
from tests.checker.cli.command import gomboc

MODEL = """
import sys, time
from dataclasses import dataclass
from gomboc.spec.core.model import Kind, Model, Promise

def at(name):
    if name in sys.argv[-1]:
        print("at", name, file=sys.stderr, flush=True)
        while True:
            time.sleep(0.01)

def initial():
    at("initial")
    yield 0
def enabled(state):
    at("enabled")
    return (1,)
def step(state, action):
    at("step")
    return (state + action) % 5
def holds(state):
    at("holds")
    return True
def slow(): return made()
def made():
    small = Promise(Kind.ALWAYS, "small", holds, "here")
    return Model("slow", initial=initial, enabled=enabled, step=step, actor=str, promises=(small,))
"""


SIGNALS = signal.SIGTERM, signal.SIGHUP, signal.SIGINT
PLACES = "initial", "enabled", "step", "holds"
ENDED = [
    pytest.param(where, number, marks=() if place % len(SIGNALS) == turn else pytest.mark.dear)
    for place, where in enumerate(PLACES)
    for turn, number in enumerate(SIGNALS)
]
"""Each place, and each signal, and in a thorough run each signal at each place: it is one handler for all."""


@pytest.mark.parametrize(("where", "number"), ENDED)
def test_a_signal_ends_it_wherever_it_is(tmp_path, where, number):
    (tmp_path / "slow.py").write_text(MODEL)
    words = [sys.executable, "-m", "gomboc", "explore", "slow:slow", "--engine", "plain", "--output", where]
    with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stderr.readline() == f"at {where}\n"
            process.send_signal(number)
            assert process.wait(timeout=30) == 128 + number
        finally:
            process.kill()


RAISED = [
    "import asyncio; raise asyncio.CancelledError('late')",
    "raise GeneratorExit('late')",
    "import pytest; pytest.skip('late')",
    "import pytest; pytest.fail('late')",
    "raise BaseException('late')",
    "raise StopIteration('late')",
    "import os; os._exit(0)",
]


@pytest.mark.parametrize("where", [*PLACES, "made"])
@pytest.mark.parametrize("statement", RAISED)
def test_whatever_its_code_raises_is_its_fault(tmp_path, monkeypatch, where, statement):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    head = next(line for line in MODEL.splitlines() if line.startswith(f"def {where}("))
    (tmp_path / "raising.py").write_text(MODEL.replace(f"{head}\n", f"{head}\n    {statement}\n"))
    try:
        ran = gomboc("explore", "raising:slow", "--engine", "plain")
    finally:
        sys.modules.pop("raising", None)
    assert (ran.code, ran.out) == (2, ""), ran
    assert "Traceback" not in ran.err
    assert any(word in ran.err for word in ("late", "SystemExit", "StopIteration"))


def test_after_an_exploration_every_interrupt_counts_as_real():
    with under_guard():
        let_through(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        let_through(KeyboardInterrupt())
