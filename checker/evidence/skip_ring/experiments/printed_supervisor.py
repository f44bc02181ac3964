"""The supervisor's rules as printed in Algorithm 3, on a hash map from label to subscriber, statement by statement.

Labels are any bit strings, and a subscriber is None where the paper has bottom.
"""

from collections.abc import Iterator
from itertools import product

from gomboc.spec.protocols.skip_ring.labels import index_of, is_canonical, label_of

Table = dict[str, str | None]
"""A database; equal tables may differ in the order in which a loop meets their tuples."""


class NoTupleError(Exception):
    """A line asks for a tuple that is not there."""


def every_table(labels: int, subscribers: tuple[str | None, ...]) -> Iterator[Table]:
    """Every database over l(0), ..., l(labels - 1), in which each label is absent or has one of those subscribers."""
    absent = object()
    for values in product((absent, *subscribers), repeat=labels):
        yield {label_of(i): value for i, value in enumerate(values) if value is None or isinstance(value, str)}


def check_labels(table: Table) -> Table:
    """Remove empty tuples, and fill each gap with the tuple of the greatest label. Raises NoTupleError.

    Source: Algorithm 3, lines 38-45
    """
    table = {label: node for label, node in table.items() if node is not None}
    for i in range(len(table)):
        if label_of(i) not in table:
            beyond = [index_of(label) for label in table if is_canonical(label) and index_of(label) > i]
            if not beyond:
                raise NoTupleError(f"line 44 finds no l(j) with j > {i}")
            table[label_of(i)] = table.pop(label_of(max(beyond)))
    return table


def check_multiple_copies(table: Table, subscriber: str | None) -> Table:
    """Keep the first tuple of `subscriber` that the loop meets. Source: Algorithm 3, lines 31-37."""
    first = next((label for label, node in table.items() if node == subscriber), None)
    return {label: node for label, node in table.items() if node != subscriber or label == first}


def timeout(table: Table, following: int) -> tuple[Table, int]:
    """The periodic action, without the message that it sends. Raises NoTupleError. Source: Algorithm 3, lines 1-5."""
    table = check_labels(table)
    if not table:
        return table, following
    following = (following + 1) % len(table)
    if label_of(following) not in table:
        raise NoTupleError(f"line 4 finds no l({following})")
    return check_multiple_copies(table, table[label_of(following)]), following


def subscribe(table: Table, subscriber: str) -> Table:
    """Store an unknown subscriber under l(n): in a hash map, in the place of the one that is there.

    Source: Algorithm 3, lines 6-12
    """
    if subscriber in table.values():
        return check_multiple_copies(table, subscriber)
    return {**table, label_of(len(table)): subscriber}


def subscribe_united(table: Table, subscriber: str) -> frozenset[tuple[str, str | None]]:
    """The same, if the database is a set of tuples and line 8 a union of sets. Source: Algorithm 3, line 8."""
    there = frozenset(table.items())
    return there if subscriber in table.values() else there | {(label_of(len(table)), subscriber)}


def check_labels_united(tuples: frozenset[tuple[str, str | None]]) -> frozenset[tuple[str, str | None]]:
    """Lines 42 to 45 on a set of tuples, in which two may have one label. Raises NoTupleError.

    Source: Algorithm 3, lines 42-45
    """
    for i in range(len(tuples)):
        if all(label != label_of(i) for label, _ in tuples):
            beyond = [entry for entry in tuples if index_of(entry[0]) > i]
            if not beyond:
                raise NoTupleError(f"line 44 finds no l(j) with j > {i}")
            moved = max(beyond, key=lambda entry: (index_of(entry[0]), str(entry[1])))
            tuples = tuples - {moved} | {(label_of(i), moved[1])}
    return tuples


def is_sound(table: Table) -> bool:
    """Whether the database is not corrupted. Source: Section 3.1 (i) to (iv)."""
    labels = {label_of(i) for i in range(len(table))}
    return set(table) == labels and None not in table.values() and len(set(table.values())) == len(table)
