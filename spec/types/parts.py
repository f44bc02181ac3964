"""The types of fields, taken apart into what functions can be derived from."""

import re
import types
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from gomboc.spec.types.fields import DerivationError, IsName, Meaning

PLAIN = (str, int, float, bool, bytes, type(None))


class Part(msgspec.Struct, frozen=True):
    """A type of a field, taken apart.

    `form`: "name" is a node's name, "plain" any other text, number or truth value; "struct" has named parts, "several"
    is a tuple of these parts, "every" one of any length of this part, and "union" one of these structs. None may stand
    in its place if it is `optional`.
    """

    form: Literal["name", "plain", "struct", "several", "every", "union"]
    parts: tuple["Part", ...] = ()
    struct: Any = None
    meanings: tuple[Meaning, ...] = ()
    optional: bool = False


def parts_of(struct: Any) -> Mapping[str, Part]:
    """The parts of a struct, by field. Raises DerivationError for a field that cannot be taken apart."""
    try:
        hints = get_type_hints(struct, include_extras=True)
    except (NameError, AttributeError) as error:
        raise DerivationError(_unresolved(struct, str(error.name))) from error
    return {field: _part(hints[field], place_of(struct, field)) for field in struct.__struct_fields__}


def place_of(struct: Any, field: str) -> str:
    """Module, class and field, as a sentence about the field begins."""
    return f"{struct.__module__}.{struct.__qualname__}.{field}"


def _unresolved(struct: Any, name: str) -> str:
    annotated = [pair for one in struct.__mro__ for pair in vars(one).get("__annotations__", {}).items()]
    fields = [field for field, hint in annotated if re.search(rf"\b{re.escape(name)}\b", str(hint))]
    return f"{place_of(struct, ', '.join(fields))}: its type names {name}, which its module does not define"


def _part(hint: Any, where: str) -> Part:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1:], where)
    if origin in (Union, types.UnionType):
        return _union([argument for argument in arguments if argument is not type(None)], arguments, where)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return Part("every", (_part(arguments[0], where),))
    if origin is tuple:
        return Part("several", tuple(_part(argument, where) for argument in arguments))
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return Part("struct", struct=hint)
    if origin is Literal or hint in PLAIN:
        return Part("plain")
    shown = getattr(hint, "__name__", hint)
    raise DerivationError(
        f"{where}: names, faults and schema cannot be derived from {shown}: use texts, numbers, truth values, "
        "literals, structs, or tuples and unions of them"
    )


def _annotated(hint: Any, annotations: tuple[Any, ...], where: str) -> Part:
    part = _part(hint, where)
    annotations = tuple(_flat(annotations))
    kinds = tuple(_kinds(hint))
    for one in annotations:
        if isinstance(one, type) and issubclass(one, Meaning | IsName):
            raise DerivationError(f"{where}: {one.__name__} is a class: annotate with {one.__name__}(...)")
        if isinstance(one, Meaning) and (needed := one.unfit(kinds)):
            raise DerivationError(f"{where}: {type(one).__name__} needs {needed}")
    if any(isinstance(one, IsName) for one in annotations):
        if hint is not str:
            raise DerivationError(f"{where}: a node's name is a text: annotate str with NodeName")
        part = msgspec.structs.replace(part, form="name")
    meanings = tuple(one for one in annotations if isinstance(one, Meaning))
    return msgspec.structs.replace(part, meanings=(*part.meanings, *meanings))


def _flat(annotations: tuple[Any, ...]) -> Iterator[Any]:
    """The annotations, with those of a type such as NodeName in its place."""
    for one in annotations:
        if get_origin(one) is Annotated:
            yield from _flat(get_args(one)[1:])
        else:
            yield one


def _kinds(hint: Any) -> Iterator[Any]:
    """The types of a hint, without annotations and None."""
    if get_origin(hint) is Annotated:
        yield from _kinds(get_args(hint)[0])
    elif get_origin(hint) in (Union, types.UnionType):
        for one in get_args(hint):
            yield from _kinds(one)
    elif hint is not type(None):
        yield hint


def _union(present: list[Any], all_: tuple[Any, ...], where: str) -> Part:
    optional = len(present) < len(all_)
    parts = tuple(_part(argument, where) for argument in present)
    if len(parts) == 1:
        return msgspec.structs.replace(parts[0], optional=optional)
    forms = {part.form for part in parts}
    if forms == {"plain"}:
        return Part("plain", optional=optional)
    if forms - {"struct", "plain"}:
        raise DerivationError(f"{where}: a union is one of structs and plain values, each maybe None")
    structs = tuple(part for part in parts if part.form == "struct")
    tags = {part.struct.__struct_config__.tag for part in structs} - {None}
    if len(structs) > 1 and len(tags) < len(structs):
        raise DerivationError(
            f"{where}: the structs of a union are told apart by their tags: give each its own, tag=True"
        )
    return Part("union", structs, optional=optional)
