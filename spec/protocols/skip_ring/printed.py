"""Algorithms 1 and 2 wholly as printed, line by line, without any guard that is not printed.

Ambiguities of the printed text are resolved as follows, and only these:

- an empty slot is farther away than any label, and no message is sent to an empty slot;
- "analogously" is the same statement with left and right, < and > exchanged, and both are executed, left first;
- line 22 of Algorithm 2 names no flag: the flag of the received claim is used;
- lines 24 and 39 of Algorithm 2 stand beside line 18 and not inside it, regardless of the indentation;
- a node without a label acts as under our rules: as printed it would introduce itself with the label bottom.

All other rules are ours: Algorithms 3 to 5, the repair before each request, and that the supervisor is no neighbour.
"""

from collections.abc import Callable
from typing import Literal

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.skip_ring import build_list
from gomboc.spec.protocols.skip_ring.build_list import Rule, one
from gomboc.spec.protocols.skip_ring.build_ring import BuildRing
from gomboc.spec.protocols.skip_ring.labels import distance
from gomboc.spec.protocols.skip_ring.state import (
    CYCLE,
    LIST,
    SUPERVISOR,
    Check,
    Claim,
    Flag,
    Introduce,
    Linearize,
    RemoveConnections,
    Subscriber,
)

Direction = Literal["left", "right"]


def linearize(u: Subscriber, me: str, claim: Claim, first_hand: bool = False) -> Outcome:
    """Believe every claim, also about this node, and resend a claim that does not fit to this node.

    The two sides do not exclude each other: a claim with the node's own label is stored on both.

    Source: Algorithm 1, lines 14-30
    """
    del first_hand  # the printed rule does not depend on the sender
    if u.label is None:
        return one(u, claim.node, RemoveConnections(me))
    if any(slot is not None and slot.node == claim.node for slot in (u.left, u.right)):
        return _relabel(u, me, claim, "left").then(_relabel, me, claim, "right")
    return _insert(u, claim, "left").then(_insert, claim, "right")


def _belongs(u: Subscriber, claim: Claim, side: Direction) -> bool:
    assert u.label is not None, "linearize() has seen to it"
    return claim.label <= u.label if side == "left" else claim.label >= u.label


def _relabel(u: Subscriber, me: str, claim: Claim, side: Direction) -> Outcome:
    """Source: Algorithm 1, lines 17-22."""
    held: Claim | None = getattr(u, side)
    if held is None or held.node != claim.node or held.label == claim.label:
        return Outcome(u)
    if _belongs(u, claim, side):
        return Outcome(replace(u, **{side: claim}))
    return one(replace(u, **{side: None}), me, Linearize(claim))


def _insert(u: Subscriber, claim: Claim, side: Direction) -> Outcome:
    """Source: Algorithm 1, lines 24-28."""
    held: Claim | None = getattr(u, side)
    if held is not None and (claim.label <= held.label if side == "left" else held.label <= claim.label):
        return one(u, held.node, Linearize(claim))
    if not _belongs(u, claim, side):
        return Outcome(u)
    kept = replace(u, **{side: claim})
    return Outcome(kept) if held is None else one(kept, claim.node, Linearize(held))


def timeout(u: Subscriber, me: str, linearize: Rule) -> Outcome:
    """Run the timeout of the closing edge, then that of the list.

    Source: Algorithm 2, lines 1-14; Algorithm 1, lines 1-6
    """
    del linearize  # a misplaced reference is not linearised here, but sent to the node itself
    return _ring_timeout(u, me).then(_list_timeout, me, "left").then(_list_timeout, me, "right")


def _ring_timeout(u: Subscriber, me: str) -> Outcome:
    """Source: Algorithm 2, lines 2-13."""
    assert u.label is not None, "the timeout of a node without a label is another"
    myself = Claim(u.label, me)
    if u.ring is None:
        ends = ((u.left, u.right), (u.right, u.left))
        far = tuple(way.node for end, way in ends if end is None and way is not None)
        return Outcome(u, tuple(Send(node, Introduce(myself, CYCLE)) for node in far))
    beyond, before = u.ring.label > u.label, u.ring.label < u.label
    inner = u.left if beyond else u.right if before else None
    if inner is not None:
        return one(replace(u, ring=None), inner.node, Introduce(u.ring, CYCLE))
    if beyond or before:
        return one(u, u.ring.node, Check(myself, u.ring.label, CYCLE))
    return Outcome(u)


def _list_timeout(u: Subscriber, me: str, side: Direction) -> Outcome:
    """Source: Algorithm 1, lines 2-6."""
    assert u.label is not None, "the timeout of a node without a label is another"
    held: Claim | None = getattr(u, side)
    if held is None:
        return Outcome(u)
    if _belongs(u, held, side):
        return one(u, held.node, Check(Claim(u.label, me), held.label, LIST))
    return one(replace(u, **{side: None}), me, Linearize(held))


def check(u: Subscriber, me: str, message: Check, introduce: Rule) -> Outcome:
    """Send the right label to a sender with a wrong one for this node; otherwise hear its introduction.

    Source: Algorithm 1, lines 8-12
    """
    if u.label is None:
        return build_list.present(u, me, message.sender.node, message.flag)
    if u.label != message.label:
        return one(u, message.sender.node, Introduce(Claim(u.label, me), message.flag))
    return introduce(u, me, message.sender, message.flag, True)


def introduce(
    u: Subscriber,
    me: str,
    claim: Claim,
    flag: Flag,
    first_hand: bool,
    linearize: Rule,
    keep: Callable[..., Outcome] | None = None,
) -> Outcome:
    """Correct the label of the closing edge; then choose the closing edge, or linearise.

    `keep` stands for lines 31 to 34, for other readings of them; None: `keep_farther`.

    Source: Algorithm 2, lines 16-42
    """
    if u.label is None:
        return one(u, claim.node, RemoveConnections(me))
    corrected = _correct_ring(u, me, claim, flag)
    if flag == LIST:
        return corrected.then(linearize, me, claim, first_hand)
    return corrected.then(_close, me, claim, keep or keep_farther)


def _correct_ring(u: Subscriber, me: str, claim: Claim, flag: Flag) -> Outcome:
    """Source: Algorithm 2, lines 18-23."""
    if u.ring is None or u.ring.node != claim.node or u.ring.label == claim.label:
        return Outcome(u)
    if _same_side(u, claim, u.ring):
        return Outcome(replace(u, ring=claim))
    return one(replace(u, ring=None), me, Introduce(claim, flag))


def _same_side(u: Subscriber, one: Claim, other: Claim) -> bool:
    """Source: Algorithm 2, lines 19 and 30."""
    label = u.label
    assert label is not None, "introduce() has seen to it"
    return (one.label < label and other.label < label) or (one.label > label and other.label > label)


def _close(u: Subscriber, me: str, claim: Claim, keep: Callable[..., Outcome]) -> Outcome:
    """Source: Algorithm 2, lines 24-38."""
    assert u.label is not None, "introduce() has seen to it"
    if u.ring is not None and _same_side(u, claim, u.ring):
        return keep(u, me, claim, u.ring)
    if u.ring is not None:
        return Outcome(replace(u, ring=None), (Send(me, Introduce(claim, LIST)), Send(me, Introduce(u.ring, LIST))))
    if claim.label == u.label:
        return Outcome(u)
    inner = u.right if claim.label < u.label else u.left
    return Outcome(replace(u, ring=claim)) if inner is None else one(u, inner.node, Introduce(claim, CYCLE))


def keep_farther(u: Subscriber, me: str, claim: Claim, ring: Claim) -> Outcome:
    """Line 31 has assigned u.ring by the time that lines 32 and 34 read it. Source: Algorithm 2, lines 31-34."""
    assert u.label is not None, "introduce() has seen to it"
    farther = distance(claim.label, u.label) > distance(ring.label, u.label)
    far = claim if farther else ring
    nearer = () if claim == far else (Send(me, Introduce(claim, LIST)),)
    return Outcome(replace(u, ring=far), (*nearer, Send(far.node, Introduce(far, LIST))))


def forget_supervisor(u: Subscriber, me: str) -> Subscriber:
    """`u` without references to the supervisor; those to itself stay.

    Source: not in the paper (Deviation: references to the supervisor)
    """
    del me
    return build_list.without(u, SUPERVISOR)


PRINTED = BuildRing(timeout, check, introduce, forget_supervisor)
"""Algorithms 1 and 2 as printed, but for Linearize."""
