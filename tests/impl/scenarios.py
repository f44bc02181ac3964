"""Scenarios taken by the implementation: its nodes, their inputs and their outputs."""

from collections.abc import Iterable

import msgspec

from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import (
    Core,
    Delivered,
    HeldAgain,
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
from tests.scenarios.scenario import Json, NodeRun, Step


class Drawing:
    """The random numbers of a scenario, one after the other."""

    def __init__(self, numbers: Iterable[float]) -> None:
        self.left = list(numbers)

    def random(self) -> float:
        return self.left.pop(0)


def made(run: NodeRun) -> Implementation:
    """The implementation of a node."""
    plain = implementation(run.implementation)
    return plain if plain.configured is None else plain.configured(run.parameters)


def core_of(run: NodeRun) -> Core:
    """The node as it begins."""
    return made(run).make(run.role, run.name, run.state, Drawing(run.draws))


def event_of(step: Step, tested: Implementation) -> Input:
    """The input of a step."""
    match step.event:
        case "takes", message:
            return Received(tested.decode(msgspec.json.encode(message)))
        case "obeys", command:
            return tested.commanded(command)
        case _:
            return Timeout()


def told(output: Output) -> tuple[str, Json]:
    """An output as scenarios tell it."""
    match output:
        case Send(to, message):
            return f"sends {to}", _plain(message)
        case Delivered(content):
            return "delivers", _plain(content)
        case Refused(reason):
            return "refuses", reason
        case Traced(coin):
            return "tosses", coin
        case HeldAgain(content):
            return "holds again", _plain(content)
        case HeldElsewhere(_, prefixes):
            (prefix,) = prefixes
            return "held elsewhere", prefix
        case SetTimer(at):
            return "timer", at


def _plain(value: object) -> Json:
    return msgspec.json.decode(msgspec.json.encode(value))


def state_of(core: Core) -> Json:
    """The state of a node as JSON."""
    return msgspec.json.decode(core.snapshot())
