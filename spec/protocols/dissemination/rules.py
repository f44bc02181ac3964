"""The rules of a node: broadcast new publications, and compare tries with the nearest neighbour on either side."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Choice, Commanded, Input, Outcome, Received, Send, Timeout
from gomboc.spec.core.protocol import Cited
from gomboc.spec.layers.neighbourhood import Moved, Stayed, beside
from gomboc.spec.protocols.dissemination.state import BLANK, Broadcast, Issue, Member, Passed, Subscribe, Unsubscribe
from gomboc.spec.publishing import exchange
from gomboc.spec.publishing.exchange import (
    CheckAndPublish,
    CheckTrie,
    Publish,
    audit,
    check,
    check_and_publish,
    keys_of,
    take_in,
)
from gomboc.spec.publishing.publications import Parameters, Publication, is_valid, is_within_limit, published
from gomboc.spec.publishing.trie import hash_of_children
from gomboc.spec.types.kinds import Crash

COMPARING = "Feldmann et al., Section 4.2"
BROADCASTING = "ours: a broadcast over intervals of names"
LAYERING = "ours: what the layer below tells"


class Rules(msgspec.Struct, frozen=True):
    """The rules, with the parameters on which a system that publishes has agreed."""

    parameters: Parameters

    def react(self, me: str, local: Member, taken: Input, choice: Choice) -> Outcome:
        """The outcome of one step of node `me`. Raises ValueError for an input that has no rule."""
        match taken:
            case Timeout():
                return compare(local, me, self.parameters) if local.live else Outcome(local)
            case Received(message):
                return self.receive(me, local, message, choice) if local.live else Outcome(local)
            case Commanded(command):
                return self.obey(me, local, command)

    def choices(self, me: str, local: Member, taken: Input) -> tuple[Choice, ...]:
        """The possible results of this step's coin: the part of an answer that is sent. No other rule tosses one."""
        if isinstance(taken, Received) and isinstance(taken.message, CheckAndPublish) and local.live:
            return exchange.choices(local, me, taken.message, self.parameters)
        return CERTAIN

    def receive(self, me: str, local: Member, message: Any, choice: Choice) -> Outcome:
        """Take a message; absent nodes ignore all."""
        match message:
            case CheckTrie():
                return check(local, me, message, hash_of_children, self.parameters.keep)
            case CheckAndPublish():
                return check_and_publish(local, me, message, hash_of_children, self.parameters, choice)
            case Publish(publications):
                return take_in(local, publications, self.parameters)
            case Broadcast(publication, low, high):
                return spread(local, me, publication, (low, high), self.parameters)
        raise ValueError(f"node {me!r} has no rule for {message!r}")

    def obey(self, me: str, local: Member, command: Any) -> Outcome:
        """Take a command of the application, or new neighbours from the layer below."""
        match command:
            case Moved(neighbours) | Stayed(neighbours) if me not in neighbours:
                return Outcome(replace(local, neighbours=neighbours))
            case Subscribe():
                return Outcome(replace(local, live=True))
            case Unsubscribe(forget):
                return Outcome(BLANK if forget else replace(local, live=False, neighbours=(), passed=()))
            case Crash():
                return Outcome(BLANK)
            case Issue():
                return issue(local, me, command, self.parameters)
        raise ValueError(f"node {me!r} has no rule for {command!r}")


def compare(local: Member, me: str, parameters: Parameters) -> Outcome:
    """Rebuild the trie, and send its root to the nearest neighbour on either side.

    Source: Feldmann et al., Section 4.2, "periodically sends a request"; to both, not to one chosen at random
    """
    return exchange.compare(audit(local, parameters), me, beside(me, local.neighbours), hash_of_children)


def issue(local: Member, me: str, command: Issue, parameters: Parameters) -> Outcome:
    """Broadcast a publication of this node to all nodes, unless the node holds one under the same key."""
    if not local.live or not is_within_limit(command.payload, parameters):
        return Outcome(local)
    own = published(me, command.number, command.payload, parameters)
    if any(held.key == own.key for held in local.publications):
        return Outcome(local)
    return spread(local, me, own, (None, None), parameters)


Interval = tuple[str | None, str | None]
"""From the first name to the second, both excluded; None on an unbounded side."""


def spread(local: Member, me: str, publication: Publication, interval: Interval, parameters: Parameters) -> Outcome:
    """Take a publication in, and pass it on to all nodes in the interval, unless that was done before.

    A publication that may not be stored here is not passed on.
    """
    taken = take_in(local, (publication,), parameters)
    if not is_valid(publication, parameters) or publication.key not in keys_of(taken.local):
        return taken
    former = passed_before(local, publication.key)
    if former is not None and hull(former, interval) == former:
        return taken
    sends = tuple(
        Send(node, Broadcast(publication, low, high)) for node, (low, high) in shares(me, local.neighbours, interval)
    )
    wider = interval if former is None else hull(former, interval)
    return Outcome(remember(taken.local, Passed(publication.key, *wider), parameters), sends, taken.delivered)


def passed_before(local: Member, key: str) -> Interval | None:
    """The interval to which a publication that is held was passed on; None if it was not, or long ago."""
    held = key in keys_of(local)
    return next(((entry.low, entry.high) for entry in local.passed if held and entry.key == key), None)


def remember(local: Member, passed: Passed, parameters: Parameters) -> Member:
    """Remember a broadcast as the last one, and at most `chunk` of them."""
    others = tuple(entry for entry in local.passed if entry.key != passed.key)
    return replace(local, passed=(*others, passed)[-parameters.chunk :])


def hull(one: Interval, other: Interval) -> Interval:
    """The least interval that contains both."""
    lows = [low for low, _ in (one, other) if low is not None]
    highs = [high for _, high in (one, other) if high is not None]
    return (min(lows) if len(lows) == 2 else None, max(highs) if len(highs) == 2 else None)


def shares(me: str, neighbours: tuple[str, ...], interval: Interval) -> Iterator[tuple[str, Interval]]:
    """The parts of an interval with the neighbour in charge of each: the names beyond it, up to the next one."""
    low, high = interval
    there = [node for node in neighbours if node != me and is_between(node, interval)]
    for node in there:
        beyond = [other for other in there if (me < node < other or other < node < me)]
        if node > me:
            yield node, (node, min(beyond, default=high))
        else:
            yield node, (max(beyond, default=low), node)


def is_between(node: str, interval: Interval) -> bool:
    """Whether a name is in an interval."""
    low, high = interval
    return (low is None or low < node) and (high is None or node < high)


def rule(local: Any, taken: Input) -> Cited:
    """The rule for an input. Raises KeyError if there is none."""
    live = isinstance(local, Member) and local.live
    match taken:
        case Timeout():
            return Cited("compare", COMPARING) if live else Cited("absent_timeout", LAYERING)
        case Received(message):
            return _answering(message) if live else Cited("take_no_notice", LAYERING)
        case Commanded(command):
            return _obeying(command)
    raise KeyError(f"there is no rule for {taken!r}")


def _answering(message: Any) -> Cited:
    match message:
        case CheckTrie():
            return Cited("check_trie", COMPARING)
        case CheckAndPublish():
            return Cited("check_and_publish", COMPARING)
        case Publish():
            return Cited("publish", COMPARING)
        case Broadcast():
            return Cited("spread", BROADCASTING)
    raise KeyError(f"there is no rule for {message!r}")


def _obeying(command: Any) -> Cited:
    match command:
        case Moved():
            return Cited("moved", LAYERING)
        case Stayed():
            return Cited("stayed", LAYERING)
        case Subscribe():
            return Cited("subscribe", LAYERING)
        case Unsubscribe():
            return Cited("unsubscribe", LAYERING)
        case Crash():
            return Cited("crash", LAYERING)
        case Issue():
            return Cited("issue", BROADCASTING)
    raise KeyError(f"there is no rule for {command!r}")
