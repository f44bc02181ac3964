"""The port of Chord: nodes join through a member and look keys up; nothing is published."""

from collections.abc import Mapping

from gomboc.impl.core.routing import Routed, StillRouted
from gomboc.impl.core.vocabulary import Crash
from gomboc.impl.protocols.chord import deliveries
from gomboc.impl.protocols.chord.commands import Join, Leave, Lookup, Peers, Unwatch, Watch
from gomboc.impl.protocols.chord.messages import RouteReply
from gomboc.impl.protocols.chord.parameters import read
from gomboc.impl.publishing.port import Lookups, Port, Route, Routing


def _place(parameters: Mapping[str, object], key: str) -> str:
    return read(parameters).circle.key_of(key)


def _answer(content: object) -> tuple[str, str] | None:
    return (content.key, content.owner) if isinstance(content, RouteReply) else None


def _told(content: object) -> Route | None:
    match content:
        case deliveries.Route(key, hop):
            return Route(key, Routed(hop), is_period=False)
        case deliveries.StillRoute(key, hop):
            return Route(key, StillRouted(hop), is_period=True)
        case _:
            return None


def _neighbours(content: object) -> tuple[str, ...] | None:
    if not isinstance(content, deliveries.Neighbours):
        return None
    return tuple(sorted({*content.successors, *([] if content.predecessor is None else [content.predecessor])}))


PORT = Port(
    member="node",
    leave=lambda _forget: Leave(),
    agreed=read,
    join_via=Join,
    lookups=Lookups(_place, Lookup, _answer),
    routing=Routing(
        watch=Watch,
        unwatch=Unwatch,
        peers=Peers,
        told=_told,
        neighbours=_neighbours,
        own=("bits", "ids", "r", "fingers"),
        # Without it, parts of a ring that have lost each other never meet again.
        added={"meet": True},
    ),
    crash=(Crash(),),
    crashed_answers=True,
)
