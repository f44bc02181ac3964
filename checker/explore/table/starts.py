"""The initial states of an instance as numbers: the product of its domains, without building each start."""

from collections.abc import Iterable, Iterator
from functools import reduce
from math import prod
from operator import or_

import numpy as np

from checker.explore.bounds import Watch
from checker.explore.rounds import is_by_rounds
from checker.explore.table.connectivity import Links
from checker.explore.table.expand import Expander
from checker.explore.table.layout import TooWideError, fitting
from checker.explore.table.round_tables import RoundTables
from checker.explore.table.sorted_set import distinct
from checker.explore.table.tables import Array, Tables
from checker.explore.table.untrusted import hashed, some_starts
from spec.domain import count, enumerate_values
from spec.instance import Instance, any_start, contents, starts

MOST = (1 << 31) - 1
"""States that there is room for: the graph numbers them with 31 bits."""

BATCH = 1 << 14
"""Starts that are built before they become numbers."""


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


def starting_states(expander: Expander, watch: Watch) -> tuple[Array, str]:
    """Every initial state, ascending; or those up to a bound, with the bound that was reached in words.

    Raises TooWideError if there are more than there is room for.
    """
    tables, why = expander.tables, ""
    expander.layout = fitting(tables, expander.layout)
    parts = [np.empty(0, np.int64)]
    for part in _admitted(expander) if tables.instance.admits is not any_start else _every(expander):
        parts.append(part)
        found = sum(map(len, parts))
        why = watch.why_stop(0, found, 0)
        if why:
            break
        if found > MOST:
            raise TooWideError(f"there are more starts than the {MOST:,} that the table-driven explorer has room for")
    return distinct(expander.canonical(np.concatenate(parts))), why


def _slots(expander: Expander, in_flight: Iterable[tuple[tuple[str, object], ...]]) -> Array:
    """The part of states that the messages in flight make up, for each content of the channels."""
    tables, slots = expander.tables, expander.layout.slots
    rows = [tables.in_slots(content) for content in in_flight]
    filled = [row + [0] * (slots - len(row)) for row in rows]
    columns = list(np.array(filled, expander.layout.slot_type).reshape(len(filled), slots).T)
    return expander.layout.pack_slots(np.zeros(len(rows), np.int64), columns)


def _every(expander: Expander) -> Iterator[Array]:
    """For each content of the channels, the connected starts with it."""
    instance = expander.tables.instance
    links = Links(instance)
    locals_, linked = _locals(expander, links)
    every = list(contents(instance))
    kept: dict[int, Array] = {}
    for content, packed in zip(every, _slots(expander, every), strict=True):
        more = reduce(or_, (links.of(*sent) for sent in content), 0)
        if more not in kept:
            kept[more] = locals_[links.connecting(linked | more)]
        yield kept[more] | packed


def _locals(expander: Expander, links: Links) -> tuple[Array, Array]:
    """Every combination of local states, packed, and the edges that each makes."""
    tables, layout = expander.tables, expander.layout
    ways = prod(count(domain) for _, _, domain in tables.instance.locals)
    if ways > MOST:
        raise TooWideError(f"there are {ways:,} starts, and the table-driven explorer has room for {MOST:,} states")
    packed, linked = np.zeros(1, np.int64), np.zeros(1, np.int64)
    for node, (name, _, domain) in enumerate(tables.instance.locals):
        values = tuple(enumerate_values(domain))
        numbers = np.array([tables.local(node, value) for value in values], np.int64)
        packed = (packed[:, None] | (numbers << layout.shifts[node])[None, :]).ravel()
        edges = np.array([links.of(name, value) for value in values], np.int64)
        linked = (linked[:, None] | edges[None, :]).ravel()
    return packed, linked


def _admitted(expander: Expander) -> Iterator[Array]:
    """The starts that the instance admits, some at a time."""
    tables, layout = expander.tables, expander.layout
    every = starts(tables.instance)
    while batch := some_starts(tables.instance, every, BATCH):
        columns = [
            np.array([tables.local(node, start.locals[node][1]) for start in batch], np.int64)
            for node in range(len(tables.names))
        ]
        yield _slots(expander, (start.in_flight for start in batch)) | layout.pack_locals(columns)
