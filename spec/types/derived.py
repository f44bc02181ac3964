"""Functions that follow from the declared fields of states, messages and commands: names, faults, renaming.

A field states its values once, so that no such function can forget them. Relations between fields stay functions of the
protocol, and are asked first: they say more than the faults of single fields.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, get_args

import msgspec

from gomboc.spec.core.model import Fault
from gomboc.spec.types.fields import Ascending, DerivationError, Holds, Meaning
from gomboc.spec.types.parts import Part, parts_of, place_of

Suspicion = Callable[[Any, Any], Any]
"""`suspicion(parameters, value)`: something true if the value has a fault."""
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
        self._suspicions: dict[Any, Suspicion | None] = {}
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
        # Most values are well formed: one quick test says so, and nothing is built for them.
        suspicion = self._suspicions.get(type(value))
        if suspicion is None or not suspicion(parameters, value):
            return ()
        return tuple(self._faults_in(type(value), parameters, value))

    def renamed(self, value: Any, renaming: Mapping[str, str]) -> Any:
        """The value with other names of nodes, in its canonical form: sequences ascend by their keys again."""
        rename = self._renames.get(type(value))
        return rename(value, renaming) if rename else value

    def _add(self, struct: Any, around: tuple[Any, ...] = ()) -> None:
        """Compile the functions of a struct, after those of the structs inside it; `around` are those it is inside."""
        if struct in self._parts:
            return
        parts = parts_of(struct)
        around = (*around, struct)
        for field, part in parts.items():
            for inner in _structs_in((part,)):
                if inner in around:
                    where = place_of(struct, field)
                    raise DerivationError(
                        f"{where}: nothing can be derived from {inner.__name__}, which is inside itself"
                    )
                self._add(inner, around)
        self._parts[struct] = parts
        # An expression for each struct is twice as fast as functions that call one another for each field.
        names = "".join(self._names_in(part, f"value.{field}") for field, part in parts.items())
        self._names[struct] = eval(f"lambda value: ({names})", {"named": self.named})
        self._suspicions[struct] = self._suspicion_of_struct(struct)
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

    def _faults_in(self, struct: Any, parameters: Any, value: Any) -> Iterator[Fault]:
        """The faults of a struct: few values have any, so that nothing is compiled for it."""
        if struct in self._relations:
            yield from _faults_of(self._relations[struct], "", parameters, value)
        for field, part in self._parts[struct].items():
            yield from self._faults_inside(field, part, parameters, getattr(value, field))

    def _faults_inside(self, field: str, part: Part, parameters: Any, value: Any) -> Iterator[Fault]:
        if part.optional and value is None:
            return
        for meaning in part.meanings:
            yield from _faults_of(meaning, field, parameters, value)
        match part.form:
            case "struct":
                yield from self._faults_in(part.struct, parameters, value)
            case "union":
                yield from self.malformed(parameters, value)
            case "every":
                for item in value:
                    yield from self._faults_inside(field, part.parts[0], parameters, item)
            case "several":
                for inner, item in zip(part.parts, value, strict=False):
                    yield from self._faults_inside(field, inner, parameters, item)

    def _suspicion_of_struct(self, struct: Any) -> Suspicion | None:
        """Whether a struct has a fault; None if it cannot have one."""
        tests: dict[str, Suspicion] = {"t": self._is_suspicious}
        within = self._suspicions_in(struct, tests, "value", 0)
        return eval(f"lambda parameters, value: {within}", tests) if within else None

    def _suspicions_in(self, struct: Any, tests: dict[str, Suspicion], at: str, depth: int) -> str:
        """An expression that is true if a struct has a fault; empty if it cannot have one. `tests` gets its tests."""
        found = [self._called(self._relations[struct].test, tests, at)] if struct in self._relations else []
        for field, part in self._parts[struct].items():
            found.append(self._suspicion_in(part, place_of(struct, field), tests, f"{at}.{field}", depth))
        return " or ".join(filter(None, found))

    def _suspicion_in(self, part: Part, where: str, tests: dict[str, Suspicion], at: str, depth: int) -> str:
        """The same of a part."""
        found = [self._called(_suspicion_of_meaning(meaning, where), tests, at) for meaning in part.meanings]
        match part.form:
            case "struct":
                found.append(self._suspicions_in(part.struct, tests, at, depth))
            case "union":
                found.append(f"t(parameters, {at})")
            case "every":
                each = self._suspicion_in(part.parts[0], where, tests, f"x{depth}", depth + 1)
                found.append(f"any([{each} for x{depth} in {at}])" if each else "")
            case "several":
                for place, inner in enumerate(part.parts):
                    found.append(self._suspicion_in(inner, where, tests, f"{at}[{place}]", depth))
        either = " or ".join(filter(None, found))
        if not either:
            return ""
        # An empty tuple has no fault, unless a requirement of its own says so.
        if part.form == "every" and not any(isinstance(meaning, Holds) for meaning in part.meanings):
            return f"({at} and ({either}))"
        return f"({at} is not None and ({either}))" if part.optional else f"({either})"

    def _called(self, test: Suspicion, tests: dict[str, Suspicion], at: str) -> str:
        name = f"t{len(tests)}"
        tests[name] = test
        return f"{name}(parameters, {at})"

    def _is_suspicious(self, parameters: Any, value: Any) -> Any:
        suspicion = self._suspicions.get(type(value))
        return suspicion is not None and suspicion(parameters, value)

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


def _faults_of(meaning: Meaning, field: str, parameters: Any, value: Any) -> Iterator[Fault]:
    if wrong := meaning.broken(field, parameters, value):
        yield Fault(meaning.rule, "", wrong, meaning.shown(value), meaning.source)


def _suspicion_of_meaning(meaning: Meaning, where: str) -> Suspicion:
    # Holds is asked without the detour of its method: it is the most frequent one.
    return meaning.test if isinstance(meaning, Holds) else partial(meaning.broken, where)
