"""Crowd, implemented: a set of names, greeted once in a period; a suspected node is forgotten."""

from typing import Any

import msgspec
from msgspec import Raw

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
from gomboc.impl.core.errors import PeerError, UsageError
from gomboc.impl.core.vocabulary import Command, Message, reader


class Greet(Message, frozen=True, tag="greet"):
    node: str


class Meet(Message, frozen=True, tag="meet"):
    node: str


class Join(Command, frozen=True, tag="join"):
    contact: str


class Crash(Command, frozen=True, tag="crash"):
    pass


class Suspect(Command, frozen=True, tag="suspect"):
    node: str


class Guest:
    def __init__(self, name: str, state: Any) -> None:
        self.name, self.live, self.known = name, state["live"], set(state["known"])

    def snapshot(self) -> Raw:
        return Raw(msgspec.json.encode({"live": self.live, "known": sorted(self.known)}))

    def handle(self, now: float, event: Input) -> list[Output]:
        timer: list[Output] = [SetTimer(now + 1.0)] if isinstance(event, Timeout) else []
        if isinstance(event, Commanded):
            return self.obey(event.command)
        return timer + self.act(event) if self.live else timer

    def obey(self, command: Any) -> list[Any]:
        if isinstance(command, Suspect):
            self.known.discard(command.node)
        elif isinstance(command, Crash):
            self.live, self.known = False, set()
        elif not self.live:
            self.live, self.known = True, {command.contact}
            return [Send(command.contact, Greet(self.name))]
        return []

    def act(self, event: Any) -> list[Any]:
        if isinstance(event, Timeout):
            return [Send(to, message) for to in sorted(self.known) for message in self.about(to)]
        node = event.message.node
        if node == self.name:
            return []
        if isinstance(event.message, Meet):
            return [Send(node, Greet(self.name))]
        self.known.add(node)
        return []

    def about(self, to: str) -> list[Any]:
        return [Greet(self.name), *(Meet(other) for other in sorted(self.known - {to}))]


def make(role: str, name: str, state: Any, random: RandomSource) -> Core:
    return Guest(name, state)


def asleep(core: Any) -> bool:
    return not core.live


def no_restart(keep: Any) -> None:
    raise UsageError("Who has left the crowd does not come back: give no restarts.")


IMPLEMENTATION = Implementation(
    name="crowd",
    protocol="crowd",
    make=make,
    decode=reader(Greet | Meet, "This is nothing of the crowd", error=PeerError),
    decode_command=reader(Join | Crash | Suspect, "This is nothing of the crowd"),
    failing=Failing(
        ("member",),
        {"kind": "crash"},
        no_restart,
        asleep,
        hears=lambda roles, sender, node: () if sender is None else (sender,),
        forgets=("member",),
        suspect=lambda node: {"kind": "suspect", "node": node},
    ),
)
