"""The directory of topics, implemented."""

from collections.abc import Mapping
from functools import partial

from gomboc.impl.core.automaton import Core, Implementation, RandomSource
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.vocabulary import plain
from gomboc.impl.protocols.topic_directory import commands, messages
from gomboc.impl.protocols.topic_directory.core import Directory
from gomboc.impl.protocols.topic_directory.parameters import Parameters, read
from gomboc.impl.protocols.topic_directory.port import PORT
from gomboc.impl.protocols.topic_directory.states import BLANK, load

__all__ = ["IMPLEMENTATION", "PORT"]


def _make(parameters: Parameters, role: str, name: str, value: object, random: RandomSource) -> Core:
    del random  # No rule tosses a coin.
    if role != "node":
        raise UsageError(f"The directory has no role {role!r}; it has: node.")
    return Directory(name, load(value), parameters)


def _configured(values: Mapping[str, object]) -> Implementation:
    return _implementation(read(values))


def _implementation(parameters: Parameters) -> Implementation:
    return Implementation(
        name="topic_directory",
        protocol="topic_directory",
        make=partial(_make, parameters),
        configured=_configured,
        decode=messages.decode,
        decode_command=commands.decode,
        words=messages.WORDS,
        blank={"node": plain(BLANK)},
    )


IMPLEMENTATION = _implementation(Parameters())
