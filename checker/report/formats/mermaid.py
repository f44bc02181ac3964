"""A stretch of a trace as a sequence diagram of Mermaid, for a page or an issue."""

from collections.abc import Iterator

from gomboc.checker.judge.verdict import Judgement
from gomboc.checker.report.formats.events import Event, EventLog

MOST_EVENTS = 40
"""Maximal number of steps in the drawing: the violation, and as many before it as fit beside the next ones."""


def mermaid(story: EventLog, judgement: Judgement) -> str:
    """The steps around the first violation, or the first steps of a trace in which nothing is violated."""
    first = judgement.violations()[0] if judgement.violations() else None
    shown = around(story, first.step if first else 1)
    return "\n".join(["sequenceDiagram", *_participants(story, shown), *_drawn(story, shown, judgement)]) + "\n"


def around(story: EventLog, step: int) -> tuple[Event, ...]:
    """At most MOST_EVENTS events with that step among them, three quarters of the others before it."""
    begin = max(0, min(step - 1 - MOST_EVENTS * 3 // 4, len(story.events) - MOST_EVENTS))
    return story.events[begin : begin + MOST_EVENTS]


def _alias(story: EventLog) -> dict[str, str]:
    """A short name for each node, since names of a protocol may contain characters with a meaning in Mermaid."""
    names = dict.fromkeys((*story.header.roles, *(event.node for event in story.events)))
    return {name: f"n{index}" for index, name in enumerate(names)}


def _participants(story: EventLog, shown: tuple[Event, ...]) -> Iterator[str]:
    alias = _alias(story)
    involved = {event.node for event in shown} | {event.taken.sender for event in shown if event.taken}
    for name, short in alias.items():
        if name in involved:
            yield f"    participant {short} as {_safe(name)}"


def _drawn(story: EventLog, shown: tuple[Event, ...], judgement: Judgement) -> Iterator[str]:
    alias = _alias(story)
    wrong = {violation.step: violation for violation in judgement.violations()}
    for event in shown:
        short, taken = alias[event.node], event.taken
        if taken is not None and taken.sender:
            yield f"    {alias[taken.sender]}->>{short}: {event.number} {_safe(taken.kind)}"
        else:
            yield f"    Note over {short}: {event.number} {_safe(event.what)}"
        if event.number in wrong:
            yield f"    Note right of {short}: VIOLATED {_safe(wrong[event.number].rule)}"


def _safe(text: str) -> str:
    """The text without characters that end a line or a statement of Mermaid."""
    return "".join(f"#{ord(letter)};" if letter in "#;:\n" else letter for letter in text)
