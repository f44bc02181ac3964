"""Distances: nodes in a line, `n0` to `n9`, compute their distance from the first, in synchronous rounds.

In each round every node sends its neighbours its distance, and takes that of the nearer one plus 1. A crashed node
sends no more, and its last value stays.
"""

from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.domain import Bag, OneOf, Record, pair
from gomboc.spec.core.model import Commanded, Fault, Outcome, Received, Send, Timeout
from gomboc.spec.core.protocol import (
    Actor,
    Discipline,
    Environment,
    Legitimacy,
    Naming,
    Protocol,
    Size,
    Start,
    Starts,
    Vocabulary,
)
from tests.toys.kinds import Crash, Kind, Restart, failing, rule

FAR = 10
"""A distance that no node has."""


class Node(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A node's distance, and the last ones of its neighbours on either side. `last`: there is no node on the right."""

    distance: int
    left: int
    right: int
    last: bool
    crashed: bool


class Tell(Kind, frozen=True):
    """`node` has that distance."""

    node: str
    distance: int


def _place(node: str) -> int:
    return int(node.removeprefix("n"))


def react(me: str, local: Node, taken: Any, choice: Any) -> Outcome:
    index = _place(me)
    match taken:
        case Commanded(Crash() | Restart() as command):
            return Outcome(replace(local, crashed=isinstance(command, Crash)))
        case _ if local.crashed:
            return Outcome(local)
        case Timeout():
            distance = min(local.left, local.right, FAR - 1) + 1 if index else 0
            beside = ([index - 1] if index else []) + ([] if local.last else [index + 1])
            sends = tuple(Send(f"n{other}", Tell(me, distance)) for other in beside)
            return Outcome(replace(local, distance=distance), sends)
        case Received(Tell(node, distance)) if _place(node) == index - 1:
            return Outcome(replace(local, left=distance))
        case Received(Tell(node, distance)) if _place(node) == index + 1 and not local.last:
            return Outcome(replace(local, right=distance))
        case Received():
            return Outcome(local)
    raise ValueError(f"there is no rule for {taken!r}")


def right_node(index: int, last: bool) -> Node:
    """A node that knows its distance."""
    return Node(index, index - 1 if index else FAR, FAR if last else index + 1, last, False)


def node_faults(anchor: None, me: str, local: Node) -> tuple[Fault, ...]:
    if local.crashed:
        return ()
    right = right_node(_place(me), local.last)
    return () if local == right else (Fault("knows_its_distance", me, right, local, "Section 3"),)


def message_faults(anchor: None, target: str, message: Tell) -> tuple[Fault, ...]:
    right = _place(message.node)
    wrong = message.distance != right
    return (Fault("tells_its_distance", target, right, message.distance, "Section 3"),) if wrong else ()


def malformed(value: Any) -> tuple[Fault, ...]:
    distances = (value.distance, value.left, value.right) if isinstance(value, Node) else (value.distance,)
    wrong = [distance for distance in distances if not 0 <= distance <= FAR]
    return (Fault("canonical", "", f"0 to {FAR}", wrong, "Section 1"),) if wrong else ()


def misnamed(roles: Any) -> str | None:
    wrong = sorted(set(roles) ^ {f"n{index}" for index in range(len(roles))})
    return (
        f"the nodes of a line of {len(roles)} are n0 to n{len(roles) - 1}, so {wrong[0]!r} is wrong" if wrong else None
    )


def start(nodes: int) -> Start:
    return _started(nodes, tuple(right_node(index, index == nodes - 1) for index in range(nodes)), ())


def space(size: Size) -> Any:
    """Any distances up to the number of nodes, and any words of neighbours in flight."""
    near = OneOf((*range(size.nodes), FAR))
    values = [_nodes(near, index == 0, index == size.nodes - 1) for index in range(size.nodes)]
    beside = [
        (index, other) for index in range(size.nodes) for other in (index - 1, index + 1) if 0 <= other < size.nodes
    ]
    links = OneOf(tuple((f"n{target}", f"n{source}") for target, source in beside))
    channel = Bag(pair(lambda link, distance: (link[0], Tell(link[1], distance)), links, near), size.messages)
    return pair(lambda item, sent: _started(size.nodes, item, sent), Record(lambda *item: item, tuple(values)), channel)


def _node(last: bool, distance: int, left: int, right: int) -> Node:
    return Node(distance, left, right, last, False)


def _nodes(near: OneOf, first: bool, last: bool) -> Any:
    far = OneOf((FAR,))
    return Record(partial(_node, last), (near, far if first else near, far if last else near))


def _started(nodes: int, values: tuple[Node, ...], in_flight: Any) -> Start:
    names = tuple(f"n{index}" for index in range(nodes))
    return Start(tuple((name, "node") for name in names), tuple(zip(names, values, strict=True)), in_flight)


PROTOCOL = Protocol(
    name="distances",
    discipline=Discipline.ROUNDS,
    vocabulary=Vocabulary(
        roles={"node": Node}, member="node", message=Tell, command=Crash | Restart, fixed={"n0": "node"}
    ),
    actor=Actor(react=react, rule=rule),
    legitimacy=Legitimacy(anchor=lambda shares: None, node_faults=node_faults, message_faults=message_faults),
    starts=Starts(space=space, start=start, bound=lambda nodes: nodes + 2),
    environment=Environment(
        offers=lambda states, in_flight: tuple(failing(states)), asleep=lambda local: local.crashed
    ),
    naming=Naming(malformed=malformed, misnamed=misnamed),
)
