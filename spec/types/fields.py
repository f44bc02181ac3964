"""Meaning of the fields of states, messages and commands, beyond their types, and the functions derived from it.

A field says once what it holds: `predecessor: NodeName | None`, `peers: Annotated[tuple[NodeName, ...], Ascending()]`.
From that follow the nodes that a value names, whether it is well formed, and the value with other names. Relations
between fields stay functions of the protocol.
"""

from collections.abc import Callable, Sequence
from operator import lt
from typing import Annotated, Any, get_args, get_origin

import msgspec

Limit = int | str | Callable[[Any], int]
"""A number, or where to find it: the name of a parameter, or a function of the parameters."""


class DerivationError(ValueError):
    """Nothing can be derived from the type of a field: a sentence that names module, class and field."""


def limit_of(limit: Limit, field: str, parameters: Any) -> int:
    """The number that a limit stands for. Raises DerivationError if it names no number among the parameters."""
    if isinstance(limit, int):
        return limit
    value = getattr(parameters, limit, None) if isinstance(limit, str) else limit(parameters)
    if not isinstance(value, int):
        raise DerivationError(f"{field}: its limit, {limit}, is no number among the parameters")
    return value


def _no_function(value: Any) -> bool:
    return not callable(value)


def _no_number(value: Any) -> bool:
    return not isinstance(value, int)


def _no_limit(value: Any) -> bool:
    return _no_number(value) and not isinstance(value, str) and _no_function(value)


def _no_tuple(kinds: Sequence[Any]) -> bool:
    return any(get_origin(kind) is not tuple or get_args(kind)[1:] != (...,) for kind in kinds)


STATE = "the protocol's state.py"
TUPLE = "a tuple of any length as the type"
LIMIT = "a number, the name of a parameter or a function of the parameters as its limit"


class Meaning(msgspec.Struct, frozen=True, kw_only=True):
    """Base of the annotations of a field: a fault of it is named `rule`, and cites `source`."""

    rule: str = "canonical"
    source: str = STATE

    def broken(self, field: str, parameters: Any, value: Any) -> str | None:
        """What a field of that name should hold, in words; None if the value is so."""
        raise NotImplementedError

    def unfit(self, kinds: Sequence[Any]) -> str | None:
        """What the annotation needs, in words; None if it fits a field of these types, apart from None."""
        del kinds
        return None

    def shown(self, value: Any) -> Any:
        """The part of a wrong value that shows the fault."""
        return value


class IsName(msgspec.Struct, frozen=True):
    """The text is the name of a node of the system."""


NAME_FORM = msgspec.Meta(extra_json_schema={"$ref": "trace.schema.json#/$defs/name"})
"""The form of a name, as the schema of any trace defines it; a trace with another name is read, and is judged."""

NodeName = Annotated[str, IsName(), NAME_FORM]
"""The name of a node: in a trace, one of the roles."""


class Ascending(Meaning, frozen=True, kw_only=False):
    """The items ascend by a key, and no two have the same one."""

    by: Callable[[Any], Any] | None = None

    def unfit(self, kinds: Sequence[Any]) -> str | None:
        """A tuple, and a function as the key."""
        if self.by is not None and _no_function(self.by):
            return "a function as its key"
        return TUPLE if _no_tuple(kinds) else None

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

    def unfit(self, kinds: Sequence[Any]) -> str | None:
        """A tuple."""
        return TUPLE if _no_tuple(kinds) else None

    def broken(self, field: str, parameters: Any, value: Any) -> str | None:
        """The requirement, if it is not met."""
        del parameters
        return f"{field} each once" if len(set(value)) < len(value) else None


class AtMost(Meaning, frozen=True, kw_only=False):
    """There are no more items than the limit."""

    limit: Limit

    def unfit(self, kinds: Sequence[Any]) -> str | None:
        """A tuple, and a limit."""
        return LIMIT if _no_limit(self.limit) else TUPLE if _no_tuple(kinds) else None

    def broken(self, field: str, parameters: Any, value: Any) -> str | None:
        """The requirement, if it is not met."""
        most = limit_of(self.limit, field, parameters)
        return f"{field}, at most {most}" if len(value) > most else None


class Within(Meaning, frozen=True, kw_only=False):
    """The number is at least `low` and, if there is one, below the limit."""

    low: int = 0
    below: Limit | None = None

    def unfit(self, kinds: Sequence[Any]) -> str | None:
        """A number, between two numbers."""
        if _no_number(self.low):
            return "a number as its lower limit"
        if self.below is not None and _no_limit(self.below):
            return LIMIT
        return "int as the type" if any(kind is not int for kind in kinds) else None

    def broken(self, field: str, parameters: Any, value: Any) -> str | None:
        """The requirement, if it is not met."""
        if self.below is None:
            return f"{field} from {self.low} on" if value < self.low else None
        below = limit_of(self.below, field, parameters)
        return None if self.low <= value < below else f"{field} from {self.low} to {below - 1}"


class OnlyWith(Meaning, frozen=True, kw_only=False):
    """The field is empty unless that parameter is set; without parameters, none is."""

    parameter: str

    def broken(self, field: str, parameters: Any, value: Any) -> str | None:
        """The requirement, if it is not met."""
        if not value or getattr(parameters, self.parameter, None):
            return None
        if parameters is not None and not hasattr(parameters, self.parameter):
            raise DerivationError(f"{field}: {self.parameter} is not among the parameters")
        return f"no {field} without {self.parameter}"


class Holds(Meaning, frozen=True, kw_only=False):
    """A requirement in words: `test(parameters, value)` gives what the field should be, None if it is so."""

    test: Callable[[Any, Any], str | None]

    def unfit(self, kinds: Sequence[Any]) -> str | None:
        """A function."""
        del kinds
        return "a function as its test" if _no_function(self.test) else None

    def broken(self, field: str, parameters: Any, value: Any) -> str | None:
        """The requirement, if it is not met."""
        del field
        return self.test(parameters, value)
