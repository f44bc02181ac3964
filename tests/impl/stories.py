"""Stories: steps of single nodes, as `*.story` files beside the tests of each protocol tell them.

A story begins with its claim. Each of its nodes begins in a state, given by the difference from the `base` of its role,
and takes steps: it `times out`, `takes` a message, or `obeys` a command. The lines below a step have all its outputs,
in order, and the variables that it `has` changed, or `has no` more; a step without them changes nothing and is silent.
The line `all` has the implementation and the parameters, where no node is told to be `with` others. Random numbers are
those that a node is `drawing`. Each step happens at the time `NOW`, and a timeout sets the next timer a period later.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import (
    Commanded,
    Core,
    Delivered,
    HeldElsewhere,
    Implementation,
    Input,
    Output,
    Received,
    Refused,
    Send,
    SetTimer,
    Timeout,
    Traced,
)

NOW = 2.5
FOLDER = Path(__file__).parent / "protocols"

Json = Any


@dataclass
class Step:
    """A step: its words and value, all its outputs as words and values, and the variables that it changes or drops."""

    event: tuple[str, Json]
    outputs: list[tuple[str, Json]] = field(default_factory=list)
    has: dict[str, Json] = field(default_factory=dict)
    has_no: tuple[str, ...] = ()
    fails: str | None = None


@dataclass
class Life:
    """A node: its implementation and its state at first, the random numbers that it draws, and its steps."""

    implementation: str
    parameters: Mapping[str, Json]
    role: str
    name: str
    state: Mapping[str, Json]
    draws: list[float]
    steps: list[Step] = field(default_factory=list)


@dataclass
class Story:
    """A claim, and the nodes that show it."""

    file: str
    claim: str
    lives: list[Life] = field(default_factory=list)


class Drawing:
    """The random numbers of a story, one after the other."""

    def __init__(self, numbers: Iterable[float]) -> None:
        self.left = list(numbers)

    def random(self) -> float:
        return self.left.pop(0)


def stories() -> Iterator[Story]:
    """All stories, file by file."""
    for path in sorted(FOLDER.glob("*/*.story")):
        yield from read(f"{path.parent.name} {path.stem}", path.read_text(encoding="utf-8"))


def read(file: str, text: str) -> Iterator[Story]:
    """The stories of a file."""
    defaults: dict[str, Json] = {}
    bases: dict[str, dict[str, Json]] = {}
    story = Story(file, "")
    for line in filter(None, text.splitlines()):
        told = line.lstrip()
        match len(line) - len(told), told.split(" ", 2):
            case 0, ["all", *_] if told.startswith("all {"):
                defaults = _json(told.removeprefix("all"))
            case 0, ["base", role, _]:
                bases[role] = _json(told.removeprefix(f"base {role}"))
            case 0, _:
                if story.claim:
                    yield story
                story = Story(file, told)
            case 2, ["#", *_]:
                pass
            case 2, [role, name, rest]:
                story.lives.append(_life(role, name, rest, defaults, bases[role]))
            case 4, _:
                story.lives[-1].steps.append(Step(_worded(told, ("times out", "takes", "obeys"))))
            case _:
                _add(story.lives[-1].steps[-1], told)
    yield story


def _life(role: str, name: str, rest: str, defaults: Mapping[str, Json], base: Mapping[str, Json]) -> Life:
    begun, _, drawing = rest.partition(" drawing ")
    state, _, others = begun.partition(" with ")
    made = {**defaults, **_json(others)}
    draws = msgspec.json.decode(drawing) if drawing else []
    return Life(made["implementation"], made["parameters"], role, name, {**base, **_json(state)}, draws)


def _add(step: Step, told: str) -> None:
    match told.split(" ", 2):
        case ["has", "no", names]:
            step.has_no = tuple(names.split())
        case ["has", *_]:
            step.has = _json(told.removeprefix("has"))
        case ["fails", *_]:
            step.fails = told.removeprefix("fails ")
        case ["sends", to, message]:
            step.outputs.append((f"sends {to}", _kind(message)))
        case _:
            words = ("delivers", "refuses", "tosses", "held elsewhere")
            step.outputs.append(_worded(told, words))


def _worded(told: str, words: Iterable[str]) -> tuple[str, Json]:
    word = next(word for word in words if told.startswith(word))
    rest = told.removeprefix(word).strip()
    return word, rest if word in ("tosses", "refuses") else _kind(rest)


def _kind(told: str) -> Json:
    """A value told as its kind and its other fields, or as JSON."""
    if not told or told[0] in '"[':
        return _json(told)
    kind, _, fields = told.partition(" ")
    return {"kind": kind, **_json(fields)}


def _json(text: str) -> Json:
    return msgspec.json.decode(text) if text.strip() else {}


def made(life: Life) -> Implementation:
    """The implementation of a node."""
    plain = implementation(life.implementation)
    return plain if plain.configured is None else plain.configured(life.parameters)


def core_of(life: Life) -> Core:
    """The node as it begins."""
    return made(life).make(life.role, life.name, life.state, Drawing(life.draws))


def event_of(step: Step, tested: Implementation) -> Input:
    """The input of a step."""
    match step.event:
        case "takes", message:
            return Received(tested.decode(msgspec.json.encode(message)))
        case "obeys", command:
            return Commanded(tested.decode_command(msgspec.json.encode(command)))
        case _:
            return Timeout()


def told(output: Output) -> tuple[str, Json]:
    """An output as stories tell it."""
    match output:
        case Send(to, message):
            return f"sends {to}", _plain(message)
        case Delivered(content):
            return "delivers", _plain(content)
        case Refused(reason):
            return "refuses", reason
        case Traced(coin):
            return "tosses", coin
        case HeldElsewhere(prefix):
            return "held elsewhere", prefix
        case SetTimer(at):
            return "timer", at


def _plain(value: object) -> Json:
    return msgspec.json.decode(msgspec.json.encode(value))


def state_of(core: Core) -> Json:
    """The state of a node as JSON."""
    return msgspec.json.decode(core.snapshot())
