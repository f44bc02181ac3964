"""Joining: a broker that is outside becomes a leaf. First everybody near knows of it, then it is told the tree.

Who has not been told the tree asks its parent again at each timeout, and never goes past it. It tells whoever asks it
that it asks itself, and takes no multicast messages: it remembers no stamps of brokers that it does not know.
"""

from collections.abc import Iterable

from gomboc.impl.delta_fault_tolerance.contents import Joined
from gomboc.impl.delta_fault_tolerance.forwarding import Finish, admit, dispatch, settle
from gomboc.impl.delta_fault_tolerance.messages import JoinRequest
from gomboc.impl.delta_fault_tolerance.names import distance, parent
from gomboc.impl.delta_fault_tolerance.recovering import answer, ask_beyond
from gomboc.impl.delta_fault_tolerance.variables import Variables


def listens_to(at: Variables, sender: str) -> bool:
    """Whether messages from there may mean something: who has not been told the tree may be known to anybody near."""
    return at.is_untold or sender in at.known


def whom_to_ask(at: Variables) -> list[str]:
    """The neighbours that a broker asks that begins to recover, or to join."""
    above = parent(at.me)
    return [above] if at.is_untold and above else [name for name in at.known if distance(at.me, name) == 1]


def request_again(at: Variables) -> None:
    """Ask once more to become a leaf: the parent may have been down, or announces it first."""
    for above in whom_to_ask(at):
        link = at.links.get(above)
        if link is not None and link.theirs is None:
            at.send(above, JoinRequest(at.me, link.mine))


def requested(at: Variables, request: JoinRequest, finish: Finish) -> None:
    """Announce a leaf; once all that are near know of it, answer it as one that recovers.

    A crash of this broker before that makes it announce the leaf again: only then it knows of it itself.

    Source: Algorithm 2; there it is answered first, and announces itself
    """
    leaf, link = request.sender, at.links.get(request.sender)
    if at.recovery.asking:
        # A question to the leaf may have been lost in a crash of it; it has nothing to tell.
        ask_beyond(at, leaf)
        return
    if leaf not in at.known and leaf not in announced(at):
        entry = admit(at, Joined(leaf))
        dispatch(at, entry, entry.recipients)
        settle(at, entry, finish)
    if leaf in at.known and (link is None or link.theirs != request.stream):
        answer(at, request)


def announced(at: Variables) -> set[str]:
    """The leaves of this broker of which those near are being told."""
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
