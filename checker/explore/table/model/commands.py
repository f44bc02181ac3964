"""Commands from outside: the offers in each state, and the commands that would break an assumption."""

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from gomboc.checker.core.bad_models import NotTabularError
from gomboc.checker.explore.table.model.checked_calls import is_faultless
from gomboc.checker.explore.table.model.connectivity import Links
from gomboc.checker.explore.table.model.global_predicate import Classes, Whole
from gomboc.checker.explore.table.model.tables import MISSING, Array, Tables
from gomboc.spec.core.connection import no_edges
from gomboc.spec.core.faults import has_assumption
from gomboc.spec.core.model import Commanded, Offer, nothing_comes
from gomboc.spec.core.protocol import Protocol, is_quiet, nothing_lacks


class Ordered(msgspec.Struct, frozen=True):
    """A command that is offered in some states, by its number."""

    number: int
    offer: Offer
    sources: Array


class ModelCommands:
    """The commands of one instance, numbered on first use, and the first row of each in the table of steps.

    `steps` are the tables that contain those rows; `tables` those with the local states and messages of the states.
    """

    def __init__(self, tables: Tables, steps: Tables) -> None:
        self._protocol = tables.instance.protocol
        self._tables, self._steps = tables, steps
        self.offers: list[Offer] = []
        self._numbers: dict[Offer, int] = {}
        self._rows: list[Array] = []
        self._classes = Classes(tables)
        self._environment = Whole(tables, "environment", self._offers_in)
        self._demands = Demands(tables, self._classes)

    def _offers_in(self, states: Any, in_flight: Any) -> tuple[int, ...]:
        offers = tuple(self._protocol.environment.offers(states, in_flight))
        if len({(offer.node, offer.command) for offer in offers}) < len(offers):
            raise NotTabularError(f"refuses two equal offers of {self._protocol.name} in one state")
        for offer in offers:
            if offer not in self._numbers:
                self._numbers[offer] = len(self.offers)
                self.offers.append(offer)
                self._rows.append(np.full(8, MISSING, np.int32))
        return tuple(self._numbers[offer] for offer in offers)

    def offered(self, locals_: list[Array], slots: list[Array], outer: Array) -> Iterator[Ordered]:
        """The commands that are offered in those states, within their budgets."""
        if self._protocol.environment.offers is nothing_comes or not len(outer):
            return
        sets = self._environment.of(self._classes.combined(locals_, slots))
        members = np.zeros((len(self._environment.answers), len(self.offers)), bool)
        for number, offers in enumerate(self._environment.answers):
            members[number, list(offers)] = True
        for number in np.flatnonzero(members[np.unique(sets)].any(axis=0)).tolist():
            offer, possible = self.offers[number], members[sets, number]
            if offer.budget:
                possible = possible & (self._tables.outer.left(offer.budget, outer) > 0)
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
        known = self._rows[ordered.number]
        if len(self._steps.locals[node]) > len(known):
            grown = np.full(2 * len(self._steps.locals[node]), MISSING, np.int32)
            grown[: len(known)] = known
            known = self._rows[ordered.number] = grown
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
        return not is_quiet(self._protocol, self.offers[number].command, idle=False)

    def turn(self, number: int) -> int:
        """The fairness class of a command, from 0 on; -1 if it has none."""
        offer = self.offers[number]
        alike = ((other.node, other.command, other.owed) for other in self.offers)
        return list(alike).index((offer.node, offer.command, True)) if offer.owed else -1

    def kept(self, number: int, locals_: list[Array], slots: list[Array]) -> Array:
        """Whether a command may lead to those states: where assumption and premise hold."""
        return self._demands.hold(locals_, slots, self.disturbs(number), commanded=True)


class Demands:
    """Demands on starts, and on states after commands: the operating assumption, and the premise."""

    def __init__(self, tables: Tables, classes: Classes) -> None:
        self._classes = classes
        protocol = tables.instance.protocol
        self._links = None if protocol.promises.edges is no_edges else Links(tables)
        self._premise = None if protocol.promises.premise is nothing_lacks else _faultless(tables, "premise")
        self._assumption = None if protocol.promises.assumption is nothing_lacks else _faultless(tables, "assumption")
        of_commands = protocol.promises.commands_assumption is nothing_lacks
        self._of_commands = None if of_commands else _faultless(tables, "commands_assumption")

    def hold(self, locals_: list[Array], slots: list[Array], premise: bool = True, commanded: bool = False) -> Array:
        """For states given by their local states and messages, whether all demands hold; `premise`: whether it counts.

        The states are starts, or have been `commanded`.

        Raises TooWideError if there are too many edges.
        """
        holding = np.ones(len(locals_[0]), bool)
        demanded = [self._assumption, self._premise if premise else None, self._of_commands if commanded else None]
        if any(demanded) and len(holding):
            combined = self._classes.combined(locals_, slots)
            for condition in demanded:
                holding &= True if condition is None else condition.says(True, combined)
        if premise and self._links is not None:
            holding &= self._links.connected(locals_, slots)
        return holding


def _faultless(tables: Tables, name: str) -> Whole[bool]:
    protocol = tables.instance.protocol
    return Whole(tables, name, lambda *state: is_faultless(protocol, name, getattr(protocol.promises, name), *state))


def is_asked(protocol: Protocol) -> bool:
    """Whether a protocol makes any demands on states."""
    return any(
        (
            protocol.promises.edges is not no_edges,
            protocol.promises.premise is not nothing_lacks,
            has_assumption(protocol),
        )
    )
