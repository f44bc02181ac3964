"""Plans of simulations: a plan is a value, and each trace depends on the plan and the trace's number only."""

import hashlib
import math
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from gomboc import __version__
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.phrases import OWN_PROTOCOL, suggestion
from gomboc.checker.simulate.checked_start import checked_start
from gomboc.checker.traces.trace import FORMAT, VERSION, open_trace
from gomboc.spec.core.domain import Sampler, sampler
from gomboc.spec.core.faults import premise_faults
from gomboc.spec.core.protocol import Disturbance, Protocol, Size, Start, configured
from gomboc.spec.core.registry import find_protocol, protocol_names

STARTS = "arbitrary", "legitimate"
"""The names of starts; any other start is the path of a trace."""


class PlannedCommand(msgspec.Struct, frozen=True):
    """A command of that kind for `node`, at a time in timeout periods; `fields` are its further keys."""

    at: float
    node: str
    kind: str
    fields: dict[str, Any] = {}

    def command(self) -> dict[str, Any]:
        """The command as in a trace."""
        return {"kind": self.kind, **self.fields}


LATEST = 100_000
"""The latest period at which a command may be due, unless the plan limits the rounds of a run."""

MOST_STEPS = 1_000_000
"""Steps after which a run ends, unless the plan says otherwise: messages may multiply, so that a round never ends."""

MOST_DRAWS = 1_000
"""The most arbitrary starts that are drawn for one trace, until convergence is promised from one of them."""

COMPARED = 16
"""The starts that are compared to learn whether a protocol places publications."""

NO_PARAMETERS: Mapping[str, Any] = MappingProxyType({})


class Plan(msgspec.Struct, frozen=True):
    """Traces of one implementation of one protocol.

    Trace i has the i-th of `nodes` members, in turn. `start` is "arbitrary", "legitimate", or the path of a trace that
    begins in the same state. An arbitrary start has at most `messages` messages in flight (None: three for each
    member), and at most `publications` publications. A run ends `settle` rounds after it became legitimate, or after
    `rounds` rounds (None: the protocol's bound and `settle`), counted from the last command, or after `steps` steps in
    any case. With `disturb`, each trace also has commands drawn from the disturbances of the protocol. With
    `from_spec`, the specification itself is run instead of the implementation. `outside` is the number of further nodes
    that are outside at an arbitrary start. `crashes` nodes crash `within` the first periods, at times and of names that
    are drawn, and `restarts` of these start again; a detector, if there is one, takes `detection` periods on average.
    With `patience` each node has one of its own instead, which is so many periods patient at first, and learns by
    signs of life, of which the part `loss` is lost.
    `parameters` are those of the headers, unless the start is that of a trace.
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
    commands: tuple[PlannedCommand, ...] = ()
    reproduce: str = ""
    publications: int = 0
    disturb: bool = False
    from_spec: bool = False
    outside: int = 0
    crashes: int = 0
    restarts: int = 0
    within: float = 10.0
    detection: float | None = None
    patience: float | None = None
    loss: float = 0.0
    parameters: dict[str, Any] = {}
    steps: int = MOST_STEPS

    def members(self, index: int) -> int:
        """The number of members of trace `index`."""
        return self.nodes[index % len(self.nodes)]

    def seed_of(self, index: int, what: Literal["start", "run", "disturbances"], attempt: int = 0) -> int:
        """The seed of one part of trace `index`: 64 bits of a hash, independent of other parts, traces and attempts."""
        again = f"/{attempt}" if attempt else ""
        # By a hash, and not by one generator for all: trace 17 is the same whether it runs alone, first, or in another
        # process.
        digest = hashlib.sha256(f"{self.seed}/{index}/{what}{again}".encode()).digest()
        return int.from_bytes(digest[:8], "big")

    def file_name(self, index: int) -> str:
        """The name of the file of trace `index`."""
        return f"{self.protocol}-{index:06d}.jsonl"


def check_plan(plan: Plan) -> None:
    """Raise UsageError if the plan cannot be simulated."""
    if plan.protocol not in protocol_names():
        near = suggestion(plan.protocol, protocol_names())
        known = ", ".join(protocol_names())
        raise UsageError(f"There is no protocol {plan.protocol!r}; there are: {known}; {OWN_PROTOCOL}.{near}")
    if plan.start not in STARTS:
        _check_file(plan, _header_of_file(Path(plan.start))["protocol"])
    if plan.publications and plan.start != "arbitrary":
        raise UsageError("Publications are placed at arbitrary starts only: give no number of them with another start.")
    try:
        protocol = specification(plan)
    except ValueError as error:
        raise UsageError(f"{str(error).rstrip('.')}.") from error
    if plan.outside:
        _check_outside(plan, protocol)
    if plan.publications:
        _check_publications(plan)
    # A run ends a few rounds after it is legitimate, but never before its last command: a far one would run for hours.
    late = [command for command in plan.commands if LATEST < command.at < math.inf]
    if late and plan.rounds is None:
        raise UsageError(
            f"The command for {late[0].node} is due at {late[0].at:g}, after more than {LATEST:,} periods: "
            "say with --rounds when the run ends."
        )
    if plan.disturb and protocol.environment.disturbances is None:
        raise UsageError(f"{plan.protocol} has no disturbances: leave out --disturb.")


def _check_outside(plan: Plan, protocol: Protocol) -> None:
    """Raise UsageError unless nodes can be outside at first."""
    if plan.start != "arbitrary":
        raise UsageError("Nodes are outside of arbitrary starts only: give no --outside with another start.")
    sizes = (Size(plan.nodes[0], 0, 0, outside) for outside in (0, plan.outside))
    inside, all_ = (len(_sampler(protocol, size)(Random(0)).roles) for size in sizes)
    if all_ != inside + plan.outside:
        raise UsageError(f"{plan.protocol} has no nodes that are outside at first, and may join: give no --outside.")


def _check_publications(plan: Plan) -> None:
    """Raise UsageError unless arbitrary starts differ by the number of publications; some are compared."""
    name, parameters, size = _place(plan, 0)
    placed, without = (_starts(name, parameters, each) for each in (size, replace(size, publications=0)))
    if all(placed(Random(seed)) == without(Random(seed)) for seed in range(COMPARED)):
        raise UsageError(f"{plan.protocol} has no publications at an arbitrary start: give no --publications.")


def _check_file(plan: Plan, protocol: str) -> None:
    """Raise UsageError unless the start of a trace of that protocol is one for this plan."""
    if protocol != plan.protocol:
        raise UsageError(f"{plan.start}:1: the trace is of the protocol {protocol}, not {plan.protocol}.")
    if plan.parameters:
        raise UsageError(f"{plan.start}:1: the trace has its own parameters, so give none with its start.")
    if plan.disturb:
        raise UsageError(f"{plan.start}:1: a run that starts like a trace is disturbed by the commands that one gives.")


def parameters_of(plan: Plan) -> dict[str, Any]:
    """The parameters of the headers of all traces of a plan. Raises UsageError if its start cannot be read."""
    if plan.start in STARTS:
        return plan.parameters
    parameters: dict[str, Any] = _header_of_file(Path(plan.start))["parameters"]
    return parameters


def specification(plan: Plan) -> Protocol:
    """The protocol of a plan, with its parameters. Raises ValueError if they are invalid."""
    return configured(find_protocol(plan.protocol), parameters_of(plan))


def commands(plan: Plan, index: int, names: tuple[str, ...]) -> tuple[PlannedCommand, ...]:
    """The commands of trace `index`, of nodes with those names: the plan's, and disturbances drawn by its seed."""
    if not plan.disturb:
        return plan.commands
    drawn = _disturbances(*_place(plan, index), names)(Random(plan.seed_of(index, "disturbances")))
    return plan.commands + tuple(map(_timed, drawn))


def _timed(drawn: Disturbance) -> PlannedCommand:
    command = msgspec.to_builtins(drawn.command)
    return PlannedCommand(drawn.at, drawn.node, command.pop("kind"), command)


def header(plan: Plan, index: int) -> dict[str, Any]:
    """The header of trace `index`, as JSON values."""
    origin: dict[str, Any] = {
        "implementation": f"gomboc {'specification of ' * plan.from_spec}{plan.implementation}",
        "version": __version__,
        "seed": plan.seed,
        "trace": index,
        "transport": "simulated",
        "command": f"{plan.reproduce} --only {index}",
    }
    made = _start(plan, index)
    return {**made, "origin": origin} | ({} if plan.bound is None else {"bound": plan.bound})


def _place(plan: Plan, index: int) -> tuple[str, bytes, Size]:
    """The key of the domains of trace `index`: the protocol's name, its parameters as JSON, and the size."""
    members = plan.members(index)
    most = 3 * members if plan.messages is None else plan.messages
    return plan.protocol, msgspec.json.encode(plan.parameters), Size(members, most, plan.publications, plan.outside)


@lru_cache(maxsize=16)
def _configured(protocol: str, parameters: bytes) -> Protocol:
    return configured(find_protocol(protocol), msgspec.json.decode(parameters))


@cache
def _starts(protocol: str, parameters: bytes, size: Size) -> Sampler:
    try:
        return _sampler(_configured(protocol, parameters), size)
    except ValueError as error:
        raise UsageError(f"{protocol} has no such start: {error}.") from error


def _sampler(protocol: Protocol, size: Size) -> Sampler:
    """A function that draws arbitrary starts, and checks each of them."""
    draw = sampler(protocol.starts.space(size))
    return lambda random: checked_start(protocol, "space", draw(random))


@lru_cache(maxsize=256)
def _disturbances(protocol: str, parameters: bytes, size: Size, names: tuple[str, ...]) -> Sampler:
    draws = _configured(protocol, parameters).environment.disturbances
    assert draws is not None, "the plan is checked"
    return sampler(draws(size, names))


def _start(plan: Plan, index: int) -> dict[str, Any]:
    match plan.start:
        case "arbitrary":
            return header_of(find_protocol(plan.protocol), _drawn(plan, index), plan.parameters)
        case "legitimate":
            protocol = specification(plan)
            start = checked_start(protocol, "start", protocol.starts.start(plan.members(index)))
            return header_of(protocol, start, plan.parameters)
        case path:
            return _header_of_file(Path(path))


def _drawn(plan: Plan, index: int) -> Start:
    """An arbitrary start from which convergence is promised; runs from other starts would test nothing."""
    name, parameters, size = _place(plan, index)
    protocol, draw = _configured(name, parameters), _starts(name, parameters, size)
    lacking = None
    for attempt in range(MOST_DRAWS):
        start: Start = draw(Random(plan.seed_of(index, "start", attempt)))
        faults = premise_faults(protocol, dict(start.locals), start.in_flight)
        if not faults:
            return start
        lacking = faults[0].rule
    raise UsageError(
        f"None of {MOST_DRAWS} arbitrary starts of {plan.protocol} fulfils its premise ({lacking}): "
        "choose another size, or --start legitimate."
    )


def header_of(protocol: Protocol, start: Start, parameters: Mapping[str, Any] = NO_PARAMETERS) -> dict[str, Any]:
    """The header of a trace that begins at `start`, as JSON values, without `origin`."""
    messages = [
        {"id": number, "to": target, "message": msgspec.to_builtins(message)}
        for number, (target, message) in enumerate(start.in_flight)
    ]
    states = {name: msgspec.to_builtins(local) for name, local in start.locals}
    return _head(protocol.name, parameters, dict(start.roles), states, messages)


def _head(
    protocol: str, parameters: Mapping[str, Any], roles: object, states: object, messages: object
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "protocol": protocol,
        "parameters": dict(parameters),
        "roles": roles,
        "states": states,
        "messages": messages,
    }


def _header_of_file(path: Path) -> dict[str, Any]:
    """The header of the trace at `path`, without its origin. Raises UsageError if it cannot be read."""
    with open_trace(path) as reader:
        read = reader.header
        states, messages = msgspec.to_builtins(read.states), msgspec.to_builtins(read.messages)
        return _head(read.protocol, read.parameters, read.roles, states, messages)
