"""The ring: a node's questions in its timeout, and its use of the answers.

A question leaves no trace in the asker, and a true answer is used whenever it comes.

Source: Zave, "How to Make Chord Correct", Section 4: stabilize, rectify, fail
"""

from msgspec.structs import replace

from gomboc.impl.core.automaton import RandomSource, Send
from gomboc.impl.protocols.chord.identity import LocalIdentity
from gomboc.impl.protocols.chord.messages import Notify, Ping, StabilizeReply, StabilizeRequest
from gomboc.impl.protocols.chord.states import State

Turn = tuple[State, list[Send]]
"""Result of a rule: the variables afterwards, and the messages sent."""


def stabilise(me: LocalIdentity, state: State, random: RandomSource) -> tuple[list[Send], str | None]:
    """Ask the head for its state, or by a coin a peer that would be nearer; ping the predecessor.

    Returns the messages, and the name of the coin's result if one was tossed.
    """
    target, coin = _whom(me, state, random)
    sends = [] if target is None else [Send(target, StabilizeRequest(me.name))]
    if state.predecessor is not None:
        sends.append(Send(state.predecessor, Ping(me.name)))
    return sends, coin


def _whom(me: LocalIdentity, state: State, random: RandomSource) -> tuple[str | None, str | None]:
    """The node to ask, and the coin's name if there was a choice.

    A node without a successor asks its predecessor, so that the first two members of a ring get to know each other.
    """
    head = state.head or state.predecessor
    peers = [peer for peer in state.peers if me.is_before(peer, state.head)] if me.parameters.meet else []
    if not peers:
        return head, None
    if head is None:
        return _peer(peers, random, is_choice=len(peers) > 1)
    if random.random() < 0.5:
        return head, "head"
    return _peer(peers, random, is_choice=True)


def _peer(peers: list[str], random: RandomSource, *, is_choice: bool) -> tuple[str, str | None]:
    peer = peers[int(random.random() * len(peers))]
    return peer, f"peer {peer}" if is_choice else None


def use(me: LocalIdentity, state: State, answer: StabilizeReply) -> Turn:
    """Take over the list of one's head, or of a nearer one; ask its predecessor if nearer still, else notify it.

    An answer from any other node is too late, or was never asked for.
    """
    if answer.sender == me.name or not (answer.sender == state.head or me.is_before(answer.sender, state.head)):
        return state, []
    after = replace(state, successors=me.shortened((answer.sender, *answer.successors)))
    nearer = answer.predecessor
    if nearer is not None and me.is_before(nearer, answer.sender):
        return after, [Send(nearer, StabilizeRequest(me.name))]
    return after, [Send(answer.sender, Notify(me.name))]


def rectify(me: LocalIdentity, state: State, sender: str) -> State:
    """Adopt a predecessor that is nearer, or the first one."""
    if sender != me.name and me.is_behind(sender, state.predecessor):
        return replace(state, predecessor=sender)
    return state


def forget(state: State, gone: str) -> State:
    """Drop a node that is gone from all variables but the peers, which the membership names."""
    return replace(
        state,
        predecessor=None if state.predecessor == gone else state.predecessor,
        successors=tuple(node for node in state.successors if node != gone),
        fingers=tuple(finger for finger in state.fingers if finger[1] != gone),
        contact=None if state.contact == gone else state.contact,
    )
