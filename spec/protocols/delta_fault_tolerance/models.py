"""Small trees of brokers that are explored completely: the start of each, and the expected results.

Channels of a model that says `exact` are exact, and no run comes to a bound. Elsewhere, with rules as printed, brokers
that join or an audit, channels hold one of equal messages that follow each other on a link. The records were made by
`gomboc explore delta_fault_tolerance --recorded --exhaustive`.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from gomboc.spec.core.domain import Domain, OneOf, Record, Table
from gomboc.spec.core.instance import Instance, instance_of
from gomboc.spec.core.model import InFlight, Offer, States
from gomboc.spec.core.pinned import HOLDS, UNKNOWN, VIOLATED, Pinned, Results
from gomboc.spec.core.protocol import Protocol, Start, nothing_lacks, variant
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

Wanted = dict[str, tuple[Filter, ...]]

Who = Mapping[str, Names]
"""For each budget, the brokers that may get an input from it."""

MOST = 3
"""The most messages in flight in an audit, which repeats its messages at each timeout."""


def protocol(delta: int, printed: str | None = None) -> Protocol:
    """The protocol with this delta, or a variant of it."""
    return variant(configured({"delta": delta}), printed)


def brokers(delta: int, names: Names, wanted: Wanted, printed: str | None = None, **budget: int) -> Instance:
    """A model that starts legitimate, with these brokers and subscriptions, and a budget of inputs from outside."""
    return _from(protocol(delta, printed), right_start(Parameters(delta), names, wanted), budget)


def failing(delta: int, names: Names, subscribed: Names, who: Who, **budget: int) -> Instance:
    """A model that starts legitimate; inputs from outside go to any broker, or only to those that `who` names."""
    model = brokers(delta, names, dict.fromkeys(subscribed, (ONE,)), None, **budget)
    return replace(model, protocol=narrowed(model.protocol, who))


def narrowed(protocol: Protocol, who: Who) -> Protocol:
    """The protocol in which only some brokers get the inputs of a budget."""
    offered = protocol.environment.offers

    def fewer(states: States, in_flight: InFlight) -> tuple[Offer, ...]:
        return tuple(
            offer for offer in offered(states, in_flight) if offer.node in who.get(offer.budget, (offer.node,))
        )

    return protocol.changed(offers=fewer)


def row_by_row(names: Names, wanted: Wanted, who: Who, **budget: int) -> Instance:
    """A model with delta = 1 that starts legitimate, and in which a message has one row."""
    protocol = configured({"delta": 1, "most_rows": 1})
    return _from(narrowed(protocol, who), right_start(Parameters(1, most_rows=1), names, wanted), budget)


def exact(instance: Instance, copies: int = 1) -> Instance:
    """The model with exact channels, in which no run has more than so many equal messages in flight."""
    return replace(instance, coalesce=False, copies=copies)


def unassumed(instance: Instance) -> Instance:
    """The model without the operating assumption: any number of brokers may be away at once."""
    return replace(instance, protocol=instance.protocol.changed(assumption=nothing_lacks))


def joining(delta: int, names: Names, outside: Names, printed: str | None = None, **budget: int) -> Instance:
    """A model of leaves outside and a legitimate tree, where the first broker has subscribed."""
    start = right_start(Parameters(delta), names, {names[0]: (ONE,)}, outside)
    return _from(protocol(delta, printed), start, budget)


def audited(delta: int, names: Names) -> Instance:
    """A model of an audit: the first broker has subscribed, and all brokers have arbitrary rows for its filter."""
    states = right_start(Parameters(delta, audit=True), names, {names[0]: (ONE,)}).locals
    any_rows = {
        name: Record(lambda rows, local=local: replace(local, rows=in_order(rows)), (any_table(names, name),))
        for name, local in states
    }
    return instance_of(configured({"delta": delta, "audit": True}), any_rows, most=MOST)


def any_table(names: Names, me: str) -> Domain:
    """Every table of rows of the other brokers for the filter, with any `via`."""
    others = tuple(name for name in names if name != me)
    return Table(lambda source, via: Row(source, ONE, via), others, OneOf(names), len(others))


def _from(protocol: Protocol, start: Start, budget: Mapping[str, int]) -> Instance:
    return instance_of(protocol, {name: OneOf((local,)) for name, local in start.locals}, budget=budget)


def printed(name: str, about: str, delta: int, names: Names, wanted: Wanted, results: Results, **budget: int) -> Pinned:
    """A model with a printed rule; it is expected to fail."""
    model = brokers(delta, names, wanted, name, **budget)
    return Pinned(name, f"{about}, which is meant to fail", model, results, name)


ENDS: Wanted = {"0": (ONE,), "0.1": (ONE,)}
FAR: Wanted = {"0.2": (ONE,)}
NEAR: Wanted = {"0.1": (ONE,)}

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

END_TO_END = {"publication": ("0.1",), "subscription": ("0.2.3",)}
ACROSS = {"publication": ("N1.N2.S1",), "subscription": ("N1.N3.S4",), "crash": ("N1.N2.S1", "N1.N3.S4")}

MODELS: tuple[Pinned, ...] = (
    Pinned(
        "two",
        "n = 2, delta = 1: two publications and a crash",
        exact(brokers(1, TWO, NEAR, publication=2, crash=1)),
        Results(1, 639, 1_016, 64, ALL_HOLD),
    ),
    Pinned(
        "line_without_failures",
        "n = 3, delta = 0: a client subscribes, and one publishes",
        exact(brokers(0, LINE, {}, publication=1, subscription=1)),
        Results(1, 173, 264, 25, ALL_HOLD),
    ),
    Pinned(
        "four",
        "n = 4, delta = 1: a client subscribes",
        exact(brokers(1, FOUR, {}, subscription=1)),
        Results(1, 45, 60, 5, ALL_HOLD),
    ),
    Pinned(
        "figure_5",
        "Figure 5, delta = 1: one publishes",
        exact(brokers(1, FIGURE_5, {"N1.N2.S1": (ONE,), "N1.N3.S4": (ONE,)}, publication=1)),
        Results(1, 159, 238, 9, ALL_HOLD),
    ),
    Pinned(
        "star",
        "n = 4, delta = 0: a star, in which a client subscribes, and one publishes",
        exact(brokers(0, STAR, {"0.3": (ONE,)}, publication=1, subscription=1)),
        Results(1, 1_361, 3_050, 41, ALL_HOLD),
    ),
    Pinned(
        "line",
        "n = 3, delta = 1: a crash",
        exact(brokers(1, LINE, FAR, crash=1), 2),
        Results(1, 756, 1_713, 10, ALL_HOLD),
    ),
    Pinned(
        "line_publishes",
        "n = 3, delta = 1: a crash and a publication",
        exact(brokers(1, LINE, FAR, crash=1, publication=1), 2),
        Results(1, 18_671, 51_996, 111, ALL_HOLD),
    ),
    Pinned(
        "line_row_by_row",
        "n = 3, delta = 1, a row in a message: four subscriptions, and a crash",
        exact(row_by_row(LINE, {"0": (ONE,), "0.1": (ANY,), "0.2": (ONE, ANY)}, {}, crash=1), 2),
        Results(1, 1_385, 3_416, 10, ALL_HOLD),
    ),
    Pinned(
        "line_subscribes_row_by_row",
        "n = 3, delta = 1, a row in a message: two subscriptions at one end, the other one subscribes, and a crash",
        exact(row_by_row(LINE, {"0.2": (ONE, ANY)}, {"subscription": ("0.1",)}, crash=1, subscription=1), 2),
        Results(1, 21_257, 62_202, 56, ALL_HOLD),
    ),
    Pinned(
        "line_twice",
        "n = 3, delta = 1: two crashes, of two brokers or of one",
        exact(brokers(1, LINE, FAR, crash=2), 2),
        Results(1, 118_832, 338_093, 162, ALL_HOLD),
        long=True,
    ),
    printed(
        "any_direction",
        "n = 2: one publishes, and recipients are in any direction",
        1,
        TWO,
        ENDS,
        Results(1, 7, 6, 1, STUCK),
        publication=1,
    ),
    printed(
        "inverted_duplicates",
        "n = 2: two publications, by the inverted test",
        1,
        TWO,
        {},
        Results(1, 138, 188, 40, LOST),
        subscription=1,
        publication=2,
    ),
    printed(
        "printed_index",
        "n = 4: a client subscribes, by the printed index",
        1,
        FOUR,
        {},
        Results(1, 45, 60, 3, STUCK),
        subscription=1,
    ),
    printed(
        "on_confirmation",
        "n = 3: two publications, delivered when they are confirmed",
        1,
        LINE,
        {"0": (ANY,), "0.2": (ONE,)},
        Results(1, 140, 201, 28, DISORDERED),
        publication=1,
        other=1,
    ),
    printed(
        "status_of_the_other",
        "n = 2: a crash, and the status told is the other's",
        1,
        TWO,
        NEAR,
        Results(1, 23, 24, 1, STUCK),
        crash=1,
    ),
    printed(
        "discarding",
        "n = 2: a crash and a publication, and copies without a guide are discarded",
        1,
        TWO,
        NEAR,
        Results(1, 172, 234, 17, STUCK),
        crash=1,
        publication=1,
    ),
    printed(
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
    printed(
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
    printed(
        "never_closed", "n = 3: a crash, and bypasses stay", 1, LINE, FAR, Results(1, 619, 1_467, 4, STUCK), crash=1
    ),
    Pinned(
        "four_without_failures",
        "n = 4 in a row, delta = 0: a client subscribes, and one publishes",
        exact(failing(0, FOUR, (), {}, publication=1, subscription=1)),
        Results(1, 573, 1_016, 41, ALL_HOLD),
    ),
    Pinned(
        "figure_5_without_failures",
        "Figure 5, delta = 0: a client subscribes, and one publishes",
        exact(failing(0, FIGURE_5, (), {}, publication=1, subscription=1)),
        Results(1, 46_938, 164_364, 145, ALL_HOLD),
    ),
    Pinned(
        "line_subscribes",
        "n = 3, delta = 1: a client subscribes, and a crash",
        exact(failing(1, LINE, (), {}, subscription=1, crash=1), 2),
        Results(1, 37_173, 104_541, 146, ALL_HOLD),
    ),
    Pinned(
        "star_of_failing_leaves",
        "n = 4, a star, delta = 1: one leaf subscribes, another publishes, and the first or the third one crashes",
        exact(
            failing(
                1,
                STAR,
                (),
                {"crash": ("0.1", "0.3"), "publication": ("0.2",), "subscription": ("0.3",)},
                crash=1,
                publication=1,
                subscription=1,
            )
        ),
        Results(1, 3_574, 7_902, 54, ALL_HOLD),
    ),
    Pinned(
        "figure_5_of_failing_leaves",
        "Figure 5, delta = 1: S1 publishes for S4, and one of them crashes",
        exact(failing(1, FIGURE_5, ("N1.N3.S4",), ACROSS, crash=1, publication=1)),
        Results(1, 4_598, 14_607, 14, ALL_HOLD),
    ),
    Pinned(
        "line_both",
        "n = 3, delta = 1: one end subscribes, and the other one publishes, and a crash",
        exact(
            failing(
                1,
                LINE,
                (),
                {"subscription": ("0.1",), "publication": ("0.2",)},
                crash=1,
                publication=1,
                subscription=1,
            ),
            2,
        ),
        Results(1, 158_427, 526_963, 231, ALL_HOLD),
        long=True,
    ),
    Pinned(
        "four_publishes",
        "n = 4 in a row, delta = 1: one end publishes for the other one, and a crash",
        exact(failing(1, FOUR, ("0.2.3",), END_TO_END, crash=1, publication=1), 2),
        Results(1, 53_356, 166_003, 108, ALL_HOLD),
        long=True,
    ),
    Pinned(
        "four_subscribes",
        "n = 4 in a row, delta = 1: one end subscribes, and a crash",
        exact(failing(1, FOUR, (), END_TO_END, crash=1, subscription=1), 2),
        Results(1, 53_570, 166_436, 108, ALL_HOLD),
        long=True,
    ),
    Pinned(
        "line_two_away",
        "n = 3, delta = 2: two crashes of the middle one and an end, of either or both, in any order",
        exact(failing(2, LINE, ("0.2",), {"crash": ("0", "0.2")}, crash=2), 2),
        Results(1, 284_611, 792_352, 492, ALL_HOLD),
        long=True,
    ),
    Pinned(
        "star_without_its_centre",
        "n = 4, a star, delta = 1: a leaf has subscribed, and the centre crashes",
        exact(failing(1, STAR, ("0.3",), {"crash": ("0",)}, crash=1), 2),
        Results(1, 1_617_349, 7_389_795, 65, ALL_HOLD),
        long=True,
    ),
    Pinned(
        "figure_5_without_an_inner_broker",
        "Figure 5, delta = 1: S4 has subscribed, and N2 crashes",
        exact(failing(1, FIGURE_5, ("N1.N3.S4",), {"crash": ("N1.N2",)}, crash=1), 2),
        Results(1, 2_155_909, 10_586_691, 65, ALL_HOLD),
        long=True,
    ),
    Pinned(
        "line_too_many",
        "n = 3, delta = 0, one too many away, which is meant to fail: one subscribes, one publishes",
        exact(unassumed(failing(0, LINE, (), {}, crash=1, publication=1, subscription=1))),
        Results(1, 21_385, 44_875, 448, TOO_MANY),
    ),
    Pinned(
        "four_too_many",
        "n = 4 in a row, delta = 0, one too many away, which is meant to fail: one end publishes to the other",
        exact(unassumed(failing(0, FOUR, (), END_TO_END, crash=1, publication=1, subscription=1))),
        Results(1, 8_249, 18_121, 109, TOO_MANY),
    ),
    Pinned(
        "star_too_many",
        "n = 4, a star, delta = 0, one too many away, which is meant to fail: one leaf publishes to another",
        exact(
            unassumed(
                failing(
                    0,
                    STAR,
                    (),
                    {"publication": ("0.1",), "subscription": ("0.3",)},
                    crash=1,
                    publication=1,
                    subscription=1,
                )
            )
        ),
        Results(1, 24_733, 69_596, 100, TOO_MANY),
    ),
    Pinned(
        "leaf",
        "n = 1 and a leaf, delta = 0: it joins, a client subscribes, and one publishes",
        joining(0, ("0",), ("0.1",), join=1, subscription=1, publication=1),
        Results(1, 239, 530, 22, NINE_HOLD),
    ),
    Pinned(
        "leaf_below_two",
        "n = 2 and a leaf, delta = 1: it joins, and a client subscribes",
        joining(1, ("0", "0.1"), ("0.1.2",), join=1, subscription=1),
        Results(1, 275, 598, 9, NINE_HOLD),
    ),
    Pinned(
        "two_leaves",
        "n = 2 and two leaves, delta = 1: both join",
        joining(1, ("0", "0.1"), ("0.2", "0.3"), join=2),
        Results(1, 2_772, 7_486, 17, NINE_HOLD),
    ),
    Pinned(
        "leaf_and_a_crash",
        "n = 2 and a leaf, delta = 1: it joins, and anybody crashes",
        joining(1, ("0", "0.1"), ("0.1.2",), join=1, crash=1),
        Results(1, 88_683, 263_578, 154, NINE_HOLD),
        long=True,
    ),
    Pinned(
        "audit",
        "n = 2, delta = 1: an audit of any rows",
        audited(1, ("0", "0.1")),
        Results(9, 646, 2_240, 4, OPEN, 368),
    ),
)
