"""Smaller schedules: fewer steps after the violation, before it and between."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from gomboc.checker.shrink.case import TraceCase, Value, reached

T = TypeVar("T")


def begun_later(case: TraceCase) -> Iterator[TraceCase]:
    """The trace without its first steps: any state is a possible start. The shortest rest comes first."""
    kept = 0
    while kept < len(case.steps):
        yield begun_after(case, len(case.steps) - kept)
        kept = max(1, 2 * kept)


def begun_after(case: TraceCase, steps: int) -> TraceCase:
    """The rest of the trace after so many steps."""
    states, in_flight = reached(case, steps)
    return TraceCase({**case.header, "states": states, "messages": in_flight}, case.steps[steps:])


def without_steps(case: TraceCase) -> Iterator[TraceCase]:
    """The trace without some stretch of steps, long ones first."""
    for rest in without_stretches(case.steps):
        yield replace(case, steps=tuple(rest))


def without_messages(case: TraceCase) -> Iterator[TraceCase]:
    """The trace without some of the messages in flight before the first step, and without their deliveries."""
    for rest in without_stretches(case.header["messages"]):
        yield with_messages(case, rest)


def with_messages(case: TraceCase, messages: Sequence[Value]) -> TraceCase:
    """The trace with only those messages in flight at first."""
    gone = {sent["id"] for sent in case.header["messages"]} - {sent["id"] for sent in messages}
    steps = (step for step in case.steps if not _delivers(step, gone))
    return TraceCase({**case.header, "messages": list(messages)}, tuple(steps))


def _delivers(step: Value, messages: set[Any]) -> bool:
    return isinstance(step["took"], int) and step["took"] in messages


def without_stretches(items: Sequence[T]) -> Iterator[list[T]]:
    """The list without a stretch of it: all, halves, quarters, down to each item."""
    length = len(items)
    while length:
        for begin in range(0, len(items), length):
            yield [*items[:begin], *items[begin + length :]]
        length //= 2
