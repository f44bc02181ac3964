"""The directory of topics, implemented."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from gomboc.impl.automaton import Core, Implementation, RandomSource
from gomboc.impl.errors import UsageError
from gomboc.impl.port import Announcing, Command, Port
from gomboc.impl.topic_directory import vocabulary
from gomboc.impl.topic_directory.core import Directory
from gomboc.impl.topic_directory.states import load

_BLANK: Mapping[str, object] = {"node": {"live": False, "neighbours": [], "topics": [], "entries": []}}


class _Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """The periods after which an entry with a silent contact expires; None if it never does."""

    expires: Annotated[int, Meta(ge=2)] | None = None


def _make(expires: int | None, role: str, name: str, value: object, random: RandomSource) -> Core:
    del random  # No rule tosses a coin.
    if role != "node":
        raise UsageError(f"The directory has no role {role!r}; it has: node.")
    return Directory(name, load(value), expires)


def _configured(values: Mapping[str, object]) -> Implementation:
    try:
        return _implementation(msgspec.convert(dict(values), _Parameters).expires)
    except msgspec.ValidationError as error:
        raise UsageError(f"These are not parameters of the directory: {error}.") from error


def _leave(forget: bool) -> Command:
    del forget  # Nothing is kept.
    return {"kind": "Crash"}


def _implementation(expires: int | None) -> Implementation:
    return Implementation(
        name="topic_directory",
        protocol="topic_directory",
        make=partial(_make, expires),
        configured=_configured,
        decode=vocabulary.decode,
        encode=vocabulary.encode,
        decode_command=vocabulary.decode_command,
        blank=_BLANK,
    )


IMPLEMENTATION = _implementation(None)
PORT = Port(
    over="skip_plus",
    member="node",
    join={"kind": "Enter"},
    leave=_leave,
    announcing=Announcing(
        announce=lambda topic: {"kind": "Announce", "topic": topic},
        retract=lambda topic: {"kind": "Retract", "topic": topic},
    ),
    crash=({"kind": "Crash"},),
    absent_answers=True,
)
