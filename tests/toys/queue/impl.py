"""Queue, implemented: readers hand on each message, and rely on links that keep the order."""

import msgspec
from msgspec import Raw

from gomboc.impl.core.automaton import (
    Commanded,
    Core,
    Delivered,
    Failing,
    Implementation,
    Received,
    Send,
    SetTimer,
    Timeout,
)
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.vocabulary import Command, Message, encode, reader

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

    def __init__(self, state):
        self.state = state

    def snapshot(self):
        return Raw(msgspec.json.encode(self.state))

    def handle(self, now, event):
        timer = [SetTimer(now + 1.0)] if isinstance(event, Timeout) else []
        if isinstance(event, Commanded) and not isinstance(event.command, Publish):
            self.state["crashed"] = isinstance(event.command, Crash)
        elif not self.state["crashed"]:
            return timer + self.act(event)
        return timer


class Publisher(Node):
    def act(self, event):
        if isinstance(event, Commanded) and self.state["last"] < LAST_NUMBER:
            self.state["last"] += 1
            return self.tell(Item(self.state["last"]))
        return self.tell(Mark(self.state["last"])) if isinstance(event, Timeout) else []

    def tell(self, message):
        return [Send(reader, message) for reader in self.state["readers"]]


class Reader(Node):
    def act(self, event):
        if not isinstance(event, Received):
            return []
        self.state["last"] = event.message.number
        return [Delivered(event.message.number)] if isinstance(event.message, Item) else []


def make(role, name, state, random):
    return {"publisher": Publisher, "reader": Reader}[role](dict(state))


def asleep(core: Core) -> bool:
    return core.state["crashed"]


IMPLEMENTATION = Implementation(
    name="queue",
    protocol="queue",
    make=make,
    decode=reader(Item | Mark, "This is nothing of the queue", error=PeerError),
    encode=encode,
    decode_command=reader(Publish | Crash | Restart, "This is nothing of the queue"),
    failing=Failing(("reader",), {"kind": "crash"}, lambda keep: {"kind": "restart"}, asleep),
)
