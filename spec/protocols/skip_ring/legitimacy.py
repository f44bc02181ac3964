"""Legitimacy of the skip ring, node by node and message by message, against the supervisor's database."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from gomboc.spec.core.model import Fault
from gomboc.spec.protocols.skip_ring.labels import index_of, shortcut_chain
from gomboc.spec.protocols.skip_ring.state import (
    SUPERVISOR,
    Check,
    Claim,
    Entry,
    Introduce,
    IntroduceShortcut,
    Linearize,
    Present,
    RemoveConnections,
    SetData,
    Subscribe,
    Subscriber,
    Supervisor,
    Unsubscribe,
)
from gomboc.spec.protocols.skip_ring.subscriber import configure
from gomboc.spec.protocols.skip_ring.supervisor import Database, configuration, repair

OUTSIDE = Subscriber(label=None, wants=False)
"""The state of a subscriber that is not a member and does not want to be."""


class Ring(msgspec.Struct, frozen=True):
    """The ring that a database implies: each recorded node's label, and its right local state."""

    labels: Mapping[str, str]
    nodes: Mapping[str, Subscriber]
    configurations: Mapping[str, SetData]


@lru_cache(maxsize=256)
def ring_of(database: Database) -> Ring:
    """The ring that a database implies once it is repaired."""
    repaired = repair(database)
    at = {entry.label: entry.node for entry in repaired}
    labels = {entry.node: entry.label for entry in repaired if entry.node is not None}
    configurations = {node: configuration(repaired, node) for node in labels}
    nodes = {node: right_state(at, said) for node, said in configurations.items()}
    return Ring(labels, nodes, configurations)


def right_state(at: Mapping[str, str | None], said: SetData) -> Subscriber:
    """A subscriber with that configuration and the shortcuts that follow from it.

    Source: Definition 2; Section 3.2.2
    """
    label, sides = said.label, (said.pred, said.succ)
    assert label is not None, "a recorded node has a label"
    chains = {reached for side in sides if side is not None for reached in shortcut_chain(label, side.label)}
    shortcuts = tuple(Entry(reached, at[reached]) for reached in sorted(chains))
    return configure(Subscriber(shortcuts=shortcuts), said)


def asleep(local: Any) -> bool:
    """Whether a node has crashed: then no input but a restart has an effect. Source: Section 3.3."""
    return isinstance(local, Subscriber) and local.crashed


def share(local: Any) -> Database | None:
    """The input of the authority: the supervisor's database."""
    return local.database if isinstance(local, Supervisor) else None


def anchor(shares: Mapping[str, Any]) -> Database:
    """The authority: the supervisor's database, as it stands."""
    database: Database = shares[SUPERVISOR]
    return database


def misnamed(roles: Mapping[str, str]) -> str | None:
    """A sentence unless exactly the node named `supervisor` has the supervisor's role; every node knows that name.

    Source: Section 1.1
    """
    others = sorted(node for node, role in roles.items() if role == "supervisor" and node != SUPERVISOR)
    return f"only the node {SUPERVISOR!r} has the role 'supervisor', and not {others[0]!r}" if others else None


@lru_cache(maxsize=256)
def anchor_faults(database: Database) -> tuple[Fault, ...]:
    """Each way in which the database is corrupted. Source: Section 3.1 (i) to (iv)."""
    nodes = [entry.node for entry in database]
    held = {index_of(entry.label) for entry in database}
    kinds = (
        (
            "no_empty_tuple",
            "no tuple without a subscriber",
            [e.label for e in database if e.node is None],
            "(i)",
        ),
        (
            "one_label_each",
            "each subscriber once",
            sorted({n for n in nodes if n and nodes.count(n) > 1}),
            "(ii)",
        ),
        (
            "only_subscribers",
            "no tuple with the supervisor",
            [e.label for e in database if e.node == SUPERVISOR],
            "(subscribers and their labels)",
        ),
        ("no_label_missing", "the labels l(0) to l(n-1)", sorted(set(range(len(held))) - held), "(iii)"),
        ("no_label_beyond", "the labels l(0) to l(n-1)", sorted(held - set(range(len(held)))), "(iv)"),
    )
    return tuple(
        Fault(rule, SUPERVISOR, expected, actual, f"Section 3.1 {item}")
        for rule, expected, actual, item in kinds
        if actual
    )


CONJUNCTS = (
    ("label_is_recorded", "label", "Section 3.2.1"),
    ("left_is_predecessor", "left", "Section 3.1; Definition 2, E_R"),
    ("right_is_successor", "right", "Section 3.1; Definition 2, E_R"),
    ("ring_is_closed", "ring", "Section 2.2; Definition 2, E_R"),
    ("shortcuts_are_right", "shortcuts", "Section 3.2.2; Definition 2, E_S"),
    ("wish_is_granted", "wants", "Section 4.1"),
)
"""The conjuncts of a right node: the name, the variable, the source."""


def node_faults(database: Database, me: str, local: Any) -> tuple[Fault, ...]:
    """Faults of the variables that differ from the state implied by the database; a crashed node may not be recorded.

    Source: Definition 2; Section 3.1; Section 3.3
    """
    ring = ring_of(database)
    if isinstance(local, Supervisor):
        return _suspect_faults(ring, me, local)
    if local.crashed:
        fault = Fault("no_crashed_member", me, "a node not recorded", ring.labels.get(me), "Section 3.3")
        return (fault,) if me in ring.labels else ()
    right = ring.nodes.get(me, OUTSIDE)
    if local == right:
        return ()
    pairs = [(rule, getattr(right, field), getattr(local, field), source) for rule, field, source in CONJUNCTS]
    return tuple(
        [Fault(rule, me, expected, actual, source) for rule, expected, actual, source in pairs if expected != actual]
    )


def _suspect_faults(ring: Ring, me: str, local: Supervisor) -> tuple[Fault, ...]:
    recorded = [node for node in local.suspects if node in ring.labels]
    return (Fault("no_suspect_recorded", me, "no suspect", recorded, "Section 3.3"),) if recorded else ()


def message_faults(database: Database, target: str, message: Any) -> tuple[Fault, ...]:
    """Faults of a message that could disturb a right ring.

    Every pair of label and node in flight must be true, a configuration must be that of its target, and no message may
    ask to forget or remove a member, or to record a node that is no member.

    Source: Theorem 13 (Deviation: messages in flight are part of legitimacy)
    """
    ring = ring_of(database)
    match message:
        case SetData():
            said = ring.configurations.get(target, SetData(None, None, None))
            return _unless(message == said, "configuration_is_current", target, said, message)
        case Check(sender, label, _):
            mine = ring.labels.get(target)
            return _claim_faults(ring, target, sender) + _unless(mine == label, "claim_is_true", target, mine, label)
        case Introduce(claim, _) | Present(claim, _) | Linearize(claim) | IntroduceShortcut(claim):
            return _claim_faults(ring, target, claim)
        case RemoveConnections(node) | Unsubscribe(node):
            return _unless(node not in ring.labels, "no_member_removed", target, "a node not recorded", node)
        case Subscribe(node):
            return _unless(node in ring.labels, "no_new_subscriber", target, "a recorded node", node)
    return ()


def _claim_faults(ring: Ring, target: str, claim: Claim) -> tuple[Fault, ...]:
    label = ring.labels.get(claim.node)
    return _unless(label == claim.label, "claim_is_true", target, label and Claim(label, claim.node), claim)


def _unless(right: bool, rule: str, node: str, expected: Any, actual: Any) -> tuple[Fault, ...]:
    source = "Theorem 13, with messages in flight"
    return () if right else (Fault(rule, node, expected, actual, source),)
