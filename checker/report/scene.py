"""The input of a step, and the state of its node before it: the context of a violation."""

from collections.abc import Container
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.judge.system import System
from gomboc.checker.traces.trace import Step, TraceReader, open_trace


class Scene(msgspec.Struct, frozen=True):
    """A step's input, in words and as a value ("" for a timeout), and the state of its node before it."""

    kind: str
    content: Any
    before: Any


def scenes(path: Path, steps: Container[int]) -> dict[int, Scene]:
    """The scenes of those steps of a trace that has been judged."""
    with open_trace(path) as reader:
        return scenes_of(reader, steps)


def scenes_of(reader: TraceReader, steps: Container[int]) -> dict[int, Scene]:
    """The scenes of those steps of a trace that `reader` reads."""
    scene_by_step: dict[int, Scene] = {}
    system = System(reader.header)
    for number, step in enumerate(reader.steps(), 1):
        if number in steps:
            scene_by_step[number] = _scene(step, system)
        system.apply(step)
    return scene_by_step


def _scene(step: Step, system: System) -> Scene:
    before = system.states.get(step.node)
    if step.took == "timeout":
        return Scene("a timeout", "", before)
    if not isinstance(step.took, int):
        return Scene("the command", step.took, before)
    sent = system.given.get(step.took)
    return Scene(f"message {step.took}", "" if sent is None else sent.message, before)
