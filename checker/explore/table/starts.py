"""The initial states of an instance as numbers: the product of its domains, without building each start."""

from collections.abc import Iterable, Iterator
from math import prod

import numpy as np

from gomboc.checker.explore.bounds import BoundWatch
from gomboc.checker.explore.rounds import is_by_rounds
from gomboc.checker.explore.table.checked_calls import hashed, some_starts
from gomboc.checker.explore.table.commands import Demands, is_asked
from gomboc.checker.explore.table.expand import Expander
from gomboc.checker.explore.table.global_predicate import Classes
from gomboc.checker.explore.table.layout import TooWideError, fitting
from gomboc.checker.explore.table.round_tables import RoundTables
from gomboc.checker.explore.table.sorted_set import distinct
from gomboc.checker.explore.table.tables import Array, Tables
from gomboc.checker.phrases import counted
from gomboc.spec.domain import count, enumerate_values
from gomboc.spec.instance import Instance, any_start, contents, starts

MOST = (1 << 31) - 1
"""Maximal number of states: the graph numbers them with 31 bits."""

BATCH = 1 << 14
"""Number of starts that are built before they become numbers."""


def prepared(instance: Instance) -> Tables:
    """Tables that know every local state, and every message that may be in flight, at the start of an instance."""
    tables = RoundTables(instance) if is_by_rounds(instance) else Tables(instance)
    for node, (_, _, domain) in enumerate(instance.locals):
        for value in enumerate_values(domain):
            tables.local(node, hashed(instance.protocol, value))
    for target, message in enumerate_values(instance.messages) if instance.in_flight else ():
        hashed(instance.protocol, message)
        if not isinstance(tables, RoundTables):
            tables.message(target, message)
    for content in contents(instance) if isinstance(tables, RoundTables) else ():
        tables.in_slots(content)
    tables.freeze()
    return tables


def starting_states(expander: Expander, watch: BoundWatch) -> tuple[Array, str]:
    """Every initial state, ascending; or those up to a bound, with the bound that was reached as text.

    Raises TooWideError if there are more than MOST.
    """
    tables, why = expander.tables, ""
    expander.layout = fitting(tables, expander.layout)
    parts = [np.empty(0, np.int64)]
    for part in _admitted(expander) if tables.instance.admits is not any_start else _demanded(expander):
        parts.append(part)
        count = sum(map(len, parts))
        why = watch.why_stop(0, count, 0)
        if why:
            break
        # Said before the arrays are joined, since that is where memory would run out.
        if count > MOST:
            raise TooWideError(f"there are more starts than the {MOST:,} that the table-driven explorer has room for")
    return distinct(expander.canonical(np.concatenate(parts))), why


def _slots(expander: Expander, in_flight: Iterable[tuple[tuple[str, object], ...]]) -> Array:
    """The part of states that contains the messages in flight, for each content of the channels."""
    tables, slots = expander.tables, expander.layout.slots
    rows = [tables.in_slots(content) for content in in_flight]
    filled = [row + [0] * (slots - len(row)) for row in rows]
    columns = list(np.array(filled, expander.layout.slot_type).reshape(len(filled), slots).T)
    return expander.layout.pack_slots(np.zeros(len(rows), np.int64), columns)


def _demanded(expander: Expander) -> Iterator[Array]:
    """The starts that satisfy premise and assumption, in batches."""
    tables = expander.tables
    if not is_asked(tables.instance.protocol):
        yield from _every(expander)
        return
    demands = Demands(tables, Classes(tables))
    for packed in _in_batches(_every(expander)):
        yield packed[demands.hold(*expander.layout.unpack(packed))]


def _in_batches(parts: Iterator[Array]) -> Iterator[Array]:
    """The same numbers, in batches of about BATCH."""
    waiting: list[Array] = []
    for part in parts:
        for first in range(0, len(part), BATCH):
            waiting.append(part[first : first + BATCH])
            if sum(map(len, waiting)) >= BATCH:
                yield np.concatenate(waiting)
                waiting = []
    if waiting:
        yield np.concatenate(waiting)


def _every(expander: Expander) -> Iterator[Array]:
    """For each content of the channels, the starts with it."""
    locals_, in_flight = _locals(expander), list(contents(expander.tables.instance))
    for packed in _slots(expander, in_flight):
        yield locals_ | packed


def _locals(expander: Expander) -> Array:
    """Every combination of local states, packed."""
    tables, layout = expander.tables, expander.layout
    ways = prod(count(domain) for _, _, domain in tables.instance.locals)
    if ways > MOST:
        raise TooWideError(
            f"there are {counted(ways, 'start')}, and the table-driven explorer has room for {MOST:,} states"
        )
    packed = np.full(1, tables.outer.first << layout.outer_shift, np.int64)
    for node, (_, _, domain) in enumerate(tables.instance.locals):
        numbers = np.array([tables.local(node, value) for value in enumerate_values(domain)], np.int64)
        packed = (packed[:, None] | (numbers << layout.shifts[node])[None, :]).ravel()
    return packed


def _admitted(expander: Expander) -> Iterator[Array]:
    """The starts that the instance admits, in batches."""
    tables, layout = expander.tables, expander.layout
    every = starts(tables.instance)
    while batch := some_starts(tables.instance, every, BATCH):
        columns = [
            np.array([tables.local(node, start.locals[node][1]) for start in batch], np.int64)
            for node in range(len(tables.names))
        ]
        first = tables.outer.first << layout.outer_shift
        yield _slots(expander, (start.in_flight for start in batch)) | layout.pack_locals(columns) | first
