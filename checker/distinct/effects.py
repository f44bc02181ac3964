"""The effects of right steps, each with a number: the rules that fired, on what, and the results of their guards."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.distinct.findings import Fired, kind_of
from gomboc.checker.distinct.spelling import SpelledSteps
from gomboc.spec.core.model import Input, Received
from gomboc.spec.core.protocol import Protocol

Names = str | tuple[str, ...]
"""The name of the rule that a step fires, or the names of several."""

Effect = tuple[Names, type, type, type, bool, bool, str | None]
"""An effect in types: for each rule that fires, what `Fired` says."""


class Effects(dict[Effect, int]):
    """The numbers of the effects of one protocol's steps, and how many steps have had each."""

    def __init__(self, protocol: Protocol) -> None:
        super().__init__()
        self._roles = protocol.vocabulary.roles
        self._times: list[int] = []

    def __missing__(self, effect: Effect) -> int:
        number = self[effect] = len(self)
        self._times.append(0)
        return number

    def count(self, steps: SpelledSteps, rules: Sequence[Names | None]) -> Array:
        """Count the steps. Returns the number of the effect of each; NONE where there are no rules."""
        effects = zip(
            rules,
            map(type, steps.before),
            map(type, steps.taken),
            map(_content, steps.taken),
            [one is not other and one != other for one, other in zip(steps.before, steps.after, strict=True)],
            map(bool, steps.sends),
            steps.coin,
            strict=True,
        )
        numbers = np.array([NONE if effect[0] is None else self[effect] for effect in effects], np.int64)
        for number, times in enumerate(np.bincount(numbers[numbers != NONE]).tolist()):
            self._times[number] += times
        return numbers

    def spelled(self) -> list[tuple[Fired, ...]]:
        """The effects by number, without types."""
        return [self._spelled(*effect) for effect in self]

    def _spelled(
        self, rules: Names, state: type, way: type, content: type, changed: bool, sent: bool, coin: str | None
    ) -> tuple[Fired, ...]:
        role = next(role for role, kind in self._roles.items() if issubclass(state, kind))
        took = "timeout" if content is way else kind_of(content)
        names = (rules,) if isinstance(rules, str) else rules
        return tuple(Fired(name, role, way.__name__, took, changed, sent, coin) for name in names)

    @property
    def fired(self) -> Counter[Fired]:
        """The number of steps by effect and rule."""
        counts: Counter[Fired] = Counter()
        for effect, times in zip(self.spelled(), self._times, strict=True):
            for fired in effect:
                counts[fired] += times
        return counts


def _content(taken: Input) -> type:
    """The type of what is taken; for a timeout, that of the input itself."""
    return type(taken.message if isinstance(taken, Received) else getattr(taken, "command", taken))
