"""Shared parts of tests of written traces: the schemas, their decoders, and which rules a trace comprises."""

import copy
import io
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from jsonschema_rs import Draft202012Validator, Registry

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.system import System
from gomboc.checker.traces.trace import TraceReader, open_trace
from gomboc.spec.core.model import Commanded, Input, Received, Timeout
from gomboc.spec.core.protocol import fired
from tests.golden.make import TRACES, folder

SCHEMAS = TRACES / "schema"
CONTENTS = {path.name: json.loads(path.read_text()) for path in SCHEMAS.glob("*.schema.json")}
REGISTRY = Registry(list(CONTENTS.items()))
MISSING = msgspec.UNSET


def schema(name: str) -> dict[str, Any]:
    """The schema of a line of a protocol, or the one for any (`trace`)."""
    document: dict[str, Any] = CONTENTS[f"{name}.schema.json"]
    return document


def kinds_of(schema: dict[str, Any], which: str) -> list[str]:
    """The tags of the kinds of `message` or `command` that a schema knows, in its order."""
    shapes = schema["$defs"]
    names = [shape["$ref"].removeprefix("#/$defs/") for shape in shapes[which]["anyOf"]]
    return [kind for name in names for kind in shapes[name]["properties"]["kind"]["enum"]]


@cache
def validator(name: str) -> Draft202012Validator:
    """A validator of a line by that schema."""
    return Draft202012Validator(schema(name), registry=REGISTRY)


def refusal(header: Any, step: Any) -> str | None:
    """The sentence with which the decoders refuse a trace of these two lines; None if they read it."""
    written = f"{json.dumps(header)}\n{json.dumps(step)}\n".encode()
    try:
        list(TraceReader(Path("a trace"), io.BytesIO(written)).steps())
    except UsageError as error:
        return str(error)
    return None


def is_read(header: Any, step: Any) -> bool:
    """Whether the decoders read a trace of these two lines."""
    return refusal(header, step) is None


def changed(line: Any, where: tuple[str | int, ...], value: Any) -> Any:
    """A copy of the line with another value at that place, or without it."""
    copied = copy.deepcopy(line)
    *path, last = where
    index = copied
    for key in path:
        index = index[key]
    if value is MISSING:
        del index[last]
    else:
        index[last] = value
    return copied


def fired_in(path: Path) -> Iterator[str]:
    """The names of the rules that the steps of a trace comprise."""
    with open_trace(path) as reader:
        system = System(reader.header)
        for step in reader.steps():
            taken: Input
            if step.took == "timeout":
                taken = Timeout()
            elif isinstance(step.took, int):
                taken = Received(system.in_flight[step.took].message)
            else:
                taken = Commanded(step.took)
            local = system.states[step.node]
            yield from (rule.name for rule in fired(reader.protocol, step.node, local, taken))
            system.apply(step)


def fired_in_those_that_hold(protocol: str) -> set[str]:
    """The names of the rules in any golden trace of a protocol that holds."""
    return {name for path in folder(protocol).glob("*.ok.jsonl") for name in fired_in(path)}


def broken_in_the_others(protocol: str) -> set[str]:
    """The names of the rules and promises that the golden lies of a protocol break."""
    heads = (json.loads(path.read_bytes().splitlines()[0]) for path in folder(protocol).glob("*.bad.jsonl"))
    return {head["expect"]["rule"] for head in heads}
