"""Meaning of the fields of states, messages and commands, beyond their types, and the functions derived from it.

A field says once what it holds: `predecessor: NodeName | None`, `peers: Annotated[tuple[NodeName, ...], Ascending()]`.
From that follow the nodes that a value names, whether it is well formed, and the value with other names. Relations
between fields stay functions of the protocol.
"""

from collections.abc import Callable
from operator import lt
from typing import Annotated, Any

import msgspec

Limit = int | str | Callable[[Any], int]
"""A number, or where to find it: the name of a parameter, or a function of the parameters."""


def limit_of(limit: Limit, parameters: Any) -> int:
    """The number that a limit stands for."""
    if isinstance(limit, int):
        return limit
    value = getattr(parameters, limit) if isinstance(limit, str) else limit(parameters)
    assert isinstance(value, int)
    return value


STATE = "the protocol's state.py"


class Meaning(msgspec.Struct, frozen=True, kw_only=True):
    """Base of the annotations of a field: a fault of it is named `rule`, and cites `source`."""

    rule: str = "canonical"
    source: str = STATE

    def broken(self, field: str, parameters: Any, value: Any) -> str | None:
        """What a field of that name should hold, in words; None if the value is so."""
        raise NotImplementedError

    def shown(self, value: Any) -> Any:
        """The part of a wrong value that shows the fault."""
        return value


class IsName(msgspec.Struct, frozen=True):
    """The text is the name of a node of the system."""


NodeName = Annotated[str, IsName()]
"""The name of a node: in a trace, one of the roles."""


class Ascending(Meaning, frozen=True, kw_only=False):
    """The items ascend by a key, and no two have the same one."""

    by: Callable[[Any], Any] | None = None

    def shown(self, value: Any) -> Any:
        """The keys."""
        return tuple(map(self.by, value)) if self.by else value

    def broken(self, field: str, parameters: Any, value: Any) -> str | None:
        """The requirement, if it is not met."""
        del parameters
        if len(value) < 2:
            return None
        keys = self.shown(value)
        return None if all(map(lt, keys, keys[1:])) else f"{field} ascending, each once"


class Distinct(Meaning, frozen=True, kw_only=False):
    """No item stands twice; their order means something."""

    def broken(self, field: str, parameters: Any, value: Any) -> str | None:
        """The requirement, if it is not met."""
        del parameters
        return f"{field} each once" if len(set(value)) < len(value) else None


class AtMost(Meaning, frozen=True, kw_only=False):
    """There are no more items than the limit."""

    limit: Limit

    def broken(self, field: str, parameters: Any, value: Any) -> str | None:
        """The requirement, if it is not met."""
        most = limit_of(self.limit, parameters)
        return f"{field}, at most {most}" if len(value) > most else None


class Within(Meaning, frozen=True, kw_only=False):
    """The number is at least `low` and, if there is one, below the limit."""

    low: int = 0
    below: Limit | None = None

    def broken(self, field: str, parameters: Any, value: Any) -> str | None:
        """The requirement, if it is not met."""
        if self.below is None:
            return f"{field} from {self.low} on" if value < self.low else None
        below = limit_of(self.below, parameters)
        return None if self.low <= value < below else f"{field} from {self.low} to {below - 1}"


class OnlyWith(Meaning, frozen=True, kw_only=False):
    """The field is empty unless that parameter is set; without parameters, none is."""

    parameter: str

    def broken(self, field: str, parameters: Any, value: Any) -> str | None:
        """The requirement, if it is not met."""
        return (
            f"no {field} without {self.parameter}" if value and not getattr(parameters, self.parameter, None) else None
        )


class Holds(Meaning, frozen=True, kw_only=False):
    """A requirement in words: `test(parameters, value)` gives what the field should be, None if it is so."""

    test: Callable[[Any, Any], str | None]

    def broken(self, field: str, parameters: Any, value: Any) -> str | None:
        """The requirement, if it is not met."""
        del field
        return self.test(parameters, value)
