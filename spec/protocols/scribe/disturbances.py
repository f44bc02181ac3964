"""Disturbances of a run: nodes crash or leave, applications change their minds and publish, and routes move."""

from functools import partial

from gomboc.spec.core.domain import Domain, OneOf, Record, Table, Union, optional, several
from gomboc.spec.core.protocol import Disturbance, Size
from gomboc.spec.core.schedules import TIMES, Episode, episodes, in_order, timed
from gomboc.spec.layers.lists import SETTLED
from gomboc.spec.layers.routing import Routed, StillRouted
from gomboc.spec.protocols.scribe.parameters import Parameters
from gomboc.spec.protocols.scribe.space import SHAPES, Names, Shape, names, routes
from gomboc.spec.protocols.scribe.state import Depart, Heard, Issue, WantIn, WantOut
from gomboc.spec.publishing.holdings import universe
from gomboc.spec.publishing.publications import Publication
from gomboc.spec.types.kinds import Crash

DELAYS = OneOf((1.0, 3.0, 9.0))
"""The time between two wishes of an application, in periods."""


def disturbances(size: Size, every: Names, parameters: Parameters) -> Domain:
    """Every disturbance of a run of those nodes. In the end each live one is told its right route, twice.

    The publications differ from the initial ones. With a switch, some are broadcast, and arrive at any nodes.
    """
    inside = names(size.nodes)
    fresh = universe(inside, 2 * size.publications, parameters)[size.publications :]
    heard = OneOf(((),)) if parameters.high is None else Table(_heard, fresh, _arrivals(every), len(fresh))
    shape = several(OneOf(SHAPES), OneOf(tuple(range(len(every)))))
    return Record(
        partial(_settled, every),
        (
            Table(_ended, inside[1::3], OneOf((Crash(), Depart())), len(inside[1::3])),
            TIMES,
            episodes(every, _wishes()),
            several(*(optional(_moved(node, every)) for node in every)),
            Table(_issue, fresh, TIMES, len(fresh)),
            heard,
            shape,
        ),
    )


def _ended(node: str, command: Crash | Depart) -> tuple[str, Crash | Depart]:
    return node, command


def _wishes() -> Domain:
    ends = OneOf((WantOut(), WantOut(forget=True)))
    twice = Record(lambda at, end, delay: ((at, end), (at + delay, WantIn())), (TIMES, ends, DELAYS))
    return Union((timed(WantIn(), WantOut(), WantOut(forget=True)), twice))


def _moved(node: str, every: Names) -> Domain:
    return Record(lambda at, hop: Disturbance(at, node, Routed(hop)), (TIMES, optional(OneOf(every))))


def _issue(publication: Publication, at: float) -> Disturbance:
    return Disturbance(at, publication.publisher, Issue(publication.number, publication.payload))


def _arrivals(every: Names) -> Domain:
    return Table(lambda node, at: (node, at), every, TIMES, len(every))


def _heard(publication: Publication, arrivals: tuple[tuple[str, float], ...]) -> Episode:
    return tuple(Disturbance(at, node, Heard(publication)) for node, at in arrivals)


def _settled(
    every: Names,
    ended: tuple[tuple[str, Crash | Depart], ...],
    at: float,
    wishes: Episode,
    moved: Episode,
    issued: Episode,
    heard: tuple[Episode, ...],
    shape: tuple[Shape, int],
) -> Episode:
    """All by time; then the right routes from the layer below, for the nodes that live."""
    ends = tuple(Disturbance(at, node, command) for node, command in ended)
    live = tuple(node for node in every if node not in dict(ended))
    right = routes(live, shape[0], shape[1] % len(live)).items()
    told = tuple(Disturbance(SETTLED, node, Routed(hop)) for node, hop in right)
    still = tuple(Disturbance(SETTLED + 2.0, node, StillRouted(hop)) for node, hop in right)
    return in_order(wishes, moved, issued, heard, ends, told, still)
