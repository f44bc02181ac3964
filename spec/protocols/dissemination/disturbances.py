"""Disturbances of a run: nodes join, leave, crash and publish, and are told wrong neighbours for a while."""

from functools import partial

from gomboc.spec.core.domain import Domain, OneOf, Record, Table, Union
from gomboc.spec.core.protocol import Disturbance, Size
from gomboc.spec.core.schedules import TIMES, Episode, episodes, in_order, timed
from gomboc.spec.layers.lists import misled, put_right
from gomboc.spec.protocols.dissemination.space import inside
from gomboc.spec.protocols.dissemination.state import Issue, Subscribe, Unsubscribe
from gomboc.spec.publishing.holdings import universe
from gomboc.spec.publishing.publications import Parameters, Publication
from gomboc.spec.types.kinds import Crash

DELAYS = OneOf((1.0, 3.0, 9.0))
"""The times for which a node stays away, in periods."""


def disturbances(size: Size, every: tuple[str, ...], parameters: Parameters) -> Domain:
    """Every disturbance of a run of those nodes. In the end each is told its right neighbours, twice.

    The publications differ from the initial ones.
    """
    members = inside(size)
    moving = (*members[1::4], *(name for name in every if name not in members))
    fresh = universe(members, 2 * size.publications, parameters)[size.publications :]
    publishing = Table(_issue, fresh, TIMES, len(fresh))
    return Record(partial(_settled, members), (episodes(moving, _episode()), misled(every), publishing))


def _episode() -> Domain:
    ends = Unsubscribe(), Unsubscribe(forget=True), Crash()
    joins = Record(lambda at: ((at, Subscribe()),), (TIMES,))
    away = Record(lambda at, end, delay: ((at, end), (at + delay, Subscribe())), (TIMES, OneOf(ends), DELAYS))
    return Union((timed(*ends), joins, away))


def _issue(publication: Publication, at: float) -> Disturbance:
    return Disturbance(at, publication.publisher, Issue(publication.number, publication.payload))


def _settled(members: tuple[str, ...], moving: tuple[Episode, ...], wrong: Episode, publishing: Episode) -> Episode:
    """All by time; then the right neighbours from the layer below, for the nodes that are live by then."""
    live = set(members)
    for disturbance in (disturbance for episode in moving for disturbance in episode):
        live = live | {disturbance.node} if isinstance(disturbance.command, Subscribe) else live - {disturbance.node}
    return in_order(moving, wrong, publishing, put_right(live))
