"""The skip ring once more, from the paper and the README alone, so that no rule is judged by a function that it uses.

Only the types of `gomboc.spec.protocols.skip_ring.state` are shared: they are the vocabulary in which both speak.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import ceil, log2

from gomboc.spec.protocols.skip_ring.state import (
    CYCLE,
    LIST,
    SUPERVISOR,
    Check,
    Claim,
    Entry,
    GetConfiguration,
    Introduce,
    IntroduceShortcut,
    Linearize,
    Present,
    Probe,
    RemoveConnections,
    SetData,
    Subscribe,
    Subscriber,
    Supervisor,
    Unsubscribe,
)

OUTSIDE = Subscriber(label=None, wants=False)
NOBODY = SetData(None, None, None)
FLAGS = (LIST, CYCLE)


@cache
def label(index):
    """l(index): those from 2^d to 2^(d+1) - 1 stand midway between the earlier ones, in ascending order.

    Source: Section 2.1
    """
    if index == 0:
        return "0"
    bits = index.bit_length()
    return format(2 * (index - 2 ** (bits - 1)) + 1, f"0{bits}b")


@cache
def number(bits):
    """r(label). Source: Section 2.1."""
    return sum(Fraction(int(bit), 2**index) for index, bit in enumerate(bits, 1))


def first_labels(nodes):
    """The labels l(0) to l(n-1), in the order of the ring."""
    return sorted(map(label, range(nodes)), key=number)


def sorted_ring(labels):
    """The edges of the sorted ring over these labels."""
    ordered = sorted(labels, key=number)
    return [(one, other) for one, other in pairwise([*ordered, ordered[0]]) if one != other]


def lower_levels(nodes):
    """The levels that shortcuts belong to: 1 to ceil(log n) - 1. Source: Definition 2."""
    return range(1, ceil(log2(nodes)) if nodes > 1 else 1)


def skip_ring(nodes):
    """The edges of SR(nodes), word for word. Source: Definition 2."""
    labels = first_labels(nodes)
    edges = sorted_ring(labels)
    for level in lower_levels(nodes):
        edges += sorted_ring([label for label in labels if len(label) <= level])
    return set(map(frozenset, edges))


def neighbours(labels, own):
    """The labels before and after one's own in the sorted ring over `labels`; None if there is no other."""
    ordered = sorted(labels, key=number)
    index = ordered.index(own)
    before, after = ordered[index - 1], ordered[(index + 1) % len(ordered)]
    return (before if before != own else None), (after if after != own else None)


@cache
def places(nodes, own):
    """Predecessor and successor of the label `own` in SR(nodes), and the labels of its shortcuts.

    A shortcut leads, on each side, to the neighbour on a lower level that is not the neighbour on the ring already.

    Source: Definition 2; Section 3.2.2
    """
    labels = first_labels(nodes)
    before, after = neighbours(labels, own)
    shortcuts = set()
    for level in lower_levels(nodes):
        if len(own) <= level:
            lower = neighbours([label for label in labels if len(label) <= level], own)
            shortcuts |= {reached for reached, held in zip(lower, (before, after), strict=True) if reached != held}
    return before, after, tuple(sorted(shortcuts - {None}, key=number))


def database_of(names):
    """The right database in which the names have the labels l(0), l(1), ... in this order."""
    return tuple(sorted((Entry(label(index), name) for index, name in enumerate(names)), key=lambda e: number(e.label)))


def is_right(database):
    """Whether a database holds l(0) to l(n-1) in order, each for another subscriber.

    Source: Section 3.1, "subscribers and their labels", and (i) to (iv)
    """
    nodes = {entry.node for entry in database}
    return (
        [entry.label for entry in database] == first_labels(len(database))
        and not nodes & {None, SUPERVISOR}
        and len(nodes) == len(database)
    )


@cache
def configurations(database):
    """The messages of a right database to each node that it knows. Source: Section 3.1."""
    at = {entry.label: entry.node for entry in database}

    def claim(bits):
        return None if bits is None else Claim(bits, at[bits])

    messages = {}
    for own, node in at.items():
        before, after, _ = places(len(database), own)
        messages[node] = SetData(claim(before), own, claim(after))
    return messages


@cache
def right_states(database):
    """The right local state of each node that a right database knows. Source: Definition 2; Section 3.2."""
    at = {entry.label: entry.node for entry in database}
    states = {}
    for node, said in configurations(database).items():
        here = number(said.label)
        left = said.pred if said.pred and number(said.pred.label) < here else None
        right = said.succ if said.succ and number(said.succ.label) > here else None
        across = {said.pred, said.succ} - {left, right, None}
        shortcuts = tuple(Entry(label, at[label]) for label in places(len(database), said.label)[2])
        ring = next(iter(across), None)
        if said.pred is not None and said.pred == said.succ:
            ring = said.pred  # in a ring of two the other is neighbour and closing edge
        states[node] = Subscriber(said.label, left, right, ring, shortcuts)
    return states


def world_of(names, outsiders=()):
    """Every local state of a right ring of these names; the outsiders do not belong to it and do not want to."""
    database = database_of(names)
    return {SUPERVISOR: Supervisor(database), **right_states(database), **dict.fromkeys(outsiders, OUTSIDE)}


def is_true(database, claim):
    """Whether a claim names a recorded node by its label."""
    return Entry(claim.label, claim.node) in database


def is_harmless(database, target, message):
    """Whether a message says nothing false and removes or adds no node. Source: Theorem 13, with messages in flight."""
    members = {entry.node for entry in database}
    match message:
        case SetData():
            return message == configurations(database).get(target, NOBODY)
        case Check(sender, bits, _):
            return is_true(database, sender) and Entry(bits, target) in database
        case Introduce(claim, _) | Present(claim, _) | Linearize(claim) | IntroduceShortcut(claim):
            return is_true(database, claim)
        case RemoveConnections(node) | Unsubscribe(node):
            return node not in members
        case Subscribe(node):
            return node in members
        case GetConfiguration() | Probe():
            return True
    raise AssertionError(f"not a message: {message!r}")


def is_legitimate(states, in_flight):
    """Whether a state of the whole system is the right one. Source: Definitions 1 and 2; Theorem 13."""
    database = states[SUPERVISOR].database
    if not is_right(database):
        return False
    right = right_states(database)
    if any(local != right.get(node, OUTSIDE) for node, local in states.items() if node != SUPERVISOR):
        return False
    return right.keys() <= states.keys() and all(is_harmless(database, *sent) for sent in in_flight)


def harmless_messages(database, target, outsiders=()):
    """Every message to `target` that is harmless in the right ring of that database."""
    claims = [Claim(entry.label, entry.node) for entry in database]
    members = [claim.node for claim in claims]
    own = [claim.label for claim in claims if claim.node == target]
    yield configurations(database).get(target, NOBODY)
    yield from map(Subscribe, members)
    for claim in claims:
        yield Linearize(claim)
        yield IntroduceShortcut(claim)
        for flag in FLAGS:
            yield Introduce(claim, flag)
            yield Present(claim, flag)
            yield from (Check(claim, bits, flag) for bits in own)
    for node in (*members, *outsiders):
        yield GetConfiguration(node)
        yield from (Probe(node, flag) for flag in FLAGS)
    for node in outsiders:
        yield RemoveConnections(node)
        yield Unsubscribe(node)


def nodes_in(value):
    """Every node that a message names."""
    match value:
        case Claim(_, node) | RemoveConnections(node) | Probe(node, _):
            return {node}
        case Subscribe(node) | Unsubscribe(node) | GetConfiguration(node):
            return {node}
        case Check(claim, _, _) | Introduce(claim, _) | Present(claim, _) | Linearize(claim) | IntroduceShortcut(claim):
            return {claim.node}
        case SetData(before, _, after):
            return {claim.node for claim in (before, after) if claim}
    return set()


def slots(u):
    """The direct ring neighbours that a subscriber stores, whichever they are."""
    return [claim for claim in (u.left, u.right, u.ring) if claim]


def known_to(u):
    """Every node that a subscriber stores."""
    return {claim.node for claim in slots(u)} | {entry.node for entry in u.shortcuts if entry.node}
