"""Commands from outside: the offers in each state, and the commands that would break an assumption."""

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from gomboc.checker.core.bad_models import NotTabularError
from gomboc.checker.explore.table.model.demands import Demands
from gomboc.checker.explore.table.model.global_predicate import Classes, Whole
from gomboc.checker.explore.table.model.layout import States
from gomboc.checker.explore.table.model.numbering import Numbering
from gomboc.checker.explore.table.model.tables import MISSING, Tables
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.spec.core.model import Commanded, Offer, nothing_comes


class Ordered(msgspec.Struct, frozen=True):
    """A command that is offered in some states, by its number."""

    number: int
    offer: Offer
    sources: Array


class ModelCommands:
    """The commands of one instance, numbered on first use, and the first row of each in the table of steps.

    `steps` are the tables that contain those rows; `tables` those with the local states and messages of the states.
    """

    def __init__(self, tables: Numbering, steps: Tables) -> None:
        self._protocol = tables.instance.protocol
        self._tables, self._steps = tables, steps
        self.offers: list[Offer] = []
        self._rows: dict[int, Array] = {}
        self._classes = Classes(tables)
        self._environment = Whole(tables, "environment", self._offers_in)
        self._demands = Demands(tables, self._classes)

    def _offers_in(self, states: Any, in_flight: Any) -> tuple[int, ...]:
        offers = tuple(self._protocol.environment.offers(states, in_flight))
        if len({(offer.node, offer.command) for offer in offers}) < len(offers):
            raise NotTabularError(f"refuses two equal offers of {self._protocol.name} in one state")
        self.offers += [offer for offer in offers if offer not in self.offers]
        return tuple(self.offers.index(offer) for offer in offers)

    def offered(self, states: States) -> Iterator[Ordered]:
        """The commands that are offered in those states, within their budgets."""
        if self._protocol.environment.offers is nothing_comes or not len(states.keys):
            return
        sets = self._environment.of(self._classes.combined(states))
        members = np.zeros((len(self._environment.answers), len(self.offers)), bool)
        for number, offers in enumerate(self._environment.answers):
            members[number, list(offers)] = True
        for number in np.flatnonzero(members[np.unique(sets)].any(axis=0)).tolist():
            offer, possible = self.offers[number], members[sets, number]
            if offer.budget:
                possible = possible & (self._tables.outer.left(offer.budget, states.outer) > 0)
            sources = np.flatnonzero(possible)
            if len(sources):
                self._insist_on_names()
                yield Ordered(number, offer, sources)

    def _insist_on_names(self) -> None:
        if len(self._tables.instance.alike) > 1:
            raise NotTabularError(f"takes no two nodes for alike where {self._protocol.name} is commanded from outside")

    def rows(self, ordered: Ordered, numbers: Array) -> Array:
        """The first row of a command for local states given by their number in `steps`; missing rows are filled."""
        node = self._steps.place_of(ordered.offer.node)
        known, count = self._rows.get(ordered.number, np.empty(0, np.int32)), len(self._steps.nodes[node].values)
        if count > len(known):
            grown = np.full(2 * count - len(known), MISSING, np.int32)
            known = self._rows[ordered.number] = np.concatenate((known, grown))
        for local in np.unique(numbers[known[numbers] == MISSING]).tolist():
            known[local] = self._steps.ask(node, local, Commanded(ordered.offer.command))
        rows: Array = known[numbers]
        return rows

    def price(self, number: int) -> int:
        """The number to subtract from the fields on top of a state when a command is taken."""
        budget = self.offers[number].budget
        return self._tables.outer.spent(budget) if budget else 0

    def disturbs(self, number: int) -> bool:
        """Whether a command may end legitimacy."""
        return not self._protocol.environment.is_quiet(self.offers[number].command, idle=False)

    def turn(self, number: int) -> int:
        """The fairness class of a command, from 0 on; -1 if it has none."""
        offer = self.offers[number]
        alike = ((other.node, other.command, other.owed) for other in self.offers)
        return list(alike).index((offer.node, offer.command, True)) if offer.owed else -1

    def kept(self, number: int, states: States) -> Array:
        """Whether a command may lead to those states: where assumption and premise hold."""
        return self._demands.hold(states, self.disturbs(number), commanded=True)
