"""Depth-first search of few orders of independent steps, from whose graph the final states of all runs can be read.

In each state some nodes are chosen, and their steps explored. Then the events that may come before any of these are
read off the explored part (`futures.py`); if one breaks a condition (`conditions.py`), further nodes are chosen.

Why that is sound, where all runs end: let w be a run from a state that ends where it may stop. By induction, the
graph from each explored successor has a run that is equal to each run from there but for the order of independent
steps. The nodes chosen have a step t that a fair run owes. If w had an event that some step of theirs depends on, the
first such event would not depend on t, so it would come in a run after t, and would have been read off. So w has the
step t or another step of a chosen node; the first one is independent of all before it, and can be moved to the front.
By the same induction no run from a state has more steps than the longest way in the graph from there, so a graph
without a cycle shows that all runs end.
"""

from collections import Counter
from collections.abc import Callable, Iterator

from gomboc.checker.explore.numbered.actions import LocalAction, LocalActions
from gomboc.checker.explore.numbered.values import State, Values
from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch
from gomboc.checker.explore.reduced.conditions import Conditions, Situation
from gomboc.checker.explore.reduced.events import Event, EventKind, Signatures
from gomboc.checker.explore.reduced.futures import Futures, Steps, expand_all
from gomboc.spec.core.model import everywhere

PATIENCE = 511
"""Number of states between two checks of the bounds, less one; one less than a power of two."""

Enabled = dict[int, list[LocalAction]]
"""The enabled steps of each node that has one."""


class ReducedSearch:
    """One search. `graph` has the steps of each state that has been explored; `found` counts those that were begun."""

    def __init__(self, values: Values, watch: BoundWatch, is_within: Callable[[State], bool] = everywhere) -> None:
        self.graph: dict[State, Steps] = {}
        self._is_within = is_within
        self._values, self._watch, self._actions = values, watch, LocalActions(values)
        signatures = Signatures(values, self._actions)
        self._signatures, self._futures = signatures, Futures(values, signatures, self.graph)
        self.conditions = Conditions(values, self._actions, signatures, self._futures)
        self._heard: Counter[tuple[int, object]] = Counter()
        self.found = self.transitions = 0

    def run(self, first: State) -> None:
        """Explore from an initial state.

        Raises CycleError if some run never ends, and BoundReachedError if the watch reports a bound, or if a state is
        beyond that of the instance: otherwise messages might pile up for ever.
        """
        expand_all(first, self._expand, self.graph.__contains__)

    def _expand(self, state: State) -> Iterator[State]:
        """The states that are explored before this one is."""
        self.found += 1
        if not self._is_within(state):
            raise BoundReachedError("a run leads beyond the bound of the instance")
        if not self.found & PATIENCE or self._watch.is_over(self.found):
            self._insist()
        enabled, steps = self._enabled(state), Steps()
        chosen = self._first_choice(state, enabled)
        while True:
            for action in (action for node in sorted(chosen) for action in enabled[node]):
                if action not in steps:
                    steps[action] = self._actions.step(state, action)
                    yield steps[action]
            further = self._further(state, chosen, enabled, steps)
            if not further:
                break
            chosen |= further
        self.transitions += len(steps)
        self.graph[state] = steps

    def _insist(self) -> None:
        """Raise BoundReachedError if a bound is reached."""
        why = self._watch.why_stop(len(self.graph), self.found, self.transitions)
        if why:
            raise BoundReachedError(why)

    def _enabled(self, state: State) -> Enabled:
        enabled: Enabled = {}
        for node in range(self._values.size):
            for kind in self._actions.own(node, state[node], state[self._values.size + node]):
                for action in kind:
                    enabled.setdefault(node, []).extend(self._actions.with_losses(state, action))
        for action in self.conditions.possible(state):
            enabled.setdefault(self._values.place[action.act.node], []).append(action)
        return enabled

    def _first_choice(self, state: State, enabled: Enabled) -> frozenset[int]:
        """One node with a step that is owed, to which little was sent before on links that are empty; else all."""

        def cost(node: int) -> tuple[int, int, int]:
            sources = (source for source in range(self._values.size) if source != node)
            silent = (source for source in sources if not self._futures.waiting(state, source, node))
            return sum(self._heard[source, node] for source in silent), len(enabled[node]), node

        owing = [node for node, actions in enabled.items() if any(action.turns for action in actions)]
        return frozenset({min(owing, key=cost)} if owing else enabled)

    def _further(self, state: State, chosen: frozenset[int], enabled: Enabled, steps: Steps) -> frozenset[int]:
        """The nodes to choose besides, since steps of the chosen ones depend on events before them; empty if none."""
        if len(chosen) == len(enabled):
            return frozenset()
        mine = tuple(steps.items())
        owed = next(after for action, after in mine if action.turns)
        version, broken = -1, frozenset[int]()
        while version != self._signatures.version:
            version = self._signatures.version
            broken = self.conditions.broken(Situation(state, chosen, mine, self._before(state, chosen, owed)))
        further = enabled.keys() - chosen
        return frozenset(broken & further or further) if broken else frozenset()

    def _before(self, state: State, chosen: frozenset[int], owed: State) -> tuple[Event, ...]:
        events = self._futures.before(state, chosen, owed)
        sent = (event for event in events if event.kind is EventKind.SENDS and event.about in chosen)
        self._heard.update((event.node, event.about) for event in sent)
        return events
