"""Small overlays that are explored completely: the starts. The results are in `models.toml`.

Each claim is bounded as its instance says.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import combinations

from msgspec.structs import replace

from gomboc.spec.core.domain import Domain, OneOf, Record
from gomboc.spec.core.faults import is_faultless
from gomboc.spec.core.instance import Instance, instance_of
from gomboc.spec.core.pinned import read_models
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
    return is_faultless(protocol, dict(start.locals), start.in_flight)


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

MODELS = read_models(
    __name__,
    {
        "joined": joined(SMALL, 2, 4, join=1),
        "joined_and_left": joined(SMALL, 2, 4, join=1, leave=1),
        "joined_and_crashed": joined(SMALL, 2, 4, join=1, crash=1),
        "closed": closed(SMALL, 4, 4),
        "closed_with_three_places": closed(THREE, 4, 3),
        "one_sided": one_sided(SMALL, 4, 4),
        "one_sided_and_a_message": with_a_message(SMALL, one_sided(SMALL, 3, 4)),
        "held": holding(PAIR, 2, 2, 5),
        "kept": holding(replace(PAIR, keep=1), 2, 3, 5),
        "told": holding(replace(PAIR, chunk=1), 2, 2, 4),
        "spread": holding(PAIR, 2, 1, 5, spread=1),
        "adds_untold": one_sided(SMALL, 4, 4, "adds_untold"),
        "accepts_all": closed(SMALL, 4, 3, "accepts_all"),
        "refuses_while_it_asks": closed(SMALL, 4, 3, "refuses_while_it_asks"),
    },
)
