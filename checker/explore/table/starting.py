"""The initial states of an instance as numbers: the product of its domains, without building each start."""

from collections.abc import Iterator

import numpy as np

from checker.explore.table.expand import Expander
from checker.explore.table.layout import fitting
from checker.explore.table.seen import distinct
from checker.explore.table.tables import Array, Tables
from spec.domain import enumerate_values
from spec.instance import Instance, any_start, contents, starts


def prepared(instance: Instance) -> Tables:
    """Tables that know every local state, and every message that may be in flight, at the start of an instance."""
    tables = Tables(instance)
    for node, (_, _, domain) in enumerate(instance.locals):
        for value in enumerate_values(domain):
            tables.local(node, value)
    for target, message in enumerate_values(instance.messages) if instance.in_flight else ():
        tables.message(target, message)
    tables.freeze()
    return tables


def starting_states(expander: Expander) -> Array:
    """Every initial state, ascending."""
    tables = expander.tables
    product = _admitted if tables.instance.admits is not any_start else _every
    expander.layout = fitting(tables, expander.layout)
    return distinct(expander.canonical(np.concatenate([np.empty(0, np.int64), *product(expander)])))


def _slots(expander: Expander, in_flight: Iterator[tuple[tuple[str, object], ...]]) -> Array:
    """The part of states that the messages in flight make up, for each content of the channels."""
    tables, slots = expander.tables, expander.layout.slots
    rows = [sorted((tables.message(*sent) for sent in content), reverse=True) for content in in_flight]
    filled = [row + [0] * (slots - len(row)) for row in rows]
    columns = list(np.array(filled, expander.layout.slot_type).reshape(-1, slots).T)
    return expander.layout.pack_slots(np.zeros(len(rows), np.int64), columns)


def _every(expander: Expander) -> Iterator[Array]:
    tables, layout = expander.tables, expander.layout
    locals_ = np.zeros(1, np.int64)
    for node, (_, _, domain) in enumerate(tables.instance.locals):
        numbers = np.array([tables.local(node, value) for value in enumerate_values(domain)], np.int64)
        locals_ = (locals_[:, None] | (numbers << layout.shifts[node])[None, :]).ravel()
    for packed in _slots(expander, contents(tables.instance)):
        yield locals_ | packed


def _admitted(expander: Expander) -> Iterator[Array]:
    tables, layout = expander.tables, expander.layout
    every = list(starts(tables.instance))
    packed = _slots(expander, (start.in_flight for start in every))
    columns = [
        np.array([tables.local(node, start.locals[node][1]) for start in every], np.int64)
        for node in range(len(tables.names))
    ]
    yield packed | layout.pack_locals(columns)
