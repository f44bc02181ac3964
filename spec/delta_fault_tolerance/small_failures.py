"""Small models with failures, within the assumption or beyond it, that are explored completely.

Each model names the brokers that crash, subscribe or publish. The records were made by
`gomboc explore delta_fault_tolerance --recorded --exhaustive`.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from gomboc.spec.delta_fault_tolerance import configured
from gomboc.spec.delta_fault_tolerance.filters import Filter, Predicate
from gomboc.spec.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.delta_fault_tolerance.space import ROLE, right_start
from gomboc.spec.delta_fault_tolerance.tree import Names
from gomboc.spec.domain import OneOf
from gomboc.spec.environment import Offer
from gomboc.spec.instance import Instance
from gomboc.spec.model import InFlight, States
from gomboc.spec.pinned import Pinned, Results
from gomboc.spec.protocol import Protocol, nothing_lacks

ONE: Filter = (Predicate("x", "=", 1),)

LINE = ("0", "0.1", "0.2")
FOUR = ("0", "0.1", "0.2", "0.2.3")
"""A line with the ends 0.1 and 0.2.3."""
STAR = ("0", "0.1", "0.2", "0.3")
FIGURE_5 = ("N1", "N1.N2", "N1.N2.S1", "N1.N2.S2", "N1.N3", "N1.N3.S3", "N1.N3.S4", "N1.P1")

Who = Mapping[str, Names]
"""For each budget, the brokers that may get an input from it."""


def failing(delta: int, names: Names, subscribed: Names, who: Who, **budget: int) -> Instance:
    """A model that starts legitimate; inputs from outside go to any broker, or only to those that `who` names."""
    start = right_start(Parameters(delta), names, dict.fromkeys(subscribed, (ONE,)))
    return Instance(
        protocol=narrowed(configured({"delta": delta}), who),
        locals=tuple((name, ROLE, OneOf((local,))) for name, local in start.locals),
        messages=OneOf(()),
        in_flight=0,
        copies=1,
        most=None,
        budget=tuple(sorted(budget.items())),
    )


def narrowed(protocol: Protocol, who: Who) -> Protocol:
    """The protocol in which only some brokers get the inputs of a budget."""
    offered = protocol.environment

    def fewer(states: States, in_flight: InFlight) -> tuple[Offer, ...]:
        return tuple(
            offer for offer in offered(states, in_flight) if offer.node in who.get(offer.budget, (offer.node,))
        )

    return replace(protocol, environment=fewer)


def unassumed(instance: Instance) -> Instance:
    """The model without the operating assumption: any number of brokers may be away at once."""
    return replace(instance, protocol=replace(instance.protocol, assumption=nothing_lacks))


HOLDS, VIOLATED = "holds", "violated"
ALL_HOLD = (HOLDS,) * 10
TOO_MANY = (HOLDS, VIOLATED, VIOLATED, HOLDS, HOLDS, HOLDS, HOLDS, HOLDS, VIOLATED)
"""Runs that never become right, and a confirmed publication that is not delivered."""

END_TO_END = {"publication": ("0.1",), "subscription": ("0.2.3",)}
ACROSS = {"publication": ("N1.N2.S1",), "subscription": ("N1.N3.S4",), "crash": ("N1.N2.S1", "N1.N3.S4")}

FAILURES: tuple[Pinned, ...] = (
    Pinned(
        "four_without_failures",
        "n = 4 in a row, delta = 0: a client subscribes, and one publishes",
        failing(0, FOUR, (), {}, publication=1, subscription=1),
        Results(1, 573, 1_016, 41, ALL_HOLD),
    ),
    Pinned(
        "figure_5_without_failures",
        "Figure 5, delta = 0: a client subscribes, and one publishes",
        failing(0, FIGURE_5, (), {}, publication=1, subscription=1),
        Results(1, 46_938, 164_364, 145, ALL_HOLD),
    ),
    Pinned(
        "line_subscribes",
        "n = 3, delta = 1: a client subscribes, and a crash",
        failing(1, LINE, (), {}, subscription=1, crash=1),
        Results(1, 34_624, 97_886, 146, ALL_HOLD),
    ),
    Pinned(
        "star_of_failing_leaves",
        "n = 4, a star, delta = 1: one leaf subscribes, another publishes, and the first or the third one crashes",
        failing(
            1,
            STAR,
            (),
            {"crash": ("0.1", "0.3"), "publication": ("0.2",), "subscription": ("0.3",)},
            crash=1,
            publication=1,
            subscription=1,
        ),
        Results(1, 3_574, 7_902, 54, ALL_HOLD),
    ),
    Pinned(
        "figure_5_of_failing_leaves",
        "Figure 5, delta = 1: S1 publishes for S4, and one of them crashes",
        failing(1, FIGURE_5, ("N1.N3.S4",), ACROSS, crash=1, publication=1),
        Results(1, 4_598, 14_607, 14, ALL_HOLD),
    ),
    Pinned(
        "line_both",
        "n = 3, delta = 1: one end subscribes, and the other one publishes, and a crash",
        failing(
            1,
            LINE,
            (),
            {"subscription": ("0.1",), "publication": ("0.2",)},
            crash=1,
            publication=1,
            subscription=1,
        ),
        Results(1, 138_502, 461_306, 231, ALL_HOLD),
        long=True,
    ),
    Pinned(
        "four_publishes",
        "n = 4 in a row, delta = 1: one end publishes for the other one, and a crash",
        failing(1, FOUR, ("0.2.3",), END_TO_END, crash=1, publication=1),
        Results(1, 50_583, 158_613, 108, ALL_HOLD),
        long=True,
    ),
    Pinned(
        "four_subscribes",
        "n = 4 in a row, delta = 1: one end subscribes, and a crash",
        failing(1, FOUR, (), END_TO_END, crash=1, subscription=1),
        Results(1, 50_797, 159_046, 108, ALL_HOLD),
        long=True,
    ),
    Pinned(
        "line_two_away",
        "n = 3, delta = 2: two crashes of the middle one and an end, of either or both, in any order",
        failing(2, LINE, ("0.2",), {"crash": ("0", "0.2")}, crash=2),
        Results(1, 265_965, 740_062, 492, ALL_HOLD),
        long=True,
    ),
    Pinned(
        "line_too_many",
        "n = 3, delta = 0, one too many away, which is meant to fail: one subscribes, one publishes",
        unassumed(failing(0, LINE, (), {}, crash=1, publication=1, subscription=1)),
        Results(1, 21_385, 44_875, 448, TOO_MANY),
    ),
    Pinned(
        "four_too_many",
        "n = 4 in a row, delta = 0, one too many away, which is meant to fail: one end publishes to the other",
        unassumed(failing(0, FOUR, (), END_TO_END, crash=1, publication=1, subscription=1)),
        Results(1, 8_249, 18_121, 109, TOO_MANY),
    ),
    Pinned(
        "star_too_many",
        "n = 4, a star, delta = 0, one too many away, which is meant to fail: one leaf publishes to another",
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
        ),
        Results(1, 24_733, 69_596, 100, TOO_MANY),
    ),
)
