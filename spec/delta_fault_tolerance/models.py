"""Small trees of brokers that are explored completely: the start of each, and the expected results.

The records were made by `gomboc explore delta_fault_tolerance --recorded --exhaustive`.
"""

from gomboc.spec.delta_fault_tolerance import configured
from gomboc.spec.delta_fault_tolerance.filters import Filter, Predicate
from gomboc.spec.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.delta_fault_tolerance.small_extensions import EXTENSIONS
from gomboc.spec.delta_fault_tolerance.small_failures import FAILURES
from gomboc.spec.delta_fault_tolerance.space import ROLE, right_start
from gomboc.spec.delta_fault_tolerance.tree import Names
from gomboc.spec.domain import OneOf
from gomboc.spec.instance import Instance
from gomboc.spec.pinned import Pinned, Results
from gomboc.spec.protocol import Protocol

ONE: Filter = (Predicate("x", "=", 1),)
ANY: Filter = (Predicate("x", "exists", None),)

TWO = ("0", "0.1")
LINE = ("0", "0.1", "0.2")
"""Three in a row, the root in the middle."""
FOUR = ("0", "0.1", "0.2", "0.2.3")
STAR = ("0", "0.1", "0.2", "0.3")
FIGURE_5 = ("N1", "N1.N2", "N1.N2.S1", "N1.N2.S2", "N1.N3", "N1.N3.S3", "N1.N3.S4", "N1.P1")

Wanted = dict[str, tuple[Filter, ...]]


def protocol(delta: int, variant: str | None = None) -> Protocol:
    """The protocol with this delta, or a variant of it."""
    ours = configured({"delta": delta})
    return ours if variant is None else next(erratum.protocol for erratum in ours.errata if erratum.name == variant)


def brokers(delta: int, names: Names, wanted: Wanted, variant: str | None = None, **budget: int) -> Instance:
    """A model that starts legitimate, with these brokers and subscriptions, and a budget of inputs from outside."""
    start = right_start(Parameters(delta), names, wanted)
    return Instance(
        protocol=protocol(delta, variant),
        locals=tuple((name, ROLE, OneOf((local,))) for name, local in start.locals),
        messages=OneOf(()),
        in_flight=0,
        copies=1,
        most=None,
        budget=tuple(sorted(budget.items())),
    )


def variant(name: str, about: str, delta: int, names: Names, wanted: Wanted, results: Results, **budget: int) -> Pinned:
    """A model with a printed rule; it is expected to fail."""
    return Pinned(
        name, f"{about}, which is meant to fail", brokers(delta, names, wanted, name, **budget), results, name
    )


ENDS: Wanted = {"0": (ONE,), "0.1": (ONE,)}
FAR: Wanted = {"0.2": (ONE,)}
NEAR: Wanted = {"0.1": (ONE,)}

HOLDS, VIOLATED = "holds", "violated"
ALL_HOLD = (HOLDS,) * 10
"""Closure, convergence three times (AG EF, in every fair run, within so many steps), not vacuous, canonical, and four
promises over histories: matching deliveries only, nothing twice, the publisher's order, no loss."""

STUCK = (HOLDS, VIOLATED, VIOLATED, HOLDS, HOLDS, HOLDS, HOLDS, HOLDS, HOLDS)
"""Runs that never become right."""

LOST = (HOLDS,) * 9 + (VIOLATED,)
"""A confirmed publication is not delivered."""

DISORDERED = (HOLDS,) * 8 + (VIOLATED, HOLDS)
"""A publication is delivered after a later one."""

MODELS: tuple[Pinned, ...] = (
    Pinned(
        "two",
        "n = 2, delta = 1: two publications and a crash",
        brokers(1, TWO, NEAR, publication=2, crash=1),
        Results(1, 639, 1_016, 64, ALL_HOLD),
    ),
    Pinned(
        "line_without_failures",
        "n = 3, delta = 0: a client subscribes, and one publishes",
        brokers(0, LINE, {}, publication=1, subscription=1),
        Results(1, 173, 264, 25, ALL_HOLD),
    ),
    Pinned(
        "four",
        "n = 4, delta = 1: a client subscribes",
        brokers(1, FOUR, {}, subscription=1),
        Results(1, 45, 60, 5, ALL_HOLD),
    ),
    Pinned(
        "figure_5",
        "Figure 5, delta = 1: one publishes",
        brokers(1, FIGURE_5, {"N1.N2.S1": (ONE,), "N1.N3.S4": (ONE,)}, publication=1),
        Results(1, 159, 238, 9, ALL_HOLD),
    ),
    Pinned(
        "star",
        "n = 4, delta = 0: a star, in which a client subscribes, and one publishes",
        brokers(0, STAR, {"0.3": (ONE,)}, publication=1, subscription=1),
        Results(1, 1_361, 3_050, 41, ALL_HOLD),
    ),
    Pinned("line", "n = 3, delta = 1: a crash", brokers(1, LINE, FAR, crash=1), Results(1, 735, 1_679, 10, ALL_HOLD)),
    Pinned(
        "line_publishes",
        "n = 3, delta = 1: a crash and a publication",
        brokers(1, LINE, FAR, crash=1, publication=1),
        Results(1, 17_587, 49_332, 111, ALL_HOLD),
    ),
    Pinned(
        "line_twice",
        "n = 3, delta = 1: two crashes, of two brokers or of one",
        brokers(1, LINE, FAR, crash=2),
        Results(1, 113_376, 322_668, 162, ALL_HOLD),
        long=True,
    ),
    variant(
        "any_direction",
        "n = 2: one publishes, and recipients are in any direction",
        1,
        TWO,
        ENDS,
        Results(1, 7, 6, 1, STUCK),
        publication=1,
    ),
    variant(
        "inverted_duplicates",
        "n = 2: two publications, by the inverted test",
        1,
        TWO,
        {},
        Results(1, 138, 188, 40, LOST),
        subscription=1,
        publication=2,
    ),
    variant(
        "printed_index",
        "n = 4: a client subscribes, by the printed index",
        1,
        FOUR,
        {},
        Results(1, 45, 60, 3, STUCK),
        subscription=1,
    ),
    variant(
        "on_confirmation",
        "n = 3: two publications, delivered when they are confirmed",
        1,
        LINE,
        {"0": (ANY,), "0.2": (ONE,)},
        Results(1, 140, 201, 28, DISORDERED),
        publication=1,
        other=1,
    ),
    variant(
        "status_of_the_other",
        "n = 2: a crash, and the status told is the other's",
        1,
        TWO,
        NEAR,
        Results(1, 23, 24, 1, STUCK),
        crash=1,
    ),
    variant(
        "discarding",
        "n = 2: a crash and a publication, and copies without a guide are discarded",
        1,
        TWO,
        NEAR,
        Results(1, 172, 234, 17, STUCK),
        crash=1,
        publication=1,
    ),
    variant(
        "counts_from_zero",
        "n = 2: two publications and a crash, and counts begin at 0",
        1,
        TWO,
        {},
        Results(1, 5_494, 9_572, 436, LOST),
        crash=1,
        publication=2,
        subscription=1,
    ),
    variant(
        "forgets_its_client",
        "n = 2: a client subscribes, a crash in which that is lost, and a publication",
        1,
        TWO,
        {},
        Results(1, 1_405, 2_210, 129, LOST),
        crash=1,
        publication=1,
        subscription=1,
    ),
    variant(
        "never_closed", "n = 3: a crash, and bypasses stay", 1, LINE, FAR, Results(1, 619, 1_467, 4, STUCK), crash=1
    ),
    *FAILURES,
    *EXTENSIONS,
)
