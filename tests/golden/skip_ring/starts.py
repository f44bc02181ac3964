"""States and systems of the skip ring as JSON values. Where most golden traces begin is in `starts.jsonl`."""

from typing import Any

from tests.golden.drive import Header, State, header


def subscriber(label: str | None = None, **variables: Any) -> State:
    """A subscriber's state: those variables, and nothing else."""
    empty: State = {"label": label, "left": None, "right": None, "ring": None, "shortcuts": [], "wants": True}
    return {**empty, **variables}


def start(database: list[Any], *subscribers: State, messages: tuple[tuple[str, Any], ...] = ()) -> Header:
    """The start of a system of a supervisor with that database, and v1, v2, ... with those states."""
    members = {f"v{number}": state for number, state in enumerate(subscribers, 1)}
    roles = {"supervisor": "supervisor", **dict.fromkeys(members, "subscriber")}
    states = {"supervisor": {"database": database, "next": 0}, **members}
    return header("skip_ring", {}, roles, states, messages)


V1, V2 = ["0", "v1"], ["1", "v2"]
"""The labels of two nodes where all is well: l(0) and l(1)."""
