"""Starts of a system: one that is given, and the domain of those with states and messages from other domains."""

from collections.abc import Mapping, Sequence
from typing import Any

from gomboc.spec.core.domain import Domain, Record, several
from gomboc.spec.core.protocol import Start

Roles = tuple[tuple[str, str], ...]
"""The nodes of a system, each with its role."""


def started(role: str, states: Mapping[str, Any]) -> Start:
    """The start of nodes of one role in those states, ascending by name; nothing is in flight."""
    return Start(tuple((name, role) for name in sorted(states)), tuple(sorted(states.items())))


def every_start(roles: Roles, states: Sequence[Domain], in_flight: Domain) -> Record:
    """Every start of those nodes with a state from the domain of each, and messages in flight from another domain."""

    def build(chosen: tuple[Any, ...], messages: tuple[tuple[str, Any], ...]) -> Start:
        return Start(roles, tuple((name, local) for (name, _), local in zip(roles, chosen, strict=True)), messages)

    return Record(build, (several(*states), in_flight))
