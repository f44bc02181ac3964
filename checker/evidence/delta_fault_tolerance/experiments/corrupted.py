"""Corrupted states, which the paper leaves out: faults that stay, and faults that an audit heals."""

from functools import cache

from msgspec.structs import replace

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.errata.scene import Script
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run
from gomboc.spec.protocols.delta_fault_tolerance import configured
from gomboc.spec.protocols.delta_fault_tolerance.commands import Publish, Subscribe
from gomboc.spec.protocols.delta_fault_tolerance.contents import Publication
from gomboc.spec.protocols.delta_fault_tolerance.models import NEAR, ONE, TWO
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
from gomboc.spec.protocols.delta_fault_tolerance.state import Entry, Node

MATCHING = (("x", 1),)
ROUNDS = 4
"""The rounds in which an audit may heal what is corrupted."""

ENTRY = Entry((TWO[0], 0, 5), Publication(MATCHING), (0, 5), (), (), (TWO[1],), (TWO[1],))
"""A publication that seems to be on its way, and is not."""


def corrupted(what: str, local: Node) -> Node:
    """The first broker without its row, or with an entry that stays unconfirmed; or the second with a late stamp."""
    match what:
        case "row":
            return replace(local, rows=())
        case "entry":
            return replace(local, entries=(ENTRY,), count=5)
    return replace(local, seen=((TWO[0], (0, 9)),))


@cache
def from_corrupted(what: str, audit: bool) -> Run:
    """Two brokers, of which one has corrupted rows, stamps or entries: one subscribes, and the other publishes."""
    first, second = TWO
    start = right_start(Parameters(1), TWO, {} if what == "stamp" else NEAR)
    whose = second if what == "stamp" else first
    locals_ = tuple((name, corrupted(what, local) if name == whose else local) for name, local in start.locals)
    run = Run(configured({"delta": 1, "audit": audit}), replace(start, locals=locals_))
    for _ in range(ROUNDS if audit else 0):
        for name in TWO:
            run.time_out(name)
        run.settle()
    if what == "stamp":
        run.command(second, Subscribe(ONE))
        run.settle()
    run.command(first, Publish(MATCHING))
    run.settle()
    return run


def script(what: str) -> Script:
    """The run from a corrupted state as a scene."""
    return from_corrupted(what, audit=False).script()


def stays(what: str) -> Evidence:
    """By the rules as they are something stays wrong; whether an audit heals it is looked at as well."""
    plain, audited = from_corrupted(what, audit=False), from_corrupted(what, audit=True)
    heals = what == "row"
    says = "an audit heals it" if heals else "an audit does not heal it"
    return Evidence(settled(not plain.wrong()), {"wrong": list(plain.wrong())}, {says: bool(audited.wrong()) != heals})
