"""What may befall a run: nodes come, go and crash, publish, and are told of wrong neighbours for a while."""

from functools import partial

from gomboc.spec.dissemination.space import inside
from gomboc.spec.dissemination.state import Crash, Issue, Subscribe, Unsubscribe
from gomboc.spec.domain import Domain, OneOf, Record, Table, Union, optional
from gomboc.spec.holdings import universe
from gomboc.spec.neighbourhood import Moved, Stayed, adjacent
from gomboc.spec.protocol import Disturbance, Size
from gomboc.spec.publications import Parameters, Publication

TIMES = OneOf(tuple(map(float, range(1, 31))))
"""When something happens, in periods."""

DELAYS = OneOf((1.0, 3.0, 9.0))
"""How long a node stays away, in periods."""

SETTLED = 42.0
"""When the layer below is right again: all has happened by then."""

Told = tuple[tuple[float, object], ...]
"""An episode before it is known whose it is."""

Episode = tuple[Disturbance, ...]


def disturbances(size: Size, every: tuple[str, ...], parameters: Parameters) -> Domain:
    """Everything that may befall a run of those nodes. In the end each is told of its right neighbours, and again.

    The publications are others than those that are there at first.
    """
    members = inside(size)
    moving = (*members[1::4], *(name for name in every if name not in members))
    wrong = Record(_those, tuple(optional(_is_told(node, every)) for node in every))
    fresh = universe(members, 2 * size.publications, parameters)[size.publications :]
    publishing = Table(_issue, fresh, TIMES, len(fresh))
    episodes = Table(_of_node, moving, _episodes(), len(moving))
    return Record(partial(_in_order, members), (episodes, wrong, publishing))


def _is_told(node: str, every: tuple[str, ...]) -> Domain:
    """A node is told that any of the others are its neighbours."""
    others = tuple(name for name in every if name != node)
    some = Table(lambda name, _: name, others, OneOf((None,)), len(others))
    return Record(lambda at, neighbours: Disturbance(at, node, Moved(neighbours)), (TIMES, some))


def _those(*told: Disturbance | None) -> Episode:
    return tuple(each for each in told if each is not None)


def _episodes() -> Domain:
    ends = OneOf((Unsubscribe(), Unsubscribe(forget=True), Crash()))
    return Union(
        (
            Record(lambda at, end: ((at, end),), (TIMES, ends)),
            Record(lambda at: ((at, Subscribe()),), (TIMES,)),
            Record(lambda at, end, delay: ((at, end), (at + delay, Subscribe())), (TIMES, ends, DELAYS)),
        )
    )


def _of_node(node: str, told: Told) -> Episode:
    return tuple(Disturbance(at, node, command) for at, command in told)


def _issue(publication: Publication, at: float) -> Disturbance:
    return Disturbance(at, publication.publisher, Issue(publication.number, publication.payload))


def _in_order(
    members: tuple[str, ...], episodes: tuple[Episode, ...], wrong: Episode, publishing: Episode
) -> tuple[Disturbance, ...]:
    """All by time; then what the layer below says in the end, knowing who takes part by then."""
    live = set(members)
    for each in (each for episode in episodes for each in episode):
        live = live | {each.node} if isinstance(each.command, Subscribe) else live - {each.node}
    told = [*(each for episode in episodes for each in episode), *wrong, *publishing]
    right = adjacent(live)
    told += [Disturbance(SETTLED, name, Moved(beside)) for name, beside in right.items()]
    told += [Disturbance(SETTLED + 2.0, name, Stayed(beside)) for name, beside in right.items()]
    return tuple(sorted(told, key=lambda each: (each.at, each.node)))
