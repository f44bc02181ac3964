"""Small trees of brokers that are explored completely: the start of each, and the expected results.

Channels of a model with `copies` are exact, and no run comes to a bound. Elsewhere, with rules as printed, brokers
that join or an audit, channels hold one of equal messages that follow each other on a link. The records were made by
`gomboc explore delta_fault_tolerance --recorded --exhaustive`.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from gomboc.spec.core.domain import Domain, OneOf, Record, Table
from gomboc.spec.core.instance import Instance, instance_of
from gomboc.spec.core.model import InFlight, Offer, States
from gomboc.spec.core.pinned import HOLDS, UNKNOWN, VIOLATED, Pinned, Results
from gomboc.spec.core.protocol import Protocol, nothing_lacks, variant
from gomboc.spec.protocols.delta_fault_tolerance import configured
from gomboc.spec.protocols.delta_fault_tolerance.filters import Filter, Predicate
from gomboc.spec.protocols.delta_fault_tolerance.names import Names
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
from gomboc.spec.protocols.delta_fault_tolerance.state import Row
from gomboc.spec.protocols.delta_fault_tolerance.variables import in_order

ONE: Filter = (Predicate("x", "=", 1),)
ANY: Filter = (Predicate("x", "exists", None),)

TWO = ("0", "0.1")
LINE = ("0", "0.1", "0.2")
"""Three in a row, the root in the middle."""
FOUR = ("0", "0.1", "0.2", "0.2.3")
"""A line with the ends 0.1 and 0.2.3."""
STAR = ("0", "0.1", "0.2", "0.3")
FIGURE_5 = ("N1", "N1.N2", "N1.N2.S1", "N1.N2.S2", "N1.N3", "N1.N3.S3", "N1.N3.S4", "N1.P1")

Wanted = Mapping[str, tuple[Filter, ...]]

Who = Mapping[str, Names]
"""For each budget, the brokers that may get an input from it."""


def protocol(delta: int, printed: str | None = None) -> Protocol:
    """The protocol with this delta, or a variant of it."""
    return variant(configured({"delta": delta}), printed)


def brokers(
    delta: int,
    names: Names,
    wanted: Wanted,
    printed: str | None = None,
    *,
    outside: Names = (),
    who: Who | None = None,
    most_rows: int | None = None,
    copies: int = 0,
    **budget: int,
) -> Instance:
    """A model that starts legitimate, with these brokers, subscriptions and leaves, and a budget of outside inputs.

    Inputs go to any broker, or only to those that `who` names. With `copies`, channels are exact, and no run has more
    than so many equal messages in flight.
    """
    base = configured({"delta": delta, "most_rows": most_rows})
    start = right_start(Parameters(delta, most_rows=most_rows), names, wanted, outside)
    states = {name: OneOf((local,)) for name, local in start.locals}
    model = instance_of(narrowed(variant(base, printed), who or {}), states, budget=budget)
    return replace(model, coalesce=False, copies=copies) if copies else model


def narrowed(protocol: Protocol, who: Who) -> Protocol:
    """The protocol in which only some brokers get the inputs of a budget."""
    offered = protocol.environment.offers

    def fewer(states: States, in_flight: InFlight) -> tuple[Offer, ...]:
        return tuple(
            offer for offer in offered(states, in_flight) if offer.node in who.get(offer.budget, (offer.node,))
        )

    return protocol.changed(offers=fewer) if who else protocol


def joining(delta: int, names: Names, outside: Names, printed: str | None = None, **budget: int) -> Instance:
    """A model of leaves outside and a legitimate tree, where the first broker has subscribed."""
    return brokers(delta, names, {names[0]: (ONE,)}, printed, outside=outside, **budget)


def audited(delta: int, names: Names) -> Instance:
    """A model of an audit: the first broker has subscribed, and all brokers have arbitrary rows for its filter."""
    states = right_start(Parameters(delta, audit=True), names, {names[0]: (ONE,)}).locals
    any_rows = {
        name: Record(lambda rows, local=local: replace(local, rows=in_order(rows)), (any_table(names, name),))
        for name, local in states
    }
    # An audit repeats its messages at each timeout, so that their number has a bound here.
    return instance_of(configured({"delta": delta, "audit": True}), any_rows, most=3)


def any_table(names: Names, me: str) -> Domain:
    """Every table of rows of the other brokers for the filter, with any `via`."""
    others = tuple(name for name in names if name != me)
    return Table(lambda source, via: Row(source, ONE, via), others, OneOf(names), len(others))


FAR: Wanted = {"0.2": (ONE,)}
NEAR: Wanted = {"0.1": (ONE,)}
S4: Wanted = {"N1.N3.S4": (ONE,)}

ALL_HOLD = (HOLDS,) * 10
"""Closure, convergence three times (AG EF, in every fair run, within so many steps), not vacuous, canonical, and four
promises over histories: matching deliveries only, nothing twice, the publisher's order, no loss."""

NINE_HOLD = (HOLDS,) * 9
"""The same, with convergence twice: not within so many steps."""

OPEN = (UNKNOWN, UNKNOWN, UNKNOWN, HOLDS) + (UNKNOWN,) * 5
"""Some run has more messages in flight than the bound, so that nothing is claimed but that it is not vacuous."""

STUCK = (HOLDS, VIOLATED, VIOLATED, HOLDS, HOLDS, HOLDS, HOLDS, HOLDS, HOLDS)
"""Runs that never become right."""

LOST = (HOLDS,) * 9 + (VIOLATED,)
"""A confirmed publication is not delivered."""

DISORDERED = (HOLDS,) * 8 + (VIOLATED, HOLDS)
"""A publication is delivered after a later one."""

TOO_MANY = (HOLDS, VIOLATED, VIOLATED, HOLDS, HOLDS, HOLDS, HOLDS, HOLDS, VIOLATED)
"""Runs that never become right, and a confirmed publication that is not delivered."""


Counts = tuple[int, int, int]
"""The numbers of states, of transitions and of legitimate states."""


def _right(name: str, about: str, model: Instance, counts: Counts) -> Pinned:
    """A model in which all holds."""
    verdicts = NINE_HOLD if model.coalesce else ALL_HOLD
    return Pinned(name, about, model, Results(1, *counts, verdicts), long=counts[0] > 50_000)


def _printed(name: str, about: str, model: Instance, counts: Counts, verdicts: tuple[str, ...]) -> Pinned:
    """A model with a printed rule; it is expected to fail."""
    return Pinned(name, f"{about}, which is meant to fail", model, Results(1, *counts, verdicts), name)


def _too_many(name: str, about: str, names: Names, who: Who, counts: Counts) -> Pinned:
    """A model without the operating assumption: with delta = 0 one fails, while one subscribes and one publishes."""
    model = brokers(0, names, {}, who=who, copies=1, crash=1, publication=1, subscription=1)
    unassumed = replace(model, protocol=model.protocol.changed(assumption=nothing_lacks))
    return Pinned(name, about, unassumed, Results(1, *counts, TOO_MANY))


END_TO_END = {"publication": ("0.1",), "subscription": ("0.2.3",)}
ACROSS = {"publication": ("N1.N2.S1",), "subscription": ("N1.N3.S4",), "crash": ("N1.N2.S1", "N1.N3.S4")}
LEAVES = {"crash": ("0.1", "0.3"), "publication": ("0.2",), "subscription": ("0.3",)}
BOTH_ENDS = {"subscription": ("0.1",), "publication": ("0.2",)}
ONE_END = {"crash": ("0.2",), "subscription": ("0.2",), "publication": ("0.1",)}

MODELS: tuple[Pinned, ...] = (
    _right(
        "two",
        "n = 2, delta = 1: two publications and a crash",
        brokers(1, TWO, NEAR, copies=1, publication=2, crash=1),
        (639, 1_016, 64),
    ),
    _right(
        "line_without_failures",
        "n = 3, delta = 0: a client subscribes, and one publishes",
        brokers(0, LINE, {}, copies=1, publication=1, subscription=1),
        (173, 264, 25),
    ),
    _right(
        "four", "n = 4, delta = 1: a client subscribes", brokers(1, FOUR, {}, copies=1, subscription=1), (45, 60, 5)
    ),
    _right(
        "figure_5",
        "Figure 5, delta = 1: one publishes",
        brokers(1, FIGURE_5, {"N1.N2.S1": (ONE,), **S4}, copies=1, publication=1),
        (159, 238, 9),
    ),
    _right(
        "star",
        "n = 4, delta = 0: a star, in which a client subscribes, and one publishes",
        brokers(0, STAR, {"0.3": (ONE,)}, copies=1, publication=1, subscription=1),
        (1_361, 3_050, 41),
    ),
    _right(
        "line",
        "n = 3, delta = 1: a crash",
        brokers(1, LINE, FAR, copies=2, crash=1),
        (756, 1_713, 10),
    ),
    _right(
        "line_publishes",
        "n = 3, delta = 1: a crash and a publication",
        brokers(1, LINE, FAR, copies=2, crash=1, publication=1),
        (18_671, 51_996, 111),
    ),
    _right(
        "line_row_by_row",
        "n = 3, delta = 1, a row in a message: four subscriptions, and a crash",
        brokers(1, LINE, {"0": (ONE,), "0.1": (ANY,), "0.2": (ONE, ANY)}, most_rows=1, copies=2, crash=1),
        (1_525, 3_732, 10),
    ),
    _right(
        "line_subscribes_row_by_row",
        "n = 3, delta = 1, a row in a message: two subscriptions at one end, the other one subscribes, and a crash",
        brokers(1, LINE, {"0.2": (ONE, ANY)}, who=BOTH_ENDS, most_rows=1, copies=2, crash=1, subscription=1),
        (21_392, 62_381, 60),
    ),
    _right(
        "line_rejoins_row_by_row",
        "n = 3, delta = 1, a row in a message: an end subscribes besides, crashes twice, and is published to",
        brokers(1, LINE, {"0.2": (ANY,)}, who=ONE_END, most_rows=1, copies=2, crash=2, subscription=1, publication=1),
        (20_828, 41_247, 315),
    ),
    _right(
        "line_twice",
        "n = 3, delta = 1: two crashes, of two brokers or of one",
        brokers(1, LINE, FAR, copies=2, crash=2),
        (118_832, 338_093, 162),
    ),
    _printed(
        "any_direction",
        "n = 2: one publishes, and recipients are in any direction",
        brokers(1, TWO, {"0": (ONE,), **NEAR}, "any_direction", publication=1),
        (7, 6, 1),
        STUCK,
    ),
    _printed(
        "inverted_duplicates",
        "n = 2: two publications, by the inverted test",
        brokers(1, TWO, {}, "inverted_duplicates", subscription=1, publication=2),
        (138, 188, 40),
        LOST,
    ),
    _printed(
        "printed_index",
        "n = 4: a client subscribes, by the printed index",
        brokers(1, FOUR, {}, "printed_index", subscription=1),
        (45, 60, 3),
        STUCK,
    ),
    _printed(
        "on_confirmation",
        "n = 3: two publications, delivered when they are confirmed",
        brokers(1, LINE, {"0": (ANY,), "0.2": (ONE,)}, "on_confirmation", publication=1, other=1),
        (140, 201, 28),
        DISORDERED,
    ),
    _printed(
        "status_of_the_other",
        "n = 2: a crash, and the status told is the other's",
        brokers(1, TWO, NEAR, "status_of_the_other", crash=1),
        (23, 24, 1),
        STUCK,
    ),
    _printed(
        "discarding",
        "n = 2: a crash and a publication, and copies without a guide are discarded",
        brokers(1, TWO, NEAR, "discarding", crash=1, publication=1),
        (172, 234, 17),
        STUCK,
    ),
    _printed(
        "counts_from_zero",
        "n = 2: two publications and a crash, and counts begin at 0",
        brokers(1, TWO, {}, "counts_from_zero", crash=1, publication=2, subscription=1),
        (5_494, 9_572, 436),
        LOST,
    ),
    _printed(
        "forgets_its_client",
        "n = 2: a client subscribes, a crash in which that is lost, and a publication",
        brokers(1, TWO, {}, "forgets_its_client", crash=1, publication=1, subscription=1),
        (1_405, 2_210, 129),
        LOST,
    ),
    _printed(
        "never_closed",
        "n = 3: a crash, and bypasses stay",
        brokers(1, LINE, FAR, "never_closed", crash=1),
        (619, 1_467, 4),
        STUCK,
    ),
    _right(
        "four_without_failures",
        "n = 4 in a row, delta = 0: a client subscribes, and one publishes",
        brokers(0, FOUR, {}, copies=1, publication=1, subscription=1),
        (573, 1_016, 41),
    ),
    _right(
        "figure_5_without_failures",
        "Figure 5, delta = 0: a client subscribes, and one publishes",
        brokers(0, FIGURE_5, {}, copies=1, publication=1, subscription=1),
        (46_938, 164_364, 145),
    ),
    _right(
        "line_subscribes",
        "n = 3, delta = 1: a client subscribes, and a crash",
        brokers(1, LINE, {}, copies=2, subscription=1, crash=1),
        (37_173, 104_541, 146),
    ),
    _right(
        "star_of_failing_leaves",
        "n = 4, a star, delta = 1: one leaf subscribes, another publishes, and the first or the third one crashes",
        brokers(1, STAR, {}, who=LEAVES, copies=1, crash=1, publication=1, subscription=1),
        (3_574, 7_902, 54),
    ),
    _right(
        "figure_5_of_failing_leaves",
        "Figure 5, delta = 1: S1 publishes for S4, and one of them crashes",
        brokers(1, FIGURE_5, S4, who=ACROSS, copies=1, crash=1, publication=1),
        (4_598, 14_607, 14),
    ),
    _right(
        "line_both",
        "n = 3, delta = 1: one end subscribes, and the other one publishes, and a crash",
        brokers(1, LINE, {}, who=BOTH_ENDS, copies=2, crash=1, publication=1, subscription=1),
        (158_427, 526_963, 231),
    ),
    _right(
        "four_publishes",
        "n = 4 in a row, delta = 1: one end publishes for the other one, and a crash",
        brokers(1, FOUR, {"0.2.3": (ONE,)}, who=END_TO_END, copies=2, crash=1, publication=1),
        (53_356, 166_003, 108),
    ),
    _right(
        "four_subscribes",
        "n = 4 in a row, delta = 1: one end subscribes, and a crash",
        brokers(1, FOUR, {}, who=END_TO_END, copies=2, crash=1, subscription=1),
        (53_570, 166_436, 108),
    ),
    _right(
        "line_two_away",
        "n = 3, delta = 2: two crashes of the middle one and an end, of either or both, in any order",
        brokers(2, LINE, FAR, who={"crash": ("0", "0.2")}, copies=2, crash=2),
        (284_611, 792_352, 492),
    ),
    _right(
        "star_without_its_centre",
        "n = 4, a star, delta = 1: a leaf has subscribed, and the centre crashes",
        brokers(1, STAR, {"0.3": (ONE,)}, who={"crash": ("0",)}, copies=2, crash=1),
        (1_617_349, 7_389_795, 65),
    ),
    _right(
        "figure_5_without_an_inner_broker",
        "Figure 5, delta = 1: S4 has subscribed, and N2 crashes",
        brokers(1, FIGURE_5, S4, who={"crash": ("N1.N2",)}, copies=2, crash=1),
        (2_155_909, 10_586_691, 65),
    ),
    _too_many(
        "line_too_many",
        "n = 3, delta = 0, one too many away, which is meant to fail: one subscribes, one publishes",
        LINE,
        {},
        (21_385, 44_875, 448),
    ),
    _too_many(
        "four_too_many",
        "n = 4 in a row, delta = 0, one too many away, which is meant to fail: one end publishes to the other",
        FOUR,
        END_TO_END,
        (8_249, 18_121, 109),
    ),
    _too_many(
        "star_too_many",
        "n = 4, a star, delta = 0, one too many away, which is meant to fail: one leaf publishes to another",
        STAR,
        {"publication": ("0.1",), "subscription": ("0.3",)},
        (24_733, 69_596, 100),
    ),
    _right(
        "leaf",
        "n = 1 and a leaf, delta = 0: it joins, a client subscribes, and one publishes",
        joining(0, ("0",), ("0.1",), join=1, subscription=1, publication=1),
        (239, 530, 22),
    ),
    _right(
        "leaf_below_two",
        "n = 2 and a leaf, delta = 1: it joins, and a client subscribes",
        joining(1, TWO, ("0.1.2",), join=1, subscription=1),
        (275, 598, 9),
    ),
    _right(
        "two_leaves",
        "n = 2 and two leaves, delta = 1: both join",
        joining(1, TWO, ("0.2", "0.3"), join=2),
        (2_772, 7_486, 17),
    ),
    _right(
        "leaf_and_a_crash",
        "n = 2 and a leaf, delta = 1: it joins, and anybody crashes",
        joining(1, TWO, ("0.1.2",), join=1, crash=1),
        (88_683, 263_578, 154),
    ),
    Pinned("audit", "n = 2, delta = 1: an audit of any rows", audited(1, TWO), Results(9, 646, 2_240, 4, OPEN, 368)),
)
