"""Functions that follow from the declared fields of states, messages and commands: names, faults, renaming.

A field says once what it holds, so that no such function can forget it. Relations between fields stay functions of the
protocol, and are asked first: they say more than what single fields lack.
"""

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, get_args

import msgspec

from gomboc.spec.fields import Ascending
from gomboc.spec.model import Fault
from gomboc.spec.parts import Part, parts_of

STATE = "the protocol's state.py"

Check = Callable[[Any, Any], str | None]
"""`check(parameters, value)`: what the value should be, in words; None if it is so."""
Rename = Callable[[Any, Mapping[str, str]], Any]


class Derived:
    """Functions of these structs, or unions of structs, and of the structs inside them; each is compiled once.

    `relations` have a check for each struct whose fields depend on one another. Raises DerivationError at once for a
    field from whose type nothing can be derived.
    """

    def __init__(self, *structs: Any, relations: Mapping[Any, Check] | None = None, source: str = STATE) -> None:
        self._relations, self._source = dict(relations or {}), source
        self._parts: dict[Any, Mapping[str, Part]] = {}
        self._names: dict[Any, Callable[[Any], tuple[str, ...]]] = {}
        self._checks: dict[Any, Check | None] = {}
        self._renames: dict[Any, Rename | None] = {}
        for struct in structs:
            for one in get_args(struct) or (struct,):
                self._add(one)

    def named(self, value: Any) -> tuple[str, ...]:
        """Every node that a state, message or command names, maybe more than once."""
        return self._names[type(value)](value)

    def malformed(self, parameters: Any, value: Any) -> tuple[Fault, ...]:
        """The first fault of a state, message or command that its type cannot exclude; none if it is well formed."""
        check = self._checks[type(value)]
        wrong = check(parameters, value) if check else None
        return (Fault("canonical", "", wrong, value, self._source),) if wrong else ()

    def renamed(self, value: Any, renaming: Mapping[str, str]) -> Any:
        """The value with other names of nodes, in its canonical form: what ascends by a key ascends again."""
        rename = self._renames[type(value)]
        return rename(value, renaming) if rename else value

    def _add(self, struct: Any) -> None:
        """Compile the functions of a struct, after those of the structs inside it."""
        if struct in self._parts:
            return
        parts = parts_of(struct)
        for inner in _structs_in(tuple(parts.values())):
            self._add(inner)
        self._parts[struct] = parts
        # An expression for each struct is twice as fast as functions that call one another for each field.
        names = "".join(self._names_in(part, f"value.{field}") for field, part in parts.items())
        self._names[struct] = eval(f"lambda value: ({names})", {"named": self.named})
        self._checks[struct] = self._check_of_struct(struct)
        self._renames[struct] = self._rename_of_struct(struct)

    def _names_in(self, part: Part, at: str, depth: int = 0) -> str:
        """The names in a part as items of a display, such as `value.sender,` or `*value.successors,`."""
        if part.optional:
            inner = self._names_in(msgspec.structs.replace(part, optional=False), at, depth)
            return f"*(() if {at} is None else ({inner}))," if inner else ""
        match part.form:
            case "name":
                return f"{at},"
            case "struct":
                fields = self._parts[part.struct].items()
                return "".join(self._names_in(inner, f"{at}.{field}", depth) for field, inner in fields)
            case "several":
                return "".join(self._names_in(inner, f"{at}[{place}]", depth) for place, inner in enumerate(part.parts))
            case "every":
                inner = self._names_in(part.parts[0], f"x{depth}", depth + 1)
                if inner == f"x{depth},":
                    return f"*{at},"
                return f"*[name for x{depth} in {at} for name in ({inner})]," if inner else ""
            case "union":
                some = any(self._names_in(inner, "x", depth) for inner in part.parts)
                return f"*named({at})," if some else ""
        return ""

    def _check_of_struct(self, struct: Any) -> Check | None:
        relation = self._relations.get(struct)
        checks = [(attrgetter(field), self._check_of(field, part)) for field, part in self._parts[struct].items()]
        demanding = [(get, check) for get, check in checks if check]
        if not demanding:
            return relation

        def check_fields(parameters: Any, value: Any) -> str | None:
            wrong = relation(parameters, value) if relation else None
            for get, check in demanding:
                wrong = wrong or check(parameters, get(value))
            return wrong

        return check_fields

    def _check_of(self, field: str, part: Part) -> Check | None:
        """The check of a part of a field of that name; None if there is nothing that it could lack."""
        inner = self._check_inside(field, part)
        if not part.meanings and inner is None:
            return None

        def check(parameters: Any, value: Any) -> str | None:
            if value is None and part.optional:
                return None
            for meaning in part.meanings:
                if wrong := meaning.broken(field, value, parameters):
                    return wrong
            return inner(parameters, value) if inner else None

        return check

    def _check_inside(self, field: str, part: Part) -> Check | None:
        match part.form:
            case "struct":
                return self._checks[part.struct]
            case "union":
                return lambda parameters, value: _maybe(self._checks[type(value)], parameters, value)
            case "every":
                each = self._check_of(field, part.parts[0])
                return each and (lambda parameters, value: _first(each, parameters, value))
            case "several":
                checks = [self._check_of(field, inner) for inner in part.parts]
                if any(checks):
                    return lambda parameters, value: _first_of(checks, parameters, value)
        return None

    def _rename_of_struct(self, struct: Any) -> Rename | None:
        renames = {field: self._rename_of(part) for field, part in self._parts[struct].items()}
        changing = {field: rename for field, rename in renames.items() if rename}
        if not changing:
            return None

        def rename_fields(value: Any, renaming: Mapping[str, str]) -> Any:
            return msgspec.structs.replace(
                value, **{field: rename(getattr(value, field), renaming) for field, rename in changing.items()}
            )

        return rename_fields

    def _rename_of(self, part: Part) -> Rename | None:
        """The renaming of a part; None if it names no node."""
        inner = self._rename_inside(part)
        keys = [meaning.by for meaning in part.meanings if isinstance(meaning, Ascending)]
        if inner is None:
            return None

        def rename(value: Any, renaming: Mapping[str, str]) -> Any:
            if value is None:
                return None
            changed = inner(value, renaming)
            return tuple(sorted(changed, key=keys[0])) if keys else changed

        return rename

    def _rename_inside(self, part: Part) -> Rename | None:
        match part.form:
            case "name":
                return lambda value, renaming: renaming.get(value, value)
            case "struct":
                return self._renames[part.struct]
            case "union":
                return self.renamed
            case "every":
                each = self._rename_of(part.parts[0])
                return each and (lambda value, renaming: tuple([each(item, renaming) for item in value]))
            case "several":
                renames = [self._rename_of(inner) for inner in part.parts]
                if any(renames):
                    return lambda value, renaming: tuple(
                        rename(item, renaming) if rename else item for rename, item in zip(renames, value, strict=True)
                    )
        return None


def _structs_in(parts: tuple[Part, ...]) -> Iterator[Any]:
    for part in parts:
        if part.struct is not None:
            yield part.struct
        yield from _structs_in(part.parts)


def _maybe(check: Check | None, parameters: Any, value: Any) -> str | None:
    return check(parameters, value) if check else None


def _first(check: Check, parameters: Any, values: tuple[Any, ...]) -> str | None:
    for value in values:
        if wrong := check(parameters, value):
            return wrong
    return None


def _first_of(checks: list[Check | None], parameters: Any, values: tuple[Any, ...]) -> str | None:
    for check, value in zip(checks, values, strict=True):
        if wrong := _maybe(check, parameters, value):
            return wrong
    return None
