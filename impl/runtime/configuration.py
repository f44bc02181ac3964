"""The parts that a host is made with: its node's environment, and how a node of one kind behaves."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from msgspec import Struct

from gomboc.impl.core.automaton import Core, HeldElsewhere, RandomSource
from gomboc.impl.core.failed import Failures
from gomboc.impl.core.refusals import UNKNOWN_TOPIC, Refusals
from gomboc.impl.core.trace import StepObserver
from gomboc.impl.runtime.clock import Clock
from gomboc.impl.runtime.disciplines import Times
from gomboc.impl.runtime.leavers import Leavers
from gomboc.impl.runtime.transport import Transport


class Disputes(Protocol):
    """Items that a node and its peers have refused of each other as forged: no message is to bring them up."""

    def admitted(self, topic: str, me: str, peer: str, message: Struct) -> tuple[Struct | None, list[Struct] | None]:
        """The part of a message that an instance is to take, None if nothing is left; and answers in its place.

        Instead of answers there is None if the message has no effect.
        """

    def refused(self, topic: str, peer: str, message: Struct) -> None:
        """Remember the refused items of a message."""

    def unsaid(self, topic: str, peer: str) -> tuple[str, ...]:
        """The keys refused of a peer, and those that it is to be told now."""

    def told(self, topic: str, peer: str, keys: tuple[str, ...]) -> int:
        """Remember the items that a peer has refused; return how much of it is new."""


class NodeContext(Struct, frozen=True):
    """The environment of a node: transport, clock and randomness.

    `times` gives the times of timeouts; None for about once a period. `beneath` are the witnesses of the layers below
    the node, by the names of their implementations.
    """

    transport: Transport
    clock: Clock
    random: RandomSource
    witness: StepObserver | None = None
    times: Times | None = None
    beneath: Mapping[str, StepObserver] = {}


@dataclass(frozen=True, slots=True)
class Terms:
    """Properties that the nodes of a topic share: the digest of their parameters, and the roles of well-known nodes."""

    agreement: str
    contacts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class HostConfig:
    """Configuration of a host for one kind of node.

    `make(topic)` makes a blank core; if the host `drops`, a core is dropped when it is blank again, and unless it
    `remembers`, its topic is unknown then. `refusals` counts what a node of this kind refuses.
    `hand_over(topic, content)` is called for each delivery of an instance, and `began(topic)` when a message has begun
    an instance. `refuses(topic, sender)` gives the reason why a message of this sender may not begin an instance of a
    topic that the node never had; None if it may. By default none may. A host that `opens` keeps an instance that it
    has begun so, and `began` is called before the message is taken.

    With `crashed_responder(name, topic)`, which makes the blank core of another node, this node gives the answers of
    nodes that do not exist. `missing(name)` is called when there turns out to be no node of that name.
    `contacts` are the roles, by name, of well-known nodes: a peer has one of them only if it is one of these. `topics`
    are the terms of topics that have others than the host's.
    `failures` counts what could not be carried out, and `disputes` remembers refused items.
    `held_elsewhere(topic, held)` is called when another node turns out to hold items that this one holds, by an output
    of a core, or by a message that `holders` reads so. `leavers` are named beside messages.
    """

    role: str
    make: Callable[[str], Core]
    hand_over: Callable[[str, object], None]
    refusals: Refusals
    drops: bool = True
    began: Callable[[str], None] | None = None
    refuses: Callable[[str, str], str | None] = lambda _topic, _sender: UNKNOWN_TOPIC
    opens: bool = False
    crashed_responder: Callable[[str, str], Core] | None = None
    missing: Callable[[str], None] | None = None
    held_elsewhere: Callable[[str, HeldElsewhere], None] | None = None
    holders: Callable[[Struct], HeldElsewhere | None] | None = None
    contacts: Mapping[str, str] = field(default_factory=dict)
    topics: Mapping[str, Terms] = field(default_factory=dict)
    remembers: bool = True
    failures: Failures = field(default_factory=Failures)
    disputes: Disputes | None = None
    leavers: Leavers = field(default_factory=Leavers)
