"""The outcome of a lemma: a value for each statement, and the verdict on all."""

from typing import Any

import msgspec

from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED, Unknown
from gomboc.checker.prove.lemma import Count, Lemma, Replayed


class Proved(msgspec.Struct, frozen=True, tag="proved"):
    """Every obligation is proved, and none has hypotheses that exclude one another.

    A part is an implication in an obligation's conjunction, or any other conjunct. `parts` counts those with a premise
    that holds somewhere, `vacuous` those with a premise that never holds: they are true, but vacuous. `counts` has what
    was settled along paths; `bounds` how many items a tuple or set had at most on them, by its place, as class and
    field: nothing is proved of longer ones.
    """

    parts: int
    vacuous: int = 0
    counts: tuple[Count, ...] = ()
    bounds: dict[str, int] = {}


class Refuted(msgspec.Struct, frozen=True, tag="refuted"):
    """An obligation is false for `values`; `replayed` is the specification's result for them."""

    what: str
    values: dict[str, Any]
    replayed: Replayed | None = None

    def confirmed(self) -> bool:
        """Whether the specification does not contradict this refutation."""
        return self.replayed is None or self.replayed.confirms()


Result = Proved | Refuted | Unknown


class Settled(msgspec.Struct, frozen=True):
    """A statement, whether it should hold, and its result."""

    says: str
    holds: bool
    result: Result

    def as_meant(self) -> bool:
        """Whether the result is the expected one."""
        if isinstance(self.result, Refuted):
            return not self.holds and self.result.confirmed()
        return self.holds and isinstance(self.result, Proved)


class Settlement(msgspec.Struct, frozen=True):
    """A lemma with the results of its statement and of each contrast, and the time in seconds of a processor.

    `by_hand`, `leaves_out` and `tied_to` are the lemma's own, functions by name.
    """

    name: str
    statement: Settled
    contrasts: tuple[Settled, ...]
    source: str
    ranges_over: str
    about: str
    by_hand: str
    leaves_out: str
    tied_to: tuple[str, ...]
    seconds: float

    def settled(self) -> tuple[Settled, ...]:
        """The statement, then the contrasts."""
        return self.statement, *self.contrasts

    def exit_code(self) -> int:
        """0 if every result is as expected, 3 if all others are undecided, 1 otherwise."""
        if all(settled.as_meant() for settled in self.settled()):
            return HOLDS
        odd = [settled.result for settled in self.settled() if not settled.as_meant()]
        return UNKNOWN if all(isinstance(result, Unknown) for result in odd) else VIOLATED


def settlement(lemma: Lemma, statement: Settled, contrasts: tuple[Settled, ...], seconds: float) -> Settlement:
    """The settlement of a lemma."""
    return Settlement(
        name=lemma.name,
        statement=statement,
        contrasts=contrasts,
        source=lemma.source,
        ranges_over=lemma.ranges_over,
        about=lemma.about,
        by_hand=lemma.by_hand,
        leaves_out=lemma.leaves_out,
        tied_to=lemma.ties(),
        seconds=seconds,
    )
