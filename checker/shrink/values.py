"""Simpler values: in states before the first step, and in messages in flight then."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from gomboc.checker.shrink.case import TraceCase, Value

Path = tuple[str | int, ...]

NOT_NEEDED = ("at", "before", "received", "coin")
"""Keys that a step may omit."""


def without_extras(case: TraceCase) -> Iterator[TraceCase]:
    """The trace without optional keys of steps."""
    for field in NOT_NEEDED:
        yield replace(case, steps=tuple({key: step[key] for key in step if key != field} for step in case.steps))


def simpler_states(case: TraceCase) -> Iterator[TraceCase]:
    """The trace with one value in a node's first state simpler, and in its later ones as long as it is the same."""
    for name, state in case.header["states"].items():
        for path, value in parts(state):
            for simpler in simplifications(value):
                yield _with_state(case, name, path, value, simpler)


def simpler_messages(case: TraceCase) -> Iterator[TraceCase]:
    """The trace with one value simpler in a message that is in flight before the first step."""
    for index, sent in enumerate(case.header["messages"]):
        for path, value in parts(sent["message"]):
            for simpler in simplifications(value):
                messages = list(case.header["messages"])
                messages[index] = {**sent, "message": put(sent["message"], path, simpler)}
                yield TraceCase({**case.header, "messages": messages}, case.steps)


def parts(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Each value below this one with its path, the outer ones first."""
    inner: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        if key != "kind":
            yield (*path, key), item
            yield from parts(item, (*path, key))


def simplifications(value: Any) -> Iterator[Any]:
    """Simpler values of the same kind, or none: the simplest first."""
    if value in (None, [], "", 0):
        return
    yield None
    if isinstance(value, list):
        yield []
        yield from (value[:index] + value[index + 1 :] for index in range(len(value)) if len(value) > 1)
    elif isinstance(value, bool):
        yield False
    elif isinstance(value, int):
        yield from dict.fromkeys((0, value // 2))
    elif isinstance(value, str):
        yield from dict.fromkeys(("", "0", value[:1], value[: len(value) // 2]))


def look(value: Any, path: Path) -> Any:
    """The value at that path; None if there is no such path."""
    for key in path:
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and isinstance(key, int) and key < len(value):
            value = value[key]
        else:
            return None
    return value


def put(value: Any, path: Path, new: Any) -> Any:
    """The value with another one at that path, which exists."""
    if not path:
        return new
    copy: Any = value.copy()
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


def _with_state(case: TraceCase, name: str, path: Path, old: Any, new: Any) -> TraceCase:
    states = {**case.header["states"], name: put(case.header["states"][name], path, new)}
    steps: list[Value] = []
    same = True
    for step in case.steps:
        if same and step["node"] == name:
            same = look(step["state"], path) == old
            steps.append({**step, "state": put(step["state"], path, new)} if same else step)
        else:
            steps.append(step)
    return TraceCase({**case.header, "states": states}, tuple(steps))
