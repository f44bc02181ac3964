"""Small overlays that are explored completely: the starts and expected results of each.

Each claim is bounded as its instance says. The records were made by `gomboc explore hyparview --recorded`.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import combinations

from msgspec.structs import replace

from gomboc.spec.core.domain import Domain, OneOf, Record
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.instance import Instance, instance_of
from gomboc.spec.core.pinned import HOLDS, UNKNOWN, VIOLATED, Pinned, Results
from gomboc.spec.core.protocol import Protocol, Start, variant
from gomboc.spec.protocols.hyparview import PROTOCOL, configured
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.space import Cast, holdings, items_of, line, message, names
from gomboc.spec.protocols.hyparview.state import OUTSIDE, Id, Item, Node
from gomboc.spec.protocols.hyparview.views import Names, without

SMALL = Parameters(active=2, passive=3, arwl=1, prwl=1, ka=0, kp=0, key_bits=2)
"""Parameters of a small overlay, in which a Shuffle names its origin only."""


def protocol_of(parameters: Parameters, printed: str | None = None) -> Protocol:
    """The protocol with those parameters; with `printed`, by the rules of that variant."""
    ours = configured({name: getattr(parameters, name) for name in PROTOCOL.variants.parameters})
    return variant(ours, printed)


def any_view(parameters: Parameters, members: Names, me: str, links: Names = ()) -> Iterator[Node]:
    """Every state of a member that has these links and any others; it knows all, and may ask any passive one."""
    others = without(members, me)
    for size in range(len(links), parameters.active + 1):
        for active in combinations(others, size):
            if set(links) <= set(active):
                passive = without(others, *active)
                asked = passive if size < parameters.active else ()
                yield from (Node("inside", active, passive, name) for name in (None, *asked))


def is_right(protocol: Protocol, start: Start) -> bool:
    """Whether a start is legitimate."""
    return not legitimacy_faults(protocol, dict(start.locals), start.in_flight)


def closed(parameters: Parameters, nodes: int, most: int, printed: str | None = None) -> Instance:
    """Every right state of so many members, each of which knows all others, with nothing in flight."""
    members, protocol = names(nodes), protocol_of(parameters, printed)
    states = {name: OneOf(tuple(any_view(parameters, members, name))) for name in members}
    return replace(instance_of(protocol, states, most=most), admits=partial(is_right, protocol))


def one_sided(parameters: Parameters, nodes: int, most: int, printed: str | None = None) -> Instance:
    """A line of so many members with any further links, which may be known at one end only."""
    members, protocol = names(nodes), protocol_of(parameters, printed)
    links = line(members)
    states = {name: OneOf(tuple(any_view(parameters, members, name, links[name]))) for name in members}
    return instance_of(protocol, states, most=most)


def joined(parameters: Parameters, nodes: int, most: int, printed: str | None = None, **budget: int) -> Instance:
    """A line of so many members, and a node outside."""
    *members, last = names(nodes + 1)
    links = line(tuple(members))
    states: Mapping[str, Domain] = {name: OneOf((Node("inside", links[name]),)) for name in members}
    return instance_of(protocol_of(parameters, printed), {**states, last: OneOf((OUTSIDE,))}, most=most, budget=budget)


def holding(parameters: Parameters, nodes: int, publications: int, most: int, **budget: int) -> Instance:
    """A line of so many members that hold any of so many publications."""
    members = names(nodes)
    links, items = line(members), items_of(parameters, members, publications)
    states = {name: Record(partial(_holder, links[name]), holdings(parameters, items)) for name in members}
    return instance_of(protocol_of(parameters), states, most=most, budget=budget)


def _holder(links: Names, held: tuple[Item, ...], told: Id | None, new: tuple[Id, ...]) -> Node:
    return Node("inside", links, held=held, told=told, new=new)


def with_a_message(parameters: Parameters, instance: Instance) -> Instance:
    """The same with at most one message in flight, of any kind that displaces no node."""
    members = instance.names()
    cast = Cast(members, (), (), dict.fromkeys(members, ()))
    return replace(instance, messages=message(parameters, cast, ()), in_flight=1)


THREE, PAIR = replace(SMALL, active=3), replace(SMALL, active=1)

CLOSED = (*(HOLDS,) * 5, UNKNOWN)
"""Closure, convergence twice (AG EF, and every fair run), not vacuous, canonical, delivered once.

All but the last are settled for any number of messages in flight; that is not violated within the bound.
"""

SETTLED = (UNKNOWN, *CLOSED[1:])
"""The same without closure, which is not violated within the bound."""

WELL_FORMED = (*(UNKNOWN,) * 3, *CLOSED[3:])
"""The same without convergence."""

WITHIN = (*WELL_FORMED[:4], UNKNOWN, UNKNOWN)
"""Nothing is violated within the bound."""

NOT_CLOSED = (VIOLATED, *WITHIN[1:])

KEPT_ONLY = (HOLDS, UNKNOWN, UNKNOWN, *CLOSED[3:])
"""Closure is settled, and convergence is not."""

NEVER_RIGHT = (HOLDS, UNKNOWN, VIOLATED, *CLOSED[3:])
"""A fair run that never becomes right."""

MODELS: tuple[Pinned, ...] = (
    Pinned(
        "joined",
        "n = 2, and one more joins: no node need be displaced",
        joined(SMALL, 2, 4, join=1),
        Results(1, 8_304, 68_832, 5_574, SETTLED, 8_077),
    ),
    Pinned(
        "joined_and_left",
        "the same, and one leaves",
        joined(SMALL, 2, 4, join=1, leave=1),
        Results(1, 208_216, 1_345_447, 92_823, WELL_FORMED, 194_512),
        long=True,
    ),
    Pinned(
        "joined_and_crashed",
        "the same, and one crashes",
        joined(SMALL, 2, 4, join=1, crash=1),
        Results(1, 355_036, 2_314_369, 113_033, WELL_FORMED, 326_633),
    ),
    Pinned(
        "closed",
        "n = 4, two places in an active view: every right state in which all know all, with nothing in flight",
        closed(SMALL, 4, 4),
        Results(135, 233_637, 2_645_268, 233_637, WITHIN, 229_974),
    ),
    Pinned(
        "closed_with_three_places",
        "the same with three places",
        closed(THREE, 4, 3),
        Results(2_193, 37_785, 413_796, 37_785, WITHIN, 37_785),
        long=True,
    ),
    Pinned(
        "one_sided",
        "n = 4, two places: a line, and any further links, known at both ends or at one",
        one_sided(SMALL, 4, 4),
        Results(25, 71_577, 811_620, 33_325, KEPT_ONLY, 70_712),
    ),
    Pinned(
        "one_sided_and_a_message",
        "the same with n = 3, and any one message in flight that displaces no node",
        with_a_message(SMALL, one_sided(SMALL, 3, 4)),
        Results(4_432, 170_832, 1_342_460, 118_156, CLOSED, 166_296),
    ),
    Pinned(
        "held",
        "n = 2: each holds any of two publications",
        holding(PAIR, 2, 2, 5),
        Results(16, 10_631, 61_826, 3_715, CLOSED, 8_638),
    ),
    Pinned(
        "kept",
        "n = 2: each holds any of three publications, and one of each publisher is kept",
        holding(replace(PAIR, keep=1), 2, 3, 5),
        Results(64, 26_967, 156_586, 7_793, CLOSED, 22_274),
    ),
    Pinned(
        "told",
        "n = 2: each holds any of two publications, and a digest names one of them",
        holding(replace(PAIR, chunk=1), 2, 2, 4),
        Results(2_304, 60_236, 279_670, 16_216, CLOSED, 49_497),
    ),
    Pinned(
        "spread",
        "n = 2: each holds one publication or not, and one publishes",
        holding(PAIR, 2, 1, 5, spread=1),
        Results(4, 10_511, 64_069, 5_236, CLOSED, 8_876),
    ),
    Pinned(
        "adds_untold",
        "n = 4 with links at one end, if no link is restated, which is meant to fail: such a link stays",
        one_sided(SMALL, 4, 4, "adds_untold"),
        Results(25, 337_439, 4_142_300, 171_364, NEVER_RIGHT, 312_276),
        "adds_untold",
    ),
    Pinned(
        "accepts_all",
        "n = 4 as in `closed`, if every request is accepted, which is meant to fail: a right link is displaced",
        closed(SMALL, 4, 3, "accepts_all"),
        Results(135, 31_447, 319_140, 11_895, NOT_CLOSED, 31_236),
        "accepts_all",
    ),
    Pinned(
        "refuses_while_it_asks",
        "the same if a node refuses while it keeps its last place, which is meant to fail",
        closed(SMALL, 4, 3, "refuses_while_it_asks"),
        Results(135, 11_547, 117_072, 11_355, NOT_CLOSED, 11_412),
        "refuses_while_it_asks",
    ),
)
