"""The rules of a node: broadcast new publications, and compare tries with the nearest neighbour on either side."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Choice, Commanded, Input, Outcome, Received, Send, Timeout
from gomboc.spec.core.protocol import Cited
from gomboc.spec.layers.neighbourhood import Moved, Stayed, beside
from gomboc.spec.protocols.dissemination.state import (
    BLANK,
    Broadcast,
    CheckAndPublish,
    CheckTrie,
    Issue,
    Member,
    Publish,
    Subscribe,
    Unsubscribe,
)
from gomboc.spec.publishing.comparison import answer
from gomboc.spec.publishing.publications import (
    Parameters,
    Publication,
    in_order,
    is_valid,
    is_within_limit,
    published,
    right_set,
    with_offered,
)
from gomboc.spec.publishing.trie import Keys, Summary, hash_of_children, root, summary
from gomboc.spec.types.kinds import Crash

COMPARING = "Feldmann et al., Section 4.2"
BROADCASTING = "ours: a broadcast over intervals of names"
LAYERING = "ours: what the layer below tells"


class Rules(msgspec.Struct, frozen=True):
    """The rules, with the parameters on which a system that publishes has agreed."""

    parameters: Parameters

    def react(self, me: str, local: Member, taken: Input, choice: Choice) -> Outcome:
        """The outcome of one step of node `me`. Raises ValueError for an input that has no rule."""
        del choice
        match taken:
            case Timeout():
                return compare(audited(local, self.parameters), me) if local.live else Outcome(local)
            case Received(message):
                return self.receive(me, local, message) if local.live else Outcome(local)
            case Commanded(command):
                return self.obey(me, local, command)

    def receive(self, me: str, local: Member, message: Any) -> Outcome:
        """Take a message; absent nodes ignore all."""
        match message:
            case CheckTrie():
                return check_trie(local, me, message)
            case CheckAndPublish():
                return check_and_publish(local, me, message, self.parameters)
            case Publish():
                return publish(local, me, message, self.parameters)
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
                return Outcome(BLANK if forget else replace(local, live=False, neighbours=()))
            case Crash():
                return Outcome(BLANK)
            case Issue():
                return issue(local, me, command, self.parameters)
        raise ValueError(f"node {me!r} has no rule for {command!r}")


def audited(local: Member, parameters: Parameters) -> Member:
    """The node with its trie rebuilt: each publication under its right key, none that is not genuine, no false hash.

    Source: Feldmann et al., Section 4.2, "able to correct eventual mistakes"
    """
    return replace(local, publications=right_set(local.publications, parameters), hashes=())


def keys_of(local: Member) -> Keys:
    """The keys of the held publications, ascending."""
    return tuple(publication.key for publication in local.publications)


def held(local: Member, label: str) -> Summary:
    """The summary of the trie node with that label, as stored, with a right or false hash."""
    false = {false_summary.prefix: false_summary for false_summary in local.hashes}
    return false[label] if label in false else summary(keys_of(local), label, hash_of_children)


def compare(local: Member, me: str) -> Outcome:
    """Send the root of this node's trie to the nearest neighbour on either side.

    Source: Feldmann et al., Section 4.2, "periodically sends a request"; to both, not to one chosen at random
    """
    root_of_trie = CheckTrie(me, (root(keys_of(local), hash_of_children),))
    return Outcome(local, tuple(Send(node, root_of_trie) for node in beside(me, local.neighbours)))


def check_trie(local: Member, me: str, message: CheckTrie | CheckAndPublish) -> Outcome:
    """Compare each node of the sender's trie with this node's own.

    Source: Feldmann et al., Section 4.2 (i) to (iii)
    """
    if message.sender == me:
        return Outcome(local)
    keys = keys_of(local)
    answers = (answer(keys, asked, lambda label: held(local, label)) for asked in message.tuples)
    return Outcome(
        local,
        tuple(
            Send(
                message.sender,
                CheckTrie(me, reply.told) if reply.lacks is None else CheckAndPublish(me, reply.told, reply.lacks),
            )
            for reply in answers
            if reply is not None
        ),
    )


def check_and_publish(local: Member, me: str, message: CheckAndPublish, parameters: Parameters) -> Outcome:
    """Compare, and hand over every publication with that prefix. Source: Feldmann et al., Section 4.2 (iii)."""
    if message.sender == me:
        return Outcome(local)
    matching = [item for item in local.publications if item.key.startswith(message.prefix)]
    handed = tuple(Send(message.sender, item) for item in in_chunks(matching, parameters))
    return Outcome(local, check_trie(local, me, message).sends + handed)


def in_chunks(publications: Iterable[Publication], parameters: Parameters) -> Iterator[Publish]:
    """Messages that carry those publications, in chunks of at most the parameter `chunk`."""
    every = tuple(publications)
    for first in range(0, len(every), parameters.chunk):
        yield Publish(every[first : first + parameters.chunk])


def take_in(local: Member, offered: Iterable[Publication], parameters: Parameters) -> Outcome:
    """Store the valid publications, and deliver the new ones to the application.

    Source: Feldmann et al., Section 4.2
    """
    publications = with_offered(local.publications, offered, parameters)
    delivered = in_order(set(publications) - set(local.publications))
    return Outcome(replace(local, publications=publications), (), delivered)


def publish(local: Member, me: str, message: Publish, parameters: Parameters) -> Outcome:
    """Take in publications from a neighbour; for expired ones, send the kept ones instead, to both sides.

    Source: Feldmann et al., Section 4.2; that something expires is ours
    """
    taken = take_in(local, message.publications, parameters)
    return taken.then(replace_expired, me, message.publications, parameters)


def replace_expired(local: Member, me: str, offered: tuple[Publication, ...], parameters: Parameters) -> Outcome:
    """Send the nearest neighbours the kept publications of each publisher with an expired one among the offered.

    The sender would otherwise offer it for ever, and its node in the trie may hide publications that are missing there.
    """
    stored = set(keys_of(local))
    behind = {item.publisher for item in offered if is_valid(item, parameters) and item.key not in stored}
    kept = in_order(item for item in local.publications if item.publisher in behind)
    chunks = tuple(in_chunks(kept, parameters))
    return Outcome(local, tuple(Send(node, item) for node in beside(me, local.neighbours) for item in chunks))


def issue(local: Member, me: str, command: Issue, parameters: Parameters) -> Outcome:
    """Broadcast a publication of this node to all nodes."""
    if not local.live or not is_within_limit(command.payload, parameters):
        return Outcome(local)
    return spread(local, me, published(me, command.number, command.payload, parameters), (None, None), parameters)


Interval = tuple[str | None, str | None]
"""From the first name to the second, both excluded; None on an unbounded side."""


def spread(local: Member, me: str, publication: Publication, interval: Interval, parameters: Parameters) -> Outcome:
    """Take a publication in, and pass it on to all nodes in the interval, whether it is new here or not.

    A publication that may not be stored here is not passed on.
    """
    taken = take_in(local, (publication,), parameters)
    if not is_valid(publication, parameters) or publication.key not in keys_of(taken.local):
        return taken
    sends = tuple(
        Send(node, Broadcast(publication, low, high)) for node, (low, high) in shares(me, local.neighbours, interval)
    )
    return Outcome(taken.local, sends, taken.delivered)


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


def choices(me: str, local: Any, taken: Input) -> tuple[Choice, ...]:
    """No rule tosses a coin."""
    del me, local, taken
    return CERTAIN


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
