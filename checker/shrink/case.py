"""A trace as JSON values, to be changed and judged anew in memory."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.judge.naive import Options, judge
from gomboc.checker.judge.verdict import Judgement
from gomboc.checker.traces.trace import TraceReader
from gomboc.checker.traces.trace_files import read_whole

NOWHERE = Path("in memory")
"""The path of a changed trace in error messages."""

Value = dict[str, Any]


class Size(msgspec.Struct, frozen=True):
    """How large a trace is: steps, nodes, messages in flight before the first step, and bytes."""

    steps: int
    nodes: int
    messages: int
    bytes: int


class TraceCase(msgspec.Struct, frozen=True):
    """A trace: its header, and step k as item k - 1. The values are never changed, only replaced."""

    header: Value
    steps: tuple[Value, ...]

    def text(self) -> bytes:
        """The trace in the form of a file."""
        encode = msgspec.json.Encoder().encode
        return b"".join(encode(line) + b"\n" for line in (self.header, *self.steps))

    def size(self) -> Size:
        """The size of the trace."""
        return Size(len(self.steps), len(self.header["roles"]), len(self.header["messages"]), len(self.text()))


Redo = Callable[[TraceCase], TraceCase | None]
"""A new run of the implementation from the same start, with the same schedule; None if it refuses them."""


def read_case(path: Path) -> TraceCase:
    """The trace at `path`, which the judge has read before."""
    header, *steps = map(msgspec.json.decode, read_whole(path).splitlines())
    return TraceCase(header, tuple(steps))


def judged(case: TraceCase, options: Options) -> Judgement | None:
    """The judgement of the trace; None if it is no trace, or if the judge fails on it."""
    try:
        return judge(TraceReader(NOWHERE, BytesIO(case.text())), options)
    except Exception:  # noqa: BLE001  # a change that cannot be judged is no smaller trace
        return None


def reached(case: TraceCase, steps: int) -> tuple[Value, list[Value]]:
    """Every node's state after so many steps, and the messages in flight then."""
    states = dict(case.header["states"])
    in_flight = {sent["id"]: sent for sent in case.header["messages"]}
    for step in case.steps[:steps]:
        if step["node"] in states:
            states[step["node"]] = step["state"]
        if isinstance(step["took"], int):
            in_flight.pop(step["took"], None)
        in_flight |= {sent["id"]: sent for sent in step["sent"]}
    return states, list(in_flight.values())
