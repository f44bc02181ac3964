"""The steps of a trace on a page: all of a short one, and those around one step of a long one."""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from gomboc.checker.report.page.film import Film

MOST_STEPS = 4_000
"""Maximal number of steps of a film."""

MOST_BYTES = 4_000_000
"""Maximal number of bytes of a film, if it has more than `FEWEST_STEPS` steps."""

FEWEST_STEPS = 20
"""Number of steps that are shown in any case, for states of any size."""


class Window(NamedTuple):
    """The steps after `first`, up to `last`; step 0 is the state before the first step."""

    first: int
    last: int


def window_around(step: int, steps: int, most: int) -> Window:
    """At most so many steps of a trace of `steps`, with that step in their middle unless it is near an end."""
    if steps <= most:
        return Window(0, steps)
    first = min(max(0, step - most // 2 - 1), steps - most)
    return Window(first, first + most)


def fitting(filmed: Callable[[Window], Film], step: int, steps: int) -> Film:
    """The film of as many steps around one of them as fit into a page."""
    most = MOST_STEPS
    while True:
        film = filmed(window_around(step, steps, most))
        size, shown = len(msgspec.json.encode(film)), len(film.shots)
        if size <= MOST_BYTES or shown <= FEWEST_STEPS:
            return film
        most = max(FEWEST_STEPS, min(shown // 2, shown * MOST_BYTES // size))
