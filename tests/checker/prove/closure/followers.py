"""Followers with a small number, a peer and a word, and a leader: a protocol of one's own, whose step a test gives."""

from collections.abc import Callable
from functools import partial
from typing import Any

import z3
from msgspec import Struct
from msgspec.structs import replace

from gomboc.checker import Number, Path, World
from gomboc.checker.prove.settlement import Result
from gomboc.spec import (
    Actor,
    Choice,
    Cited,
    Discipline,
    Fault,
    Input,
    Legitimacy,
    NodeName,
    Outcome,
    Protocol,
    Received,
    Starts,
    Timeout,
    Vocabulary,
)
from gomboc.spec.core.guarded import watch
from tests.checker.prove.closure.settled import settled

SOURCE = "followers.py"
ROOTS = __package__, "gomboc.spec"
"""The packages of the protocols here: not all tests, in which caches would be looked for."""

Step = Callable[[str, Any], Outcome]


class Leader(Struct, frozen=True):
    """The state of the leader."""

    number: int


class Follower(Struct, frozen=True):
    """The state of a follower, whose number is at most three; any word is right."""

    number: int
    peer: NodeName | None
    word: str = ""


class Point(Struct, frozen=True, tag_field="kind", tag="point"):
    """A message: the receiver's new peer."""

    node: NodeName


def fault(conjunct: str, me: str) -> Fault:
    """A fault of a node."""
    return Fault(conjunct, me, None, None, SOURCE)


def node_faults(right: int, me: str, local: Any) -> tuple[Fault, ...]:
    """Whether a follower's number is small."""
    del right
    return () if isinstance(local, Leader) or 0 <= local.number <= 3 else (fault("number_is_small", me),)


def message_faults(right: int, target: str, message: Point) -> tuple[Fault, ...]:
    """Whether a message names its receiver."""
    del right
    return (fault("no_node_is_told_of_itself", target),) if message.node == target else ()


def own(
    step: Step,
    node_faults: Any = node_faults,
    message_faults: Any = message_faults,
    watching: bool = False,
    world: dict[str, Any] | None = None,
    state: type = Follower,
    **fields: Any,
) -> Result:
    """Closure of followers that take that step at a timeout, settled: `step(me, local)` is its outcome.

    `fields` are others of the protocol's, `world` those of the world, and `state` is the type of their states.
    """

    def react(me: str, local: Any, taken: Input, choice: Choice) -> Outcome:
        del choice
        if me != "leader" and isinstance(taken, Timeout):
            return step(me, local)
        if me != "leader" and isinstance(taken, Received):
            return Outcome(replace(local, peer=taken.message.node))
        return Outcome(local)

    nothing: Any = None
    protocol = Protocol(
        "own",
        Discipline.UNORDERED,
        Vocabulary({"leader": Leader, "follower": state}, "follower", Point, fixed={"leader": "leader"}),
        Actor(react, lambda local, taken: Cited("step", SOURCE)),
        Legitimacy(lambda states: states["leader"].number, node_faults, message_faults),
        Starts(nothing, lambda count: nothing, lambda count: 4),
    ).changed(**fields)
    if watching:
        watch(protocol, "own")

    def seen(path: Path) -> World:
        return replace(led(protocol, path), **(world or {}))

    return settled(seen, protocol, roots=ROOTS)


def led(protocol: Protocol, path: Path) -> World:
    """The world of a protocol whose leader has the right number."""
    right = Number(path, z3.Int("right"))
    return World(protocol, right, partial(_agrees, right))


def _agrees(right: Any, me: str, local: Any) -> bool:
    return me != "leader" or bool(local.number == right)


def keeping(me: str, local: Any) -> Outcome:
    """A step that changes nothing."""
    del me
    return Outcome(local)


def numbered(count: Callable[[Any], Any]) -> Result:
    """Closure of followers that take another number at a timeout: `count(local)`."""
    return own(lambda me, local: Outcome(replace(local, number=count(local))))
