"""Recorded runs of toy followers over a ring, as lines that tests may change."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.simulate.stacks.plan import StackPlan
from gomboc.checker.simulate.stacks.simulate import simulate_stack
from gomboc.checker.stacks.recorded import FILE
from gomboc.spec.core import registry
from gomboc.spec.layers import stacks

Step = dict[str, Any]
Run = dict[str, list[Step]]
"""The lines of each trace of a run, by the trace's name, the header first."""

OVER_RING, ASKING = "toy_followers_over_chord", "toy_followers_asking_chord"
REFERENCES = {
    "GOMBOC_PROTOCOLS": "tests.toys.follower.spec:PROTOCOL",
    "GOMBOC_IMPLEMENTATIONS": "tests.toys.follower.impl:IMPLEMENTATION",
    "GOMBOC_STACKS": "tests.toys.follower.spec:OVER_RING tests.toys.follower.spec:ASKING",
}
ENCODER = msgspec.json.Encoder()
SMALL = {"ring.bits": 8, "ring.r": 1, "ring.fingers": False}


@contextmanager
def followers_known() -> Iterator[None]:
    """The followers and their stacks are registered, here and in processes that are started."""
    before = {name: os.environ.get(name) for name in REFERENCES}
    os.environ.update(REFERENCES)
    forget()
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        forget()


def forget() -> None:
    """What was registered is looked up anew."""
    registry.forget()
    stacks.forget()


def simulated(folder: Path, stack: str = OVER_RING, runs: int = 1, seed: int = 5, **others: Any) -> Path:
    """Write runs of five nodes that join, crash and leave into a folder."""
    plan = StackPlan(stack, (5,), runs, seed, disturb=True, parameters=SMALL, **others)
    simulate_stack(plan, folder, 1, lambda *_: None, True)
    return folder


def read(folder: Path) -> Run:
    """The lines of a run."""
    return {
        path.relative_to(folder).with_suffix("").as_posix(): [
            json.loads(line) for line in path.read_text().splitlines()
        ]
        for path in sorted(folder.rglob("*.jsonl"))
    }


def until(run: Run, periods: float) -> Run:
    """The run up to that many periods after the first crash."""
    end = periods + min(line["at"] for line in run["ring"][1:] if line["took"] == {"kind": "Crash"})
    return {name: [lines[0], *(line for line in lines[1:] if line["at"] < end)] for name, lines in run.items()}


def write(folder: Path, run: Run, said: str) -> Path:
    """Write a run into a folder; `said` is the content of its `stack.json`."""
    for name, lines in run.items():
        path = folder / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(ENCODER.encode_lines(lines))
    (folder / FILE).write_text(said)
    return folder
