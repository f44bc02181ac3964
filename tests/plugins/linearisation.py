"""Three nodes that sort themselves into a list, as a protocol of its own: a small truth about message passing.

Each node knows a neighbour on either side. Its timeout introduces it to both; on hearing of a node it keeps the closer
one on that side, and delegates the other to it.

Source: M. Onus, A. Richa, C. Scheideler, Linearization: locally self-stabilizing sorting in graphs, ALENEX 2007
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.connection import Edge
from gomboc.spec.core.domain import Domain, OneOf, Record
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Choice, Commanded, Fault, Input, Outcome, Received, Send, Timeout
from gomboc.spec.core.protocol import (
    Actor,
    Cited,
    Discipline,
    Legitimacy,
    Naming,
    Promises,
    Protocol,
    Start,
    Starts,
    Vocabulary,
)

NAMES = ("1", "2", "3")
"""The nodes; the order of the list is that of their names."""

SOURCE = "Linearization, ALENEX 2007"


class Node(msgspec.Struct, frozen=True):
    """The nearest node known on either side; None if there is none."""

    left: str | None
    right: str | None


class Hear(msgspec.Struct, frozen=True, tag=True):
    """There is a node of that name."""

    node: str


def right_node(me: str) -> Node:
    """The neighbours that a node has in the sorted list."""
    index = NAMES.index(me)
    return Node(NAMES[index - 1] if index else None, NAMES[index + 1] if index + 1 < len(NAMES) else None)


def react(me: str, local: Node, taken: Input, choice: Choice) -> Outcome:
    """The outcome of one step."""
    match taken:
        case Timeout():
            return Outcome(local, tuple(Send(node, Hear(me)) for node in (local.left, local.right) if node))
        case Received(Hear(node)):
            return hear(local, me, node)
        case _:
            raise ValueError(f"node {me!r} has no rule for {taken!r}")


def hear(local: Node, me: str, node: str) -> Outcome:
    """Keep the closer of `node` and the neighbour on its side, and tell it of the other."""
    if node == me:
        return Outcome(local)
    left = node < me
    held = local.left if left else local.right
    if held == node:
        return Outcome(local)
    if held is not None and (held > node if left else held < node):
        return Outcome(local, (Send(held, Hear(node)),))
    kept = replace(local, left=node) if left else replace(local, right=node)
    return Outcome(kept, () if held is None else (Send(node, Hear(held)),))


def node_faults(anchor: None, me: str, local: Node) -> tuple[Fault, ...]:
    """Whether a node has another neighbour than in the sorted list."""
    right = right_node(me)
    return () if local == right else (Fault("is_sorted", me, right, local, SOURCE),)


def message_faults(anchor: None, target: str, message: Hear) -> tuple[Fault, ...]:
    """Whether a message names another node than a list neighbour of its target."""
    right = right_node(target)
    near = message.node in (right.left, right.right)
    return () if near else (Fault("names_a_neighbour", target, right, message, SOURCE),)


def edges(me: str, value: Node | Hear) -> tuple[Edge, ...]:
    """The edges that a node's neighbours make, or a message to it."""
    known = (value.node,) if isinstance(value, Hear) else (value.left, value.right)
    return tuple((me, other) for other in known if other is not None)


def _start(nodes: int) -> Start:
    return Start(tuple((name, "node") for name in NAMES), tuple((name, right_node(name)) for name in NAMES))


def _nothing(*arguments: Any) -> tuple[Fault, ...]:
    return ()


def _anchor(locals_: Mapping[str, Any]) -> None:
    return None


PROTOCOL = Protocol(
    name="linearisation",
    discipline=Discipline.UNORDERED,
    vocabulary=Vocabulary(roles={"node": Node}, member="node", message=Hear),
    actor=Actor(
        react=react,
        rule=lambda local, taken: Cited("timeout" if isinstance(taken, Timeout | Commanded) else "hear", SOURCE),
    ),
    legitimacy=Legitimacy(
        anchor=_anchor, node_faults=node_faults, message_faults=message_faults, anchor_faults=_nothing
    ),
    starts=Starts(space=lambda size: locals_of(NAMES[0]), start=_start, bound=lambda nodes: 10),
    promises=Promises(edges=edges),
    naming=Naming(malformed=_nothing),
)


def locals_of(me: str) -> Domain:
    """Every local state of a node: any neighbour on either side that belongs there, or none."""
    before = tuple(name for name in NAMES if name < me)
    after = tuple(name for name in NAMES if name > me)
    return Record(Node, (OneOf((None, *before)), OneOf((None, *after))))


def linearisation(copies: int) -> Instance:
    """Three nodes, from every weakly connected start, with up to that many copies of each message in flight."""
    pairs = OneOf(tuple((target, Hear(node)) for target in NAMES for node in NAMES if node != target))
    return Instance(
        protocol=PROTOCOL,
        locals=tuple((name, "node", locals_of(name)) for name in NAMES),
        messages=pairs,
        in_flight=len(pairs.values) * copies,
        copies=copies,
        most=None,
    )
