"""Depth-first expansion of keys that ask for others, without recursion."""

from collections.abc import Callable, Hashable, Iterator
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


class CycleError(Exception):
    """A key asks for itself, directly or through others."""


def expand_all(first: Key, expand: Callable[[Key], Iterator[Key]], is_known: Callable[[Key], bool]) -> None:
    """Expand a key, after each unknown key that its expansion asks for. Raises CycleError if one asks for itself."""
    if is_known(first):
        return
    path = {first: expand(first)}
    while path:
        needed = next(path[next(reversed(path))], None)
        if needed is None:
            path.popitem()
        elif needed in path:
            raise CycleError
        elif not is_known(needed):
            path[needed] = expand(needed)
