"""The smallest right ring, line by line as its trace has it, and simulated traces of larger ones."""

from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.simulate.plan import Plan
from gomboc.checker.simulate.simulate import simulate_trace

RECORDED = {"database": [["0", "v1"]], "next": 0}
ALONE: dict[str, Any] = {"label": "0", "left": None, "right": None, "ring": None, "shortcuts": [], "wants": True}
HEADER: dict[str, Any] = {
    "format": "gomboc-trace",
    "version": 1,
    "protocol": "skip_ring",
    "parameters": {},
    "roles": {"supervisor": "supervisor", "v1": "subscriber"},
    "states": {"supervisor": RECORDED, "v1": ALONE},
    "messages": [],
    "origin": {"implementation": "by hand"},
}
CONFIGURATION: dict[str, Any] = {"kind": "SetData", "pred": None, "label": "0", "succ": None}
SUPERVISES = {
    "node": "supervisor",
    "took": "timeout",
    "state": RECORDED,
    "sent": [{"id": 0, "to": "v1", "message": CONFIGURATION}],
}
RESTS = {"node": "v1", "took": "timeout", "state": ALONE, "sent": [], "coin": "silent"}
HEARS = {"node": "v1", "took": 0, "state": ALONE, "sent": []}
WRONG = {**RESTS, "state": {**ALONE, "wants": False}}
"""A timeout in which the wish of the application changes by itself."""

LOST = {**HEADER, "states": {"supervisor": RECORDED, "v1": {**ALONE, "label": None}}, "bound": 0}
"""A start from which nothing that follows here leads to legitimacy."""


def written(*lines: bytes | dict[str, Any]) -> bytes:
    """A trace of those lines, as bytes; a line that is bytes already stands as it is."""
    return b"".join(line if isinstance(line, bytes) else msgspec.json.encode(line) + b"\n" for line in lines)


HOLDS = written(HEADER, SUPERVISES, RESTS, HEARS)
VIOLATED = written(HEADER, SUPERVISES, WRONG)
UNKNOWN = written(HEADER)
UNREADABLE = written(HEADER, SUPERVISES)[:-1]


def plan(**changes: Any) -> Plan:
    """A small plan with those fields changed."""
    fields: dict[str, Any] = {
        "protocol": "skip_ring",
        "implementation": "skip_ring",
        "nodes": (2, 3),
        "traces": 3,
        "seed": 1,
    }
    return Plan(**{**fields, "settle": 2, "reproduce": "gomboc simulate skip_ring", **changes})


def simulated(folder: Path, index: int = 0, **changes: Any) -> Path:
    """The path of a simulated trace."""
    return Path(simulate_trace(plan(**changes), folder, index).path)


def names(folder: Path) -> list[str]:
    """Names of the files in a folder."""
    return sorted(path.name for path in folder.iterdir())
