"""A summary of a corpus of stacks as text: the table of each layer, and how many runs are joined."""

from gomboc.checker.core.phrases import counted
from gomboc.checker.judge.verdict import WORDS
from gomboc.checker.stacks.replay import StackSummary


def joins_of(summary: StackSummary) -> list[str]:
    """How many runs hand over what they must, and the first that do not."""
    times = ", ".join(f"{times:,} {verdict}" for verdict, times in summary.runs.items()) or "none"
    return [f"Layers of {summary.stack} joined: {times}.", *(f"  {row.run}: {row.says}" for row in summary.named)]


def headline(summary: StackSummary) -> str:
    """The summary in one line."""
    runs = counted(sum(summary.runs.values()), "run")
    times = ", ".join(f"{times:,} {verdict}" for verdict, times in summary.runs.items())
    layers = ", ".join(f"{name} {WORDS[layer.exit_code()]}" for name, layer in summary.layers.items())
    return f"{WORDS[summary.exit_code()]} ({summary.stack}, {runs}: joined {times}; {layers})"
