"""The port of Chord: one joins through a member, looks keys up, and publishes nothing."""

from collections.abc import Mapping

import msgspec

from gomboc.impl.chord.messages import Found
from gomboc.impl.chord.parameters import read
from gomboc.impl.port import Command, Lookups, Port


def _join(contact: str) -> Command:
    return {"kind": "Join", "contact": contact}


def _leave(forget: bool) -> Command:
    del forget  # Who has left knows nothing any more.
    return {"kind": "Leave"}


def _agreed(parameters: Mapping[str, object]) -> object:
    return msgspec.to_builtins(read(parameters))


def _place(parameters: Mapping[str, object], key: str) -> str:
    return read(parameters).circle().key_of(key)


def _ask(key: str) -> Command:
    return {"kind": "Lookup", "key": key}


def _answer(content: object) -> tuple[str, str] | None:
    return (content.key, content.owner) if isinstance(content, Found) else None


PORT = Port(
    member="node",
    join={},
    leave=_leave,
    agreed=_agreed,
    join_through=_join,
    lookups=Lookups(_place, _ask, _answer),
    crash=({"kind": "Crash"},),
)
