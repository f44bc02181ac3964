"""One trace of a stack without a topic, or without some turns of its nodes."""

from collections.abc import Set
from typing import Any

from gomboc.checker.shrink.case import TraceCase, Value
from gomboc.checker.shrink.nodes import forgotten

Turn = tuple[float, str]
"""The time of a turn, and its node."""


def turn_of(step: Value) -> Turn:
    """The turn of a step."""
    return step.get("at", 0.0), step["node"]


def without_turns(case: TraceCase, gone: Set[Turn]) -> TraceCase:
    """The trace without the steps of those turns."""
    return TraceCase(case.header, tuple(step for step in case.steps if turn_of(step) not in gone))


def without_topic(case: TraceCase, topic: str) -> TraceCase:
    """The trace of a layer that has no topics, without one: its commands and messages, and all that states keep of it.

    A message is one of the topic if a field of it is the topic, a pair with it, or a list of such pairs; or if it was
    sent when one of these was taken.
    """
    gone = {one["id"] for one in case.header["messages"] if _is_of(one["message"], topic)}
    header = {**case.header, "messages": [one for one in case.header["messages"] if one["id"] not in gone]}
    steps: list[Value] = []
    for step in case.steps:
        is_left_out = _takes(step, gone, topic)
        gone |= {one["id"] for one in step["sent"] if is_left_out or _is_of(one["message"], topic)}
        if not is_left_out:
            steps.append(_without(step, gone, topic))
    return forgotten(TraceCase(header, tuple(steps)), frozenset((topic,)), whole=False)


def _takes(step: Value, gone: Set[int], topic: str) -> bool:
    took = step["took"]
    return _is_of(took, topic) if isinstance(took, dict) else isinstance(took, int) and took in gone


def _without(step: Value, gone: Set[int], topic: str) -> Value:
    changed = {**step, "sent": [one for one in step["sent"] if one["id"] not in gone]}
    if "delivered" in step:
        changed["delivered"] = [content for content in step["delivered"] if not _is_of(content, topic)]
    return changed


def _is_of(value: Any, topic: str) -> bool:
    """Whether a message, command or delivery is of that topic, and of no other."""
    fields = value.values() if isinstance(value, dict) else ()
    return any(field == topic or _is_pair(field, topic) or _has_only(field, topic) for field in fields)


def _is_pair(field: Any, topic: str) -> bool:
    return isinstance(field, list) and bool(field) and field[0] == topic


def _has_only(field: Any, topic: str) -> bool:
    return isinstance(field, list) and bool(field) and all(_is_pair(item, topic) for item in field)
