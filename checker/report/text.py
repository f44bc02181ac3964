"""A judgement as text: one line if it holds, and what exactly is wrong if it does not."""

from collections.abc import Iterator
from typing import Any

import msgspec

from checker.judge.verdict import Difference, Holds, Judgement, Unknown, Violated

WIDEST = 400
"""Characters of a value that are shown at most."""


def lines(judgement: Judgement, reproduce: str) -> Iterator[str]:
    """The judgement, the verdict in the first line; `reproduce` is the command that shows the same again."""
    yield f"{judgement.trace}: {headline(judgement)}"
    for name, verdict in judgement.verdicts():
        match verdict:
            case Violated():
                yield from _violated(name, verdict)
            case Unknown(why):
                yield f"  {name}: unknown: {why}"
            case Holds(claim) if judgement.exit_code():
                yield f"  {name}: holds: {claim}"
    if judgement.exit_code():
        yield f"  again: {reproduce}"


def headline(judgement: Judgement) -> str:
    """The verdict in one line."""
    size = f"n = {judgement.members}, {judgement.steps} steps"
    violations = judgement.violations()
    if violations:
        first = violations[0]
        return f"violated at step {first.step} (line {first.step + 1}) by {first.rule} ({size})"
    if judgement.exit_code():
        return f"unknown ({size})"
    return f"holds ({size}; legitimate after {judgement.rounds} rounds, and for {judgement.rounds_after} more)"


def _violated(name: str, violated: Violated) -> Iterator[str]:
    at = f" at {violated.node}" if violated.node else ""
    cited = f" [{violated.source}]" if violated.source else ""
    yield f"  {name}: violated at step {violated.step}{at}: {violated.rule}: {violated.says}{cited}"
    if name == "conformance":
        yield f"    accepted: {_prefix(violated.step)}"
    for difference in violated.differences:
        yield from _difference(difference)


def _prefix(step: int) -> str:
    if step == 0:
        return "nothing; the state before the first step is already wrong"
    return "the state before the first step" if step == 1 else f"steps 1 to {step - 1}"


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
