"""The implementation."""

import msgspec
from msgspec import Raw, Struct

from gomboc.impl.core.automaton import (
    Commanded,
    Core,
    Delivered,
    Failing,
    Implementation,
    Input,
    Output,
    RandomSource,
    Send,
    SetTimer,
    Timeout,
)
from gomboc.impl.core.routing import Routed, StillRouted
from gomboc.impl.core.vocabulary import Crash, Delivery, Message, convert, reader


class Token(Message, frozen=True):
    sender: str


class Asks(Delivery, frozen=True):
    pass


class State(Struct, frozen=True):
    next: str | None
    live: bool


class Follower:
    def __init__(self, name: str, state: State) -> None:
        self.name, self.state = name, state

    def snapshot(self) -> Raw:
        return Raw(msgspec.json.encode(self.state))

    def handle(self, now: float, event: Input) -> list[Output]:
        hop, live = self.state.next, self.state.live
        match event:
            case Timeout() if live:
                passes = [] if hop in (None, self.name) else [Send(hop, Token(self.name))]
                return [SetTimer(now + 1.0), *passes, Delivered(Asks())]
            case Timeout():
                return [SetTimer(now + 1.0)]
            case Commanded(Crash()):
                self.state = State(None, False)
            case Commanded(Routed(told) | StillRouted(told)) if live:
                self.state = State(told, True)
        return []


def make(role: str, name: str, state: object, random: RandomSource) -> Core:
    del role, random
    return Follower(name, convert(state, State, "This is no follower"))


IMPLEMENTATION = Implementation(
    name="toy_follower",
    protocol="toy_follower",
    make=make,
    decode=reader(Token, "This is no token"),
    decode_command=reader(Routed | StillRouted | Crash, "This is no command of a follower"),
    blank={"node": {"next": None, "live": True}},
    failing=Failing(("node",), Crash(), None, lambda core: isinstance(core, Follower) and not core.state.live),
)
