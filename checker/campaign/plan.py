"""What to simulate: a plan is a value, and one of its traces depends on the plan and the trace's number only."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any, Literal

import msgspec

from checker.errors import UsageError
from checker.trace import FORMAT, VERSION, open_trace
from spec.domain import Domain, sample
from spec.protocol import Protocol, Size, Start
from spec.registry import find_protocol, protocol_names


class TimedCommand(msgspec.Struct, frozen=True):
    """At this time, in timeout periods, the application of `node` gives the command of that kind."""

    at: float
    node: str
    kind: str


class Plan(msgspec.Struct, frozen=True):
    """Traces of one implementation of one protocol.

    Trace i has the i-th of `nodes` members, in turn. `start` is "arbitrary", "legitimate", or the path of a trace whose
    start is taken. An arbitrary start has at most `messages` messages in flight (None: three for each member). A run
    ends `settle` rounds after it became legitimate, or after `rounds` rounds (None: the protocol's bound and `settle`),
    counted from the last command.
    """

    protocol: str
    implementation: str
    nodes: tuple[int, ...]
    traces: int
    seed: int
    start: str = "arbitrary"
    messages: int | None = None
    rounds: int | None = None
    settle: int = 10
    bound: int | None = None
    commands: tuple[TimedCommand, ...] = ()
    reproduce: str = ""

    def members(self, index: int) -> int:
        """The number of members of trace `index`."""
        return self.nodes[index % len(self.nodes)]

    def seed_of(self, index: int, what: Literal["start", "run"]) -> int:
        """The seed of one part of trace `index`: 64 bits that look unlike those of any other."""
        digest = hashlib.sha256(f"{self.seed}/{index}/{what}".encode()).digest()
        return int.from_bytes(digest[:8], "big")

    def file_name(self, index: int) -> str:
        """The name of the file of trace `index`."""
        return f"{self.protocol}-{index:06d}.jsonl"


def check_plan(plan: Plan) -> None:
    """Raise UsageError if nothing can be simulated by that plan."""
    if plan.protocol not in protocol_names():
        raise UsageError(f"There is no protocol {plan.protocol!r}; there are: {', '.join(protocol_names())}.")
    if plan.start not in ("arbitrary", "legitimate"):
        header = _header_of_file(Path(plan.start))
        if header["protocol"] != plan.protocol:
            raise UsageError(f"{plan.start}:1: the trace is of the protocol {header['protocol']}, not {plan.protocol}.")


def header(plan: Plan, index: int) -> dict[str, Any]:
    """The header of trace `index`, as JSON values."""
    origin: dict[str, Any] = {
        "implementation": f"gomboc {plan.implementation}",
        "version": _version(),
        "seed": plan.seed,
        "trace": index,
        "transport": "simulated",
        "command": f"{plan.reproduce} --only {index}",
    }
    made = _start(plan, index)
    return {**made, "origin": origin} | ({} if plan.bound is None else {"bound": plan.bound})


@cache
def _version() -> str:
    """The version of this gomboc; looking it up takes as long as ten steps of a simulation."""
    return version("gomboc")


@cache
def _space(protocol: str, size: Size) -> Domain:
    return find_protocol(protocol).space(size)


def _start(plan: Plan, index: int) -> dict[str, Any]:
    protocol, members = find_protocol(plan.protocol), plan.members(index)
    match plan.start:
        case "arbitrary":
            most = 3 * members if plan.messages is None else plan.messages
            random = Random(plan.seed_of(index, "start"))
            return header_of(protocol, sample(_space(plan.protocol, Size(members, most)), random))
        case "legitimate":
            return header_of(protocol, protocol.start(members))
        case path:
            return _header_of_file(Path(path))


def header_of(protocol: Protocol, start: Start) -> dict[str, Any]:
    """The header of a trace that begins at `start`, as JSON values, still without `origin`."""
    messages = [
        {"id": number, "to": target, "message": msgspec.to_builtins(message)}
        for number, (target, message) in enumerate(start.in_flight)
    ]
    states = {name: msgspec.to_builtins(local) for name, local in start.locals}
    return _head(protocol.name, dict(start.roles), states, messages)


def _head(protocol: str, roles: object, states: object, messages: object) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "protocol": protocol,
        "parameters": {},
        "roles": roles,
        "states": states,
        "messages": messages,
    }


def _header_of_file(path: Path) -> dict[str, Any]:
    """The start that the trace at `path` has. Raises UsageError if it cannot be read."""
    with open_trace(path) as reader:
        read = reader.header
        return _head(read.protocol, read.roles, msgspec.to_builtins(read.states), msgspec.to_builtins(read.messages))
