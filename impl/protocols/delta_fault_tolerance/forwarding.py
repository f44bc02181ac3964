"""Forwarding of multicast messages through the tree: recipients, copies, duplicates, confirmations.

An entry is looked at again on each confirmation, failure and recovery; nothing waits in a loop.
"""

from collections.abc import Callable, Iterable

from gomboc.impl.protocols.delta_fault_tolerance.contents import (
    Contents,
    Id,
    Joined,
    Publication,
    Rejoin,
    Subscription,
    Unsubscription,
    Visited,
    for_receiver,
)
from gomboc.impl.protocols.delta_fault_tolerance.deliveries import Unreachable
from gomboc.impl.protocols.delta_fault_tolerance.messages import Confirm, Forward
from gomboc.impl.protocols.delta_fault_tolerance.names import distance, path, towards
from gomboc.impl.protocols.delta_fault_tolerance.states import Entry
from gomboc.impl.protocols.delta_fault_tolerance.variables import Variables

Finish = Callable[[Variables, Entry], None]
"""The action on the confirmation of an entry from here."""


def recipients(at: Variables, content: Contents, sender: str | None, guide: Iterable[str] | None) -> set[str]:
    """The recipients of a message, away from the sender that it came from; the sender is None for an own message.

    Source: Sections 4.6 to 4.8, RCPT; a recovering broker goes by the guide, Section 6.1
    """
    names: Iterable[str]
    match content:
        case _ if guide is not None and at.status != "operational":
            names = guide
        case Publication(attributes):
            names = at.table.ways(dict(attributes))
        case Subscription() | Unsubscription() | Rejoin():
            names = at.known
        case Joined(node):
            names = (name for name in at.known if name != node and distance(name, node) <= at.delta + 1)
    # A guide names the broker itself as well, and a corrupted row may.
    names = {*names} - {at.me}
    if sender is None:
        return names
    back = towards(at.me, sender)
    return {name for name in names if towards(at.me, name) != back}


def nearest(at: Variables, target: str) -> str | None:
    """The first connected broker on the path to another one; None if there is none.

    Source: Algorithm 1, line 15
    """
    return next((broker for broker in path(at.me, target)[1:] if broker in at.links), None)


def admit(at: Variables, content: Contents, forwarded: Forward | None = None) -> Entry:
    """Record a message as an entry: an own message, or one that has arrived.

    Source: Algorithm 1, lines 10 to 14
    """
    stamp = at.next_stamp()
    if forwarded is None:
        entry = Entry((at.me, *stamp), content, stamp, (), set(), recipients(at, content, None, None), set())
    else:
        to = recipients(at, content, forwarded.sender, forwarded.guide)
        entry = Entry(forwarded.id, content, stamp, forwarded.visited, {forwarded.sender}, to, set())
    widen(at, entry)
    at.entries[entry.id] = entry
    return entry


def dispatch(at: Variables, entry: Entry, among: Iterable[str]) -> None:
    """Send copies towards these recipients; wait for those behind more than delta failures, and report them.

    Crashed brokers have to hear of a joining leaf as well, so it is waited for them: no other message tells them.

    Source: Algorithm 1, lines 15 to 18
    """
    hops: dict[str, None] = {}
    for recipient in sorted(among):
        hop = nearest(at, recipient)
        if hop is not None:
            hops[hop] = None
        elif distance(at.me, recipient) == at.delta + 1:
            at.deliver(Unreachable(entry.id, recipient))
            entry.waiting.add(recipient)
        elif isinstance(entry.content, Joined) and recipient in at.known:
            entry.waiting.add(recipient)
    for hop in hops:
        if hop not in entry.waiting:
            entry.waiting.add(hop)
            copy(at, entry, hop)


def copy(at: Variables, entry: Entry, to: str) -> None:
    """Send a copy. A peer that is not known to be operational gets a guide with the recipients behind it.

    Source: Section 5, "append"; Section 6, Guided
    """
    link, guide = at.links[to], None
    if link.status != "operational":
        guide = tuple(sorted(recipient for recipient in entry.recipients if to in path(at.me, recipient)))
    content = for_receiver(entry.content, to, at.delta)
    at.send(to, Forward(at.me, link.mine, entry.id, content, _visited(at, entry, to), guide))


def _visited(at: Variables, entry: Entry, to: str) -> Visited:
    bypassed = ((broker, None) for broker in path(at.me, to)[1:-1])
    return (*entry.visited, (at.me, entry.stamp), *bypassed)[-(at.delta + 1) :]


def is_duplicate(at: Variables, visited: Visited) -> bool:
    """Whether a message has been here: some stamp that it carries is not newer than the recorded one of its broker.

    Source: Section 5, isDuplicate; as printed the test is inverted
    """
    seen = at.seen
    return any(stamp is not None and broker in seen and stamp <= seen[broker] for broker, stamp in visited)


def record(at: Variables, visited: Visited) -> None:
    """Remember the stamps of brokers within delta + 1 links.

    Source: Section 5, update
    """
    for broker, stamp in visited:
        if stamp is not None and broker in at.known and stamp > at.seen.get(broker, (0, 0)):
            at.seen[broker] = stamp


def again(at: Variables, forwarded: Forward) -> None:
    """Handle a duplicate: confirm it together with the first copy, or at once if that is confirmed.

    Source: Algorithm 1, lines 1 to 9
    """
    entry = at.entries.get(forwarded.id)
    if entry is not None:
        entry.senders.add(forwarded.sender)
    else:
        confirm(at, forwarded.sender, forwarded.id)


def confirm(at: Variables, to: str, identified: Id) -> None:
    """Tell a sender that the message has reached all of its recipients."""
    link = at.links.get(to)
    if link is not None:
        at.send(to, Confirm(at.me, link.mine, identified))


def settle(at: Variables, entry: Entry, finish: Finish) -> None:
    """Confirm an entry if no confirmation is awaited.

    Source: Algorithm 1, lines 25 to 31
    """
    if entry.waiting or entry.id not in at.entries:
        return
    del at.entries[entry.id]
    for sender in sorted(entry.senders):
        confirm(at, sender, entry.id)
    if entry.id[0] == at.me:
        finish(at, entry)


def beyond(at: Variables, broker: str) -> list[str]:
    """The brokers right behind another one.

    Source: Algorithm 3, line 5
    """
    return [name for name in at.known if broker in path(at.me, name) and distance(broker, name) == 1]


def widen(at: Variables, entry: Entry) -> None:
    """Add the brokers right behind each recipient that may be down or incomplete: a guide reaches only so far.

    Without this, a message with a guide from a recovering broker is lost if the last broker of the guide fails.
    """
    pending = sorted(entry.recipients)
    while pending:
        recipient = pending.pop()
        hop = nearest(at, recipient)
        if hop is None or (hop == recipient and at.links[recipient].status != "operational"):
            new = {*beyond(at, recipient)} - entry.recipients
            entry.recipients |= new
            pending += sorted(new)


def bypass(at: Variables, failed: str, finish: Finish) -> None:
    """Send every message that waits for a failed broker to the brokers beyond it, in order.

    Source: Algorithm 3, lines 19 to 27
    """
    for entry in list(at.entries.values()):
        entry.senders.discard(failed)
        if failed in entry.waiting:
            _instead(at, entry, failed)
            settle(at, entry, finish)


def entrust(at: Variables, closed: str) -> None:
    """Send the messages that wait for a peer with a closed connection to nearer peers."""
    for entry in at.entries.values():
        entry.senders.discard(closed)
        if closed in entry.waiting:
            _instead(at, entry, closed)


def entrust_to(at: Variables, back: str) -> None:
    """Send every message that waits for brokers past this peer to the peer, in order, and wait for it instead.

    A message behind more than delta failures waits for a broker without a connection.
    """
    for entry in at.entries.values():
        entry.senders -= past(at, back, entry.senders)
        if farther := past(at, back, entry.waiting):
            entry.waiting = (entry.waiting - farther) | {back}
            widen(at, entry)
            copy(at, entry, back)


def past(at: Variables, peer: str, names: Iterable[str]) -> set[str]:
    """The brokers among these that lie past another one."""
    return {name for name in names if name != peer and peer in path(at.me, name)}


def _instead(at: Variables, entry: Entry, gone: str) -> None:
    entry.waiting.remove(gone)
    widen(at, entry)
    dispatch(at, entry, [recipient for recipient in entry.recipients if gone in path(at.me, recipient)])


def send_again(at: Variables, peer: str) -> None:
    """Send every message that waits for a peer again, in order: the peer may not have accepted it before."""
    for entry in at.entries.values():
        if peer in entry.waiting:
            widen(at, entry)
            copy(at, entry, peer)


def send_back(at: Variables, peer: str, *, before_stamps: bool) -> None:
    """Send a recovering broker every unconfirmed message for it or past it, in order; wait for it instead.

    If stamps are sent next, later copies would be duplicates there. So it also gets messages that wait for a broker
    on the path to it, which may have failed without this broker's knowledge.

    Source: Algorithm 7, lines 8 to 11 and 21 to 23
    """
    for entry in at.entries.values():
        past = {name for name in entry.waiting if peer in path(at.me, name)}
        if past:
            entry.waiting -= past
            entry.waiting.add(peer)
        elif not before_stamps or not _goes_by(at, entry, peer):
            continue
        widen(at, entry)
        copy(at, entry, peer)


def _goes_by(at: Variables, entry: Entry, peer: str) -> bool:
    """Whether an entry waits for a broker on the path to a peer, and is for the peer or brokers behind it."""
    return not entry.waiting.isdisjoint(path(at.me, peer)) and any(
        peer in path(at.me, recipient) for recipient in entry.recipients
    )
