"""A protocol of one page, to test the layers around cores: the supervisor knows and informs all members."""

from typing import Any

import msgspec
from msgspec import Raw, Struct

from gomboc.impl.api.overlays import Overlay
from gomboc.impl.core.automaton import (
    Commanded,
    Core,
    Delivered,
    Implementation,
    Input,
    Output,
    RandomSource,
    Received,
    Refused,
    Send,
    SetTimer,
    Timeout,
    Traced,
)
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.vocabulary import reader
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.port import Port

LONGEST = 16


class Said(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """A message or command of any kind."""


class Hello(Said, frozen=True, tag=True):
    node: str


class Bye(Said, frozen=True, tag=True):
    node: str


class Members(Said, frozen=True, tag=True):
    names: tuple[str, ...] | None


class Say(Said, frozen=True, tag=True):
    publication: tuple[str, str, int, str, str]


class Subscribe(Said, frozen=True, tag="subscribe"):
    pass


class Unsubscribe(Said, frozen=True, tag="unsubscribe"):
    forget: bool = False


class Publish(Said, frozen=True, tag="publish"):
    number: int
    payload: str


class SupervisorState(Struct, frozen=True):
    members: tuple[str, ...]


class SubscriberState(Struct, frozen=True, omit_defaults=True):
    others: tuple[str, ...] | None
    wants: bool
    forgets: bool = False
    publications: tuple[Any, ...] = ()


class ToySupervisor:
    def __init__(self, state: Any) -> None:
        self.members = state.members

    def snapshot(self) -> Raw:
        return Raw(msgspec.json.encode(SupervisorState(self.members)))

    def handle(self, now: float, event: Input) -> list[Output]:
        match event:
            case Received(Hello(node)):
                self.members = tuple(sorted({*self.members, node}))
            case Received(Bye(node)):
                self.members = tuple(name for name in self.members if name != node)
                return [Send(node, Members(None)), *self._tell()]
            case Timeout():
                return [SetTimer(now + 1.0)]
        return self._tell()

    def _tell(self) -> list[Any]:
        return [Send(name, Members(self.members)) for name in self.members]


class ToySubscriber:
    def __init__(self, me: str, state: Any, random: RandomSource) -> None:
        self.me, self.state, self.random = me, state, random

    def snapshot(self) -> Raw:
        return Raw(msgspec.json.encode(self.state))

    def change(self, **values: Any) -> None:
        self.state = msgspec.structs.replace(self.state, **values)

    def handle(self, now: float, event: Input) -> list[Output]:
        state = self.state
        match event:
            case Timeout():
                return [SetTimer(now + 1.0), *self.timeout()]
            case Commanded(Subscribe()):
                self.change(wants=True, forgets=False)
            case Commanded(Unsubscribe(forget)):
                self.change(wants=False, forgets=forget)
            case Commanded(Publish(number, payload)):
                return self.store((bits_of(f"{self.me}/{number}"), self.me, number, payload, self.me), flood=True)
            case Received(Members(None)):
                self.change(others=None, forgets=False, publications=() if state.forgets else state.publications)
            case Received(Members(names)):
                self.change(others=names)
            case Received(Say(publication)):
                return self.store(publication, flood=False)
        return []

    def timeout(self) -> list[Any]:
        state = self.state
        outputs: list[Output] = [Traced("heads" if self.random.random() < 0.5 else "tails")]
        if state.wants and state.others is None:
            outputs.append(Send("supervisor", Hello(self.me)))
        if not state.wants and state.others is not None:
            outputs.append(Send("supervisor", Bye(self.me)))
        return [
            *outputs,
            *(Send(to, Say(publication)) for to in state.others or () for publication in state.publications),
        ]

    def store(self, publication: Any, *, flood: Any) -> list[Any]:
        key, publisher, _, payload, signer = publication
        if len(payload) > LONGEST:
            return [Refused("too_large")]
        if publisher != signer:
            return [Refused("forged")]
        if not self.state.wants or key in {item[0] for item in self.state.publications}:
            return []
        self.change(publications=tuple(sorted([*self.state.publications, publication])))
        others = [name for name in self.state.others or () if flood and name != self.me]
        return [Delivered(publication), *(Send(name, Say(publication)) for name in others)]


def bits_of(text: str) -> str:
    return "".join(f"{byte:08b}" for byte in text.encode())


def make(role: str, name: str, state: Any, random: RandomSource) -> Core:
    if role == "supervisor":
        return ToySupervisor(msgspec.convert(state, SupervisorState))
    return ToySubscriber(name, msgspec.convert(state, SubscriberState), random)


TOY = Implementation(
    name="toy",
    protocol="toy",
    make=make,
    decode=reader(Hello | Bye | Members | Say, "This is nothing of the toy", error=PeerError),
    decode_command=reader(Subscribe | Unsubscribe | Publish, "This is nothing of the toy"),
    blank={"supervisor": {"members": []}, "subscriber": {"others": None, "wants": False}},
)
PORT = Port(
    member="subscriber",
    join={"kind": "subscribe"},
    leave=lambda forget: {"kind": "unsubscribe", "forget": forget},
    publish=lambda number, payload: {"kind": "publish", "number": number, "payload": payload},
    contacts={"supervisor": "supervisor"},
    limits=lambda _: Limits(key_bits=64, payload_limit=LONGEST),
)
OVERLAY = Overlay(TOY, PORT)
