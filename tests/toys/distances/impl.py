"""Distances, implemented: each node keeps the last value of each neighbour, and sends its own once in a round."""

from typing import Any

import msgspec
from msgspec import Raw, Struct

from gomboc.impl.core.automaton import (
    Commanded,
    Core,
    Failing,
    Implementation,
    Input,
    Output,
    RandomSource,
    Send,
    SetTimer,
    Timeout,
)
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.vocabulary import Command, Message, reader

UNKNOWN = 10
GREATEST = 9


class Tell(Message, frozen=True, tag="tell"):
    node: str
    distance: int


class Crash(Command, frozen=True, tag="crash"):
    pass


class Restart(Command, frozen=True, tag="restart"):
    pass


class Variables(Struct, forbid_unknown_fields=True):
    distance: int
    left: int
    right: int
    last: bool
    crashed: bool


class Line:
    def __init__(self, name: str, state: Any) -> None:
        self.index, self.name = int(name[1:]), name
        self.its = msgspec.convert(state, Variables)
        self.left = None if self.index == 0 else f"n{self.index - 1}"
        self.right = None if self.its.last else f"n{self.index + 1}"

    def snapshot(self) -> Raw:
        return Raw(msgspec.json.encode(self.its))

    def handle(self, now: float, event: Input) -> list[Output]:
        outputs: list[Output] = [SetTimer(now + 1.0)] if isinstance(event, Timeout) else []
        if isinstance(event, Commanded):
            self.its.crashed = isinstance(event.command, Crash)
        elif not self.its.crashed and isinstance(event, Timeout):
            outputs += self.tell()
        elif not self.its.crashed:
            self.hear(event)
        return outputs

    def tell(self) -> list[Any]:
        nearer = min(self.its.left, self.its.right)
        self.its.distance = 0 if self.left is None else min(nearer, GREATEST) + 1
        return [Send(to, Tell(self.name, self.its.distance)) for to in (self.left, self.right) if to is not None]

    def hear(self, event: Any) -> None:
        number: Tell = event.message
        if number.node == self.left:
            self.its.left = number.distance
        elif number.node == self.right:
            self.its.right = number.distance


def make(role: str, name: str, state: Any, random: RandomSource) -> Core:
    return Line(name, state)


def asleep(core: Any) -> bool:
    return core.its.crashed


IMPLEMENTATION = Implementation(
    name="distances",
    protocol="distances",
    make=make,
    decode=reader(Tell, "This is nothing of the line", error=PeerError),
    decode_command=reader(Crash | Restart, "This is nothing of the line"),
    failing=Failing(("node",), {"kind": "crash"}, lambda keep: {"kind": "restart"}, asleep),
)
