"""Claims on corrupted states, which the paper leaves out: faults that stay, and faults that an audit heals."""

from functools import cache
from random import Random

from msgspec.structs import replace

from gomboc.checker.errata.claim import Claim, Evidence, Result, settled
from gomboc.checker.errata.scene import Scene, Script
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run
from gomboc.spec.protocols.delta_fault_tolerance import configured
from gomboc.spec.protocols.delta_fault_tolerance.models import NEAR, ONE, TWO
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
from gomboc.spec.protocols.delta_fault_tolerance.state import Entry, Node, Publication, Publish, Subscribe

FIRST, SECOND = TWO
MATCHING = (("x", 1),)
ROUNDS = 4

ENTRY = Entry((FIRST, 0, 5), Publication(MATCHING), (0, 5), (), (), (SECOND,), (SECOND,))
"""A publication that seems to be on its way, and is not."""


def corrupted(what: str, local: Node) -> Node:
    """The first broker without its row, or with an entry that stays unconfirmed; or the second with a late stamp."""
    match what:
        case "row":
            return replace(local, rows=())
        case "entry":
            return replace(local, entries=(ENTRY,), count=5)
    return replace(local, seen=((FIRST, (0, 9)),))


@cache
def from_corrupted(what: str, audit: bool) -> Run:
    """Two brokers, of which one has corrupted rows, stamps or entries: one subscribes, and the other publishes."""
    start = right_start(Parameters(1), TWO, {} if what == "stamp" else NEAR)
    whose = SECOND if what == "stamp" else FIRST
    locals_ = tuple((name, corrupted(what, local) if name == whose else local) for name, local in start.locals)
    run = Run(configured({"delta": 1, "audit": audit}), replace(start, locals=locals_))
    for _ in range(ROUNDS if audit else 0):
        for name in TWO:
            run.time_out(name)
        run.settle(Random(0))
    if what == "stamp":
        run.command(SECOND, Subscribe(ONE))
        run.settle(Random(0))
    run.command(FIRST, Publish(MATCHING))
    run.settle(Random(0))
    return run


def stays(what: str) -> Evidence:
    """By the rules as they are something stays wrong; whether an audit heals it is looked at as well."""
    plain, audited = from_corrupted(what, audit=False), from_corrupted(what, audit=True)
    heals = what == "row"
    says = "an audit heals it" if heals else "an audit does not heal it"
    return Evidence(settled(not plain.wrong()), {"wrong": list(plain.wrong())}, {says: bool(audited.wrong()) != heals})


def scene(what: str, name: str, shows: str) -> Scene:
    """The trace of that run."""

    def script_of() -> Script:
        made = from_corrupted(what, audit=False)
        return made.script(0 if made.broken else 3)

    return Scene(name, shows, script_of, None, 1, {"delta": 1})


NOTHING = "Nothing is said of states that no run leads to: failures are masked, and nothing is healed."

HEALING = "As a promise that wrong states become right, which the paper does not make."
ROWS_ONLY = "Nothing: an audit heals rows only."

CLAIMS = (
    Claim(
        "corrupted_rows",
        "tables that are corrupted",
        "not in the paper",
        NOTHING,
        Result.OURS,
        "A row that is lacking lacks for ever.",
        lambda: stays("row"),
        "ours",
        counterexample="Two brokers, one of which lacks the other's row: the publications of its client are confirmed "
        "and go to no broker, and its table stays as it is.",
        instead="With the parameter `audit` neighbours compare digests of their tables, and rows become right.",
        reading=HEALING,
        scenes=(scene("row", "row_that_stays_away", "a row that is lacking lacks for ever"),),
        examined=Result.REFUTED,
    ),
    Claim(
        "corrupted_stamps",
        "stamps that are corrupted",
        "not in the paper",
        NOTHING,
        Result.OURS,
        "A message older than a stamp from nowhere is taken for a duplicate, an audit or not.",
        lambda: stays("stamp"),
        "ours",
        counterexample="Two brokers, one of which has recorded a stamp that the other one has not given yet: a "
        "publication is confirmed, and was not delivered.",
        instead=ROWS_ONLY,
        reading=HEALING,
        scenes=(scene("stamp", "stamp_from_nowhere", "a publication is older than a stamp from nowhere"),),
        examined=Result.REFUTED,
    ),
    Claim(
        "corrupted_entries",
        "entries that are corrupted",
        "not in the paper",
        NOTHING,
        Result.OURS,
        "A broker that waits for the confirmation of an unsent message waits for ever, an audit or not.",
        lambda: stays("entry"),
        "ours",
        counterexample="Two brokers, one of which has an entry that the other one has never heard of.",
        instead=ROWS_ONLY,
        reading=HEALING,
        scenes=(scene("entry", "entry_from_nowhere", "an entry that no broker will confirm stays"),),
        examined=Result.REFUTED,
    ),
)
