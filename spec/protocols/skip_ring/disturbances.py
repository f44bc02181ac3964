"""Disturbances of a run from outside: leaving and rejoining, crashes, suspicions, a restored database, publishing.

Each subscriber has one episode at most, and so has the supervisor. An episode begins within the first thirty periods
and is over ten periods later; in the end the failure detector suspects exactly the nodes that have crashed for good.
"""

from functools import partial

from gomboc.spec.core.domain import Domain, OneOf, Record, Table, Union, optional, pair
from gomboc.spec.core.protocol import Disturbance, Size
from gomboc.spec.core.schedules import TIMES, Episode, Timed, by_time
from gomboc.spec.protocols.skip_ring.space import labels
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Entry, PublishRequest, Restart, Restore, WantIn, WantOut
from gomboc.spec.publishing.holdings import universe
from gomboc.spec.publishing.publications import Parameters, Publication
from gomboc.spec.types.kinds import Crash, Suspect, Trust

DELAYS = OneOf((1.0, 2.0, 3.0))
"""The delay between two events of an episode, in periods."""

YES_OR_NO = OneOf((True, False))


def disturbances(size: Size, nodes: tuple[str, ...], parameters: Parameters | None = None) -> Domain:
    """The disturbances of a run of those nodes; only with parameters do they include publications.

    The publications differ from those that `space_with_publications` places.

    Source: Section 3.3; Section 4.1; Section 4.3
    """
    members = tuple(node for node in nodes if node != SUPERVISOR)
    befallen = Table(partial(_of_node, members), members, _episode(), (len(members) + 1) // 2)
    return by_time(befallen, optional(_restored(members)), _published(size, members, parameters))


def _episode() -> Domain:
    """An episode of one subscriber: the times of its commands, and of what the failure detector says of it."""
    leaving = TIMES, DELAYS, YES_OR_NO
    return Union(
        (
            Record(lambda at, forget: ((at, WantOut(forget)),), (TIMES, YES_OR_NO)),
            Record(lambda at, delay, forget: ((at, WantOut(forget)), (at + delay, WantIn())), leaving),
            # It does not disturb a node that wants to belong already.
            Record(lambda at: ((at, WantIn()),), (TIMES,)),
            Record(_crashes, (TIMES, DELAYS)),
            Record(lambda at, delay, keep: ((at, Crash()), (at + delay, Restart(keep))), leaving),
            Record(_is_suspected_and_restarts, (TIMES, DELAYS, DELAYS, DELAYS, YES_OR_NO)),
            Record(lambda at, delay: ((at, Suspect), (at + delay, Trust)), (TIMES, DELAYS)),
        )
    )


def _crashes(at: float, delay: float) -> Timed:
    return (at, Crash()), (at + delay, Suspect)


def _is_suspected_and_restarts(at: float, suspected: float, restarted: float, trusted: float, keep: bool) -> Timed:
    again = at + suspected + restarted
    return (*_crashes(at, suspected), (again, Restart(keep)), (again + trusted, Trust))


def _of_node(members: tuple[str, ...], node: str, commands: Timed) -> Episode:
    """The episode with this node. All other members hear of a suspicion too; they remember none."""
    others = tuple(member for member in members if member != node)
    hearers: dict[type, tuple[str, ...]] = {Suspect: (SUPERVISOR, *others), Trust: (SUPERVISOR,)}
    return tuple(
        Disturbance(at, hearer, said(node) if isinstance(said, type) else said)
        for at, said in commands
        for hearer in (hearers[said] if isinstance(said, type) else (node,))
    )


def _restored(members: tuple[str, ...]) -> Domain:
    """The supervisor starts again, with an empty database or with one that assigns the label l(0)."""
    lowest, *others = labels(len(members))
    stale = pair(
        lambda first, others: (first, *others),
        pair(Entry, OneOf((lowest,)), optional(OneOf(members))),
        Table(Entry, tuple(sorted(others)), optional(OneOf(members)), len(members) + 1),
    )
    databases = Union((OneOf(((),)), stale))
    return pair(lambda at, database: Disturbance(at, SUPERVISOR, Restore(database)), TIMES, databases)


def _published(size: Size, members: tuple[str, ...], parameters: Parameters | None) -> Domain:
    """Publications of the members, each at any time."""
    if parameters is None:
        return OneOf(((),))
    fresh = universe(members, 2 * size.publications, parameters)[size.publications :]
    return Table(_publish, fresh, TIMES, len(fresh))


def _publish(publication: Publication, at: float) -> Disturbance:
    return Disturbance(at, publication.publisher, PublishRequest(publication.number, publication.payload))
