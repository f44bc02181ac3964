"""Interface between an overlay and the layer above it: a node's neighbours. Names are ordered as texts.

Both layers have this vocabulary, and nothing else, in common.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Annotated

from msgspec import Meta

from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import Command, Rule


def are_in_order(names: Sequence[str]) -> bool:
    """Whether these names ascend, each once."""
    return all(former < latter for former, latter in pairwise(names))


Neighbours = Annotated[
    tuple[Name, ...],
    Meta(max_length=65_536),
    Rule(lambda names, _: None if are_in_order(names) else "its neighbours do not ascend"),
]
"""Ascending, each once."""


class Moved(Command, frozen=True):
    """The node's neighbours have changed to these."""

    neighbours: Neighbours


class Stayed(Command, frozen=True):
    """The node still has these neighbours; repeated in every period, to correct a layer with a wrong state."""

    neighbours: Neighbours


Told = Moved | Stayed


def nearest(me: str, neighbours: Sequence[str]) -> Iterator[str]:
    """The neighbour next to this node on either side, as far as there is one."""
    smaller = [neighbour for neighbour in neighbours if neighbour < me]
    if smaller:
        yield max(smaller)
    greater = [neighbour for neighbour in neighbours if neighbour > me]
    if greater:
        yield min(greater)
