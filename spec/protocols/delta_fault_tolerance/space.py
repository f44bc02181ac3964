"""Start states: any tree of brokers with right tables and any subscriptions, and leaves outside."""

from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256

from msgspec.structs import replace

from gomboc.spec.core.domain import Domain, OneOf, Record, Table, Union
from gomboc.spec.core.protocol import Size, Start
from gomboc.spec.core.starts import started
from gomboc.spec.protocols.delta_fault_tolerance.contents import Row
from gomboc.spec.protocols.delta_fault_tolerance.filters import Filter, Predicate
from gomboc.spec.protocols.delta_fault_tolerance.legitimacy import Anchor, Share, right_state
from gomboc.spec.protocols.delta_fault_tolerance.names import Names
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.state import Node
from gomboc.spec.protocols.delta_fault_tolerance.variables import in_order, within_bound

ROLE = "broker"

FILTERS: tuple[Filter, ...] = (
    (Predicate("x", "=", 1),),
    (Predicate("x", ">", 1),),
    (Predicate("name", "prefix", "a"), Predicate("x", "exists", None)),
    (),
)
"""Filters that clients subscribe to, in start states and in disturbances."""

TREES = 12
"""The number of trees drawn of each size, besides a line and a star."""

DEEPEST = 20
"""The most brokers between the root of a drawn tree and its deepest leaf: names have at most 64 characters."""


def trees(nodes: int) -> tuple[Names, ...]:
    """Some trees of this many brokers: a line, a star, and drawn ones; each as its names, ascending."""
    drawn = (_tree(nodes, lambda index, seed=seed: _draw(seed, index)) for seed in range(TREES))  # type: ignore[misc]
    shapes = (line(nodes), star(nodes), *drawn)
    return tuple(dict.fromkeys(shapes))


def _draw(seed: int, index: int) -> int:
    return int.from_bytes(sha256(f"{seed} {index}".encode()).digest()[:4]) % index


def line(nodes: int) -> Names:
    """A line of brokers with the root in the middle."""
    return _tree(nodes, lambda index: max(0, index - 2))


def star(nodes: int) -> Names:
    """A star of brokers around the root."""
    return _tree(nodes, lambda _: 0)


def _tree(nodes: int, parent: Callable[[int], int]) -> Names:
    """The tree in which `parent` gives the index of each broker's parent, an earlier broker; ascending."""
    made: list[str] = ["0"]
    for index in range(1, nodes):
        above = made[parent(index)]
        made.append(f"{above if above.count('.') < DEEPEST else made[0]}.{index}")
    return tuple(sorted(made[:nodes]))


def space(parameters: Parameters, size: Size) -> Domain:
    """Every start on some trees of this many brokers, with any subscriptions; nothing is in flight.

    Brokers outside are leaves below the tree. With `audit`, rows are arbitrary.

    Source: decided here: the paper promises nothing from any other state
    """
    return Union(tuple(_starts(parameters, names, leaves(names, size.outside)) for names in trees(size.nodes)))


def leaves(names: Names, outside: int) -> Names:
    """This many leaves below the brokers of a tree, with labels that follow those of its brokers."""
    return tuple(sorted(f"{names[_draw(index, len(names))]}.{len(names) + index}" for index in range(outside)))


def _starts(parameters: Parameters, names: Names, outside: Names) -> Domain:
    wanted = Table(lambda name, filter_: (name, (filter_,)), names, OneOf(FILTERS), min(len(names), 4))
    right = Record(lambda subscribed: right_start(parameters, names, dict(subscribed), outside), (wanted,))
    corrupted = partial(with_rows, most=parameters.most_filters)
    return Record(corrupted, (right, any_rows(names))) if parameters.audit else right


def any_rows(names: Names) -> Domain:
    """Arbitrary rows at each broker: of any other source, for any filter, with any `via`."""
    row = Record(lambda wanted, via: (wanted, via), (OneOf(FILTERS), OneOf(names)))
    return Table(
        lambda pair, known: (pair[0], Row(pair[1], *known)),
        tuple((name, source) for name in names for source in names if source != name),
        row,
        3 * len(names),
    )


def with_rows(start: Start, rows: tuple[tuple[str, Row], ...], most: int | None = None) -> Start:
    """The start in which brokers have these rows instead of their own, at most so many of one source."""
    locals_ = ((name, _with_rows_of(most, name, local, rows) if local.known else local) for name, local in start.locals)
    return replace(start, locals=tuple(locals_))


def _with_rows_of(most: int | None, name: str, local: Node, rows: tuple[tuple[str, Row], ...]) -> Node:
    return replace(local, rows=within_bound(in_order(row for at, row in rows if at == name), most))


def right_start(
    parameters: Parameters, names: Names, wanted: Mapping[str, tuple[Filter, ...]], outside: Names = ()
) -> Start:
    """The legitimate start of these brokers with these subscriptions, and some brokers outside."""
    brokers: Anchor = tuple((name, Share("operational", wanted.get(name, ()), ())) for name in sorted(names))
    locals_ = dict.fromkeys(outside, Node("detached")) | {
        name: right_state(parameters, brokers, name) for name, _ in brokers
    }
    return started(ROLE, locals_)


def start(parameters: Parameters, nodes: int) -> Start:
    """A tree of this many brokers, one of which has subscribed. Source: Section 4.4."""
    names = trees(nodes)[-1]
    return right_start(parameters, names, {names[-1]: FILTERS[:1]})


def bound(parameters: Parameters, nodes: int) -> int:
    """The number of rounds after which an illegitimate run counts as divergent. Measured runs are far below it.

    With a bound on the bytes of a step, each part that a peer has to ask for takes rounds of its own.
    """
    usual = 40 + 10 * nodes
    return usual if parameters.most_bytes is None else 10 * usual
