"""The members of a ring of any size, as closure sees them: their order on the circle, and the owner of each place."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import z3

from gomboc.checker.prove.closure.around import Around
from gomboc.checker.prove.closure.cases import World
from gomboc.checker.prove.closure.paths import Path, all_quietly
from gomboc.checker.prove.closure.symbols import Number, Symbol, Text
from gomboc.checker.prove.closure.values import constant
from gomboc.spec.core.model import CERTAIN, Choice
from gomboc.spec.protocols.chord import chord_with, legitimacy, routing
from gomboc.spec.protocols.chord.legitimacy import IdealState
from gomboc.spec.protocols.chord.names import Circle
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.rules import Rules
from gomboc.spec.protocols.chord.state import Node

TARGET = z3.Function("target", z3.IntSort(), z3.IntSort(), z3.IntSort())
FIRST = z3.Function("first_finger", z3.IntSort(), z3.IntSort(), z3.IntSort())

OURS = Rules()

LISTS = ("Node.successors", "StabilizeReply.successors", "JoinReply.successors")
"""The fields that have a list of successors."""


class Finger(Number):
    """The number of a finger. The rules look one up among the fingers of symbols only, so hashes say nothing."""

    __slots__ = ()

    def __hash__(self) -> int:
        return 0


@all_quietly
class Members:
    """The anchor: which nodes are members. Nodes and keys are their places; `finger` is any one finger."""

    def __init__(self, path: Path) -> None:
        self.path, self.size = path, Circle().size()
        self.around = Around(path)
        number = z3.Int("finger")
        path.add(number >= 0, number < Parameters().bits)
        self.finger = Finger(path, number)

    def __contains__(self, name: Any) -> bool:
        return isinstance(name, Symbol) and self.path.decide(self.around.belongs(name.term))

    def __bool__(self) -> bool:
        return self.path.decide(self.around.any)

    def node_at(self, term: Any) -> Symbol:
        """The node at that place."""
        self.around.knows(term)
        return Symbol(self.path, term, "n{}".format)

    def node(self, name: str) -> Symbol:
        """Any node."""
        term = z3.Int(self.path.fresh(name))
        self.path.add(term >= 0, term < self.size)
        return self.node_at(term)

    def key(self, name: str) -> Text:
        """Any key."""
        term = z3.Int(self.path.fresh(name))
        self.path.add(term >= 0, term < self.size)
        return Text(self.path, term, Circle().key)

    def numbered(self, name: str) -> Finger:
        """The number of any finger, in bounds or not."""
        return Finger(self.path, z3.Int(self.path.fresh(name)))

    def pointed(self, name: str) -> tuple[tuple[Number, Symbol], ...]:
        """Any node as the finger, or none."""
        return ((self.finger, self.node(name)),) if self.path.choose(2) else ()

    def right(self, parameters: Parameters, _members: Any, me: Symbol) -> IdealState:
        """Stands for `legitimacy.right`: the next r members, as many as there are, the last one, and the finger."""
        listed: list[Any] = []
        at = self.around.next(me.term)
        while len(listed) < parameters.r and not self.path.decide(at == me.term):
            listed.append(self.node_at(at))
            at = self.around.next(at)
        before = self.node_at(self.around.last(me.term)) if listed else None
        fingers = self._fingers(parameters, me, listed[0]) if listed and parameters.fingers else {}
        ideal: Any = before, tuple(listed), fingers
        return IdealState(*ideal)

    def _fingers(self, parameters: Parameters, me: Symbol, head: Symbol) -> dict[Any, Any]:
        circle: Any = parameters.circle
        if self.finger < circle.first_finger(me, head):
            return {}
        owner = self.node_at(self.around.owner(circle.target(me, self.finger).term))
        return {} if owner == me else {self.finger: owner}

    def owner(self, _circle: Any, _members: Any, position: Number) -> Symbol:
        """Stands for `legitimacy.owner`."""
        return self.node_at(self.around.owner(position.term))

    def any_hop(self, _circle: Any, _me: Any, _local: Any, _position: Any) -> Any:
        """Stands for `routing.next_hop`: any node, or none; so nothing is assumed of who is asked."""
        return self.node("hop") if self.path.choose(2) else None

    def system(self, rules: Rules, model: Any) -> dict[str, Node]:
        """The members, each in its right state, and the others outside."""
        names = tuple(map("n{}".format, self.around.members(model)))
        members = {name: legitimacy.right_state(plain(rules), names, name) for name in names}
        return members | {f"n{place}": Node() for place in self.around.others(model)}

    def asked_by(self, _choice: Choice, usual: Any, peers: tuple[Any, ...]) -> Any:
        """Stands for `routing.asked_by`: any node that a coin may name."""
        asked = (*peers, *(() if usual is None and peers else (usual,)))
        return asked[self.path.choose(len(asked))]


class SymbolicCircle(Circle, frozen=True):
    """A circle on which ids and keys are symbols."""

    def id_of(self, name: Any) -> Any:
        """The place of a node."""
        return Number(name.path, name.term)

    def number(self, key: Any) -> Any:
        """The place that a key encodes."""
        return Number(key.path, key.term)

    def has_id(self, _name: Any) -> bool:
        """Every node of a system has an id."""
        return True

    def target(self, name: Any, finger: Any) -> Any:
        """Some place, for each node and finger."""
        return Number(name.path, TARGET(name.term, finger.term))

    def first_finger(self, name: Any, head: Any) -> Any:
        """Some number, for each node and head."""
        first = FIRST(name.term, head.term)
        name.path.add(first >= 0)
        return Finger(name.path, first)


class ExactCircle(SymbolicCircle, frozen=True):
    """The same for the last finger alone, with its place in numbers: a counterexample is one on a real circle."""

    def target(self, name: Any, finger: Any) -> Any:
        """The place halfway around."""
        name.path.add(finger.term == self.bits - 1)
        return Number(name.path, (name.term + self.size() // 2) % self.size())

    def first_finger(self, name: Any, head: Any) -> Any:
        """The last finger, or none: heads are far away, so that no other finger lies beyond them."""
        distance = (head.term - name.term - 1) % self.size() + 1
        name.path.add(distance >= self.size() // 4)
        return Finger(name.path, z3.If(distance >= self.size() // 2, self.bits, self.bits - 1))


class SymbolicParameters(Parameters, frozen=True):
    """Parameters of such a circle; `exact`: in numbers."""

    exact: bool = False

    @property
    def circle(self) -> Circle:
        """The circle."""
        return ExactCircle(self.bits) if self.exact else SymbolicCircle(self.bits)


def plain(rules: Rules) -> Parameters:
    """The parameters of such rules, on a circle where names are numbers."""
    said = rules.parameters
    return Parameters(ids="number", r=said.r, meet=said.meet, fingers=said.fingers)


def world(path: Path, rules: Rules, real: Rules) -> World:
    """A ring of any number of members, and any number of other nodes, with those rules; `real` has no symbols."""
    members, parameters = Members(path), rules.parameters
    successors = dict.fromkeys(LISTS, parameters.r)
    builders: dict[str, Any] = {
        "name": members.node,
        "str": members.key,
        "Node.next": members.numbered,
        "FixFingerRequest.finger": constant(members.finger),
        "FixFingerReply.finger": constant(members.finger),
    }
    if parameters.fingers:
        builders["Node.fingers"] = members.pointed
    return World(
        chord_with(rules),
        members,
        lambda me, inside: (me in members) == inside,
        members.node,
        builders,
        {"Node.fingers": 0, "Node.peers": int(parameters.meet), "Node.watched": 0, **successors},
        {
            legitimacy.right: members.right,
            legitimacy.owner: members.owner,
            routing.next_hop: members.any_hop,
            routing.coins: constant(CERTAIN),
            routing.asked_by: members.asked_by,
        },
        awake=members.__contains__,
        system=partial(members.system, rules),
        real=chord_with(real),
    )


class Unheard(Rules, frozen=True):
    """Our rules without the notifications to the layer above, which are no part of legitimacy."""

    def news(self, _me: Any, _before: Any, _after: Any, _timeout: bool) -> Any:
        """None."""
        return ()


def worlds(of: Callable[..., World], rules: Rules, **parameters: Any) -> Callable[[Path], World]:
    """The worlds `of` those rules with these parameters, without notifications to the layer above."""
    kind: Any = type("Unheard", (Unheard, type(rules)), {}, frozen=True)
    unheard = kind(SymbolicParameters(**parameters))
    return partial(of, rules=unheard, real=type(rules)(plain(unheard)))


@cache
def chord(
    r: int, meet: bool = False, fingers: bool = False, exact: bool = False, rules: Rules = OURS
) -> Callable[[Path], World]:
    """The worlds of those rules with these parameters, without notifications to the layer above."""
    return worlds(world, rules, r=r, meet=meet, fingers=fingers, exact=exact)
