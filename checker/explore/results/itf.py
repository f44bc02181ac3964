"""Runs as JSON in the Informal Trace Format, which viewers and other tools read.

Source: Apalache, ADR 015 (https://apalache-mc.org/docs/adr/015adr-trace.html)
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any

import msgspec

from gomboc.checker.explore.results.finding import Run

LARGEST = 1 << 53
"""Numbers from here on are written as text, since not every reader of JSON keeps them exact."""


def itf(run: Run, description: str) -> dict[str, Any]:
    """A run as one JSON object. Each state but the first also has the `action` that led to it.

    A lasso's `loop` is the number of the state to which the last action leads back; that action is in `#meta`.
    """
    states = [_state(number, run) for number in range(len(run.states))]
    meta: dict[str, Any] = {"format": "ITF", "description": description}
    lasso = {} if run.back is None else {"loop": run.back}
    if run.back is not None:
        meta["back"] = encoded(run.actions[-1])
    return {"#meta": meta, "vars": ["action", *fields(run.states[0])], "states": states, **lasso}


def _state(number: int, run: Run) -> dict[str, Any]:
    action = encoded(run.actions[number - 1]) if number else encoded(None)
    variables = {name: encoded(value) for name, value in fields(run.states[number]).items()}
    return {"#meta": {"index": number}, "action": action, **variables}


def fields(state: Any) -> dict[str, Any]:
    """The variables of a state: the fields of a record, otherwise one variable named `state`."""
    if isinstance(state, msgspec.Struct):
        return {name: getattr(state, name) for name in state.__struct_fields__}
    return {"state": state}


def encoded(value: Any) -> Any:
    """A value as the format represents it; values of other types become text."""
    match value:
        case bool() | str():
            return value
        case Enum():
            return value.name
        case int():
            return value if abs(value) < LARGEST else {"#bigint": str(value)}
        case list():
            return [encoded(part) for part in value]
        case tuple():
            return {"#tup": [encoded(part) for part in value]}
        case set() | frozenset():
            return {"#set": sorted((encoded(part) for part in value), key=msgspec.json.encode)}
        case Mapping():
            return {"#map": [[encoded(key), encoded(part)] for key, part in value.items()]}
        case msgspec.Struct():
            return {"tag": type(value).__name__, **{name: encoded(part) for name, part in fields(value).items()}}
    return {"#unserializable": repr(value)}
