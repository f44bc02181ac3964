"""The sorted list (Algorithm 1), with verified introduction of claims.

Deviation: a third party's claim that contradicts a stored label, or that ties, is not believed but probed; its subject
answers with its own label. The printed rule is in `errata.py`.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.skip_ring.state import (
    LIST,
    SUPERVISOR,
    Check,
    Claim,
    Entry,
    Flag,
    GetConfiguration,
    Linearize,
    Message,
    Present,
    Probe,
    RemoveConnections,
    Subscriber,
)

Rule = Callable[..., Outcome]
"""A rule: a function of the local state, the node's own name, and further arguments."""


def one(u: Subscriber, target: str, message: Message) -> Outcome:
    """The outcome that leaves `u` unchanged and sends one message."""
    return Outcome(u, (Send(target, message),))


def slots(u: Subscriber) -> tuple[Claim, ...]:
    """The direct ring neighbours that `u` stores, in the order left, right, ring."""
    return tuple(filter(None, (u.left, u.right, u.ring)))


def without(u: Subscriber, *nodes: str) -> Subscriber:
    """`u` without references to those nodes; a shortcut keeps its label.

    Source: Algorithm 1, line 30; Section 4.1, proof of Lemma 6
    """
    for claim in (u.left, u.right, u.ring, *u.shortcuts):
        if claim is not None and claim.node in nodes:
            break
    else:
        # The same object, since most values refer to none of them: callers compare by identity first.
        return u
    return replace(
        u,
        left=None if u.left and u.left.node in nodes else u.left,
        right=None if u.right and u.right.node in nodes else u.right,
        ring=None if u.ring and u.ring.node in nodes else u.ring,
        shortcuts=tuple(Entry(entry.label, None) if entry.node in nodes else entry for entry in u.shortcuts),
    )


def with_possible_neighbours(u: Subscriber, me: str) -> Subscriber:
    """`u` without references to itself and to the supervisor: neither can be its neighbour in the ring.

    Source: not in the paper (Deviation: references to oneself; references to the supervisor)
    """
    return without(u, me, SUPERVISOR)


def relabelled(claim: Claim, slot: Claim | None) -> bool:
    """Whether `slot` stores another label for the claim's node."""
    return slot is not None and slot.node == claim.node and slot.label != claim.label


def without_other_labels(u: Subscriber, claim: Claim) -> Subscriber:
    """`u` without the slots that store another label for the claim's node. Source: Algorithm 1, lines 17-22."""
    return replace(
        u,
        left=None if relabelled(claim, u.left) else u.left,
        right=None if relabelled(claim, u.right) else u.right,
        ring=None if relabelled(claim, u.ring) else u.ring,
    )


def rival(u: Subscriber, me: str, claim: Claim) -> str | None:
    """A node other than the claim's that has the same label, as far as `u` knows; None if there is none.

    Source: Section 2.1 (labels are unique)
    """
    rivals = [slot.node for slot in slots(u) if slot.label == claim.label and slot.node != claim.node]
    if rivals:
        return rivals[0]
    return me if claim.label == u.label else None


def hear(u: Subscriber, me: str, claim: Claim, flag: Flag, first_hand: bool, insert: Rule, *arguments: Any) -> Outcome:
    """Apply `insert` to a claim that can be believed.

    Hearsay that contradicts or ties is probed. First hand, other labels of the node are forgotten, and the supervisor
    is asked about both nodes of a tie, since only it can give one of them another label.

    Source: Algorithm 1, lines 15-22 and 29-30 (Deviation: verified introduction)
    """
    # Before the label: a node without one has to be forgotten by others, and not by itself.
    if claim.node == me:
        return Outcome(u)
    if u.label is None:
        return one(u, claim.node, RemoveConnections(me))
    tied = rival(u, me, claim)
    contradicted = any(relabelled(claim, slot) for slot in slots(u))
    if not first_hand and (tied is not None or contradicted):
        return one(u, claim.node, Probe(me, flag))
    believing = without_other_labels(u, claim) if contradicted else u
    if tied is not None:
        return Outcome(believing, tuple(Send(SUPERVISOR, GetConfiguration(node)) for node in (claim.node, tied)))
    return insert(believing, claim, *arguments)


def place_in_list(u: Subscriber, claim: Claim) -> Outcome:
    """Keep the closer of the claim and the neighbour on its side, and delegate the other to it.

    Source: Algorithm 1, lines 24-28
    """
    assert u.label is not None, "hear() has seen to it"
    left = claim.label < u.label
    held = u.left if left else u.right
    if held == claim:
        return Outcome(u)
    if held is not None and not (held.label < claim.label if left else claim.label < held.label):
        return one(u, held.node, Linearize(claim))
    kept = replace(u, left=claim) if left else replace(u, right=claim)
    return Outcome(kept) if held is None else one(kept, claim.node, Linearize(held))


def linearize(u: Subscriber, me: str, claim: Claim, first_hand: bool = False) -> Outcome:
    """Take a claim into the sorted list. Source: Algorithm 1, lines 14-30."""
    return hear(u, me, claim, LIST, first_hand, place_in_list)


def linearize_all(outcome: Outcome, me: str, claims: tuple[Claim, ...], linearize: Rule) -> Outcome:
    """`outcome`, followed by taking each claim into the sorted list, in order."""
    for claim in claims:
        outcome = outcome.then(linearize, me, claim)
    return outcome


def check(u: Subscriber, me: str, message: Check, introduce: Rule) -> Outcome:
    """Correct a sender that has a wrong label for this node; otherwise hear its introduction.

    Source: Algorithm 1, lines 8-12
    """
    if u.label == message.label and message.sender.node != me:
        return introduce(u, me, message.sender, message.flag, True)
    return present(u, me, message.sender.node, message.flag)


def present(u: Subscriber, me: str, asker: str, flag: Flag) -> Outcome:
    """Introduce this node to `asker`, or have it forget this node if it has no label.

    Source: Algorithm 1, lines 9-10; Section 4.1, proof of Lemma 6
    """
    if asker == me:
        return Outcome(u)
    if u.label is None:
        return one(u, asker, RemoveConnections(me))
    return one(u, asker, Present(Claim(u.label, me), flag))


def build_list_timeout(u: Subscriber, me: str, linearize: Rule) -> Outcome:
    """Check the left and the right neighbour; linearise one that is stored on the wrong side.

    Source: Algorithm 1, lines 1-6
    """
    return check_left(u, me, linearize).then(check_right, me, linearize)


def check_left(u: Subscriber, me: str, linearize: Rule) -> Outcome:
    """Check the left neighbour. Source: Algorithm 1, lines 2-6."""
    if u.label is None or u.left is None:
        return Outcome(u)
    # An equal label is no wrong side: the neighbour's own answer shows the tie, and the supervisor settles it (`hear`).
    if u.left.label <= u.label:
        return one(u, u.left.node, Check(Claim(u.label, me), u.left.label, LIST))
    return linearize(replace(u, left=None), me, u.left)


def check_right(u: Subscriber, me: str, linearize: Rule) -> Outcome:
    """Check the right neighbour. Source: Algorithm 1, lines 2-6 ("analogously")."""
    if u.label is None or u.right is None:
        return Outcome(u)
    if u.right.label >= u.label:
        return one(u, u.right.node, Check(Claim(u.label, me), u.right.label, LIST))
    return linearize(replace(u, right=None), me, u.right)
