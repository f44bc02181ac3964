"""The graph of a model's states, as far as it was explored, and the runs that it contains."""

from collections.abc import Hashable, Sequence
from typing import Any

import msgspec

from gomboc.checker.explore.results.finding import Extent, Run
from gomboc.spec.core.model import Model, Promise, surely

BEYOND = -1
"""The target of a transition that leads beyond the model's bounds."""


class Graph(msgspec.Struct, frozen=True):
    """States by number in the order of a breadth-first search; the first `starts` are initial.

    - `actions[k]` and `targets[k]`: the actions enabled in state k, and the states that they lead to or BEYOND. Both
      lists have one entry for each explored state; the states after those are discovered but not explored.
    - `parents[k]`: the state from which k was discovered; itself if it is initial.
    - `holding[name][k]`: whether the promise of that name holds in state k.
    - `stopped`: the bound that ended the exploration; empty if the graph is complete.
    - `outside`: the initial states beyond the model's bounds, in order.
    """

    model: Model
    states: list[Any]
    actions: list[tuple[Any, ...]]
    targets: list[tuple[int, ...]]
    parents: list[int]
    starts: int
    holding: dict[str, bytearray]
    stopped: str = ""
    outside: tuple[Any, ...] = ()

    @property
    def transitions(self) -> int:
        """The number of pairs of a state and an action enabled in it."""
        return sum(map(len, self.targets))

    @property
    def beyond(self) -> int:
        """The number of transitions that lead beyond the model's bounds."""
        return sum(targets.count(BEYOND) for targets in self.targets)

    @property
    def extent(self) -> Extent:
        """The part of the model that was explored."""
        found = self.starts, len(self.states), self.transitions
        leaving = sum(BEYOND in targets for targets in self.targets)
        bounds = self.beyond, self.model.bounds, self.stopped
        return Extent(*found, len(self.targets), *bounds, leaving, len(self.outside))

    @property
    def tosses(self) -> bool:
        """Whether chance decides anything."""
        chance = self.model.chance
        return chance is not surely and any(chance(action) != 1 for actions in self.actions for action in actions)

    def is_explored(self, number: int) -> bool:
        """Whether the transitions of a state are known."""
        return number < len(self.targets)

    def turns(self, action: Any) -> tuple[Hashable, ...]:
        """The fairness classes that an action belongs to."""
        return (self.model.actor(action),) if self.model.fair is None else self.model.fair(action)

    def rests(self, state: int) -> bool:
        """Whether a run may stop in a state: every action enabled in it belongs to no fairness class."""
        return not any(self.turns(action) for action in self.actions[state])

    def region_without(self, promise: Promise) -> frozenset[int]:
        """The states in which a promise does not hold."""
        holding = self.holding[promise.name]
        return frozenset(state for state in range(len(self.states)) if not holding[state])

    def path_to(self, number: int) -> list[int]:
        """The numbers of the states on a shortest path from an initial state to that one."""
        path = [number]
        while self.parents[path[-1]] != path[-1]:
            path.append(self.parents[path[-1]])
        return path[::-1]

    def run_beyond(self) -> Run | None:
        """A shortest run to a state beyond the bounds of the model; None if none is known."""
        if self.outside:
            return Run(self.outside[:1], ())
        state = next((number for number, targets in enumerate(self.targets) if BEYOND in targets), None)
        return None if state is None else one_further(self.model, self.run_to(state))

    def run_to(self, number: int) -> Run:
        """A shortest run to a state."""
        return self.run_along(self.path_to(number))

    def run_along(self, numbers: Sequence[int], back: int | None = None) -> Run:
        """The run through those states; with `back`, the lasso that leads on from the last state to that index."""
        pairs = list(zip(numbers, [*numbers[1:]] if back is None else [*numbers[1:], numbers[back]], strict=False))
        actions = tuple(self.action_between(one, other) for one, other in pairs)
        return Run(tuple(self.states[number] for number in numbers), actions, back)

    def action_between(self, one: int, other: int) -> Any:
        """An action that leads from one state to the other, if possible none that disturbs. Raises ValueError."""
        every = zip(self.actions[one], self.targets[one], strict=True)
        leading = [action for action, target in every if target == other]
        if not leading:
            raise ValueError(f"no action leads from state {one} to state {other}")
        return min(leading, key=self.model.disturbs)


def one_further(model: Model, run: Run) -> Run:
    """A run with one step more, which leads beyond the model's bounds. Raises ValueError if there is none."""
    state = run.states[-1]
    steps = ((action, model.step(state, action)) for action in model.enabled(state))
    action, after = next(((action, after) for action, after in steps if not model.within(after)), (None, None))
    if after is None:
        raise ValueError(f"no step leads beyond the bounds from the state {state!r}")
    return Run((*run.states, after), (*run.actions, action))
