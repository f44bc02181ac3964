"""Answers of bounded size: of several messages with publications, a step sends one that is drawn.

A fixed one might be refused by the receiver for ever, and hide the others from it.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Choice, Outcome, Send

Part = TypeVar("Part")


def choices(parts: Sequence[Part]) -> tuple[Choice, ...]:
    """The results of the coin: each part has the same chance. Source: ours; steps of bounded size."""
    number = len(parts)
    return tuple(Choice(f"part {part}", Fraction(1, number)) for part in range(number)) if number > 1 else CERTAIN


def drawn(parts: Sequence[Part], choice: Choice) -> tuple[Part, ...]:
    """The part that a result names, alone; none if there is no part. Source: ours; steps of bounded size."""
    names = (possible.name for possible in choices(parts))
    return tuple(part for name, part in zip(names, parts, strict=False) if name == choice.name)


def parts(outcome: Outcome, kind: type) -> tuple[Send, ...]:
    """The messages of an outcome that have that kind, and of which one is to be sent. Source: ours."""
    return tuple(send for send in outcome.sends if isinstance(send.message, kind))


def with_one(outcome: Outcome, kind: type, choice: Choice) -> Outcome:
    """The outcome with the drawn one of its messages of that kind, last. Source: ours; steps of bounded size."""
    others = tuple(send for send in outcome.sends if not isinstance(send.message, kind))
    return replace(outcome, sends=(*others, *drawn(parts(outcome, kind), choice)))
