"""The edge that closes the ring (Algorithm 2)."""

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.skip_ring.build_list import (
    Rule,
    build_list_timeout,
    check,
    hear,
    one,
    with_possible_neighbours,
)
from gomboc.spec.protocols.skip_ring.labels import distance
from gomboc.spec.protocols.skip_ring.state import CYCLE, LIST, Check, Claim, Flag, Introduce, Present, Probe, Subscriber


def build_ring_timeout(u: Subscriber, me: str) -> Outcome:
    """Look for a partner of the closing edge, delegate a misplaced one, or check the stored one.

    Source: Algorithm 2, lines 1-13
    """
    assert u.label is not None, "the timeout of a node without a label is another"
    if u.ring is None:
        return Outcome(u, seek_ends(u, Claim(u.label, me)))
    if u.ring.label == u.label:
        return one(replace(u, ring=None), u.ring.node, Probe(me, CYCLE))
    inner = u.left if u.ring.label > u.label else u.right
    if inner is not None:
        return one(replace(u, ring=None), inner.node, Introduce(u.ring, CYCLE))
    return one(u, u.ring.node, Check(Claim(u.label, me), u.ring.label, CYCLE))


def seek_ends(u: Subscriber, myself: Claim) -> tuple[Send, ...]:
    """An end of the list sends its claim towards the other end; a node with two list neighbours sends nothing.

    Source: Algorithm 2, lines 2-4
    """
    ends = ((u.left, u.right), (u.right, u.left))
    return tuple(Send(way.node, Present(myself, CYCLE)) for end, way in ends if end is None and way is not None)


def introduce(u: Subscriber, me: str, claim: Claim, flag: Flag, first_hand: bool, linearize: Rule) -> Outcome:
    """Take a claim into the list or, if its flag is CYC, to the edge that closes the ring.

    Source: Algorithm 2, lines 16-42
    """
    if flag == LIST:
        return linearize(u, me, claim, first_hand)
    return hear(u, me, claim, CYCLE, first_hand, close_ring, me, linearize)


def close_ring(u: Subscriber, claim: Claim, me: str, linearize: Rule) -> Outcome:
    """Decide between the claim and the stored closing edge; if they are on different sides, both go to the list.

    Source: Algorithm 2, lines 25-38
    """
    assert u.label is not None, "hear() has seen to it"
    if u.ring is None:
        return take_or_hand_on(u, claim)
    if (u.ring.label < u.label) == (claim.label < u.label):
        return keep_farther(u, me, claim, u.ring, linearize)
    return linearize(replace(u, ring=None), me, claim).then(linearize, me, u.ring)


def take_or_hand_on(u: Subscriber, claim: Claim) -> Outcome:
    """The end of the list that lies away from the claim takes it; other nodes delegate it towards that end.

    Source: Algorithm 2, lines 25-29
    """
    assert u.label is not None, "hear() has seen to it"
    inner = u.right if claim.label < u.label else u.left
    if inner is None:
        return Outcome(replace(u, ring=claim))
    return Outcome(u) if inner.node == claim.node else one(u, inner.node, Introduce(claim, CYCLE))


def keep_farther(u: Subscriber, me: str, claim: Claim, ring: Claim, linearize: Rule) -> Outcome:
    """Keep the farther of two candidates, and introduce the nearer one to it and to this node.

    Source: Algorithm 2, lines 30-34 (Deviation: no claim is lost, and no node is introduced to itself)
    """
    assert u.label is not None, "hear() has seen to it"
    if claim == ring:
        return Outcome(u)
    farther = distance(claim.label, u.label) > distance(ring.label, u.label)
    far, near = (claim, ring) if farther else (ring, claim)
    return one(replace(u, ring=far), far.node, Introduce(near, LIST)).then(linearize, me, near)


def timeout(u: Subscriber, me: str, linearize: Rule) -> Outcome:
    """Run the timeout of the closing edge, then that of the list. Source: Algorithm 2, lines 1-14."""
    return build_ring_timeout(u, me).then(build_list_timeout, me, linearize)


class BuildRing(msgspec.Struct, frozen=True):
    """The rules of Algorithms 1 and 2 except Linearize: the periodic one, those for messages, and `forget`.

    `forget` is applied to the local state at the beginning of each step.
    """

    timeout: Rule = timeout
    check: Rule = check
    introduce: Rule = introduce
    forget: Callable[[Subscriber, str], Subscriber] = with_possible_neighbours
