"""Honest runs of the implementation, at large or step by step, from which stories and lies are made.

A trace is a list of JSON values: the header, then the steps, so that step k is item k.
"""

import json
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.checker.simulate.plan import Plan, PlannedCommand
from gomboc.checker.simulate.redone import take, taken_input
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.impl.api.registry import implementations
from gomboc.impl.core.automaton import Implementation
from gomboc.spec.core.registry import find_protocol

Trace = list[dict[str, Any]]
Header = dict[str, Any]
State = dict[str, Any]


def header(
    protocol: str,
    parameters: dict[str, Any],
    roles: dict[str, str],
    states: dict[str, State],
    messages: Iterable[tuple[str, Any]] = (),
) -> Header:
    """A header, still without `origin`: each node's role and state, and messages in flight, each with its target."""
    return {
        "format": "gomboc-trace",
        "version": 1,
        "protocol": protocol,
        "parameters": parameters,
        "roles": roles,
        "states": states,
        "messages": [{"id": number, "to": to, "message": said} for number, (to, said) in enumerate(messages)],
    }


def lines_of(path: Path) -> Trace:
    """The trace that a file has, as JSON values."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def simulated(
    header: dict[str, Any],
    seed: int,
    settle: int = 3,
    rounds: int | None = None,
    commands: tuple[PlannedCommand, ...] = (),
    variant: str = "",
    from_spec: bool = False,
) -> Trace:
    """The trace that `gomboc simulate` records from that start."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        start = folder / "start.jsonl"
        start.write_bytes(msgspec.json.encode({**header, "origin": {}}) + b"\n")
        protocol = header["protocol"]
        members = (list(header["roles"].values()).count(find_protocol(protocol).vocabulary.member),)
        plan = Plan(protocol, variant or protocol, members, 1, seed, str(start), None, rounds, settle, None, commands)
        plan = replace(plan, from_spec=from_spec)
        lines = Path(simulate_trace(plan, folder, 0).path).read_bytes().splitlines()
    whose = f"gomboc {'specification of ' * from_spec}{variant or protocol}"
    origin = {"implementation": whose, "seed": seed, "transport": "simulated"}
    return [{**header, "origin": origin}, *(msgspec.json.decode(line) for line in lines[1:])]


def simulated_on(trace: Trace, seed: int, settle: int = 1) -> Trace:
    """`trace`, continued honestly from wherever it has got to."""
    states, in_flight = reached(trace)
    messages = list(in_flight.values())
    later = simulated({**trace[0], "states": states, "messages": messages}, seed, settle)
    fresh = count(next_id(trace))
    numbers = {message["id"]: message["id"] for message in messages}
    for step in later[1:]:
        if step["took"] in numbers:
            step["took"] = numbers[step["took"]]
        for sent in step["sent"]:
            numbers[sent["id"]] = next(fresh)
            sent["id"] = numbers[sent["id"]]
    return [*trace, *later[1:]]


def reached(trace: Trace) -> tuple[dict[str, Any], dict[int, Any]]:
    """Every node's state after the trace, and the messages that are yet to be delivered, by id.

    A message that was delivered before it was sent, or has no target among the nodes, is not delivered any more.
    """
    states, in_flight = dict(trace[0]["states"]), {message["id"]: message for message in trace[0]["messages"]}
    early = set()
    for step in trace[1:]:
        if step["node"] in states:
            states[step["node"]] = step["state"]
        if isinstance(step["took"], int) and in_flight.pop(step["took"], None) is None:
            early.add(step["took"])
        in_flight.update(
            (message["id"], message)
            for message in step["sent"]
            if message["id"] not in early and message["to"] in states
        )
    return states, in_flight


def next_id(trace: Trace) -> int:
    """The lowest id above all that the trace gives."""
    ids = [message["id"] for message in trace[0]["messages"]]
    ids += [message["id"] for step in trace[1:] for message in step["sent"]]
    return 1 + max(ids, default=-1)


ASKS, IS_SILENT = 0.0, 0.999
"""How a coin falls on which a rule depends that may ask."""


def taken(trace: Trace, node: str, took: Any, content: Any = None, before: Any = None) -> dict[str, Any]:
    """The step that `node` takes next if it is honest; it sees `content` and begins at `before`, where given."""
    states, in_flight = reached(trace)
    made, role = configured(trace[0]), trace[0]["roles"][node]
    if isinstance(took, int) and took not in in_flight:
        in_flight[took] = {"message": content}
    event = taken_input(made, took, in_flight)
    result = take(made, role, node, states[node] if before is None else before, event, IS_SILENT)
    sent = [{"id": number, **send} for number, send in zip(count(next_id(trace)), result.sends, strict=False)]
    step = {"node": node, "took": took, "state": result.state, "sent": sent}
    step |= {"delivered": result.delivered} if result.delivered else {}
    return step | ({} if result.coin is None else {"coin": result.coin})


def configured(header: dict[str, Any]) -> Implementation:
    """The implementation with the parameters of a header."""
    made = implementations()[header["protocol"]]
    if not header["parameters"] or made.configured is None:
        return made
    return made.configured(header["parameters"])


def first_delivery(trace: Trace, node: str, kind: str) -> int:
    """The number of the step in which `node` takes its first message of that kind."""
    said = {message["id"]: message["message"]["kind"] for message in trace[0]["messages"]}
    for number, step in enumerate(trace[1:], 1):
        if step["node"] == node and said.get(step["took"] if isinstance(step["took"], int) else -1) == kind:
            return number
        said.update((message["id"], message["message"]["kind"]) for message in step["sent"])
    raise LookupError(f"{node} takes no {kind}.")
