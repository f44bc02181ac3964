"""The verdicts on a recorded stack as text: a line for each trace and one for the layers, under the line for all."""

from collections.abc import Iterator

import msgspec

from gomboc.checker.core.phrases import counted
from gomboc.checker.judge.layers import Joined
from gomboc.checker.judge.verdict import HOLDS, WORDS, Difference, Holds, Unknown, Violated
from gomboc.checker.stacks.judge import StackJudgement


def headline(judged: StackJudgement) -> str:
    """The verdict in one line."""
    steps = sum(judgement.steps for judgement in judged.traces.values())
    size = f"{counted(len(judged.traces), 'trace')}, {counted(steps, 'step')}"
    return f"{judged.run}: {WORDS[judged.exit_code()]} ({judged.stack}, {size})"


def lines(judged: StackJudgement) -> Iterator[str]:
    """The verdict, and each trace with it if it does not hold, with the command that explains it."""
    yield headline(judged)
    for name, judgement in judged.traces.items():
        code = judgement.exit_code()
        if code != HOLDS:
            yield f"  {name}: {WORDS[code]}; look closer: gomboc check {judgement.trace}"
    yield f"  layers: {sentence(judged.layers)}"


def sentence(joined: Joined) -> str:
    """The verdict on what layers hand over, with the place of a violation."""
    match joined.verdict:
        case Unknown(why):
            return f"unknown: {why}"
        case Holds(claim):
            return f"holds: {claim}"
        case Violated() as violated:
            where = f"at step {violated.step} (line {violated.step + 1}) of {joined.trace}"
            differences = "; ".join(map(_difference, violated.differences))
            return f"violated {where} by {violated.rule}, at {violated.node}: {violated.says}: {differences}"


def _difference(difference: Difference) -> str:
    expected, actual = (
        "nothing" if value is None else msgspec.json.encode(value).decode()
        for value in (difference.expected, difference.found)
    )
    return f"expected {expected}, found {actual}"
