"""A judgement as text: one line if it holds, and the violations with their differences if it does not."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from gomboc.checker.core.phrases import counted
from gomboc.checker.judge.verdict import Bound, Difference, Holds, Judgement, Unknown, Violated
from gomboc.checker.report.scene import Scene

WIDEST = 400
"""Maximal number of characters of a value that are shown."""

NO_SCENES: Mapping[int, Scene] = MappingProxyType({})


def lines(judgement: Judgement, reproduce: str, scenes: Mapping[int, Scene] = NO_SCENES) -> Iterator[str]:
    """The judgement, the verdict in the first line; `reproduce` is the command that repeats it.

    `scenes` has the inputs of violating steps; each is shown once.
    """
    left = dict(scenes)
    yield f"{judgement.trace}: {headline(judgement)}"
    for name, verdict in judgement.verdicts():
        match verdict:
            case Violated():
                yield from _violated(name, verdict, left.pop(verdict.step, None))
            case Unknown(why):
                yield f"  {name}: unknown: {why}"
            case Holds(claim) if judgement.exit_code():
                yield f"  {name}: holds: {claim}"
    for further in judgement.further:
        yield from _violated("conformance, too", further, left.pop(further.step, None))
    if judgement.exit_code():
        if judgement.bound is not None:
            yield f"  bound: {_bounded(judgement.bound)}"
        yield f"  reproduce: {reproduce}"


def headline(judgement: Judgement) -> str:
    """The verdict in one line."""
    size = f"n = {judgement.members}, {counted(judgement.steps, 'step')}"
    violations = judgement.violations()
    if violations:
        first = violations[0]
        return f"violated at step {first.step} (line {first.step + 1}) by {first.rule} ({size})"
    if judgement.exit_code():
        return f"unknown ({size})"
    rounds = "" if judgement.rounds is None else f" after {counted(judgement.rounds, 'round')}"
    bound = "" if judgement.bound is None else f"; bound {_bounded(judgement.bound)}"
    return f"holds ({size}; legitimate{rounds}, and for {judgement.rounds_after:,} more{bound})"


def _bounded(bound: Bound) -> str:
    source = {"option": ", from --bound", "header": ", from the header", "protocol": ", from the protocol"}[
        bound.source
    ]
    return f"{counted(bound.rounds, 'round')}{source}"


def _violated(name: str, violated: Violated, scene: Scene | None) -> Iterator[str]:
    at = f" at {violated.node}" if violated.node else ""
    cited = f" [{violated.source}]" if violated.source else ""
    rule = "" if violated.rule == name else f"{violated.rule}: "
    yield f"  {name}: violated at step {violated.step}{at}: {rule}{violated.says}{cited}"
    if name == "conformance":
        yield f"    accepted: {_prefix(violated.step)}"
    if scene is not None:
        yield f"    took: {scene.kind}{f', {shown(scene.content)}' if scene.content != '' else ''}"
        yield f"    before: {shown(scene.before)}"
    for difference in violated.differences:
        yield from _difference(difference)


def _prefix(step: int) -> str:
    if step == 0:
        return "nothing; the state before the first step is already wrong"
    return ("the state before the first step", "step 1")[step - 1] if step <= 2 else f"steps 1 to {step - 1}"


def _difference(difference: Difference) -> Iterator[str]:
    where = difference.where
    if where.startswith("not sent to"):
        yield f"    - {where}: {shown(difference.expected)}"
    elif where.startswith("sent to"):
        yield f"    + {where}: {shown(difference.found)}"
    else:
        yield f"    {where}: expected {shown(difference.expected)}, found {shown(difference.found)}"


def shown(value: Any) -> str:
    """A value as its trace writes it, cut to a readable length."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= WIDEST else f"{text[:WIDEST]}... ({len(text)} characters)"
