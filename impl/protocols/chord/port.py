"""The port of Chord: nodes join through a member and look keys up; nothing is published."""

from collections.abc import Mapping

from gomboc.impl.core.vocabulary import Crash
from gomboc.impl.protocols.chord.commands import Join, Leave, Lookup
from gomboc.impl.protocols.chord.messages import RouteReply
from gomboc.impl.protocols.chord.parameters import read
from gomboc.impl.publishing.port import Lookups, Port


def _place(parameters: Mapping[str, object], key: str) -> str:
    return read(parameters).circle.key_of(key)


def _answer(content: object) -> tuple[str, str] | None:
    return (content.key, content.owner) if isinstance(content, RouteReply) else None


PORT = Port(
    member="node",
    leave=lambda _forget: Leave(),
    agreed=read,
    join_via=Join,
    lookups=Lookups(_place, Lookup, _answer),
    crash=(Crash(),),
)
