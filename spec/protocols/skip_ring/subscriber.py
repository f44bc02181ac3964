"""The subscriber's own rules (Algorithm 4): configuration, shortcuts, requests to the supervisor, and failures."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import Choice, Outcome, Send
from gomboc.spec.protocols.skip_ring import build_ring
from gomboc.spec.protocols.skip_ring.build_list import Rule, linearize_all, one, slots
from gomboc.spec.protocols.skip_ring.labels import clockwise, shortcut_chain
from gomboc.spec.protocols.skip_ring.state import (
    SUPERVISOR,
    Claim,
    Entry,
    GetConfiguration,
    IntroduceShortcut,
    RemoveConnections,
    Restart,
    SetData,
    Subscribe,
    Subscriber,
    Unsubscribe,
)

ASK = "ask"
SILENT = "silent"


class Side(msgspec.Struct, frozen=True):
    """One side of a subscriber: its direct ring neighbour there, and the labels of its shortcuts, nearest first."""

    neighbour: Claim | None
    chain: tuple[str, ...]


Partners = Callable[[Subscriber, Side, Side], tuple[Claim | None, Claim | None]]
"""The two nodes that a subscriber introduces to each other, as a function of its sides."""


def sides(u: Subscriber) -> tuple[Side, Side]:
    """The side of the predecessor and that of the successor; at an end of the list the closing edge is used.

    Source: Section 3.2.2
    """
    assert u.label is not None, "a node without a label has no sides"
    predecessor, successor = neighbours(u, u.label)
    return _side(u.label, predecessor), _side(u.label, successor)


def neighbours(u: Subscriber, label: str) -> tuple[Claim | None, Claim | None]:
    """The predecessor and the successor of `u`, which has that label."""
    ring = u.ring
    predecessor = u.left or (ring if ring and ring.label > label else None)
    return predecessor, u.right or (ring if ring and ring.label < label else None)


def _side(label: str, neighbour: Claim | None) -> Side:
    return Side(neighbour, shortcut_chain(label, neighbour.label) if neighbour else ())


def partner(u: Subscriber, side: Side) -> Claim | None:
    """The neighbour on that side in the ring of the nodes with labels at most as long as the own label.

    Source: Section 3.2.2; Definition 2 (Deviation: per side, from the chain)
    """
    if not side.chain:
        return side.neighbour
    return next((Claim(e.label, e.node) for e in u.shortcuts if e.label == side.chain[-1] and e.node), None)


def partners(u: Subscriber, before: Side, after: Side) -> tuple[Claim | None, Claim | None]:
    """The two nodes that `u` introduces to each other. Source: Section 3.2.2; Algorithm 4, line 12."""
    return partner(u, before), partner(u, after)


def introduce_partners(u: Subscriber, before: Side, after: Side, partners: Partners) -> Outcome:
    """Introduce the two partners to each other, if there are two. Source: Algorithm 4, lines 12-14."""
    first, second = partners(u, before, after)
    if first is None or second is None or first.node == second.node:
        return Outcome(u)
    sends = Send(first.node, IntroduceShortcut(second)), Send(second.node, IntroduceShortcut(first))
    return Outcome(u, sends)


def update_shortcuts(u: Subscriber, me: str, labels: set[str], linearize: Rule) -> Outcome:
    """Set shortcuts with exactly those labels; linearise the nodes of removed ones. Source: Algorithm 4, line 3."""
    known = {entry.label: entry.node for entry in u.shortcuts}
    pruned = tuple(Claim(e.label, e.node) for e in u.shortcuts if e.node and e.label not in labels)
    shortcuts = tuple(Entry(label, known.get(label)) for label in sorted(labels))
    return linearize_all(Outcome(replace(u, shortcuts=shortcuts)), me, pruned, linearize)


def introduce_shortcut(u: Subscriber, me: str, claim: Claim, linearize: Rule) -> Outcome:
    """Store a claim as shortcut if a shortcut has its label, and linearise the node that it replaces.

    Source: Algorithm 4, lines 22-30 (Deviation: a shortcut that did not change is not linearised)
    """
    if claim.node == me:
        return Outcome(u)
    if u.label is None:
        return one(u, claim.node, RemoveConnections(me))
    held = [entry for entry in u.shortcuts if entry.label == claim.label]
    if not held:
        return linearize(u, me, claim)
    (old,) = held
    shortcuts = tuple(Entry(claim.label, claim.node) if entry is old else entry for entry in u.shortcuts)
    replaced = (Claim(old.label, old.node),) if old.node and old.node != claim.node else ()
    return linearize_all(Outcome(replace(u, shortcuts=shortcuts)), me, replaced, linearize)


def references(u: Subscriber) -> tuple[Claim, ...]:
    """Every claim that `u` stores, the shortcuts last."""
    return slots(u) + tuple(Claim(entry.label, entry.node) for entry in u.shortcuts if entry.node)


def thinks_minimal(u: Subscriber) -> bool:
    """Whether no label that `u` stores for a node is lower than its own.

    Source: Section 3.2.1 (iv); Algorithm 4, line 7
    """
    stored = (u.left, u.right, u.ring, *u.shortcuts)
    return u.label is not None and not [claim for claim in stored if claim and claim.node and claim.label < u.label]


def misses_a_neighbour(u: Subscriber) -> bool:
    """Whether `u` has a label and no predecessor, or no successor; false in a right ring of two or more.

    Source: not in the paper (Deviation: a node that misses a neighbour asks for it)
    """
    if u.label is None:
        return False
    predecessor, successor = neighbours(u, u.label)
    return predecessor is None or successor is None


def coin(u: Subscriber) -> tuple[Choice, ...]:
    """The choices of whether to ask the supervisor for the configuration.

    The probability is 1/2 for a node that thinks itself minimal or misses a neighbour, else 1 / (2^k k^2) for k bits of
    label.

    Source: Section 3.2.1 (ii) and (iv); Algorithm 4, lines 7-11 (Deviation: a node that misses a neighbour asks for it)
    """
    return tossed(len(u.label or "0"), thinks_minimal(u) or misses_a_neighbour(u))


@lru_cache
def tossed(bits: int, often: bool) -> tuple[Choice, Choice]:
    """The coin of a label with `bits` bits. Source: Section 3.2.1 (ii) and (iv)."""
    ask = Fraction(1, 2) if often else Fraction(1, 2**bits * bits**2)
    return Choice(ASK, ask), Choice(SILENT, 1 - ask)


def turn_to_supervisor(u: Subscriber, me: str, choice: Choice) -> Outcome:
    """The requests of the periodic action to the supervisor.

    Source: Section 3.2.1 (i), (ii), (iv); Algorithm 4, lines 4-11 (Deviation: `wants`)
    """
    if u.label is None:
        return one(u, SUPERVISOR, Subscribe(me)) if u.wants else Outcome(u)
    if not u.wants:
        return one(u, SUPERVISOR, Unsubscribe(me))
    return one(u, SUPERVISOR, GetConfiguration(me)) if choice.name == ASK else Outcome(u)


def part(u: Subscriber, me: str) -> Outcome:
    """Without a label: have all known nodes forget this node, forget them, and drop publications if `forgets`.

    Source: Section 4.1; Algorithm 2, lines 5-7 (Deviation: `forgets`)
    """
    nodes = sorted({claim.node for claim in references(u)})
    alone = Subscriber(label=None, wants=u.wants)
    if u.wants or not u.forgets:
        alone = replace(alone, forgets=u.forgets, publications=u.publications, hashes=u.hashes)
    return Outcome(alone, tuple(Send(node, RemoveConnections(me)) for node in nodes))


def set_data(u: Subscriber, me: str, message: SetData, linearize: Rule) -> Outcome:
    """Overwrite label, left, right and ring; linearise replaced neighbours, and ask about those as close.

    Source: Algorithm 4, lines 16-20; Section 3.2.1 (iii) (Deviation: no reference is dropped)
    """
    if message.label is None:
        return part(u, me)
    proper = replace(message, pred=_proper(message, message.pred, me), succ=_proper(message, message.succ, me))
    configured = configure(u, proper)
    kept = {claim.node for claim in slots(configured)}
    replaced = [(claim, before) for claim, before in _by_side(u, message.label) if claim.node not in kept]
    asked = tuple(
        Send(SUPERVISOR, GetConfiguration(claim.node))
        for claim, before in replaced
        if is_as_close(claim, proper.pred if before else proper.succ, message.label, before)
    )
    return linearize_all(Outcome(configured, asked), me, tuple(claim for claim, _ in replaced), linearize)


def _proper(message: SetData, claim: Claim | None, me: str) -> Claim | None:
    return None if claim is None or claim.node in (me, SUPERVISOR) or claim.label == message.label else claim


def _by_side(u: Subscriber, label: str) -> tuple[tuple[Claim, bool], ...]:
    """The slots of `u`, and whether each holds the predecessor of a node with that label."""
    sides = ((u.left, True), (u.right, False), (u.ring, u.ring is not None and u.ring.label > label))
    return tuple((claim, before) for claim, before in sides if claim is not None)


def is_as_close(claim: Claim, rival: Claim | None, label: str, before: bool) -> bool:
    """Whether `claim` is at most as far from `label` as `rival`, backwards on the ring or (not `before`) forwards.

    Source: Section 3.2.1 (iii)
    """
    if rival is None:
        return True
    if before:
        return clockwise(claim.label, label) <= clockwise(rival.label, label)
    return clockwise(label, claim.label) <= clockwise(label, rival.label)


def configure(u: Subscriber, message: SetData) -> Subscriber:
    """`u` with that configuration; a neighbour across 1 = 0 goes to the closing edge.

    Source: Algorithm 4, lines 17 and 20
    """
    label, pred, succ = message.label, message.pred, message.succ
    assert label is not None, "set_data() has seen to it"
    across = pred if pred and pred.label > label else succ if succ and succ.label < label else None
    return replace(
        u,
        label=label,
        left=pred if pred and pred.label < label else None,
        right=succ if succ and succ.label > label else None,
        ring=across,
    )


def timeout(
    u: Subscriber, me: str, choice: Choice, linearize: Rule, partners: Partners, build_ring: Rule = build_ring.timeout
) -> Outcome:
    """Check the ring and the list, update the shortcuts, send requests to the supervisor, introduce the partners.

    Source: Algorithm 4, lines 1-14
    """
    if u.label is None:
        return part(u, me).then(turn_to_supervisor, me, choice)
    ring = build_ring(u, me, linearize)
    before, after = sides(ring.local)
    return (
        ring.then(update_shortcuts, me, {*before.chain, *after.chain}, linearize)
        .then(turn_to_supervisor, me, choice)
        .then(introduce_partners, before, after, partners)
    )


def crash(u: Subscriber) -> Outcome:
    """Crash the node: until it restarts, no input has any effect.

    Source: Section 3.3, "these messages do not invoke any action on v"
    """
    return Outcome(replace(u, crashed=True))


def restart(u: Subscriber, command: Restart) -> Outcome:
    """Restart the node with its old variables or with empty ones; `wants` stays as its application set it.

    Source: Section 3.3; Section 1.1, any system state
    """
    if not u.crashed:
        return Outcome(u)
    return Outcome(replace(u, crashed=False) if command.keep else Subscriber(wants=u.wants))
