"""A skip ring of any size, as closure sees it: the recorded nodes in the order of labels, and their right states."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import z3
from msgspec.structs import replace

from gomboc.checker.prove.closure.around import Around
from gomboc.checker.prove.closure.cases import World
from gomboc.checker.prove.closure.paths import Path, Pruned, all_quietly
from gomboc.checker.prove.closure.symbols import Number, Symbol, Text
from gomboc.checker.prove.closure.values import constant
from gomboc.spec.core.model import Choice
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.skip_ring import labels, legitimacy, ring_with, subscriber
from gomboc.spec.protocols.skip_ring.legitimacy import OUTSIDE, Ring
from gomboc.spec.protocols.skip_ring.rules import Rules
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Claim, Entry, SetData, Subscriber, Supervisor

LABEL = z3.Function("label", z3.IntSort(), z3.IntSort())
AT = z3.Function("at", z3.IntSort(), z3.IntSort())
CHAIN = z3.Function("chain", z3.IntSort(), z3.IntSort(), z3.IntSort(), z3.IntSort())

LONGEST_CHAIN = 1
"""Shortcuts on a side, at most."""

UNREAD = {
    "CheckTrie.tuples": constant(()),
    "CheckAndPublish.tuples": constant(()),
    "CheckAndPublish.prefix": constant(""),
    "Publish.publications": constant(()),
}
"""Parts of messages that a ring without publications does not read."""

SOUND_RING_OF = legitimacy.ring_of


@all_quietly
class Database:
    """The anchor: which nodes are recorded, and under which labels. Labels are their positions.

    With `pair`, two nodes are recorded: a counterexample is one of a real ring.
    """

    def __init__(self, path: Path, pair: bool = False) -> None:
        self.path = path
        self.around = Around(path, LABEL)
        self._chains: list[tuple[Any, Any, tuple[Symbol, ...]]] = []
        self.pair = z3.Ints("first second") if pair else ()
        for node, place in zip(self.pair, (0, labels.CIRCLE // 2), strict=False):
            self.node_at(node)
            path.add(self.around.belongs(node), LABEL(node) == place)

    def node_at(self, term: Any) -> Symbol:
        """The node with that number. The supervisor, whose number is below 0, is not recorded."""
        self.around.knows(term)
        if self.path.is_new:
            recorded = z3.Or([term == one for one in self.pair]) if self.pair else term >= 0
            self.path.add(z3.Implies(self.around.belongs(term), z3.And(term >= 0, recorded)))
        return Symbol(self.path, term, "v{}".format)

    def node(self, name: str) -> Any:
        """Any subscriber, or the supervisor."""
        return self.subscriber(name) if self.path.choose(2) else SUPERVISOR

    def subscriber(self, name: str) -> Symbol:
        """Any subscriber."""
        term = z3.Int(self.path.fresh(name))
        self.path.add(term >= 0)
        return self.node_at(term)

    def any_label(self, name: str) -> Symbol:
        """Any label."""
        return self._label(z3.Int(self.path.fresh(name)))

    def _label(self, term: Any) -> Symbol:
        self.path.add(term >= 0, term < labels.CIRCLE)
        return Text(self.path, term, labels.label_at, ordered=True)

    def is_recorded(self, node: Any) -> bool:
        """Whether a node is."""
        return isinstance(node, Symbol) and self.path.decide(self.around.belongs(node.term))

    def label(self, node: Symbol) -> Symbol:
        """The label of a recorded node."""
        return self._label(LABEL(node.term))

    def claim(self, term: Any) -> Claim:
        """The true claim of a recorded node."""
        node = self.node_at(term)
        return Claim(self.label(node), node)  # type: ignore[arg-type]

    def configuration(self, me: Symbol) -> SetData:
        """The configuration of a recorded node."""
        label = self.label(me)
        after = self.around.next(me.term)
        if self.path.decide(after == me.term):
            return SetData(None, label, None)  # type: ignore[arg-type]
        return SetData(self.claim(self.around.last(me.term)), label, self.claim(after))  # type: ignore[arg-type]

    def right(self, me: Symbol) -> Subscriber:
        """The right state of a recorded node: the specification's own, with the shortcuts of the chains."""
        at: Any = At(self)
        return legitimacy.right_state(at, self.configuration(me))

    def chain(self, label: Symbol, neighbour: Symbol) -> tuple[Symbol, ...]:
        """Stands for `labels.shortcut_chain`: up to two labels; of a node and its neighbour, those of other nodes."""
        for one, other, chained in self._chains:
            if label == one and neighbour == other:
                return chained
        terms = [
            CHAIN(label.term, neighbour.term, place)
            for place in range(self.path.choose(1 if self.pair else LONGEST_CHAIN + 1))
        ]
        for term in terms:
            node = self.node_at(AT(term)).term
            self.path.add(node >= 0, self.around.belongs(node), LABEL(node) == term, term != label.term)
        if len(terms) > 1:
            self.path.add(z3.Distinct(*terms))
        chained = tuple(self._label(term) for term in terms)
        self._chains.append((label, neighbour, chained))
        return chained

    def system(self, model: Any) -> dict[str, Any]:
        """The supervisor with two recorded nodes, these in their right states, and the other nodes outside."""
        pair = [f"v{model.eval(node, model_completion=True).as_long()}" for node in self.pair]
        database = tuple(Entry(label, node) for label, node in zip(("0", "1"), pair, strict=True))
        others = {f"v{number}": OUTSIDE for number in self.around.others(model) if number >= 0}
        return {**others, **SOUND_RING_OF(database).nodes, SUPERVISOR: Supervisor(database)}


class At:
    """The node at each recorded label."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __getitem__(self, label: Symbol) -> Symbol:
        return self._database.node_at(AT(label.term))


class Recorded:
    """A table by recorded node; `made(node)` is its value."""

    def __init__(self, database: Database, made: Callable[[Any], Any]) -> None:
        self._database, self._made = database, made

    def __contains__(self, node: object) -> bool:
        return self._database.is_recorded(node)

    def get(self, node: Any, default: Any = None) -> Any:
        """The value of a recorded node; the default for any other."""
        return self._made(node) if node in self else default


def ring_of(database: Database) -> Any:
    """Stands for `legitimacy.ring_of`."""
    tables: Any = (
        Recorded(database, database.label),
        Recorded(database, database.right),
        Recorded(database, database.configuration),
    )
    return Ring(*tables)


def a_subscriber(database: Database, me: Symbol) -> Subscriber:
    """Any state of a subscriber that has no fault, and some that have: each variable is right, or any other value."""
    path = database.path
    if path.choose(2):
        return Subscriber(crashed=True)
    right: Subscriber = ring_of(database).nodes.get(me, OUTSIDE)
    anchor: Any = database
    named: Any = me
    local = right
    for field, values in _others(database).items():
        at = path.choose(1 + len(values))
        if at:
            value = values[at - 1]()
            if value == getattr(right, field):
                raise Pruned
            # A variable that is at fault beside right ones is at fault beside any.
            if legitimacy.node_faults(anchor, named, replace(right, **{field: value})):
                return replace(right, **{field: value})
            local = replace(local, **{field: value})
    return local


def _others(database: Database) -> dict[str, tuple[Callable[[], Any], ...]]:
    def claim() -> Claim:
        return Claim(database.any_label("other"), database.node("other"))  # type: ignore[arg-type]

    def nothing() -> None:
        return None

    sides: dict[str, tuple[Callable[[], Any], ...]] = dict.fromkeys(("left", "right", "ring"), (nothing, claim))
    return {
        "label": (nothing, partial(database.any_label, "other")),
        **sides,
        "shortcuts": (
            tuple,
            lambda: (Entry(database.any_label("other"), database.node("other")),),  # type: ignore[arg-type]
            lambda: (Entry(database.any_label("other"), None),),  # type: ignore[arg-type]
        ),
        "wants": (lambda: True, lambda: False),
    }


def either(u: Subscriber) -> tuple[Choice, ...]:
    """Stands for `subscriber.coin`: it may fall either way."""
    del u
    return Choice(subscriber.ASK, Fraction(1, 2)), Choice(subscriber.SILENT, Fraction(1, 2))


def world(path: Path, rules: Rules, pair: bool = False) -> World:
    """A ring of any number of recorded nodes, or of two, and any number of others, with those rules."""
    database, protocol = Database(path, pair), ring_with(rules)
    of_labels = {labels.shortcut_chain: database.chain, subscriber.coin: either}
    return around(database, protocol, {"subscriber": partial(a_subscriber, database)}, of_labels, protocol)


def around(
    database: Database, protocol: Protocol, states: Mapping[str, Any], stand_ins: Mapping[Any, Any], real: Protocol
) -> World:
    """The world of a database, in that protocol; with two recorded nodes, counterexamples are tried in the `real` one.

    Labels are known by their positions.
    """

    def position(label: Symbol) -> Number:
        return Number(database.path, label.term)

    return World(
        protocol,
        database,
        constant(True),
        database.subscriber,
        {"name": database.node, "str": database.any_label, **UNREAD},
        stand_ins={
            legitimacy.ring_of: ring_of,
            labels.position: position,
            labels.is_canonical: constant(True),
            **stand_ins,
        },
        states=states,
        system=database.system if database.pair else None,
        real=real if database.pair else None,
    )
