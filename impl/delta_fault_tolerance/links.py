"""Connections: one stream in each direction, numbered by who sends in it."""

from impl.delta_fault_tolerance.contents import Stamp
from impl.delta_fault_tolerance.forwarding import dispatch, repeat
from impl.delta_fault_tolerance.messages import Connect, Message, Recover
from impl.delta_fault_tolerance.names import path
from impl.delta_fault_tolerance.variables import Link, Variables


def connect(at: Variables, peer: str) -> None:
    """Ask for a connection.

    Source: Algorithm 3, lines 7 to 12
    """
    link = at.links[peer] = Link(None, at.next_stream(), None)
    at.send(peer, Connect(at.me, link.mine, None, at.status))


def ask(at: Variables, peer: str) -> None:
    """Ask for a table. What an earlier connection has told of the peer still holds.

    Source: Algorithm 6
    """
    former = at.links.get(peer)
    status, theirs = (None, None) if former is None else (former.status, former.theirs)
    at.links[peer] = Link(status, at.next_stream(), theirs)
    at.recovery.asking.add(peer)
    at.recovery.answers.pop(peer, None)
    at.send(peer, Recover(at.me, at.links[peer].mine))


def is_refused(at: Variables, message: Message) -> bool:
    """Whether a message is of a stream that is not, or no more, that of its sender."""
    link = at.links.get(message.sender)
    return link is None or link.theirs != message.stream


def connected(at: Variables, told: Connect) -> None:
    """Take the beginning of a stream; who asks for one has it, and everything again that was on the way.

    Source: Algorithm 4
    """
    peer, former = told.sender, at.links.get(told.sender)
    if told.heard is not None:
        if former is not None:
            former.theirs, former.status = told.stream, told.status
    elif former is not None and former.theirs is None and peer in at.recovery.asking:
        # What was asked may have been lost, since the peer was down then.
        former.theirs, former.status = told.stream, told.status
        ask(at, peer)
    else:
        answer(at, peer, told.stream, told.status)
        repeat(at, peer)


def answer(at: Variables, peer: str, theirs: Stamp, status: str) -> None:
    """Begin a stream to a peer that has begun one."""
    link = at.links[peer] = Link(status, at.next_stream(), theirs)  # type: ignore[arg-type]
    at.send(peer, Connect(at.me, link.mine, theirs, at.status))


def close_bypasses(at: Variables) -> None:
    """Give up connections past a broker that is operational again; to each of the two ends by itself.

    Who gives up too early, since that broker is down again, hears of that, and asks for the connection anew.
    """
    if at.status != "operational":
        return
    for peer in sorted(at.links):
        if _is_bypass(at, peer):
            del at.links[peer]
            for entry in at.entries.values():
                entry.senders.discard(peer)
                if peer in entry.waiting:
                    entry.waiting.remove(peer)
                    dispatch(at, entry, [each for each in entry.recipients if peer in path(at.me, each)])


def _is_bypass(at: Variables, peer: str) -> bool:
    between = (at.links.get(each) for each in path(at.me, peer)[1:-1])
    return any(link is not None and link.status == "operational" for link in between)
