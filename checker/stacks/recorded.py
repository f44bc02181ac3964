"""Recorded runs of a stack: which trace is of which layer and topic, and what they hand over to each other.

A folder with the file `stack.json` is one run: LAYER.jsonl, or LAYER/TOPIC.jsonl for each topic of a layer with topics.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.folder import check_file, files_below
from gomboc.checker.core.output import write_whole
from gomboc.checker.judge.layers import Link
from gomboc.checker.stacks.fit import known_stack
from gomboc.checker.traces.trace_files import trace_name, traces_below
from gomboc.spec.layers.stack import Layer, Stack, filled, untopical

FILE = "stack.json"
FORMAT = "gomboc-stack"
VERSION = 1

Values = dict[str, Any]
"""The values of one topic by name, such as its key."""

Read = TypeVar("Read")


class Recorded(msgspec.Struct, frozen=True):
    """The content of `stack.json`: the name of a stack, and the topics of the run, each with its values."""

    format: str
    version: int
    stack: str
    topics: dict[str, Values] = {}


class Place(msgspec.Struct, frozen=True):
    """A trace's place in a stack: its layer, and its topic unless the layer has one instance."""

    layer: str
    topic: str | None = None

    @property
    def name(self) -> str:
        """The name that stands for the trace in links and findings: "layer" or "layer/topic"."""
        return self.layer if self.topic is None else f"{self.layer}/{self.topic}"

    def in_run(self, run: str) -> str:
        """The name of the trace in the corpus of its layer, which has those of many runs."""
        return run if self.topic is None else f"{run}/{self.topic}"


class StackRun(msgspec.Struct, frozen=True):
    """One run of a stack: its traces by their places, the links between these, and the file that says so."""

    stack: Stack
    places: tuple[Place, ...]
    links: tuple[Link, ...]
    file: str


def is_stack(path: Path) -> bool:
    """Whether a folder is a recorded run of a stack."""
    return path.is_dir() and (path / FILE).exists() and not is_packed(path)


def stacks_below(folder: Path) -> list[Path]:
    """The recorded runs of stacks at or below a folder, in order."""
    return [path.parent for path in files_below(folder, FILE) if path.name == FILE]


def is_packed(folder: Path) -> bool:
    """Whether a folder is a corpus of stacks in packs."""
    if not (folder / FILE).is_file():
        return False
    return any((entry / "manifest.json").exists() for entry in folder.iterdir() if entry.is_dir())


def read_run(folder: Path) -> tuple[StackRun, dict[str, Path]]:
    """The run in a folder, and the paths of its traces by name. Raises UsageError if they do not fit the stack."""
    file = folder / FILE
    said = read_file(file, Recorded, FORMAT)
    stack = known_stack(said.stack, f"{file}: ")
    paths = {_place(folder, path, stack): path for path in traces_below(folder)}
    run = run_of(stack, tuple(paths), said.topics, str(file))
    return run, {place.name: path for place, path in paths.items()}


def write_stack(folder: Path, stack: str, topics: Mapping[str, Values]) -> None:
    """Write that the traces in a folder are a run of that stack, on those topics."""
    said = Recorded(FORMAT, VERSION, stack, dict(topics))
    write_whole(folder / FILE, msgspec.json.format(msgspec.json.encode(said), indent=2) + b"\n")


def _place(folder: Path, path: Path, stack: Stack) -> Place:
    """The place of the trace at a path, by its name."""
    return place_of(path.relative_to(folder).with_name(trace_name(path.name)).as_posix(), stack, str(path))


def place_of(name: str, stack: Stack, where: str) -> Place:
    """The place with that name, LAYER or LAYER/TOPIC. Raises UsageError if the stack has none."""
    layer, slash, topic = name.partition("/")
    known = {known.name: known for known in stack.layers}
    if layer not in known:
        raise UsageError(f"{where}: the stack {stack.name} has no layer {layer!r}; it has: {', '.join(known)}.")
    if bool(slash) != known[layer].topics:
        wanted = f"{layer}/TOPIC" if known[layer].topics else layer
        raise UsageError(f"{where}: the traces of this layer of {stack.name} are called {wanted}.jsonl: rename it.")
    return Place(layer, topic if slash else None)


def run_of(stack: Stack, places: tuple[Place, ...], topics: Mapping[str, Values], file: str) -> StackRun:
    """The run with traces in those places. Raises UsageError if a layer has none, or if topics do not fit."""
    for layer in stack.layers:
        if all(place.layer != layer.name for place in places):
            raise UsageError(f"{file}: there is no trace of the layer {layer.name!r} of {stack.name}.")
    for place in places:
        if place.topic is not None and place.topic not in topics:
            raise UsageError(f"{file}: it does not name the topic of the trace {place.name}.")
    missing = sorted(topics.keys() - {recorded.topic for recorded in places})
    if missing and any(layer.topics for layer in stack.layers):
        raise UsageError(f"{file}: there is no trace of the topic {missing[0]!r}, which it names.")
    links = tuple(_links(stack, places, topics, file))
    _check_apart(links, file)
    return StackRun(stack, places, links, file)


def _links(stack: Stack, places: tuple[Place, ...], topics: Mapping[str, Values], file: str) -> Iterator[Link]:
    for hand_over in stack.hand_overs:
        for source in (place for place in places if place.layer == hand_over.source):
            for target in (place for place in places if place.layer == hand_over.target):
                topic = source.topic if target.topic is None else target.topic
                if source.topic not in (None, topic):
                    continue
                values = {} if topic is None else {**topics[topic], "topic": topic}
                try:
                    delivery, command = filled(hand_over.delivery, values), filled(hand_over.command, values)
                except KeyError as error:
                    raise UsageError(
                        f"{file}: the topic {topic} has no value {error.args[0]!r}, which {stack.name} needs."
                    ) from error
                yield Link(source.name, target.name, delivery, command, untopical(hand_over.command))


def _check_apart(links: tuple[Link, ...], file: str) -> None:
    """Raise UsageError if the same command may be handed over from two traces: it would not be known from which."""
    for one, other in combinations(links, 2):
        common = one.command.keys() & other.command.keys()
        alike = all(one.command[name] == other.command[name] for name in common)
        if one.target == other.target and one.source != other.source and alike:
            kind = one.command["kind"]
            raise UsageError(
                f"{file}: both {one.source} and {other.source} hand over {kind} to {one.target}: tell them apart."
            )


def layer_of(stack: Stack, place: Place) -> Layer:
    """The layer of a place."""
    return stack.layer(place.layer)


def read_file(file: Path, kind: type[Read], form: str) -> Read:
    """The content of a file of that format. Raises UsageError if it is another."""
    check_file(file)
    try:
        head = msgspec.json.decode(file.read_bytes(), type=_Head)
        if head.format != form:
            raise UsageError(f"{file}: the format is {head.format!r}, not {form!r}.")
        if head.version != VERSION:
            raise UsageError(f"{file}: it has version {head.version}, and this gomboc reads version {VERSION}.")
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: {error}.") from error


class _Head(msgspec.Struct):
    format: str
    version: int
