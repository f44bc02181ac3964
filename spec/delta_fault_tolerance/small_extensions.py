"""Small models of joining leaves, and of audits of arbitrary rows, that are explored completely.

The records were made by `gomboc explore delta_fault_tolerance --recorded --exhaustive`.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from gomboc.spec.delta_fault_tolerance import configured
from gomboc.spec.delta_fault_tolerance.filters import Filter, Predicate
from gomboc.spec.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.delta_fault_tolerance.space import ROLE, right_start
from gomboc.spec.delta_fault_tolerance.state import Row, Rows
from gomboc.spec.delta_fault_tolerance.tables import in_order
from gomboc.spec.delta_fault_tolerance.tree import Names
from gomboc.spec.domain import Domain, OneOf, Record, Table
from gomboc.spec.instance import Instance
from gomboc.spec.pinned import Pinned, Results
from gomboc.spec.protocol import Protocol

ONE: Filter = (Predicate("x", "=", 1),)


MOST = 3
"""The most messages in flight in an audit, which repeats its messages at each timeout."""


def joining(delta: int, names: Names, outside: Names, variant: str | None = None, **budget: int) -> Instance:
    """A model of leaves outside and a legitimate tree, where the first broker has subscribed."""
    ours = configured({"delta": delta})
    protocol = next((erratum.protocol for erratum in ours.errata if erratum.name == variant), ours)
    start = right_start(Parameters(delta), names, {names[0]: (ONE,)}, outside)
    return _instance(protocol, {name: OneOf((local,)) for name, local in start.locals}, budget)


def audited(delta: int, names: Names, **budget: int) -> Instance:
    """A model of an audit: the first broker has subscribed, and all brokers have arbitrary rows for its filter."""
    parameters = Parameters(delta, audit=True)
    start = right_start(parameters, names, {names[0]: (ONE,)})
    locals_ = {
        name: Record(lambda rows, local=local: replace(local, rows=rows), (any_table(names, name),))
        for name, local in start.locals
    }
    return _instance(configured({"delta": delta, "audit": True}), locals_, budget, MOST)


def any_table(names: Names, me: str) -> Domain:
    """Every table of rows of the other brokers for the filter, with any `via`."""
    others = tuple(name for name in names if name != me)
    row = Table(lambda source, via: Row(source, ONE, via), others, OneOf(names), len(others))
    return Record(_table, (row,))


def _table(rows: Rows) -> Rows:
    return in_order(rows)


def _instance(
    protocol: Protocol, locals_: Mapping[str, Domain], budget: dict[str, int], most: int | None = None
) -> Instance:
    return Instance(
        protocol=protocol,
        locals=tuple((name, ROLE, domain) for name, domain in sorted(locals_.items())),
        messages=OneOf(()),
        in_flight=0,
        copies=1,
        most=most,
        budget=tuple(sorted(budget.items())),
    )


HOLDS = ("holds",) * 9
"""Closure, convergence twice, not vacuous, canonical, and four promises over histories."""

EXTENSIONS: tuple[Pinned, ...] = (
    Pinned(
        "leaf",
        "n = 1 and a leaf, delta = 0: it joins, a client subscribes, and one publishes",
        joining(0, ("0",), ("0.1",), join=1, subscription=1, publication=1),
        Results(1, 239, 530, 22, HOLDS),
    ),
    Pinned(
        "leaf_below_two",
        "n = 2 and a leaf, delta = 1: it joins, and a client subscribes",
        joining(1, ("0", "0.1"), ("0.1.2",), join=1, subscription=1),
        Results(1, 275, 598, 9, HOLDS),
    ),
    Pinned(
        "two_leaves",
        "n = 2 and two leaves, delta = 1: both join",
        joining(1, ("0", "0.1"), ("0.2", "0.3"), join=2),
        Results(1, 2_772, 7_486, 17, HOLDS),
    ),
    Pinned(
        "leaf_and_a_crash",
        "n = 2 and a leaf, delta = 1: it joins, and anybody crashes",
        joining(1, ("0", "0.1"), ("0.1.2",), join=1, crash=1),
        Results(1, 88_683, 263_578, 154, HOLDS),
        long=True,
    ),
    Pinned(
        "audit",
        "n = 2, delta = 1: an audit of any rows",
        audited(1, ("0", "0.1")),
        Results(9, 646, 2_240, 4, HOLDS),
    ),
)
