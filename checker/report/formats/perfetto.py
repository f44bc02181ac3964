"""A trace as trace events in JSON, for the viewers of Perfetto and Chromium.

Source: Trace Event Format, "JSON Object Format"
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from gomboc.checker.judge.verdict import Judgement
from gomboc.checker.report.formats.events import Event, EventLog

STEP = 1_000
"""Microseconds per step; a trace counts steps, so that time here is their number."""

LONG = 700
"""Microseconds of a slice, which leaves a gap before the next one."""


def perfetto(story: EventLog, judgement: Judgement) -> str:
    """A thread for each node, a slice for each step, and an arrow for each message that is delivered."""
    wrong = {violation.step: violation.rule for violation in judgement.violations()}
    threads = {name: thread for thread, name in enumerate((*story.header.roles, "somebody else"), 1)}
    events = [*_names(story, threads)]
    for event in story.events:
        events += _slices(event, threads, wrong.get(event.number))
    return msgspec.json.encode({"traceEvents": events, "displayTimeUnit": "ms"}).decode() + "\n"


def _names(story: EventLog, threads: dict[str, int]) -> Iterator[dict[str, Any]]:
    yield {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": story.name}}
    for name, thread in threads.items():
        yield {"ph": "M", "pid": 1, "tid": thread, "name": "thread_name", "args": {"name": name}}


def _slices(event: Event, threads: dict[str, int], wrong: str | None) -> Iterator[dict[str, Any]]:
    at = {"pid": 1, "tid": _thread(threads, event.node), "ts": STEP * event.number}
    arguments: dict[str, Any] = {"step": event.number, "state": msgspec.to_builtins(event.step.state)}
    arguments |= {"VIOLATED": wrong} if wrong else {}
    name = f"VIOLATED {event.what}" if wrong else event.what
    yield {"ph": "X", "name": name, "cat": "violated" if wrong else "step", "dur": LONG, "args": arguments, **at}
    taken = event.taken
    if taken is not None and taken.sent_at:
        arrow = {"cat": "message", "name": taken.kind, "id": taken.id, "pid": 1}
        begins = {"tid": _thread(threads, taken.sender), "ts": STEP * taken.sent_at + LONG - 1}
        yield {"ph": "s", **arrow, **begins}
        yield {"ph": "f", "bp": "e", **arrow, "tid": at["tid"], "ts": at["ts"]}


def _thread(threads: dict[str, int], node: str) -> int:
    return threads.get(node, threads["somebody else"])
