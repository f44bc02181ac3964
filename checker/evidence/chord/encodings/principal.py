"""Zave's invariant, node by node and message by message: any one principal, which no list skips, and live entries.

Nodes are members, crashed, or outside; there are any number of each, and any lists that have the invariant.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import pairwise
from typing import Any

import msgspec
import z3

from gomboc.checker.evidence.chord.encodings.circle import skips
from gomboc.checker.evidence.chord.encodings.members import LISTS, OURS, Members, plain, worlds
from gomboc.checker.prove.closure.cases import World
from gomboc.checker.prove.closure.paths import Path, Pruned, all_quietly
from gomboc.checker.prove.closure.symbols import Symbol
from gomboc.checker.prove.closure.values import Values, constant
from gomboc.spec.core.model import CERTAIN, Fault
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.chord import chord_with, routing
from gomboc.spec.protocols.chord.names import Circle
from gomboc.spec.protocols.chord.rules import Rules
from gomboc.spec.protocols.chord.state import CRASHED, Dead, JoinReply, Node, Outside, StabilizeReply
from gomboc.spec.types.kinds import Suspect

CRASH = z3.Function("crashed", z3.IntSort(), z3.BoolSort())

SOURCE = "Zave 2017, the inductive invariant"


class Known(msgspec.Struct, frozen=True):
    """The anchor of a real system: its members, and one of its principals."""

    circle: Circle
    members: frozenset[str]
    principal: str

    def __contains__(self, name: str) -> bool:
        return name in self.members

    def skips(self, nodes: tuple[str, ...]) -> bool:
        """Whether the principal lies between two neighbours in a list."""
        return any(self.circle.between(low, self.principal, high) for low, high in pairwise(nodes))

    def has_member(self, nodes: tuple[str, ...]) -> bool:
        """Whether one of some nodes is a member."""
        return not self.members.isdisjoint(nodes)


@all_quietly
class Principal(Members):
    """The anchor: which nodes are members, which have crashed, and one member that no list skips."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.principal = self.node("principal")
        path.add(self.around.belongs(self.principal.term))
        self.found = ""

    def node_at(self, term: Any) -> Symbol:
        """The node at that place. No member has crashed."""
        self.path.add(z3.Not(z3.And(CRASH(term), self.around.belongs(term))))
        return super().node_at(term)

    def is_crashed(self, name: Symbol) -> bool:
        """Whether a node has crashed."""
        return self.path.decide(CRASH(name.term))

    def skips(self, nodes: tuple[Symbol, ...]) -> bool:
        """Whether the principal lies between two neighbours in a list: one question, so that no path forks by how."""
        first, *others = (node.term for node in nodes)
        return self.path.decide(skips(first, others, self.principal.term))

    def has_member(self, nodes: tuple[Symbol, ...]) -> bool:
        """Whether one of some nodes is a member."""
        return self.path.decide(z3.Or([self.around.belongs(node.term) for node in nodes]))

    def is_awake(self, name: Symbol) -> bool:
        """Whether a node is a member, or outside."""
        return not self.is_crashed(name)

    def not_member(self, name: str) -> Symbol:
        """Any node that is no member: what a detector reports."""
        node = self.node(name)
        self.path.require(z3.Not(self.around.belongs(node.term)))
        return node

    def state(self, values: Values, me: Symbol) -> Node:
        """Any state of a node: inside if it is a member, crashed if it has crashed, else outside."""
        local: Node = values.struct(Node)
        if (local.status == "inside") != (me in self) or (local.status == "crashed") != self.is_crashed(me):
            raise Pruned
        return local

    def states(self, r: int, model: Any) -> dict[str, Node]:
        """A real system: members with the next members in their lists; the others crashed or outside."""
        places = self.around.members(model)
        self.found = f"n{model.eval(self.principal.term, model_completion=True)}"
        system = {}
        for index, place in enumerate(places):
            others = (*places[index + 1 :], *places[:index])
            system[f"n{place}"] = Node("inside", None, tuple(map("n{}".format, others[:r])))
        for place in self.around.others(model):
            gone = z3.is_true(model.eval(CRASH(place), model_completion=True))
            system[f"n{place}"] = CRASHED if gone else Node()
        return system

    def real(self, statuses: Mapping[str, str]) -> Known:
        """The anchor of that system."""
        members = frozenset(name for name, status in statuses.items() if status == "inside")
        return Known(Circle(ids="number"), members, self.found)


def node_faults(anchor: Any, me: str, local: Any) -> tuple[Fault, ...]:
    """The faults of the stored list of a member, which does not know itself as a neighbour."""
    if local.status != "inside":
        return ()
    neighbours = (local.predecessor, *local.successors)
    itself = (Fault("no_node_names_itself", me, "another", me, "decided here"),) if me in neighbours else ()
    return (*_of_list(anchor, me, (me, *local.successors)), *itself)


def message_faults(rules: Rules, anchor: Any, target: str, message: Any) -> tuple[Fault, ...]:
    """The faults of a list in flight, of which the target takes what comes before itself; and of false reports."""
    return tuple(_message_faults(rules, anchor, target, message))


def _message_faults(rules: Rules, anchor: Any, target: str, message: Any) -> Iterator[Fault]:
    match message:
        case StabilizeReply(sender, _, successors) if sender != target:
            yield from _of_list(anchor, target, rules.shortened(target, (sender, *successors)), 0)
        case JoinReply(sender, successors) if sender != target and target not in anchor:
            listed = rules.shortened(target, successors) or (sender,)
            yield from _of_list(anchor, target, (target, *listed))
        case Dead(node) | Outside(node):
            if node in anchor:
                yield Fault("no_member_is_reported", target, "no member", node, SOURCE)


def _of_list(anchor: Any, node: str, nodes: tuple[str, ...], first: int = 1) -> Iterator[Fault]:
    """The faults of adjacent nodes; those from `first` on are entries."""
    entries = nodes[first:]
    if anchor.skips(nodes):
        yield Fault("no_list_skips_a_principal", node, anchor.principal, nodes, SOURCE)
    if not anchor.has_member(entries):
        yield Fault("every_list_has_a_live_entry", node, "a live entry", entries, SOURCE)


def invariant_with(rules: Rules, conjuncts: Rules, anchor: Callable[[Any], Any]) -> Protocol:
    """Chord by some rules, with the conjuncts of the invariant by others, and that anchor."""
    protocol = chord_with(rules)
    quiet = (*protocol.environment.quiet, Suspect)
    return protocol.changed(
        share=status_of,
        anchor=anchor,
        node_faults=node_faults,
        message_faults=partial(message_faults, conjuncts),
        quiet=quiet,
        asleep=lambda local: local.status == "crashed",
    )


def status_of(local: Node) -> str:
    """The part of a node that the anchor may read: its status."""
    return local.status


def world(path: Path, rules: Rules, real: Rules) -> World:
    """Any number of nodes with any lists that have the invariant, with those rules; `real` has no symbols."""
    principal, r = Principal(path), rules.parameters.r
    ours = Rules(rules.parameters)
    most = {
        **dict.fromkeys(LISTS, r),
        **dict.fromkeys(("Node.fingers", "Node.peers", "Node.watched"), 0),
    }
    builders: dict[str, Any] = {
        "name": principal.node,
        "str": principal.key,
        "Suspect.node": principal.not_member,
        "Node.next": constant(0),
        "FixFingerRequest.finger": constant(principal.finger),
        "FixFingerReply.finger": constant(principal.finger),
    }
    return World(
        invariant_with(rules, ours, constant(principal)),
        principal,
        constant(True),
        principal.node,
        builders,
        most,
        {
            routing.next_hop: principal.any_hop,
            routing.coins: constant(CERTAIN),
        },
        awake=principal.is_awake,
        states={"node": partial(principal.state, Values(path, builders, most))},
        system=partial(principal.states, r),
        real=invariant_with(real, Rules(plain(rules)), principal.real),
    )


@cache
def invariant(r: int, rules: Rules = OURS) -> Callable[[Path], World]:
    """The worlds of those rules with lists of r entries at most."""
    return worlds(world, rules, r=r, fingers=False)
