"""The directory of topics, implemented."""

from collections.abc import Mapping

from gomboc.impl.automaton import Core, Implementation, RandomSource
from gomboc.impl.errors import UsageError
from gomboc.impl.port import Announcing, Command, Port
from gomboc.impl.topic_directory import vocabulary
from gomboc.impl.topic_directory.core import Directory
from gomboc.impl.topic_directory.states import load

_BLANK: Mapping[str, object] = {"node": {"live": False, "neighbours": [], "topics": [], "entries": []}}


def _make(role: str, name: str, value: object, random: RandomSource) -> Core:
    del random  # No rule tosses a coin.
    if role != "node":
        raise UsageError(f"The directory has no role {role!r}; it has: node.")
    return Directory(name, load(value))


def _leave(forget: bool) -> Command:
    del forget  # Nothing is kept.
    return {"kind": "Crash"}


IMPLEMENTATION = Implementation(
    name="topic_directory",
    protocol="topic_directory",
    make=_make,
    decode=vocabulary.decode,
    encode=vocabulary.encode,
    decode_command=vocabulary.decode_command,
    blank=_BLANK,
)
PORT = Port(
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
