"""What was found out about a lemma: a value for each statement, and what they amount to."""

from typing import Any

import msgspec

from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED, Unknown
from gomboc.checker.prove.lemma import Lemma, Replayed


class Proved(msgspec.Struct, frozen=True, tag="proved"):
    """Every obligation is proved, and none has hypotheses that exclude one another.

    A part is an implication in an obligation's conjunction, or whatever else is joined there. `parts` counts those
    whose premise holds somewhere, `vacuous` those whose premise never holds: they are true, and say nothing.
    """

    parts: int
    vacuous: int = 0


class Refuted(msgspec.Struct, frozen=True, tag="refuted"):
    """An obligation is false for `values`; `replayed` is what the specification says to them."""

    what: str
    values: dict[str, Any]
    replayed: Replayed | None = None

    def confirmed(self) -> bool:
        """Whether nothing in the specification contradicts this refutation."""
        return self.replayed is None or self.replayed.confirms()


Result = Proved | Refuted | Unknown


class Settled(msgspec.Struct, frozen=True):
    """A statement, whether it is meant to hold, and what came out."""

    says: str
    holds: bool
    result: Result

    def as_meant(self) -> bool:
        """Whether it came out as it is meant to."""
        if isinstance(self.result, Refuted):
            return not self.holds and self.result.confirmed()
        return self.holds and isinstance(self.result, Proved)


class Settlement(msgspec.Struct, frozen=True):
    """A lemma with what came out of its statement and of each contrast, and the time that it took.

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
        """0 if everything is as it is meant to be, 3 if something could not be decided, 1 otherwise."""
        if all(settled.as_meant() for settled in self.settled()):
            return HOLDS
        odd = [settled.result for settled in self.settled() if not settled.as_meant()]
        return UNKNOWN if all(isinstance(result, Unknown) for result in odd) else VIOLATED


def settlement(lemma: Lemma, statement: Settled, contrasts: tuple[Settled, ...], seconds: float) -> Settlement:
    """What came out of a lemma."""
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
