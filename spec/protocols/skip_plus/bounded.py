"""Messages of bounded size: of the names that a neighbour is to insert, one message has at most `most_names`.

Ours: the slides count no names. Without the parameter there is no bound, and nothing here has an effect.
"""

from collections.abc import Mapping

from gomboc.spec.core.model import Choice
from gomboc.spec.publishing import answers

Names = tuple[str, ...]

Inserts = Mapping[str, Names]
"""The names that each neighbour is to insert, ascending."""


def parts(names: Names, most: int | None) -> tuple[Names, ...]:
    """The names in their order, divided into messages: one that is empty if there are none."""
    if most is None or len(names) <= most:
        return (names,)
    return tuple(names[first : first + most] for first in range(0, len(names), most))


def _numbers(inserts: Inserts, most: int | None) -> range:
    """The numbers that the coin draws from: as many as the longest of these has parts."""
    return range(max((len(parts(names, most)) for names in inserts.values()), default=1))


def choices(inserts: Inserts, most: int | None) -> tuple[Choice, ...]:
    """The results of the coin of a timeout: the number of the part that neighbours are sent.

    A fixed one would keep the names of the others from a neighbour for ever.
    """
    return answers.choices(_numbers(inserts, most))


def drawn(inserts: Inserts, most: int | None, choice: Choice) -> dict[str, Names]:
    """The part of the names that each neighbour is sent: the drawn one, and of fewer parts the one in its turn."""
    (number,) = answers.drawn(_numbers(inserts, most), choice)
    divided = {node: parts(names, most) for node, names in inserts.items()}
    return {node: some[number % len(some)] for node, some in divided.items()}


def following(names: Names, most: int | None) -> dict[str, Names]:
    """For each of the names those that come next, at most `most`, and after the last one the first: a circle of them.

    So all of them are connected, however few each is told.
    """
    others = ((name, (*names[index + 1 :], *names[:index])) for index, name in enumerate(names))
    return {name: tuple(sorted(rest[:most])) for name, rest in others}
