"""Any value of a declared type: a struct of symbols, and a path for each choice of what cannot be a symbol."""

from collections.abc import Callable, Mapping
from enum import EnumType
from types import UnionType
from typing import Annotated, Any, Literal, Protocol, Union, get_args, get_origin, get_type_hints, runtime_checkable

import msgspec
import z3

from gomboc.checker.core.errors import UsageError
from gomboc.checker.prove.closure.paths import OF_CODE, Path
from gomboc.checker.prove.closure.symbols import Number, Symbol, Text

MOST = 1
"""How many items a collection has at most, by default."""

Builder = Callable[[str], Any]
"""`builder(name)`: any value of a type, its symbols named so."""

Builders = Mapping[str, Builder]
"""By type or place of a value, such as "NodeName", "str", "int", "Node.peers": how it is built, if not by its type."""


def constant(value: Any) -> Callable[..., Any]:
    """A function of anything, with that value."""

    def same(*arguments: Any) -> Any:
        del arguments
        return value

    return same


class Values(msgspec.Struct, frozen=True):
    """Builds any value of a type in a path. `most` items are in a tuple or set; `builders` take precedence."""

    path: Path
    builders: Builders
    most: Mapping[str, int]

    def struct(self, kind: Any) -> Any:
        """Any struct of that type."""
        hints = get_type_hints(kind, include_extras=True)
        name = kind.__name__
        return kind(**{field: self.any(hints[field], f"{name}.{field}") for field in kind.__struct_fields__})

    def any(self, hint: Any, where: str) -> Any:
        """Any value of a type; `where` is the place of the value, as class and field.

        Raises UsageError for a type of which no values can be built.
        """
        if where in self.builders:
            return self.builders[where](self.path.fresh(where))
        origin, arguments = get_origin(hint), get_args(hint)
        if origin is Annotated:
            named = [one for one in arguments[1:] if type(one).__name__ == "IsName"]
            return self._plain("name", where) if named else self.any(arguments[0], where)
        if origin in (Union, UnionType):
            return self.any(arguments[self.path.choose(len(arguments))], where)
        if origin is Literal:
            return arguments[self.path.choose(len(arguments))]
        if origin is frozenset or (origin is tuple and arguments[1:] == (...,)):
            return origin(self._items(arguments[0], where))
        if origin is tuple:
            return tuple([self.any(part, f"{where}[{place}]") for place, part in enumerate(arguments)])
        if hint is type(None):
            return None
        if isinstance(hint, EnumType):
            return list(hint)[self.path.choose(len(hint))]
        if hint is bool:
            return bool(self.path.choose(2))
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            return self.struct(hint)
        return self._plain(getattr(hint, "__name__", str(hint)), where)

    def _items(self, hint: Any, where: str) -> list[Any]:
        most = self.path.bounds[where] = self.most.get(where, MOST)
        return [self.any(hint, f"{where}[]") for _ in range(self.path.choose(most + 1))]

    def _plain(self, kind: str, where: str) -> Any:
        if kind in self.builders:
            return self.builders[kind](self.path.fresh(where))
        if kind == "int":
            return Number(self.path, z3.Int(self.path.fresh(where)))
        if kind == "name":
            return self.node(where)
        if kind == "str":
            return self.text(kind, where)
        raise UsageError(f"{where}: closure cannot be proved of values of type {kind}: name a builder for it.")

    def node(self, where: str) -> Any:
        """Any node: one of those that every system has, or another one."""
        number = self.path.choose(len(self.path.fixed) + 1)
        return (*self.path.fixed, None)[number] or self.text("name", where)

    def text(self, kind: str, where: str) -> Symbol:
        """Any text; names of nodes are written n0, n1, ..., other texts t0, t1, ..."""
        term = z3.Int(self.path.fresh(where))
        if kind != "name":
            return Text(self.path, term, text, free=True)
        self.path.add(z3.Or(term >= 0, term <= OF_CODE))
        return Symbol(self.path, term, name, free=True)


def name(number: int) -> str:
    """The name with that number."""
    return _numbered("n", "m", number)


def text(number: int) -> str:
    """The text with that number."""
    return _numbered("t", "s", number)


def _numbered(letter: str, below: str, number: int) -> str:
    return f"{letter}{number}" if number >= 0 else f"{below}{-number}"


@runtime_checkable
class Concrete(Protocol):
    """An object of an encoding that says which value an assignment gives to it."""

    def concrete(self, model: Any) -> Any:
        """That value."""


def concrete(value: Any, model: Any) -> Any:
    """A value with the texts and numbers that an assignment gives to its symbols."""
    match value:
        case Symbol():
            number = model.eval(value.term, model_completion=True).as_long()
            known = value.path.spelled_as(number)
            return value.spelled(number) if known is None else known
        case Number():
            return model.eval(value.term, model_completion=True).as_long()
        case msgspec.Struct():
            fields = {field: concrete(getattr(value, field), model) for field in value.__struct_fields__}
            return type(value)(**fields)
        case tuple():
            return tuple(concrete(part, model) for part in value)
        case frozenset():
            return frozenset(concrete(part, model) for part in value)
        case Concrete():
            return value.concrete(model)
    return value
