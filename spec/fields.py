"""Meaning of the fields of states, messages and commands, beyond their types, and the functions derived from it.

A field says once what it holds: `predecessor: NodeName | None`, `peers: Annotated[tuple[NodeName, ...], Ascending()]`.
From that follow the nodes that a value names, whether it is well formed, and the value with other names. Relations
between fields stay functions of the protocol.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Annotated, Any

import msgspec

Limit = int | str | Callable[[Any], int]
"""A number, or where to find it: the name of a parameter, or a function of the parameters."""


def limit_of(limit: Limit, parameters: Any) -> int:
    """The number that a limit stands for."""
    if isinstance(limit, int):
        return limit
    value = limit(parameters) if callable(limit) else getattr(parameters, limit)
    assert isinstance(value, int)
    return value


class Meaning(msgspec.Struct, frozen=True):
    """Base of the annotations of a field. `broken` says what the field should be, in words; None if it is so."""

    def broken(self, field: str, value: Any, parameters: Any) -> str | None:
        """What a field of that name should hold and `value` does not; None if there is nothing to say."""
        del field, value, parameters
        return None


class IsName(Meaning, frozen=True):
    """The text is the name of a node of the system."""


NodeName = Annotated[str, IsName()]
"""The name of a node: in a trace, one of the roles."""


class Ascending(Meaning, frozen=True):
    """The items ascend by a key, and no two have the same one."""

    by: Callable[[Any], Any] | None = None

    def broken(self, field: str, value: Any, parameters: Any) -> str | None:
        """The requirement, if it is not met."""
        del parameters
        keys = [*map(self.by, value)] if self.by else [*value]
        return None if all(one < other for one, other in pairwise(keys)) else f"{field} ascending, each once"


class Distinct(Meaning, frozen=True):
    """No item stands twice; their order means something."""

    def broken(self, field: str, value: Any, parameters: Any) -> str | None:
        """The requirement, if it is not met."""
        del parameters
        return f"{field} each once" if len(set(value)) < len(value) else None


class AtMost(Meaning, frozen=True):
    """There are no more items than the limit."""

    limit: Limit

    def broken(self, field: str, value: Any, parameters: Any) -> str | None:
        """The requirement, if it is not met."""
        most = limit_of(self.limit, parameters)
        return f"{field}, at most {most}" if len(value) > most else None


class Within(Meaning, frozen=True):
    """The number is at least `low` and, if there is one, below the limit."""

    low: int = 0
    below: Limit | None = None

    def broken(self, field: str, value: Any, parameters: Any) -> str | None:
        """The requirement, if it is not met."""
        if self.below is None:
            return f"{field} from {self.low} on" if value < self.low else None
        below = limit_of(self.below, parameters)
        return None if self.low <= value < below else f"{field} from {self.low} to {below - 1}"


class OnlyWith(Meaning, frozen=True):
    """The field is empty unless that parameter is set."""

    parameter: str

    def broken(self, field: str, value: Any, parameters: Any) -> str | None:
        """The requirement, if it is not met."""
        return (
            f"no {field}, as {self.parameter} is not set" if value and not getattr(parameters, self.parameter) else None
        )


class Holds(Meaning, frozen=True):
    """A requirement in words: `test(parameters, value)` gives what the field should be, None if it is so."""

    test: Callable[[Any, Any], str | None]

    def broken(self, field: str, value: Any, parameters: Any) -> str | None:
        """The requirement, if it is not met."""
        del field
        return self.test(parameters, value)
