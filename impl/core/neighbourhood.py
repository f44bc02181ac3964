"""Interface between an overlay and the layer above it: a node's neighbours. Names are ordered as texts.

Both layers have this vocabulary, and nothing else, in common.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Annotated

from msgspec import Meta, Struct

from gomboc.impl.core.names import Name

Neighbours = Annotated[tuple[Name, ...], Meta(max_length=65_536)]
"""Ascending, each once."""


class Moved(Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """The node's neighbours have changed to these."""

    neighbours: Neighbours


class Stayed(Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """The node still has these neighbours; repeated in every period, to correct a layer with a wrong state."""

    neighbours: Neighbours


Told = Moved | Stayed


def are_in_order(names: Sequence[str]) -> bool:
    """Whether these names ascend, each once."""
    return all(former < latter for former, latter in pairwise(names))


def nearest(me: str, neighbours: Sequence[str]) -> Iterator[str]:
    """The neighbour next to this node on either side, as far as there is one."""
    smaller = [neighbour for neighbour in neighbours if neighbour < me]
    if smaller:
        yield max(smaller)
    greater = [neighbour for neighbour in neighbours if neighbour > me]
    if greater:
        yield min(greater)
