"""The directory of topics, implemented."""

from collections.abc import Mapping

from impl.automaton import Core, Implementation, RandomSource
from impl.errors import UsageError
from impl.topic_directory import vocabulary
from impl.topic_directory.core import Directory
from impl.topic_directory.states import load

_BLANK: Mapping[str, object] = {"node": {"live": False, "neighbours": [], "topics": [], "entries": []}}


def _make(role: str, name: str, value: object, random: RandomSource) -> Core:
    del random  # No rule tosses a coin.
    if role != "node":
        raise UsageError(f"The directory has no role {role!r}; it has: node.")
    return Directory(name, load(value))


IMPLEMENTATION = Implementation(
    name="topic_directory",
    protocol="topic_directory",
    make=_make,
    decode=vocabulary.decode,
    encode=vocabulary.encode,
    decode_command=vocabulary.decode_command,
    blank=_BLANK,
)
