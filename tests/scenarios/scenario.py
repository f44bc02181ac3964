"""Scenarios: steps of single nodes, as `*.scenario` files tell them; specification and implementation both take them.

A scenario begins with its claim. Each of its nodes begins in a state, the difference from the `base` of its role,
and takes steps: it `times out`, `takes` a message, or `obeys` a command. The lines below a step have all its outputs,
in order, and the variables that it `has` changed, or `has no` more; a step without them changes nothing and is silent.
The line `all` has the implementation and the parameters, where no node is told to be `with` others. Random numbers of
an implementation are those that a node is `drawing`. Each step happens at the time `NOW`, and a timeout sets the next
timer a period later.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

NOW = 2.5
FOLDER = Path(__file__).resolve().parents[1]

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
class NodeRun:
    """A node: its implementation and its state at first, the random numbers that it draws, and its steps."""

    implementation: str
    parameters: Mapping[str, Json]
    role: str
    name: str
    state: Mapping[str, Json]
    draws: list[float]
    steps: list[Step] = field(default_factory=list)


@dataclass
class Scenario:
    """A claim, and the nodes that show it."""

    file: str
    claim: str
    runs: list[NodeRun] = field(default_factory=list)


def scenarios() -> Iterator[Scenario]:
    """All scenarios, file by file."""
    for path in sorted(FOLDER.rglob("*.scenario")):
        yield from read(f"{path.parent.name} {path.stem}", path.read_text(encoding="utf-8"))


def read(file: str, text: str) -> Iterator[Scenario]:
    """The scenarios of a file."""
    defaults: dict[str, Json] = {}
    bases: dict[str, dict[str, Json]] = {}
    scenario = Scenario(file, "")
    for line in filter(None, text.splitlines()):
        told = line.lstrip()
        match len(line) - len(told), told.split(" ", 2):
            case 0, ["all", *_] if told.startswith("all {"):
                defaults = _json(told.removeprefix("all"))
            case 0, ["base", role, _]:
                bases[role] = _json(told.removeprefix(f"base {role}"))
            case 0, _:
                if scenario.claim:
                    yield scenario
                scenario = Scenario(file, told)
            case 2, ["#", *_]:
                pass
            case 2, [role, name, rest]:
                scenario.runs.append(_run(role, name, rest, defaults, bases[role]))
            case 4, _:
                scenario.runs[-1].steps.append(Step(_worded(told, ("times out", "takes", "obeys"))))
            case _:
                _add(scenario.runs[-1].steps[-1], told)
    yield scenario


def _run(role: str, name: str, rest: str, defaults: Mapping[str, Json], base: Mapping[str, Json]) -> NodeRun:
    begun, _, drawing = rest.partition(" drawing ")
    state, _, others = begun.partition(" with ")
    made = {**defaults, **_json(others)}
    draws = msgspec.json.decode(drawing) if drawing else []
    return NodeRun(made["implementation"], made["parameters"], role, name, {**base, **_json(state)}, draws)


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
            words = ("delivers", "refuses", "tosses", "held elsewhere", "holds again")
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
