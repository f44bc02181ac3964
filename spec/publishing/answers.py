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


def next_part(names: tuple[Name, ...], told: Name | None, most: int) -> tuple[tuple[Name, ...], Name | None]:
    """The names of a digest, of all of these, which ascend; and the last one of them, None if they are all.

    They are the first `most` after `told`, the last one of the digest before; after the last of all come the first
    again. So whatever `told` is, each name comes within one more digest than all of them take.

    Source: ours; messages of bounded size
    """
    if len(names) <= most:
        return names, None
    later = tuple(name for name in names if told is None or name > told) or names  # type: ignore[operator]
    return later[:most], later[:most][-1]


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
