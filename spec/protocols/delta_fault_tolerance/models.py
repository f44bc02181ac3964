"""Small trees of brokers that are explored completely: the start of each. The results are in `models.toml`.

Channels of a model that says `exact` are exact, and no run comes to a bound. Elsewhere, with rules as printed, brokers
that join or an audit, channels hold one of equal messages that follow each other on a link.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from gomboc.spec.core.domain import Domain, OneOf, Record, Table
from gomboc.spec.core.instance import Instance, instance_of
from gomboc.spec.core.model import InFlight, Offer, States
from gomboc.spec.core.pinned import read_models
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


ENDS: Wanted = {"0": (ONE,), "0.1": (ONE,)}
FAR: Wanted = {"0.2": (ONE,)}
NEAR: Wanted = {"0.1": (ONE,)}

END_TO_END = {"publication": ("0.1",), "subscription": ("0.2.3",)}
ACROSS = {"publication": ("N1.N2.S1",), "subscription": ("N1.N3.S4",), "crash": ("N1.N2.S1", "N1.N3.S4")}

MODELS = read_models(
    __name__,
    {
        "two": exact(brokers(1, TWO, NEAR, publication=2, crash=1)),
        "line_without_failures": exact(brokers(0, LINE, {}, publication=1, subscription=1)),
        "four": exact(brokers(1, FOUR, {}, subscription=1)),
        "figure_5": exact(brokers(1, FIGURE_5, {"N1.N2.S1": (ONE,), "N1.N3.S4": (ONE,)}, publication=1)),
        "star": exact(brokers(0, STAR, {"0.3": (ONE,)}, publication=1, subscription=1)),
        "line": exact(brokers(1, LINE, FAR, crash=1), 2),
        "line_publishes": exact(brokers(1, LINE, FAR, crash=1, publication=1), 2),
        "line_row_by_row": exact(row_by_row(LINE, {"0": (ONE,), "0.1": (ANY,), "0.2": (ONE, ANY)}, {}, crash=1), 2),
        "line_subscribes_row_by_row": exact(
            row_by_row(LINE, {"0.2": (ONE, ANY)}, {"subscription": ("0.1",)}, crash=1, subscription=1), 2
        ),
        "line_twice": exact(brokers(1, LINE, FAR, crash=2), 2),
        "any_direction": brokers(1, TWO, ENDS, "any_direction", publication=1),
        "inverted_duplicates": brokers(1, TWO, {}, "inverted_duplicates", subscription=1, publication=2),
        "printed_index": brokers(1, FOUR, {}, "printed_index", subscription=1),
        "on_confirmation": brokers(1, LINE, {"0": (ANY,), "0.2": (ONE,)}, "on_confirmation", publication=1, other=1),
        "status_of_the_other": brokers(1, TWO, NEAR, "status_of_the_other", crash=1),
        "discarding": brokers(1, TWO, NEAR, "discarding", crash=1, publication=1),
        "counts_from_zero": brokers(1, TWO, {}, "counts_from_zero", crash=1, publication=2, subscription=1),
        "forgets_its_client": brokers(1, TWO, {}, "forgets_its_client", crash=1, publication=1, subscription=1),
        "never_closed": brokers(1, LINE, FAR, "never_closed", crash=1),
        "four_without_failures": exact(failing(0, FOUR, (), {}, publication=1, subscription=1)),
        "figure_5_without_failures": exact(failing(0, FIGURE_5, (), {}, publication=1, subscription=1)),
        "line_subscribes": exact(failing(1, LINE, (), {}, subscription=1, crash=1), 2),
        "star_of_failing_leaves": exact(
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
        "figure_5_of_failing_leaves": exact(failing(1, FIGURE_5, ("N1.N3.S4",), ACROSS, crash=1, publication=1)),
        "line_both": exact(
            failing(
                1, LINE, (), {"subscription": ("0.1",), "publication": ("0.2",)}, crash=1, publication=1, subscription=1
            ),
            2,
        ),
        "four_publishes": exact(failing(1, FOUR, ("0.2.3",), END_TO_END, crash=1, publication=1), 2),
        "four_subscribes": exact(failing(1, FOUR, (), END_TO_END, crash=1, subscription=1), 2),
        "line_two_away": exact(failing(2, LINE, ("0.2",), {"crash": ("0", "0.2")}, crash=2), 2),
        "star_without_its_centre": exact(failing(1, STAR, ("0.3",), {"crash": ("0",)}, crash=1), 2),
        "figure_5_without_an_inner_broker": exact(
            failing(1, FIGURE_5, ("N1.N3.S4",), {"crash": ("N1.N2",)}, crash=1), 2
        ),
        "line_too_many": exact(unassumed(failing(0, LINE, (), {}, crash=1, publication=1, subscription=1))),
        "four_too_many": exact(unassumed(failing(0, FOUR, (), END_TO_END, crash=1, publication=1, subscription=1))),
        "star_too_many": exact(
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
        "leaf": joining(0, ("0",), ("0.1",), join=1, subscription=1, publication=1),
        "leaf_below_two": joining(1, ("0", "0.1"), ("0.1.2",), join=1, subscription=1),
        "two_leaves": joining(1, ("0", "0.1"), ("0.2", "0.3"), join=2),
        "leaf_and_a_crash": joining(1, ("0", "0.1"), ("0.1.2",), join=1, crash=1),
        "audit": audited(1, ("0", "0.1")),
    },
)
