"""Whom the anchor of a system depends on: the nodes at whom it looks.

Mostly those are few, and as long as it looks at no others, what is seen of these decides it. What it has seen may
decide at whom it looks next (a database says who is the first member), so this is found out for each of their states
anew. The watch of a simulation, the columns of a replay and the tables of an exploration all find it out by this.
"""

from collections.abc import Iterator, Mapping
from typing import Any


class AskedForMore(Exception):  # noqa: N818  # it is a question, not an error
    """Somebody looked at the nodes `names`, of which nothing is given."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(*names)
        self.names = names


class Looked(Mapping[str, Any]):
    """What may be seen of the nodes `names`, where it is given; `at` has the names of those that were looked at.

    Raises AskedForMore where somebody looks at others of them.
    """

    def __init__(self, given: Mapping[str, Any], names: tuple[str, ...]) -> None:
        self._given = given
        self._names = names
        self._at: dict[str, None] = {}

    @property
    def at(self) -> tuple[str, ...]:
        """The nodes that were looked at, in the order in which they were for the first time."""
        return tuple(self._at)

    def __getitem__(self, name: str) -> Any:
        if name not in self._given and name in self._names:
            raise AskedForMore((name,))
        found = self._given[name]
        self._at[name] = None
        return found

    def __iter__(self) -> Iterator[str]:
        lacking = tuple(name for name in self._names if name not in self._given)
        if lacking:
            raise AskedForMore(lacking)
        self._at.update(dict.fromkeys(self._names))
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
