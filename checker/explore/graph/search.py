"""The plain explorer: breadth first, over the values of any model. It is the oracle of the other explorers."""

from collections.abc import Iterator
from typing import Any

from gomboc.checker.core.bad_models import (
    CHANGES,
    FLICKERS,
    BadModelError,
    blame,
    error_text,
    no_answer,
    shown,
    why_no_chances,
)
from gomboc.checker.core.user_code import FAULTS, let_through
from gomboc.checker.explore.graph.graph import BEYOND, Graph
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch, Report, silent
from gomboc.spec.core.model import Model, everywhere, itself, surely

PATIENCE = 1023
"""Number of states between two checks of the bounds, less one; one less than a power of two."""

ASKED_AGAIN = 500
"""Number of states in which every step is taken a second time, to see that it leads to the same state."""


def explore(model: Model, bounds: Bounds | None = None, report: Report = silent) -> Graph:
    """Every state of `model` within the bounds. Raises BadModelError if a function of the model is at fault."""
    return search(model, BoundWatch(bounds or Bounds(), report))


def search(model: Model, watch: BoundWatch) -> Graph:
    """Every state of `model` until `watch` reports that a bound is reached."""
    searching = _Search(model)
    searching.begin(watch)
    searching.run(watch)
    return searching.graph()


class _Search:
    """One breadth-first search. A state's number is its position in the order of discovery."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._bounded = model.within is not everywhere
        self._states: list[Any] = []
        self._index: dict[Any, int] = {}
        self._parents: list[int] = []
        self._actions: list[tuple[Any, ...]] = []
        self._targets: list[tuple[int, ...]] = []
        self._columns = {promise.holds: bytearray() for promise in model.promises}
        self._starts = 0
        self._outside: list[Any] = []
        self._stopped = ""

    def begin(self, watch: BoundWatch) -> None:
        """Enter the initial states, within the bounds."""
        for count, state in enumerate(self._initial()):
            if not count & PATIENCE or watch.is_over(len(self._states)):
                self._stopped = watch.why_stop(0, len(self._states), 0)
                if self._stopped:
                    break
            try:
                if state not in self._index and self._find(state, len(self._states)) == BEYOND:
                    self._outside.append(state)
            except FAULTS as error:
                let_through(error)
                raise blame(self._model, state, error) from error
        self._starts = len(self._states)

    def _initial(self) -> Iterator[Any]:
        # No `yield` within the `try`: an exception of the caller would be taken for the model's fault.
        states: Iterator[Any] | None = None
        while True:
            try:
                states = iter(self._model.initial()) if states is None else states
                state = next(states, self)
            except FAULTS as error:
                let_through(error)
                raise self._bad_initial(error) from error
            if state is self:
                return
            yield state

    def _bad_initial(self, error: BaseException) -> BadModelError:
        last = self._states[-1] if self._states else None
        where = f"after the state {shown(last)}" if self._states else "before its first state"
        return BadModelError(self._model.name, f"raises in initial ({error_text(error)})", last, where)

    def _find(self, state: Any, parent: int) -> int:
        """Number a state that is new; BEYOND if it is outside of the model's bounds."""
        if self._bounded and not self._ask(self._model.within, state, "within"):
            self._index[state] = BEYOND
            return BEYOND
        number = len(self._states)
        self._index[state] = number
        for holds, column in self._columns.items():
            answer: object = holds(state)
            if answer is not True and answer is not False:
                self._ask(holds, state, next(p.name for p in self._model.promises if p.holds is holds))
            column.append(answer is True)
        self._states.append(state)
        self._parents.append(parent)
        return number

    def _ask(self, holds: Any, state: Any, name: str) -> bool:
        answer = holds(state)
        if answer is not True and answer is not False:
            raise BadModelError(self._model.name, no_answer(name, answer), state)
        return bool(answer)

    def run(self, watch: BoundWatch) -> None:
        """Explore state after state, until there is no more or a bound is reached."""
        transitions = number = 0
        states = self._states
        while number < len(states) and not self._stopped:
            if not number & PATIENCE or watch.is_over(len(states)):
                self._stopped = watch.why_stop(number, len(states), transitions)
                if self._stopped:
                    return
            state = states[number]
            try:
                transitions += self._expand(number, state)
            except FAULTS as error:
                let_through(error)
                raise blame(self._model, state, error) from error
            number += 1

    def _expand(self, number: int, state: Any) -> int:
        """Take every step that is enabled in a state; return their number."""
        index, step = self._index, self._model.step
        actions = tuple(self._model.enabled(state))
        targets = []
        for action in actions:
            after = step(state, action)
            target = index.get(after)
            if target is None:
                target = self._find(after, number)
            targets.append(target)
        if index.get(state) != number:
            raise BadModelError(self._model.name, CHANGES, state)
        if number < ASKED_AGAIN:
            self._ask_again(state, actions, targets)
        self._weigh(state, actions)
        self._actions.append(actions)
        self._targets.append(tuple(targets))
        return len(targets)

    def _ask_again(self, state: Any, actions: tuple[Any, ...], targets: list[int]) -> None:
        """Compare each step with a repetition. Raises BadModelError if the target differs."""
        for action, target in zip(actions, targets, strict=True):
            if self._index.get(self._model.step(state, action)) != target:
                where = f"in the state {shown(state)} with the action {shown(action)}"
                raise BadModelError(self._model.name, FLICKERS, state, where)

    def _weigh(self, state: Any, actions: tuple[Any, ...]) -> None:
        """Add up the chances of each pick. Raises BadModelError if they do not add up to 1."""
        model = self._model
        if model.chance is surely and model.pick is itself:
            return
        why = why_no_chances((model.pick(action), model.chance(action)) for action in actions)
        if why:
            raise BadModelError(model.name, why, state)

    def graph(self) -> Graph:
        """The graph as far as it was explored."""
        holding = {promise.name: self._columns[promise.holds] for promise in self._model.promises}
        columns = self._states, self._actions, self._targets, self._parents
        return Graph(self._model, *columns, self._starts, holding, self._stopped, tuple(self._outside))
