"""Queue, implemented: readers hand on each message, and rely on links that keep the order."""

from typing import Any

import msgspec
from msgspec import Raw

from gomboc.impl.core.automaton import (
    Commanded,
    Core,
    Delivered,
    Failing,
    Implementation,
    Input,
    Output,
    RandomSource,
    Received,
    Send,
    SetTimer,
    Timeout,
)
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.vocabulary import Command, Message, reader

LAST_NUMBER = 3


class Item(Message, frozen=True, tag="item"):
    number: int


class Mark(Message, frozen=True, tag="mark"):
    number: int


class Publish(Command, frozen=True, tag="publish"):
    pass


class Crash(Command, frozen=True, tag="crash"):
    pass


class Restart(Command, frozen=True, tag="restart"):
    pass


class Node:
    """The common part of both roles: no action while crashed."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def snapshot(self) -> Raw:
        return Raw(msgspec.json.encode(self.state))

    def handle(self, now: float, event: Input) -> list[Output]:
        timer: list[Output] = [SetTimer(now + 1.0)] if isinstance(event, Timeout) else []
        if isinstance(event, Commanded) and not isinstance(event.command, Publish):
            self.state["crashed"] = isinstance(event.command, Crash)
        elif not self.state["crashed"]:
            return timer + self.act(event)
        return timer

    def act(self, event: Input) -> list[Output]:
        raise NotImplementedError


class Publisher(Node):
    def act(self, event: Input) -> list[Output]:
        if isinstance(event, Commanded) and self.state["last"] < LAST_NUMBER:
            self.state["last"] += 1
            return self.tell(Item(self.state["last"]))
        return self.tell(Mark(self.state["last"])) if isinstance(event, Timeout) else []

    def tell(self, message: Item | Mark) -> list[Output]:
        return [Send(reader, message) for reader in self.state["readers"]]


class Reader(Node):
    def act(self, event: Input) -> list[Output]:
        if not isinstance(event, Received):
            return []
        message: Any = event.message
        self.state["last"] = message.number
        return [Delivered(message.number)] if isinstance(message, Item) else []


def make(role: str, name: str, state: Any, random: RandomSource) -> Core:
    return {"publisher": Publisher, "reader": Reader}[role](dict(state))


def asleep(core: Any) -> bool:
    return core.state["crashed"]


IMPLEMENTATION = Implementation(
    name="queue",
    protocol="queue",
    make=make,
    decode=reader(Item | Mark, "This is nothing of the queue", error=PeerError),
    decode_command=reader(Publish | Crash | Restart, "This is nothing of the queue"),
    failing=Failing(("reader",), {"kind": "crash"}, lambda keep: {"kind": "restart"}, asleep),
)
