"""The stories of implementations, told to the specification: each of their steps conforms to its rules.

So what a story expects of an implementation is not only what this implementation does.
"""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gomboc.checker.judge.naive import Options, judge
from gomboc.checker.judge.verdict import Holds
from gomboc.checker.traces.trace import TraceReader
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.names import NAME
from tests.impl.stories import Drawing, Life, made, stories

NO_SYSTEM = {
    "a message with strings of another length is refused",
    "a place from ones own id changes nothing",
    "no node is placed at an id that is taken",
}
"""Stories of nodes with names that are in no system together."""

STORIES = [
    story
    for story in stories()
    if story.claim not in NO_SYSTEM and not any(step.fails for life in story.lives for step in life.steps)
]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: f"{story.file}: {story.claim}")
def test_every_step_of_a_story_conforms_to_the_specification(story: Any) -> None:
    for life in story.lives:
        protocol, _, variant = life.implementation.partition(".")
        written = b"\n".join(msgspec.json.encode(line) for line in trace(protocol, life)) + b"\n"
        judgement = judge(TraceReader(Path("story"), io.BytesIO(written)), Options(variant=variant or None))
        assert isinstance(judgement.conformance, Holds), judgement.conformance


def trace(protocol: str, life: Life) -> Iterator[dict[str, Any]]:
    """The story of a node as a trace: all that it takes was in flight at first, and all other nodes are blank."""
    blank, others = made(life).blank, sorted({*names(life), "supervisor"} - {life.name})
    member = next(role for role in blank if role != "supervisor")
    roles = {life.name: life.role, **{name: name if name in blank else member for name in others}}
    roles = {name: role for name, role in roles.items() if name == life.name or name in blank or can_be(life, name)}
    taken = [step.event[1] if step.event[0] == "takes" else None for step in life.steps]
    yield {
        "format": "gomboc-trace",
        "version": 1,
        "protocol": protocol,
        "parameters": life.parameters,
        "roles": roles,
        "states": {name: life.state if name == life.name else blank[role] for name, role in roles.items()},
        "messages": [
            {"id": number, "to": life.name, "message": message} for number, message in enumerate(taken) if message
        ],
        "origin": {},
    }
    state, number = dict(life.state), len(taken)
    for index, step in enumerate(life.steps):
        state = {key: value for key, value in {**state, **step.has}.items() if key not in step.has_no}
        sends = [(word.removeprefix("sends "), value) for word, value in step.outputs if word.startswith("sends ")]
        sent = [{"id": number + place, "to": to, "message": value} for place, (to, value) in enumerate(sends)]
        number += len(sent)
        took = {"takes": index, "obeys": step.event[1]}.get(step.event[0], "timeout")
        line: dict[str, Any] = {"node": life.name, "took": took, "state": state, "sent": sent}
        if delivered := [value for word, value in step.outputs if word == "delivers"]:
            line["delivered"] = delivered
        if coins := [value for word, value in step.outputs if word == "tosses"]:
            line["coin"] = coins[0]
        yield line


def names(value: Any) -> Iterator[str]:
    """All texts in a story that may be names of nodes."""
    match value:
        case Life():
            yield from names([value.state, [(step.event[1], step.outputs, step.has) for step in value.steps]])
        case str():
            yield value.removeprefix("sends ")
        case dict():
            yield from names([part for key, part in value.items() if key != "key"])
        case list() | tuple():
            for part in value:
                yield from names(part)


def can_be(life: Life, name: str) -> bool:
    """Whether a node of the protocol may have this name."""
    blank = made(life).blank
    member = next(role for role in blank if role != "supervisor")
    try:
        made(life).make(member, name, blank[member], Drawing([]))
    except UsageError:
        return False
    return re.fullmatch(NAME, name) is not None
