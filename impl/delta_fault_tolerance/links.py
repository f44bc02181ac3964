"""Connections: one stream in each direction, numbered by who sends in it."""

from impl.delta_fault_tolerance.contents import Stamp
from impl.delta_fault_tolerance.forwarding import entrust, send_again
from impl.delta_fault_tolerance.messages import Close, Connect, Message, Recover, Told
from impl.delta_fault_tolerance.names import path
from impl.delta_fault_tolerance.variables import Link, Variables


def connect(at: Variables, peer: str) -> None:
    """Ask for a connection.

    Source: Algorithm 3, lines 7 to 12
    """
    link = at.links[peer] = Link(None, at.next_stream(), None)
    at.send(peer, Connect(at.me, link.mine, None, at.status))


def ask(at: Variables, peer: str) -> None:
    """Ask for a table; a connection that there was begins anew.

    Source: Algorithm 6
    """
    link = at.links[peer] = Link(None, at.next_stream(), None)
    at.recovery.asking.add(peer)
    at.send(peer, Recover(at.me, link.mine))
    send_again(at, peer)


def is_refused(at: Variables, message: Message) -> bool:
    """Whether a message is of a stream that is not, or no more, that of its sender."""
    link = at.links.get(message.sender)
    return link is None or link.theirs != message.stream


def connected(at: Variables, told: Connect) -> bool:
    """Take the beginning of a stream; whether it is one. Who asks is answered, and has everything again.

    An answer to a question that has been asked anew since is no beginning: that one will be answered, too. One to a
    connection that has been closed since is a mistake, of which the peer is told: `Close` may have come before it.

    Source: Algorithm 4
    """
    peer, link = told.sender, at.links.get(told.sender)
    if told.heard is None:
        if link is None or link.theirs is not None:
            begin(at, peer, told.stream, told.status)
        else:
            # The peer has not heard this stream yet, or never will, if it was down then.
            link.theirs, link.status = told.stream, told.status
            at.send(peer, Connect(at.me, link.mine, told.stream, at.status))
        send_again(at, peer)
        return True
    if link is None:
        at.send(peer, Close(at.me, told.heard))
        return False
    if link.mine != told.heard:
        return False
    link.theirs, link.status = told.stream, told.status
    return True


def begin(at: Variables, peer: str, theirs: Stamp, status: Told) -> None:
    """Begin a stream to a peer that has begun one."""
    link = at.links[peer] = Link(status, at.next_stream(), theirs)
    at.send(peer, Connect(at.me, link.mine, theirs, at.status))


def close_bypasses(at: Variables, back: str) -> None:
    """Give up connections past a broker that is operational, each of the two ends by itself."""
    for peer in sorted(at.links):
        if peer != back and back in path(at.me, peer):
            at.send(peer, Close(at.me, at.links[peer].mine))
            del at.links[peer]
            entrust(at, peer)


def closed(at: Variables, peer: str) -> None:
    """Give up what the peer has given up; if nobody is nearer, since that one is down again, ask for it anew.

    One that has been asked for its table is asked again: the question may have come after the closing.

    Source: Section 4.1, CloseConnection
    """
    del at.links[peer]
    if peer in at.recovery.asking:
        at.recovery.answers.pop(peer, None)
        ask(at, peer)
    elif at.links.keys().isdisjoint(path(at.me, peer)):
        connect(at, peer)
        send_again(at, peer)
    else:
        entrust(at, peer)
