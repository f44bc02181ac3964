"""Messages of bounded size about many publications: digests that name a part in each period, and drawn answers.

Of several messages with publications, a step sends one that is drawn. A fixed one might be refused by the receiver for
ever, and hide the others from it.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Choice, Outcome, Send

Part = TypeVar("Part")
Name = TypeVar("Name")


def next_part(
    names: tuple[Name, ...], new: tuple[Name, ...], told: Name | None, most: int
) -> tuple[tuple[Name, ...], tuple[Name, ...], Name | None]:
    """The names of a digest, of all of these, which ascend; those that are new after it; the last one in its turn.

    Without room for all, half of them, rounded up, may be `new`: those that no digest has named since they came. The
    others are the ones after `told`, the last one in its turn before; after the last of all the first come again.

    Source: ours; messages of bounded size
    """
    if len(names) <= most:
        return names, (), None
    there = frozenset(names)
    unnamed = tuple(name for name in new if name in there)
    first = frozenset(unnamed[: (most + 1) // 2])
    others = tuple(name for name in names if name not in first)
    later = tuple(name for name in others if told is None or name > told) or others  # type: ignore[operator]
    turn = later[: most - len(first)]
    taken = first.union(turn)
    part = tuple(name for name in names if name in taken)
    return part, tuple(name for name in unnamed if name not in taken), turn[-1] if turn else told


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
