"""Functions that follow from the declared fields of states, messages and commands: names, faults, renaming.

A field says once what it holds, so that no such function can forget it. Relations between fields stay functions of the
protocol, and are asked first: they say more than what single fields lack.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from operator import attrgetter
from typing import Any, get_args

import msgspec

from gomboc.spec.fields import Ascending, Holds, Meaning
from gomboc.spec.model import Fault
from gomboc.spec.parts import Part, parts_of

Check = Callable[[Any, Any], tuple[Fault, ...]]
"""`check(parameters, value)`: the faults of a value."""
Rename = Callable[[Any, Mapping[str, str]], Any]


class Derived:
    """Functions of these structs, or unions of structs, and of the structs inside them; each is compiled once.

    `relations` has a requirement for each struct whose fields depend on one another. Raises DerivationError at once for
    a field from whose type nothing can be derived.
    """

    def __init__(self, *structs: Any, relations: Mapping[Any, Holds] | None = None) -> None:
        self._relations = dict(relations or {})
        self._parts: dict[Any, Mapping[str, Part]] = {}
        self._names: dict[Any, Callable[[Any], tuple[str, ...]]] = {}
        self._checks: dict[Any, Check | None] = {}
        self._renames: dict[Any, Rename | None] = {}
        for struct in structs:
            for one in get_args(struct) or (struct,):
                self._add(one)

    def named(self, value: Any) -> tuple[str, ...]:
        """Every node that a state, message or command names, maybe more than once."""
        names = self._names.get(type(value))
        return names(value) if names else ()

    def malformed(self, parameters: Any, value: Any) -> tuple[Fault, ...]:
        """The faults of a state, message or command that its type cannot exclude, those of its relation first."""
        check = self._checks.get(type(value))
        return check(parameters, value) if check else ()

    def renamed(self, value: Any, renaming: Mapping[str, str]) -> Any:
        """The value with other names of nodes, in its canonical form: what ascends by a key ascends again."""
        rename = self._renames.get(type(value))
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
        found = [(field, self._check_of(field, part)) for field, part in self._parts[struct].items()]
        checks = [(attrgetter(field), check) for field, check in found if check]
        if not checks and relation is None:
            return None
        related = _requirement(relation, "") if relation else None

        def check_fields(parameters: Any, value: Any) -> tuple[Fault, ...]:
            faults = related(parameters, value) if related else ()
            for get, check in checks:
                if wrong := check(parameters, get(value)):
                    faults += wrong
            return faults

        return check_fields

    def _check_of(self, field: str, part: Part) -> Check | None:
        """The check of a part of a field of that name; None if there is nothing that it could lack."""
        inner, meanings = self._check_inside(field, part), part.meanings
        if not meanings:
            return inner and _unless_none(inner) if part.optional else inner

        required = [_requirement(meaning, field) for meaning in meanings]
        if inner is None and len(required) == 1:
            return _unless_none(required[0]) if part.optional else required[0]

        def check(parameters: Any, value: Any) -> tuple[Fault, ...]:
            faults: tuple[Fault, ...] = ()
            for requirement in required:
                if wrong := requirement(parameters, value):
                    faults += wrong
            return faults + inner(parameters, value) if inner else faults

        return _unless_none(check) if part.optional else check

    def _check_inside(self, field: str, part: Part) -> Check | None:
        match part.form:
            case "struct":
                return self._checks[part.struct]
            case "union":
                return self.malformed
            case "every":
                each = self._check_of(field, part.parts[0])
                return _of_every(each) if each else None
            case "several":
                checks = [self._check_of(field, inner) for inner in part.parts]
                return _of_several(checks) if any(checks) else None
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


def _requirement(meaning: Meaning, field: str) -> Check:
    # Holds is asked without the detour of its method: it is the most frequent one.
    broken = meaning.test if isinstance(meaning, Holds) else partial(_broken, meaning, field)

    def check(parameters: Any, value: Any) -> tuple[Fault, ...]:
        wrong = broken(parameters, value)
        return (Fault(meaning.rule, "", wrong, meaning.shown(value), meaning.source),) if wrong else ()

    return check


def _broken(meaning: Meaning, field: str, parameters: Any, value: Any) -> str | None:
    return meaning.broken(field, value, parameters)


def _unless_none(check: Check) -> Check:
    return lambda parameters, value: () if value is None else check(parameters, value)


def _of_every(check: Check) -> Check:
    def check_every(parameters: Any, values: tuple[Any, ...]) -> tuple[Fault, ...]:
        faults: tuple[Fault, ...] = ()
        for value in values:
            # Most values are well formed: nothing is built for these.
            if wrong := check(parameters, value):
                faults += wrong
        return faults

    return check_every


def _of_several(checks: list[Check | None]) -> Check:
    demanding = [(place, check) for place, check in enumerate(checks) if check]

    def check_several(parameters: Any, values: tuple[Any, ...]) -> tuple[Fault, ...]:
        faults: tuple[Fault, ...] = ()
        for place, check in demanding:
            if wrong := check(parameters, values[place]):
                faults += wrong
        return faults

    return check_several
