"""Every tree of so many brokers, once, by names."""

from collections.abc import Iterator
from functools import cache
from itertools import product

Names = tuple[str, ...]
Shape = tuple["Shape", ...]
"""A rooted tree: the shapes below its root, in order."""


@cache
def shapes(nodes: int) -> tuple[Shape, ...]:
    """Every rooted tree of so many nodes, once."""
    return tuple(sorted({tuple(sorted(below)) for below in _below(nodes - 1, nodes - 1)}))


def _below(nodes: int, most: int) -> Iterator[tuple[Shape, ...]]:
    """Every multiset of trees of so many nodes together, none of more than `most`."""
    if nodes == 0:
        yield ()
    for size in range(min(nodes, most), 0, -1):
        for first, rest in product(shapes(size), _below(nodes - size, size)):
            yield (first, *rest)


def named(shape: Shape, root: str = "0") -> Names:
    """The brokers of a tree, ascending by name."""
    below = (name for index, subtree in enumerate(shape) for name in named(subtree, f"{root}.{index}"))
    return tuple(sorted((root, *below)))


@cache
def trees(nodes: int) -> tuple[Names, ...]:
    """Every tree of that many brokers, once, whichever of them is the root."""
    return tuple(named(shape) for shape in shapes(nodes) if shape == min(rerooted(shape)))


def rerooted(shape: Shape) -> Iterator[Shape]:
    """The same tree with each of its nodes as the root."""
    yield shape
    for index, below in enumerate(shape):
        above = (*shape[:index], *shape[index + 1 :])
        yield from rerooted_at(below, above)


def rerooted_at(shape: Shape, above: Shape) -> Iterator[Shape]:
    """A tree with each node of one part as the root, where `above` is all else, hanging from the top of that part."""
    yield tuple(sorted((*shape, above)))
    for index, below in enumerate(shape):
        others = (*shape[:index], *shape[index + 1 :])
        yield from rerooted_at(below, tuple(sorted((*others, above))))
