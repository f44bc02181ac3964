"""Array shapes that the kernel is built of."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gomboc.checker.core.arrow import pa

Array = npt.NDArray[Any]

NOTHING: Array = np.zeros(0, np.int64)


def spread(starts: Array, counts: Array) -> Array:
    """`counts[0]` numbers from `starts[0]` on, then `counts[1]` numbers from `starts[1]` on, and so on."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    numbered: Array = np.arange(total) + np.repeat(starts - (ends - counts), counts)
    return numbered


def starts_of(counts: Array) -> Array:
    """The index at which each of several runs of those lengths begins, when they stand one after another."""
    starts: Array = np.cumsum(counts) - counts
    return starts


def changes(values: Array) -> Array:
    """Whether each value differs from the one before it; the first does."""
    changed = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=changed[1:])
    return changed


def distinct_pairs(first: Array, second: Array) -> tuple[Array, Array]:
    """Every pair of values at one index, once."""
    order = np.lexsort((second, first))
    first, second = first[order], second[order]
    new = changes(first) | changes(second)
    return first[new], second[new]


def numbers(column: pa.Array, kind: type = np.int64) -> Array:
    """A column of numbers as an array; it must not hold a null."""
    values: Array = column.to_numpy(zero_copy_only=False)
    return values.astype(kind, copy=False)
