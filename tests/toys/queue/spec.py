"""Queue: a publisher `p` numbers its publications; each reader hands on those it receives, once and in order.

That is so because links are first in first out: a reader compares nothing. Messages lost in a crash are skipped.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.domain import OneOf, Record, pair
from gomboc.spec.core.model import Commanded, Fault, Offer, Outcome, Received, Send, Timeout
from gomboc.spec.core.promises import Observer
from gomboc.spec.core.protocol import (
    Actor,
    Cited,
    Discipline,
    Environment,
    Legitimacy,
    Naming,
    Promises,
    Protocol,
    Size,
    Start,
    Starts,
    Vocabulary,
)
from tests.toys.kinds import Crash, Kind, Restart, failing

PUBLISHER = "p"
MOST = 3
"""Numbers go up to here, so that there are finitely many states."""


class Publisher(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number of the last publication, and the nodes that receive them."""

    last: int
    readers: tuple[str, ...]
    crashed: bool


class Reader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number of the last publication that was handed on."""

    last: int
    crashed: bool


class Item(Kind, frozen=True):
    """The publication with that number."""

    number: int


class Mark(Kind, frozen=True):
    """Everything up to that number was sent."""

    number: int


class Publish(Kind, frozen=True):
    """From outside: publish the next one."""


def react(me: str, local: Any, taken: Any, choice: Any) -> Outcome:
    match taken:
        case Commanded(Crash() | Restart() as command):
            return Outcome(replace(local, crashed=isinstance(command, Crash)))
        case _ if local.crashed:
            return Outcome(local)
        case Commanded(Publish()) if isinstance(local, Publisher) and local.last < MOST:
            return _send(replace(local, last=local.last + 1), Item(local.last + 1))
        case Commanded():
            return Outcome(local)
        case Timeout():
            return _send(local, Mark(local.last)) if isinstance(local, Publisher) else Outcome(local)
        case Received(Item(number)) if isinstance(local, Reader):
            return Outcome(replace(local, last=number), (), (number,))
        case Received(Mark(number)) if isinstance(local, Reader):
            return Outcome(replace(local, last=number))
        case Received():
            return Outcome(local)
    raise ValueError(f"there is no rule for {taken!r}")


def _send(local: Publisher, message: Any) -> Outcome:
    return Outcome(local, tuple(Send(reader, message) for reader in local.readers))


def rule(local: Any, taken: Any) -> Cited:
    """The rule's name is that of the message or command that it answers."""
    match taken:
        case Timeout():
            return Cited(f"{type(local).__name__.lower()}_timeout", "Section 1")
        case Received(what) | Commanded(what):
            return Cited(type(what).__name__.lower(), "Section 2")
    raise KeyError(taken)


def node_faults(last: int, me: str, local: Any) -> tuple[Fault, ...]:
    wrong = isinstance(local, Reader) and not local.crashed and local.last != last
    return (Fault("is_up_to_date", me, last, local.last, "Section 3"),) if wrong else ()


def message_faults(last: int, target: str, message: Any) -> tuple[Fault, ...]:
    return () if message.number == last else (Fault("brings_the_last", target, last, message.number, "Section 3"),)


def malformed(value: Any) -> tuple[Fault, ...]:
    number = value.last if isinstance(value, Publisher | Reader) else value.number
    return () if 0 <= number <= MOST else (Fault("canonical", "", f"0 to {MOST}", number, "Section 1"),)


def environment(states: Any, in_flight: Any) -> tuple[Offer, ...]:
    publishing = (Offer(PUBLISHER, Publish(), "publish"),) if states[PUBLISHER].last < MOST else ()
    return (*publishing, *failing(states))


def _in_order(node: str, seen: int, delivered: Any) -> tuple[int, tuple[Fault, ...]]:
    late = (Fault("comes_later", node, f"more than {seen}", delivered, "Section 4"),) if delivered <= seen else ()
    return max(seen, delivered), late


def names(readers: int) -> tuple[str, ...]:
    """The names of so many readers."""
    return tuple(f"r{number}" for number in range(1, readers + 1))


def _roles(readers: int) -> tuple[tuple[str, str], ...]:
    return (PUBLISHER, "publisher"), *((name, "reader") for name in names(readers))


def start(readers: int) -> Start:
    locals_ = (PUBLISHER, Publisher(0, names(readers), False)), *((name, Reader(0, False)) for name in names(readers))
    return Start(_roles(readers), locals_)


def space(size: Size) -> Any:
    """Any numbers; channels are empty at first."""
    number = OneOf(tuple(range(MOST + 1)))
    reader = Record(lambda last: Reader(last, False), (number,))
    readers = Record(lambda *values: values, (reader,) * size.nodes)
    publisher = Record(lambda last: Publisher(last, names(size.nodes), False), (number,))
    return pair(lambda one, others: _started(size.nodes, (one, *others)), publisher, readers)


def _started(readers: int, values: tuple[Any, ...]) -> Start:
    return Start(_roles(readers), tuple(zip((PUBLISHER, *names(readers)), values, strict=True)))


PROTOCOL = Protocol(
    name="queue",
    discipline=Discipline.FIFO,
    vocabulary=Vocabulary(
        roles={"publisher": Publisher, "reader": Reader},
        member="reader",
        message=Item | Mark,
        command=Publish | Crash | Restart,
        fixed={PUBLISHER: "publisher"},
    ),
    actor=Actor(react=react, rule=rule),
    legitimacy=Legitimacy(
        anchor=lambda shares: shares[PUBLISHER],
        node_faults=node_faults,
        message_faults=message_faults,
        share=lambda local: local.last if isinstance(local, Publisher) else None,
    ),
    starts=Starts(space=space, start=start, bound=lambda nodes: 5),
    environment=Environment(offers=environment, asleep=lambda local: local.crashed),
    promises=Promises(observers=(Observer("once_in_order", "Section 4", 0, _in_order),)),
    naming=Naming(malformed=malformed),
)
