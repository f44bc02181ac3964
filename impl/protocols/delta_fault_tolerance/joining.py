"""Joining: a broker outside becomes a leaf. First all brokers nearby know of it, then it receives the tree.

A leaf without the tree asks its parent again at each timeout, and never goes past it. It tells brokers that ask it that
it is asking itself, and takes no multicast messages: it records no stamps of brokers that it does not know.
"""

from collections.abc import Iterable

from gomboc.impl.protocols.delta_fault_tolerance.contents import Joined
from gomboc.impl.protocols.delta_fault_tolerance.forwarding import Finish, admit, dispatch, settle
from gomboc.impl.protocols.delta_fault_tolerance.messages import JoinRequest
from gomboc.impl.protocols.delta_fault_tolerance.names import distance, parent
from gomboc.impl.protocols.delta_fault_tolerance.recovering import answer, ask_beyond
from gomboc.impl.protocols.delta_fault_tolerance.variables import Variables


def listens_to(at: Variables, sender: str) -> bool:
    """Whether a sender may begin a stream: a leaf without the tree listens to all, as any broker may know it."""
    return sender in at.known or (at.is_unannounced and sender != at.me)


def peers_to_ask(at: Variables) -> list[str]:
    """The neighbours that a broker asks when it begins to recover or join."""
    above = parent(at.me)
    return [above] if at.is_unannounced and above else [name for name in at.known if distance(at.me, name) == 1]


def request_again(at: Variables) -> None:
    """Repeat the request to become a leaf: the parent may have been down, or may be announcing the leaf first."""
    for above in peers_to_ask(at):
        link = at.links.get(above)
        if link is not None and link.theirs is None:
            at.send(above, JoinRequest(at.me, link.mine))


def requested(at: Variables, request: JoinRequest, finish: Finish) -> None:
    """Announce a leaf; once all brokers nearby know of it, answer it like a recovering broker.

    This broker itself knows the leaf only from then on, so that it announces the leaf again if it crashes before. With
    delta = 0, while it recovers, no guide would name the leaf, and what is guided would miss it: it has to ask again.

    Source: Algorithm 2; there it is answered first, and announces itself
    """
    leaf, link = request.sender, at.links.get(request.sender)
    if at.recovery.asking:
        # A question to the leaf may have been lost in a crash of it; it has nothing to tell.
        ask_beyond(at, leaf)
        return
    if leaf not in at.known and at.delta == 0 and at.status != "operational":
        return
    if leaf not in at.known and leaf not in announced(at):
        entry = admit(at, Joined(leaf))
        dispatch(at, entry, entry.recipients)
        settle(at, entry, finish)
    if leaf in at.known and (link is None or link.theirs != request.stream):
        answer(at, request)


def announced(at: Variables) -> set[str]:
    """The leaves of this broker that are being announced."""
    return {
        entry.content.node
        for entry in at.entries.values()
        if isinstance(entry.content, Joined) and entry.id[0] == at.me
    }


def learn(at: Variables, names: Iterable[str]) -> None:
    """Know these brokers, as far as they are within delta + 1 links.

    Source: Section 4.6, update_routing_information
    """
    near = {name for name in names if name != at.me and distance(at.me, name) <= at.delta + 1}
    at.known = tuple(sorted({*at.known} | near))
