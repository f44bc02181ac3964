"""Reliable forwarding: the recipients of a multicast message, the next hops, and the copies sent to them."""

from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker
from gomboc.spec.protocols.delta_fault_tolerance.contents import (
    Content,
    Joined,
    Publication,
    Rejoin,
    Subscription,
    Visited,
)
from gomboc.spec.protocols.delta_fault_tolerance.filters import matches
from gomboc.spec.protocols.delta_fault_tolerance.messages import Forward
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, direction, distance, lies_on, path
from gomboc.spec.protocols.delta_fault_tolerance.state import Entry, Node
from gomboc.spec.protocols.delta_fault_tolerance.variables import connected, link, send, with_entry

# Recipients of a message.


def recipients_of(local: Node, broker: Broker, content: Content, hop: str | None, guide: Names | None) -> Names:
    """The recipients of a message, away from the hop that it came from; while recovering, those of its guide.

    Source: Section 4.6, RCPT^J, Section 4.7, RCPT^SUB, and Section 4.8, RCPT^PUB; Section 6.1
    """
    guided = guide if local.status != "operational" else None
    named = broker.rule(all_recipients)(local, broker, content) if guided is None else guided
    away = broker.rule(leads_away)
    return tuple(sorted({name for name in named if name != broker.me and away(broker.me, name, hop)}))


def leads_away(me: str, name: str, hop: str | None) -> bool:
    """Whether the way to a recipient leads away from the hop that a message came from.

    Source: Appendix A.2, proof of Lemma 2, "in a direction that is away from their source"
    """
    return hop is None or direction(me, name) != direction(me, hop)


def all_recipients(local: Node, broker: Broker, content: Content) -> Iterable[str]:
    """The recipients of a message, in any direction. Source: Sections 4.6 to 4.8."""
    match content:
        case Publication(attributes):
            return (row.via for row in local.rows if matches(attributes, row.filter))
        case Joined(node):
            return (name for name in local.known if name != node and distance(name, node) <= broker.reach)
    return local.known


def nearest(local: Node, me: str, targets: Iterable[str]) -> tuple[Names, Names]:
    """The nearest peers on the paths to the targets, and the targets without a peer on their path.

    Source: Algorithm 1, line 15
    """
    peers = set(connected(local))
    nearest_peers = {target: next((name for name in path(me, target)[1:] if name in peers), None) for target in targets}
    return (
        tuple(sorted({peer for peer in nearest_peers.values() if peer is not None})),
        tuple(sorted(target for target, peer in nearest_peers.items() if peer is None)),
    )


def widened(local: Node, broker: Broker, recipients: Names) -> Names:
    """The recipients, and repeatedly the neighbours beyond each that is not known to be operational.

    The broker that named a recipient may have been farther away from it, and know no broker beyond.

    Source: decided here
    """
    reached, fresh = {*recipients}, [*recipients]
    while fresh:
        name = fresh.pop()
        if not is_there(local, broker.me, name):
            later = {*beyond(local, broker.me, name)} - reached
            reached |= later
            fresh += sorted(later)
    return tuple(sorted(reached))


def is_there(local: Node, me: str, name: str) -> bool:
    """Whether a recipient is known to be operational, or is left to a peer that lies before it."""
    peer = next(
        (connection for connection in map(partial(link, local), path(me, name)[1:]) if connection is not None), None
    )
    return peer is not None and (peer.peer != name or peer.status == "operational")


def beyond(local: Node, me: str, gone: str) -> Names:
    """The neighbours of a broker that are farther away than it. Source: Algorithm 3, line 5."""
    return tuple(name for name in local.known if distance(name, gone) == 1 and lies_on(gone, me, name))


# Duplicates.


def is_duplicate(local: Node, visited: Visited) -> bool:
    """Whether any stamp of a message is not newer than the recorded stamp of its broker.

    Source: Section 5, isDuplicate
    """
    seen = dict(local.seen)
    return any(stamp is not None and node in seen and stamp <= seen[node] for node, stamp in visited)


def with_stamps(local: Node, visited: Iterable[tuple[str, tuple[int, int] | None]]) -> Node:
    """The state after these stamps of brokers nearby are merged in; the greater one wins.

    Source: Section 5, update, and "nodes within distance delta + 1"
    """
    recorded = dict(local.seen)
    for node, stamp in visited:
        if stamp is not None and node in local.known:
            recorded[node] = max(stamp, recorded.get(node, stamp))
    return replace(local, seen=tuple(sorted(recorded.items())))


# Copies.


def copies(local: Node, broker: Broker, entry: Entry, peers: Names) -> tuple[Send, ...]:
    """The copies of a message for these peers; a peer that is not known to be operational gets a guide.

    Source: Section 4.4, make_copy_send, and Section 6
    """
    copy_for = broker.rule(copy)
    return tuple(sent for peer in peers for sent in copy_for(local, broker, entry, peer))


def copy(local: Node, broker: Broker, entry: Entry, peer: str) -> tuple[Send, ...]:
    """The copy of a message for one peer; none if there is no connection."""
    connection = link(local, peer)
    if connection is None:
        return ()
    behind = tuple(name for name in entry.recipients if lies_on(peer, broker.me, name))
    guide = None if connection.status == "operational" else behind
    content = entry.content
    if isinstance(content, Subscription | Rejoin):
        content = replace(content, via=broker.rule(seen_from)(broker, peer, content.via))
    passed = ((past, None) for past in path(broker.me, peer)[1:-1])
    visited = appended(broker.reach, entry.visited, ((broker.me, entry.stamp), *passed))
    return send(local, broker.me, peer, Forward, entry.id, content, visited, guide)


def appended(reach: int, visited: Visited, further: Visited) -> Visited:
    """The last delta + 1 brokers that a message has visited. Source: Section 5, append."""
    return (*visited, *further)[-reach:]


def seen_from(broker: Broker, other: str, via: str) -> str:
    """The broker that stands for `via` at another one: the farthest on the path to it within delta + 1 links.

    Source: Section 4.7, make_copy_send, "P(N, s.from)[...]"
    """
    return path(other, via)[: broker.reach + 1][-1]


def resend(local: Node, broker: Broker, peer: str) -> Outcome:
    """Send a peer again every message that waits for its confirmation. Source: decided here."""
    entries = tuple(wide(local, broker, pending) if peer in pending.waiting else pending for pending in local.entries)
    waiting = (entry for entry in entries if peer in entry.waiting)
    sends = tuple(sent for entry in waiting for sent in broker.rule(copy)(local, broker, entry, peer))
    return Outcome(replace(local, entries=entries), sends)


def wide(local: Node, broker: Broker, entry: Entry) -> Entry:
    """An entry with its recipients widened by the current state."""
    return replace(entry, recipients=broker.rule(widened)(local, broker, entry.recipients))


def entrust(local: Node, broker: Broker, peer: str) -> Outcome:
    """Send a peer the messages that wait for brokers past it, and wait for the peer instead. Source: decided here."""
    outcome = Outcome(local)
    for entry in local.entries:
        past = {name for name in entry.waiting if name != peer and lies_on(peer, broker.me, name)}
        if past:
            outcome = outcome.then(entrust_one, broker, entry, peer, past)
    return outcome


def entrust_one(local: Node, broker: Broker, entry: Entry, peer: str, past: set[str]) -> Outcome:
    """Send one message to a peer, and wait for it instead of the brokers past it."""
    waiting = tuple(sorted({*entry.waiting, peer} - (past - {peer})))
    now = replace(wide(local, broker, entry), waiting=waiting)
    return Outcome(with_entry(local, now), broker.rule(copy)(local, broker, now, peer))
