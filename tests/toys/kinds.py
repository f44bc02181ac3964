"""The common part of the toys' vocabularies: kinds in small letters, rules by their names, crashes and restarts."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gomboc.spec.core.model import Commanded, Input, Offer, Received, Timeout
from gomboc.spec.core.protocol import Cited


class Kind(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower, forbid_unknown_fields=True):
    """Common base of messages and commands."""


class Crash(Kind, frozen=True):
    """From outside: take no part."""


class Restart(Kind, frozen=True):
    """From outside: take part again."""


def rule(local: Any, taken: Input) -> Cited:
    """The rule's name is that of the message or command that it answers."""
    match taken:
        case Timeout():
            return Cited("timeout", "Section 1")
        case Received(what) | Commanded(what):
            return Cited(type(what).__name__.lower(), "Section 2")
    raise KeyError(taken)


def failing(states: Mapping[str, Any]) -> Iterator[Offer]:
    """Each node may crash, and a crashed one restart."""
    for node, local in sorted(states.items()):
        yield Offer(node, Restart(), "restart") if local.crashed else Offer(node, Crash(), "crash")
