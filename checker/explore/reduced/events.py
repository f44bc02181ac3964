"""Events: the parts of a step that steps of other nodes may depend on."""

from collections.abc import Hashable, Iterator
from enum import Enum
from functools import cache
from typing import Any

import msgspec

from gomboc.checker.core.bad_models import BadModelError, NotTabularError
from gomboc.checker.explore.numbered.actions import NOTHING, LocalAction, LocalActions
from gomboc.checker.explore.numbered.values import EMPTY, Numbers, Values
from gomboc.spec.core.faults import has_assumption
from gomboc.spec.core.instance import has_premise
from gomboc.spec.core.model import Offer, nothing_comes


class EventKind(Enum):
    """The kinds of events."""

    SENDS = "sends"
    """A message: `about` is the index of its target."""
    SLEEPS = "sleeps"
    """The node falls asleep or wakes."""
    DELIVERS = "delivers"
    """Something to its application."""
    SPENDS = "spends"
    """A command that has a budget: `about` is the budget."""
    BECOMES = "becomes"
    """Another state for the environment: `about` is the number of a local state with that signature."""


class Event(msgspec.Struct, frozen=True):
    """An event at a node, which is given by its index."""

    kind: EventKind
    node: int
    about: Hashable = None


class Signatures:
    """The parts of local states that commands from outside depend on: `version` changes if these become finer.

    They are the projection of a state and, where assumption or premise limit commands, the projections of the states
    that each command leads to that the node has been offered so far.
    """

    def __init__(self, values: Values, actions: LocalActions) -> None:
        self._values, self._actions, protocol = values, actions, values.protocol
        self._comes = protocol.environment.offers is not nothing_comes
        self._limited = has_assumption(protocol) or has_premise(protocol)
        self._projections = Numbers()
        self._offers: dict[tuple[int, Offer], None] = {}
        self._first: dict[tuple[int, Hashable], int] = {}
        self._projected = cache(self._projection)
        self._of = cache(self._signature)

    @property
    def version(self) -> int:
        """The number of different offers that are known."""
        return len(self._offers)

    def learn(self, node: int, offer: Offer) -> None:
        """Take notice of an offer that the environment makes to a node."""
        if self._limited and (node, offer) not in self._offers:
            self._offers[node, offer] = None
            self._of.cache_clear()

    def first_alike(self, node: int, local: int) -> int:
        """The local state of that signature that was asked for first, which stands for all of them."""
        return self._first.setdefault((node, self._of(node, local)), local) if self._comes else 0

    def _projection(self, local: int) -> int:
        return self._projections.of(self._values.protocol.promises.projection(self._values.locals.values[local]))

    def _signature(self, node: int, local: int) -> Hashable:
        ways = (self._after(node, local, offer) for at, offer in self._offers if at == node)
        return self._projected(local), *ways

    def _after(self, node: int, local: int, offer: Offer) -> Hashable:
        try:
            made = self._actions.commanded(node, local, EMPTY, offer)
        except (BadModelError, NotTabularError):
            # The offer need not come in this state.
            return local, "refuses"
        return tuple(self._projected(action.local) for action in made)


def events(values: Values, signatures: Signatures, action: LocalAction, before: int) -> Iterator[Event]:
    """The events of a step of a node that was in the local state `before`."""
    node, offer = values.place[action.act.node], action.act.offer
    for target, _ in action.sends:
        yield Event(EventKind.SENDS, node, target)
    if values.is_asleep(before) != values.is_asleep(action.local):
        yield Event(EventKind.SLEEPS, node)
    if action.delivered != NOTHING:
        yield Event(EventKind.DELIVERS, node)
    if offer is not None and offer.budget:
        yield Event(EventKind.SPENDS, node, offer.budget)
    alike = signatures.first_alike(node, action.local)
    if alike != signatures.first_alike(node, before):
        yield Event(EventKind.BECOMES, node, alike)


def reads_messages(values: Values, known: int) -> tuple[Any, ...]:
    """The messages, from a number on, that commands from outside may depend on."""
    project = values.protocol.promises.projection
    return tuple(message for message in values.messages.values[known:] if project(message) is not None)
