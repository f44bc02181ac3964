"""Connections: one stream in each direction, numbered by its sender."""

from gomboc.impl.protocols.delta_fault_tolerance.contents import Stamp, Visited
from gomboc.impl.protocols.delta_fault_tolerance.forwarding import entrust, entrust_to, past, send_again
from gomboc.impl.protocols.delta_fault_tolerance.messages import Close, Connect, JoinRequest, Message, Recover, Told
from gomboc.impl.protocols.delta_fault_tolerance.names import path
from gomboc.impl.protocols.delta_fault_tolerance.states import Link
from gomboc.impl.protocols.delta_fault_tolerance.variables import Variables


def connect(at: Variables, peer: str) -> None:
    """Ask for a connection.

    Source: Algorithm 3, lines 7 to 12
    """
    link = at.links[peer] = Link(peer, None, at.next_stream(), None)
    at.send(peer, Connect(at.me, link.mine, None, at.told))


def ask(at: Variables, peer: str) -> None:
    """Ask for a table, and for the tree if that is not known; an existing connection begins anew.

    Source: Algorithms 2 and 6
    """
    link = at.links[peer] = Link(peer, None, at.next_stream(), None)
    at.recovery.asking.add(peer)
    # An answer from before is out of date, and the new one may come in portions.
    at.recovery.answers.pop(peer, None)
    at.send(peer, JoinRequest(at.me, link.mine) if at.is_unannounced else Recover(at.me, link.mine))
    send_again(at, peer)


def is_refused(at: Variables, message: Message) -> bool:
    """Whether a message is of another stream than the current one of its sender."""
    link = at.links.get(message.sender)
    return link is None or link.theirs != message.stream


def is_outlived(at: Variables, message: Message) -> bool:
    """Whether a message is from before a crash of its sender that is known by a later stamp."""
    return at.seen.get(message.sender, (0, 0))[0] > message.stream[0]


def outlived(at: Variables, visited: Visited) -> list[str]:
    """Peers that have crashed and recovered since they began their stream, as their stamps on a message show.

    The failure detector's notice may come too late for such a peer, and a recovering peer asks its neighbours only.
    """
    links = ((broker, stamp, at.links.get(broker)) for broker, stamp in visited)
    return [broker for broker, stamp, link in links if stamp and link and link.theirs and link.theirs[0] < stamp[0]]


def connected(at: Variables, message: Connect) -> bool:
    """Handle the beginning of a stream; return whether it is one. A question is answered, and all is sent again.

    An answer to a question that has been repeated since is no beginning: the later question will be answered, too.
    To an answer for a connection that has been closed since, the reply is `Close`: an earlier one may have come first.

    Source: Algorithm 4
    """
    peer, link = message.sender, at.links.get(message.sender)
    if message.heard is None:
        take_up(at, peer, message.stream, message.status)
        send_again(at, peer)
        return True
    if link is None:
        at.send(peer, Close(at.me, message.heard))
        return False
    if link.mine != message.heard:
        return False
    link.theirs, link.status = message.stream, message.status
    return True


def take_up(at: Variables, peer: str, theirs: Stamp, status: Told) -> None:
    """Answer a peer that has begun a stream: in a new stream, unless the existing one has not been answered.

    The peer has not heard of an unanswered stream yet, or never will, if it was down then.
    """
    link = at.links.get(peer)
    if link is None or link.theirs is not None:
        link = at.links[peer] = Link(peer, status, at.next_stream(), theirs)
    link.theirs, link.status = theirs, status
    at.send(peer, Connect(at.me, link.mine, theirs, at.told))


def close_bypasses(at: Variables, back: str) -> None:
    """Close connections past a broker that is operational, which gets all messages; each end does so by itself."""
    for peer in sorted(past(at, back, at.links)):
        at.send(peer, Close(at.me, at.links.pop(peer).mine))
    entrust_to(at, back)


def closed(at: Variables, peer: str) -> None:
    """Drop a connection that the peer has closed; if no nearer broker is connected, ask for it anew.

    A peer that has been asked for its table is asked again: the question may have come after the closing. Otherwise
    the reply is `Close`: the peer may yet take up a question from here that is later than the connection it closed.

    Source: Section 4.1, CloseConnection
    """
    given_up = at.links.pop(peer)
    for entry in at.entries.values():
        entry.senders.discard(peer)
    if peer in at.recovery.asking:
        ask(at, peer)
    elif at.links.keys().isdisjoint(path(at.me, peer)):
        connect(at, peer)
        send_again(at, peer)
    else:
        at.send(peer, Close(at.me, given_up.mine))
        entrust(at, peer)
