"""The port of Chord: nodes join through a member and look keys up; nothing is published."""

from collections.abc import Mapping

import msgspec

from gomboc.impl.protocols.chord.messages import RouteReply
from gomboc.impl.protocols.chord.parameters import read
from gomboc.impl.publishing.port import Command, Lookups, Port


def _join(contact: str) -> Command:
    return {"kind": "Join", "contact": contact}


def _leave(forget: bool) -> Command:
    del forget  # A node that has left keeps no state.
    return {"kind": "Leave"}


def _agreed(parameters: Mapping[str, object]) -> object:
    return msgspec.to_builtins(read(parameters))


def _place(parameters: Mapping[str, object], key: str) -> str:
    return read(parameters).circle().key_of(key)


def _ask(key: str) -> Command:
    return {"kind": "Lookup", "key": key}


def _answer(content: object) -> tuple[str, str] | None:
    return (content.key, content.owner) if isinstance(content, RouteReply) else None


PORT = Port(
    member="node",
    join={},
    leave=_leave,
    agreed=_agreed,
    join_via=_join,
    lookups=Lookups(_place, _ask, _answer),
    crash=({"kind": "Crash"},),
)
