"""The rules of the sorted list and of the closing edge (Algorithms 1 and 2) on terms instead of values.

A label is its place on the circle, a whole number; a node is a number. One's own label is known. Requests to the
supervisor about a configuration that does not fit are left out.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import z3

from gomboc.checker.prove.lemma import Term

LINEARIZE, LIST, CYCLE, PROBE, ASK = "Linearize", "Introduce LIN", "Introduce CYC", "Probe", "GetConfiguration"


class Claim(NamedTuple):
    """A pair of label and node, or nothing if it is not `there`."""

    there: Term
    label: Term
    node: Term


class Node(NamedTuple):
    """A subscriber with a label: its name, its label, and its slots."""

    me: Term
    label: Term
    left: Claim
    right: Claim
    ring: Claim

    def slots(self) -> tuple[Claim, Claim, Claim]:
        """The slots, in the order left, right, ring."""
        return self.left, self.right, self.ring


class Sent(NamedTuple):
    """A message of that kind, if it is sent. `believed` is the label that its sender thinks its target has.

    A probe names no node but its sender, and `claim` is then its target; GetConfiguration names `claim.node`.
    """

    when: Term
    kind: str
    target: Term
    believed: Term
    claim: Claim


class Result(NamedTuple):
    """Result of a rule: the node afterwards, and the messages that it may send."""

    node: Node
    sends: tuple[Sent, ...] = ()

    def then(self, rule: Callable[..., "Result"], *arguments: Any) -> "Result":
        """This result, followed by another rule in the same step."""
        after = rule(self.node, *arguments)
        return Result(after.node, self.sends + after.sends)

    def when(self, condition: Term) -> tuple[Sent, ...]:
        """The sent messages, each only if the condition is true as well."""
        return tuple(sent._replace(when=z3.And(condition, sent.when)) for sent in self.sends)


NOTHING = Claim(z3.BoolVal(False), z3.IntVal(0), z3.IntVal(0))
NOWHERE = z3.IntVal(0)
HEARSAY, FIRST_HAND = z3.BoolVal(False), z3.BoolVal(True)


def choose(condition: Term, one: Any, other: Any) -> Any:
    """One value or the other, of the same kind, part by part."""
    if isinstance(one, tuple):
        parts = (choose(condition, *pair) for pair in zip(one, other, strict=True))
        return type(one)(*parts)
    return z3.If(condition, one, other)


def branch(condition: Term, one: Result, other: Result) -> Result:
    """The one result if the condition is true, else the other."""
    sends = one.when(condition) + other.when(z3.Not(condition))
    return Result(choose(condition, one.node, other.node), sends)


def send(kind: str, target: Claim, claim: Claim) -> Sent:
    """A message that is sent for certain."""
    return Sent(z3.BoolVal(True), kind, target.node, target.label, claim)


def is_same(one: Claim, other: Claim) -> Term:
    """Whether both are there and equal."""
    return z3.And(one.there, other.there, one.label == other.label, one.node == other.node)


def names(slot: Claim, node: Term) -> Term:
    """Whether a slot refers to that node."""
    return z3.And(slot.there, slot.node == node)


def is_relabelled(claim: Claim, slot: Claim) -> Term:
    """Whether a slot stores another label for the claim's node."""
    return z3.And(names(slot, claim.node), slot.label != claim.label)


def is_tied(u: Node, claim: Claim) -> Term:
    """Whether the claim's label is, as far as `u` knows, that of another node."""
    rivals = (z3.And(slot.there, slot.label == claim.label, slot.node != claim.node) for slot in u.slots())
    return z3.Or(*rivals, claim.label == u.label)


def rival(u: Node, claim: Claim) -> Term:
    """The first node in a slot that has the claim's label and is another; oneself if there is none."""
    node = u.me
    for slot in reversed(u.slots()):
        node = z3.If(z3.And(slot.there, slot.label == claim.label, slot.node != claim.node), slot.node, node)
    return node


def is_contradicted(u: Node, claim: Claim) -> Term:
    """Whether some slot stores another label for the claim's node."""
    return z3.Or(*(is_relabelled(claim, slot) for slot in u.slots()))


Place = Callable[[Node, Claim], Result]


def hear(u: Node, claim: Claim, first_hand: Term, decide: Place) -> Result:
    """Go on to `decide` on a claim that can be believed.

    Source: Algorithm 1, lines 15-22 and 29-30 (Deviation: verified introduction)
    """
    tied, contradicted = is_tied(u, claim), is_contradicted(u, claim)
    probe = Result(u, (send(PROBE, claim, claim),))
    kept = (choose(is_relabelled(claim, slot), NOTHING, slot) for slot in u.slots())
    believing = Node(u.me, u.label, *kept)
    tie = Result(
        believing,
        tuple(
            Sent(z3.BoolVal(True), ASK, NOWHERE, NOWHERE, claim._replace(node=node))
            for node in (claim.node, rival(u, claim))
        ),
    )
    doubtful = z3.And(z3.Not(first_hand), z3.Or(tied, contradicted))
    heard = branch(doubtful, probe, branch(tied, tie, decide(believing, claim)))
    return branch(claim.node == u.me, Result(u), heard)


def place_in_list(u: Node, claim: Claim) -> Result:
    """Keep the closer of the claim and the neighbour on its side, and delegate the other to it.

    Source: Algorithm 1, lines 24-28
    """
    left = claim.label < u.label
    held = choose(left, u.left, u.right)
    closer = z3.If(left, held.label < claim.label, claim.label < held.label)
    handed_on = Result(u, (send(LINEARIZE, held, claim),))
    kept = choose(left, u._replace(left=claim), u._replace(right=claim))
    taken = Result(kept, (send(LINEARIZE, claim, held)._replace(when=held.there),))
    return branch(is_same(held, claim), Result(u), branch(z3.And(held.there, z3.Not(closer)), handed_on, taken))


def linearize(u: Node, claim: Claim, first_hand: Term = HEARSAY) -> Result:
    """Take a claim into the sorted list. Source: Algorithm 1, lines 14-30."""
    return hear(u, claim, first_hand, place_in_list)


def introduce(u: Node, claim: Claim, first_hand: Term) -> Result:
    """Take a claim to the edge that closes the ring. Source: Algorithm 2, lines 16-42, with the flag CYC."""
    return hear(u, claim, first_hand, close_ring)


def close_ring(u: Node, claim: Claim) -> Result:
    """Decide between the claim and the closing edge that there is. Source: Algorithm 2, lines 25-38."""
    same_side = (u.ring.label < u.label) == (claim.label < u.label)
    both_to_list = linearize(u._replace(ring=NOTHING), claim).then(linearize, u.ring)
    decided = branch(same_side, keep_farther(u, claim), both_to_list)
    return branch(u.ring.there, decided, take_or_hand_on(u, claim))


def take_or_hand_on(u: Node, claim: Claim) -> Result:
    """The end of the list that lies away from the claim takes it; anybody else hands it on.

    Source: Algorithm 2, lines 25-29
    """
    inner = choose(claim.label < u.label, u.right, u.left)
    handed_on = Result(u, (send(CYCLE, inner, claim)._replace(when=inner.node != claim.node),))
    return branch(inner.there, handed_on, Result(u._replace(ring=claim)))


def distance(one: Term, other: Term) -> Term:
    """How far two labels are from each other."""
    return z3.If(one < other, other - one, one - other)


def farther_first(u: Node, claim: Claim) -> tuple[Claim, Claim]:
    """The claim and the closing edge, the farther one first; the closing edge if they are equally far."""
    farther = distance(claim.label, u.label) > distance(u.ring.label, u.label)
    return choose(farther, claim, u.ring), choose(farther, u.ring, claim)


def keep_farther(u: Node, claim: Claim) -> Result:
    """Keep the farther of two candidates, and introduce the nearer one to it and to oneself.

    Source: Algorithm 2, lines 30-34
    """
    far, near = farther_first(u, claim)
    kept = Result(u._replace(ring=far), (send(LIST, far, near),)).then(linearize, near)
    return branch(is_same(claim, u.ring), Result(u), kept)


def set_data(u: Node, label: Term, pred: Claim, succ: Claim) -> Result:
    """Overwrite label and slots, and linearise the claims that they held. Source: Algorithm 4, lines 16-20."""
    configured = configure(u, label, pred, succ)
    result = Result(configured)
    for slot in u.slots():
        replaced = z3.And(slot.there, *(z3.Not(names(kept, slot.node)) for kept in configured.slots()))
        result = branch(replaced, result.then(linearize, slot), result)
    return result


def configure(u: Node, label: Term, pred: Claim, succ: Claim) -> Node:
    """`u` with that configuration; a neighbour across 1 = 0 goes to the closing edge.

    Source: Algorithm 4, lines 17 and 20
    """
    pred, succ = (_proper(u, label, claim) for claim in (pred, succ))
    left, right = z3.And(pred.there, pred.label < label), z3.And(succ.there, succ.label > label)
    across = choose(z3.And(pred.there, pred.label > label), pred, choose(succ.label < label, succ, NOTHING))
    return Node(u.me, label, choose(left, pred, NOTHING), choose(right, succ, NOTHING), across)


def _proper(u: Node, label: Term, claim: Claim) -> Claim:
    return claim._replace(there=z3.And(claim.there, claim.node != u.me, claim.label != label))


def is_known(result: Result, node: Term) -> Term:
    """Whether a reference to that node is stored, in a message, or the target of a probe, which will be answered."""
    stored = (names(slot, node) for slot in result.node.slots())
    sent = (z3.And(sent.when, sent.claim.node == node) for sent in result.sends)
    return z3.Or(*stored, *sent)
