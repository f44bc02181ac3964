"""Conditions under which steps of chosen nodes may come first: no event that may come before them depends on them.

Each condition answers with the nodes of the events that break it. The steps of different nodes commute otherwise:
each takes a message from the front of a link to its own node, and appends messages to links from there.
"""

from collections.abc import Callable, Collection, Iterator
from itertools import product
from math import prod

import msgspec

from gomboc.checker.core.user_code import FAULTS, let_through
from gomboc.checker.explore.numbered.actions import NOTHING, LocalAction, LocalActions
from gomboc.checker.explore.numbered.commands import NumberedCommands
from gomboc.checker.explore.numbered.values import State, Values
from gomboc.checker.explore.reduced.events import Event, EventKind, Signatures, reads_messages
from gomboc.checker.explore.reduced.futures import Futures
from gomboc.spec.core.model import Offer, nothing_comes

MOST_COMBINATIONS = 256
"""Number of combinations of local states up to which offers are compared."""

Offered = frozenset[tuple[int, Offer]]


class Situation(msgspec.Struct, frozen=True):
    """A state, the nodes chosen in it, their steps, and the events that may come before any of these."""

    state: State
    chosen: frozenset[int]
    steps: tuple[tuple[LocalAction, State], ...]
    events: tuple[Event, ...]

    def of(self, kind: EventKind) -> Iterator[Event]:
        """The events of that kind."""
        return (event for event in self.events if event.kind is kind)


class Conditions:
    """The conditions on chosen nodes, by name, with the parts of an instance that they read."""

    def __init__(self, values: Values, actions: LocalActions, signatures: Signatures, futures: Futures) -> None:
        self._values, self._signatures, self._futures = values, signatures, futures
        self._commands = NumberedCommands(values, actions)
        self._comes = values.protocol.environment.offers is not nothing_comes
        self._observes = any(observer.whole for observer in values.protocol.promises.observers)
        self._messages_read = 0
        self.every: dict[str, Callable[[Situation], Iterator[int]]] = {
            "no new message becomes the first of a link": self._arrivals,
            "no sender of a waiting message falls asleep": self._losses,
            "no target of a message falls asleep or wakes": self._sleepers,
            "no chosen node falls asleep or wakes": self._falls,
            "no two deliveries come before one observer": self._deliveries,
            "no two commands have one budget": self._budgets,
            "no commands depend on messages": self._readers,
            "the chosen nodes are offered the same": self._offers,
            "the other nodes are offered the same": self._offers_elsewhere,
        }

    def possible(self, state: State) -> Iterator[LocalAction]:
        """The steps that take an offer."""
        for action in self._commands.possible(state):
            assert action.act.offer is not None, "a command has an offer"
            self._signatures.learn(self._values.place[action.act.node], action.act.offer)
            yield action

    def broken(self, situation: Situation) -> frozenset[int]:
        """The nodes with events that break a condition."""
        return frozenset(node for condition in self.every.values() for node in condition(situation))

    def _arrivals(self, situation: Situation) -> Iterator[int]:
        for event in situation.of(EventKind.SENDS):
            if event.about in situation.chosen and not self._waits(situation.state, event.node, event.about):
                yield event.node

    def _losses(self, situation: Situation) -> Iterator[int]:
        for event in situation.of(EventKind.SLEEPS):
            if any(self._waits(situation.state, event.node, node) for node in situation.chosen):
                yield event.node

    def _waits(self, state: State, source: int, target: object) -> bool:
        assert isinstance(target, int), "a target is an index"
        return self._futures.waiting(state, source, target) > 0

    def _sleepers(self, situation: Situation) -> Iterator[int]:
        targets = {target for action, _ in situation.steps for target, _ in action.sends}
        return (event.node for event in situation.of(EventKind.SLEEPS) if event.node in targets)

    def _falls(self, situation: Situation) -> Iterator[int]:
        asleep, before = self._values.is_asleep, situation.state
        changed = (
            asleep(before[node]) != asleep(after[node]) for _, after in situation.steps for node in situation.chosen
        )
        return iter(range(self._values.size) if any(changed) else ())

    def _deliveries(self, situation: Situation) -> Iterator[int]:
        delivers = self._observes and any(action.delivered != NOTHING for action, _ in situation.steps)
        return (event.node for event in situation.of(EventKind.DELIVERS) if delivers)

    def _budgets(self, situation: Situation) -> Iterator[int]:
        spent = {action.act.offer.budget for action, _ in situation.steps if action.act.offer is not None}
        return (event.node for event in situation.of(EventKind.SPENDS) if event.about in spent)

    def _readers(self, situation: Situation) -> Iterator[int]:
        del situation
        if self._comes and self._messages_read >= 0:
            read = reads_messages(self._values, self._messages_read)
            self._messages_read = -1 if read else len(self._values.messages.values)
        return iter(range(self._values.size) if self._messages_read < 0 else ())

    # Offers, for each combination of the states that other nodes may come to.

    def _offers(self, situation: Situation) -> Iterator[int]:
        offered = {self._offered(state, situation.chosen)[0] for state in self._combined(situation)}
        return iter(range(self._values.size) if len(offered) != 1 or None in offered else ())

    def _offers_elsewhere(self, situation: Situation) -> Iterator[int]:
        moved = [(node, after) for node, after in self._moved(situation)]
        for state in self._combined(situation) if moved else ():
            elsewhere = self._offered(state, situation.chosen)[1]
            for node, after in moved:
                then = (*state[:node], after[node], *state[node + 1 : -1], after[-1])
                if self._offered(then, situation.chosen)[1] != elsewhere or elsewhere is None:
                    return iter(range(self._values.size))
        return iter(())

    def _moved(self, situation: Situation) -> Iterator[tuple[int, State]]:
        """The chosen nodes whose steps may change offers, and the states after these."""
        for action, after in situation.steps:
            node, offer = self._values.place[action.act.node], action.act.offer
            alike = self._signatures.first_alike
            if (offer is not None and offer.budget) or alike(node, after[node]) != alike(node, situation.state[node]):
                yield node, after

    def _combined(self, situation: Situation) -> Iterator[State]:
        """The state with each combination of states that the other nodes may come to; nothing if there are too many."""
        ways = {node: {local: None} for node, local in enumerate(situation.state[: self._values.size])}
        for event in situation.of(EventKind.BECOMES):
            assert isinstance(event.about, int), "a local state is a number"
            ways[event.node][event.about] = None
        if prod(map(len, ways.values())) <= MOST_COMBINATIONS:
            for combination in product(*ways.values()):
                yield (*combination, *situation.state[self._values.size :])

    def _offered(self, state: State, chosen: Collection[int]) -> tuple[Offered | None, Offered | None]:
        """The offers that the chosen nodes can take, and those of the others; None if the model answers with a fault.

        The state is a combination, which need not be reachable.
        """
        try:
            every = {(self._values.place[action.act.node], action.act.offer) for action in self.possible(state)}
        except FAULTS as error:
            let_through(error)
            return None, None
        offers = {(node, offer) for node, offer in every if offer is not None}
        mine = frozenset(offered for offered in offers if offered[0] in chosen)
        return mine, frozenset(offers) - mine
