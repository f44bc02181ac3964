"""Small trees of brokers that are explored completely: the start of each. The results are in `models.toml`.

Channels of a model with `copies` are exact, and no run comes to a bound. Elsewhere, with rules as printed, brokers
that join or an audit, channels hold one of equal messages that follow each other on a link.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from gomboc.spec.core.domain import Domain, OneOf, Record, Table
from gomboc.spec.core.instance import Instance, instance_of
from gomboc.spec.core.model import InFlight, Offer, States
from gomboc.spec.core.pinned import read_models
from gomboc.spec.core.protocol import Protocol, nothing_lacks, variant
from gomboc.spec.protocols.delta_fault_tolerance import configured
from gomboc.spec.protocols.delta_fault_tolerance.contents import Row
from gomboc.spec.protocols.delta_fault_tolerance.filters import Filter, Predicate
from gomboc.spec.protocols.delta_fault_tolerance.names import Names
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
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
    outside: Names = (),
    who: Who | None = None,
    most_rows: int | None = None,
    most_bytes: int | None = None,
    copies: int = 0,
    **budget: int,
) -> Instance:
    """A model that starts legitimate, with these brokers, subscriptions and leaves, and a budget of outside inputs.

    Inputs go to any broker, or only to those that `who` names. With `copies`, channels are exact, and no run has more
    than so many equal messages in flight.
    """
    base = configured({"delta": delta, "most_rows": most_rows, "most_bytes": most_bytes})
    start = right_start(Parameters(delta), names, wanted, outside)
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


def unassumed(names: Names, who: Who) -> Instance:
    """A model without the operating assumption: with delta = 0 one fails, while one subscribes and one publishes."""
    model = brokers(0, names, {}, who=who, copies=1, crash=1, publication=1, subscription=1)
    return replace(model, protocol=model.protocol.changed(assumption=nothing_lacks))


def joining(delta: int, names: Names, outside: Names, printed: str | None = None, **budget: int) -> Instance:
    """A model of leaves outside and a legitimate tree, where the first broker has subscribed."""
    return brokers(delta, names, {names[0]: (ONE,)}, printed, outside, None, **budget)


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

END_TO_END = {"publication": ("0.1",), "subscription": ("0.2.3",)}
ACROSS = {"publication": ("N1.N2.S1",), "subscription": ("N1.N3.S4",), "crash": ("N1.N2.S1", "N1.N3.S4")}
LEAVES = {"crash": ("0.1", "0.3"), "publication": ("0.2",), "subscription": ("0.3",)}
BOTH_ENDS = {"subscription": ("0.1",), "publication": ("0.2",)}
TWO_ROWS: Wanted = {"0.1": (ONE, ANY)}
AT_THE_OTHER_END = {"publication": ("0.2",)}
ONE_END = {"crash": ("0.2",), "subscription": ("0.2",), "publication": ("0.1",)}

MODELS = read_models(
    __name__,
    {
        "two": brokers(1, TWO, NEAR, copies=1, publication=2, crash=1),
        "line_without_failures": brokers(0, LINE, {}, copies=1, publication=1, subscription=1),
        "four": brokers(1, FOUR, {}, copies=1, subscription=1),
        "figure_5": brokers(1, FIGURE_5, {"N1.N2.S1": (ONE,), **S4}, copies=1, publication=1),
        "star": brokers(0, STAR, {"0.3": (ONE,)}, copies=1, publication=1, subscription=1),
        "line": brokers(1, LINE, FAR, copies=2, crash=1),
        "line_publishes": brokers(1, LINE, FAR, copies=2, crash=1, publication=1),
        "line_row_by_row": brokers(
            1, LINE, {"0": (ONE,), "0.1": (ANY,), "0.2": (ONE, ANY)}, most_rows=1, copies=2, crash=1
        ),
        "line_paced": brokers(1, LINE, TWO_ROWS, most_rows=1, most_bytes=512, copies=2, crash=1),
        "line_paced_publishes": brokers(
            1, LINE, TWO_ROWS, who=AT_THE_OTHER_END, most_rows=1, most_bytes=512, copies=2, crash=1, publication=1
        ),
        "line_subscribes_row_by_row": brokers(
            1, LINE, {"0.2": (ONE, ANY)}, who=BOTH_ENDS, most_rows=1, copies=2, crash=1, subscription=1
        ),
        "line_rejoins_row_by_row": brokers(
            1, LINE, {"0.2": (ANY,)}, who=ONE_END, most_rows=1, copies=2, crash=2, subscription=1, publication=1
        ),
        "line_twice": brokers(1, LINE, FAR, copies=2, crash=2),
        "any_direction": brokers(1, TWO, {"0": (ONE,), **NEAR}, "any_direction", publication=1),
        "inverted_duplicates": brokers(1, TWO, {}, "inverted_duplicates", subscription=1, publication=2),
        "printed_index": brokers(1, FOUR, {}, "printed_index", subscription=1),
        "on_confirmation": brokers(1, LINE, {"0": (ANY,), "0.2": (ONE,)}, "on_confirmation", publication=1, other=1),
        "status_of_the_other": brokers(1, TWO, NEAR, "status_of_the_other", crash=1),
        "discarding": brokers(1, TWO, NEAR, "discarding", crash=1, publication=1),
        "counts_from_zero": brokers(1, TWO, {}, "counts_from_zero", crash=1, publication=2, subscription=1),
        "forgets_its_client": brokers(1, TWO, {}, "forgets_its_client", crash=1, publication=1, subscription=1),
        "never_closed": brokers(1, LINE, FAR, "never_closed", crash=1),
        "four_without_failures": brokers(0, FOUR, {}, copies=1, publication=1, subscription=1),
        "figure_5_without_failures": brokers(0, FIGURE_5, {}, copies=1, publication=1, subscription=1),
        "line_subscribes": brokers(1, LINE, {}, copies=2, subscription=1, crash=1),
        "star_of_failing_leaves": brokers(1, STAR, {}, who=LEAVES, copies=1, crash=1, publication=1, subscription=1),
        "figure_5_of_failing_leaves": brokers(1, FIGURE_5, S4, who=ACROSS, copies=1, crash=1, publication=1),
        "line_both": brokers(1, LINE, {}, who=BOTH_ENDS, copies=2, crash=1, publication=1, subscription=1),
        "four_publishes": brokers(1, FOUR, {"0.2.3": (ONE,)}, who=END_TO_END, copies=2, crash=1, publication=1),
        "four_subscribes": brokers(1, FOUR, {}, who=END_TO_END, copies=2, crash=1, subscription=1),
        "line_two_away": brokers(2, LINE, FAR, who={"crash": ("0", "0.2")}, copies=2, crash=2),
        "star_without_its_centre": brokers(1, STAR, {"0.3": (ONE,)}, who={"crash": ("0",)}, copies=2, crash=1),
        "figure_5_without_an_inner_broker": brokers(1, FIGURE_5, S4, who={"crash": ("N1.N2",)}, copies=2, crash=1),
        "line_too_many": unassumed(LINE, {}),
        "four_too_many": unassumed(FOUR, END_TO_END),
        "star_too_many": unassumed(STAR, {"publication": ("0.1",), "subscription": ("0.3",)}),
        "leaf": joining(0, ("0",), ("0.1",), join=1, subscription=1, publication=1),
        "leaf_below_two": joining(1, TWO, ("0.1.2",), join=1, subscription=1),
        "two_leaves": joining(1, TWO, ("0.2", "0.3"), join=2),
        "leaf_and_a_crash": joining(1, TWO, ("0.1.2",), join=1, crash=1),
        "audit": audited(1, TWO),
    },
)
