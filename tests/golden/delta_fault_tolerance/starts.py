"""Where the golden traces of delta-fault-tolerance begin: headers as JSON values, still without `origin`."""

from typing import Any

from msgspec import to_builtins

from gomboc.spec.protocols.delta_fault_tolerance.filters import Filter, Predicate
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
from tests.golden.drive import Header, header

ONLY, SOME = (Predicate("x", "=", 1),), (Predicate("x", "exists", None),)
WANTED = [["x", "=", 1]]
"""The filter of clients' subscriptions, as a value of the specification and as JSON."""

Names = tuple[str, ...]


def start(
    delta: int, names: Names, wanted: dict[str, tuple[Filter, ...]], outside: Names = (), **parameters: Any
) -> Header:
    """The right start of brokers whose clients have subscribed to those filters, and of leaves outside."""
    states = dict(right_start(Parameters(delta), names, wanted, outside).locals)
    plain = {name: to_builtins(states[name]) for name in (*names, *outside)}
    return header("delta_fault_tolerance", {"delta": delta, **parameters}, dict.fromkeys(plain, "broker"), plain)


A, B, C, D = LINE = ("b", "b.1", "b.1.2", "b.1.2.3")
"""Four in a row, the root at one end."""

FIGURE_5 = ("N1", "N1.N2", "N1.N2.S1", "N1.N2.S2", "N1.N3", "N1.N3.S3", "N1.N3.S4", "N1.P1")
P1, S1, S4 = "N1.P1", "N1.N2.S1", "N1.N3.S4"


ONE, TWO = (start(delta, LINE, {D: (ONLY,)}) for delta in (1, 2))
"""Four in a row, where the client of the last one has subscribed."""
STRAY = [[A, WANTED, B], [B, WANTED, B]]
"""Rows of subscriptions that there are none of."""

JOINING = start(1, (A, B, C), {}, (D,))
CORRUPTED = start(1, LINE, {D: (ONLY,)}, audit=True)
CORRUPTED["states"][A]["rows"], CORRUPTED["states"][C]["rows"] = [], STRAY
PARTS = start(1, (A, B, C), {C: (ONLY, SOME)}, most_rows=1)
"""Three in a row, where the client of the last one has two subscriptions, and a message has one of them."""
PACED = start(1, (A, B, C), {A: (ONLY, SOME)}, most_rows=1, most_bytes=700)
"""Three in a row, where a table takes more than one step may send."""
TREE = start(1, FIGURE_5, {})
