"""Disturbances of a run: nodes join, leave, crash and publish, and are told wrong neighbours for a while."""

from functools import partial

from gomboc.spec.core.domain import Domain, OneOf, Record, Table, Union, optional
from gomboc.spec.core.protocol import Disturbance, Size
from gomboc.spec.layers.neighbourhood import Moved, Stayed, adjacent
from gomboc.spec.protocols.dissemination.space import inside
from gomboc.spec.protocols.dissemination.state import Crash, Issue, Subscribe, Unsubscribe
from gomboc.spec.publishing.holdings import universe
from gomboc.spec.publishing.publications import Parameters, Publication

TIMES = OneOf(tuple(map(float, range(1, 31))))
"""The times of events, in periods."""

DELAYS = OneOf((1.0, 3.0, 9.0))
"""The times for which a node stays away, in periods."""

SETTLED = 42.0
"""The period at which the layer below is right again, after all other disturbances."""

Told = tuple[tuple[float, object], ...]
"""An episode without its node."""

Episode = tuple[Disturbance, ...]


def disturbances(size: Size, every: tuple[str, ...], parameters: Parameters) -> Domain:
    """Every disturbance of a run of those nodes. In the end each is told its right neighbours, twice.

    The publications differ from the initial ones.
    """
    members = inside(size)
    moving = (*members[1::4], *(name for name in every if name not in members))
    wrong = Record(_those, tuple(optional(_is_informed(node, every)) for node in every))
    fresh = universe(members, 2 * size.publications, parameters)[size.publications :]
    publishing = Table(_issue, fresh, TIMES, len(fresh))
    episodes = Table(_of_node, moving, _episodes(), len(moving))
    return Record(partial(_in_order, members), (episodes, wrong, publishing))


def _is_informed(node: str, every: tuple[str, ...]) -> Domain:
    """A node is told that any of the others are its neighbours."""
    others = tuple(name for name in every if name != node)
    some = Table(lambda name, _: name, others, OneOf((None,)), len(others))
    return Record(lambda at, neighbours: Disturbance(at, node, Moved(neighbours)), (TIMES, some))


def _those(*chosen: Disturbance | None) -> Episode:
    return tuple(disturbance for disturbance in chosen if disturbance is not None)


def _episodes() -> Domain:
    ends = OneOf((Unsubscribe(), Unsubscribe(forget=True), Crash()))
    return Union(
        (
            Record(lambda at, end: ((at, end),), (TIMES, ends)),
            Record(lambda at: ((at, Subscribe()),), (TIMES,)),
            Record(lambda at, end, delay: ((at, end), (at + delay, Subscribe())), (TIMES, ends, DELAYS)),
        )
    )


def _of_node(node: str, moves: Told) -> Episode:
    return tuple(Disturbance(at, node, command) for at, command in moves)


def _issue(publication: Publication, at: float) -> Disturbance:
    return Disturbance(at, publication.publisher, Issue(publication.number, publication.payload))


def _in_order(
    members: tuple[str, ...], episodes: tuple[Episode, ...], wrong: Episode, publishing: Episode
) -> tuple[Disturbance, ...]:
    """All by time; then the right neighbours from the layer below, for the nodes that are live by then."""
    live = set(members)
    for disturbance in (disturbance for episode in episodes for disturbance in episode):
        live = live | {disturbance.node} if isinstance(disturbance.command, Subscribe) else live - {disturbance.node}
    everything = [*(disturbance for episode in episodes for disturbance in episode), *wrong, *publishing]
    right = adjacent(live)
    everything += [Disturbance(SETTLED, name, Moved(beside)) for name, beside in right.items()]
    everything += [Disturbance(SETTLED + 2.0, name, Stayed(beside)) for name, beside in right.items()]
    return tuple(sorted(everything, key=lambda disturbance: (disturbance.at, disturbance.node)))
