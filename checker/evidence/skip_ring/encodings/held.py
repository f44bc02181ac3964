"""The database as the supervisor holds it: of any length, read by the entries that a rule can tell apart."""

from collections.abc import Iterator
from typing import Any

import z3
from msgspec.structs import replace

from gomboc.checker.evidence.skip_ring.encodings.recorded import AT, LABEL, Database, around, ring_of
from gomboc.checker.prove.closure.cases import World
from gomboc.checker.prove.closure.paths import Path, all_quietly
from gomboc.checker.prove.closure.symbols import Number, Symbol, Text
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.skip_ring import PROTOCOL, labels, supervisor
from gomboc.spec.protocols.skip_ring.state import Entry, SetData, Supervisor
from gomboc.spec.protocols.skip_ring.supervisor import NOBODY


class Length(Number):
    """The number of recorded nodes."""

    def __rmod__(self, other: Number) -> Number:
        """Some number from 0 to below this one: which one, is left open."""
        rest = z3.Int(self.path.fresh("rest"))
        self.path.add(z3.Implies(self.term > 0, z3.And(rest >= 0, rest < self.term)))
        return Number(self.path, rest)


@all_quietly
class Held(Database):
    """The anchor as a table. A loop over it sees the entry of each node that occurs, and one more if there are others.

    That one stands for all others: it has the label that is looked for next.
    """

    def __init__(self, path: Path, pair: bool = False) -> None:
        super().__init__(path, pair)
        self.length = Length(path, z3.Int("length"))
        path.add(self.length.term >= 0, self.around.any == (self.length.term > 0))
        self._labelled: dict[int, Text] = {}
        self.sought: Any = None
        self._seen = 0

    def __bool__(self) -> bool:
        return self.path.decide(self.length.term > 0)

    def __contains__(self, entry: Entry) -> bool:
        node: Any = entry.node
        return self.is_recorded(node) and bool(entry.label == self.label(node))

    def __iter__(self) -> Iterator[Entry]:
        known = [node for node in self.nodes() if self.path.decide(self.around.belongs(node.term))]
        different: list[Symbol] = []
        for node in known:
            if node not in different:
                different.append(node)
        self._seen = len(different)
        yield from map(self._entry, different)
        more = self.path.choose(2)
        self.path.require(self.length.term > self._seen if more else self.length.term == self._seen)
        if more:
            other = self.subscriber("entry")
            apart = [other.term != node.term for node in different]
            self.path.require(z3.And(self.around.belongs(other.term), *apart))
            self._seen += 1
            self.sought = self.label(other).term
            yield self._entry(other)

    def nodes(self) -> tuple[Symbol, ...]:
        """The nodes that occur."""
        return tuple(map(self.node_at, self.around.known()))

    def _entry(self, node: Symbol) -> Entry:
        said: Any = self.label(node), node
        return Entry(*said)

    def label_of(self, index: Number) -> Text:
        """Stands for `labels.label_of`: the recorded labels are those of the numbers below the length."""
        if index.term.get_id() not in self._labelled:
            label: Any = self.any_label("numbered")
            if self.path.decide(z3.And(index.term >= 0, index.term < self.length.term)):
                if self.sought is not None:
                    self.path.add(label.term == self.sought)
                    self.sought = None
                at = self.node_at(AT(label.term))
                self.path.add(at.term >= 0, self.around.belongs(at.term), self.label(at).term == label.term)
            self._labelled[index.term.get_id()] = label
        return self._labelled[index.term.get_id()]

    def size(self, values: Any) -> Any:
        """Stands for `len`."""
        return self.length if values is self or isinstance(values, Repaired) else len(values)

    def repair(self, table: Any, suspects: tuple[Any, ...] = ()) -> Any:
        """Stands for `supervisor.repair`, which leaves a right database as it is, if no suspect is recorded.

        A table made out of all entries that a loop saw is made out of all there are.
        """
        if any(map(self.is_recorded, suspects)) or (table is not self and len(table) != self._seen):
            return Repaired(self)
        return self

    def said(self, table: Any, node: Any) -> SetData:
        """Stands for `supervisor.configuration`."""
        said: SetData = ring_of(self).configurations.get(node, NOBODY) if table is self else NOBODY
        return said

    def state(self, me: Any) -> Supervisor:
        """The supervisor with this database, at any node in turn, with one suspect or none."""
        del me
        turn = z3.Int("next")
        self.path.add(turn >= 0)
        held: Any = self, Number(self.path, turn), (self.node("suspect"),) if self.path.choose(2) else ()
        return Supervisor(*held)

    def concrete(self, model: Any) -> tuple[Entry, ...]:
        """The entries of the nodes that occur."""
        places = {node: model.eval(LABEL(node), model_completion=True) for node in self.around.members(model)}
        return tuple(sorted(Entry(labels.label_at(place.as_long()), f"v{node}") for node, place in places.items()))


class Repaired:
    """Another database than that of the anchor, with one entry of which nothing is known."""

    def __init__(self, held: Held) -> None:
        self._held = held

    def __iter__(self) -> Iterator[Entry]:
        said: Any = self._held.any_label("moved"), self._held.subscriber("moved")
        self._held.sought = said[0].term
        yield Entry(*said)

    def concrete(self, model: Any) -> tuple[Entry, ...]:
        """No table: the specification's own step has the one that comes of it."""
        del model
        return ()


def malformed(value: Any) -> tuple[Any, ...]:
    """The faults of a value; the database is that of the anchor, or else the anchor's share is not kept."""
    said = replace(value, database=()) if isinstance(value, Supervisor) else value
    return tuple(PROTOCOL.naming.malformed(said))


def held(path: Path, pair: bool = False, real: Protocol = PROTOCOL) -> World:
    """The supervisor of any number of recorded nodes, or of two, with any number of others, in that protocol."""
    database = Held(path, pair)

    def agrees(me: Any, share: Any) -> bool:
        del me
        return share is None or share is database or (share == () and not database)

    stand_ins = {
        len: database.size,
        labels.label_of: database.label_of,
        supervisor.repair: database.repair,
        supervisor.configuration: database.said,
    }
    ring = around(database, real.changed(malformed=malformed), {"supervisor": database.state}, stand_ins, real)
    return replace(ring, agrees=agrees)
