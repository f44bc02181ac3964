"""The types of fields, taken apart into what functions can be derived from."""

import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from gomboc.spec.fields import IsName, Meaning

PLAIN = (str, int, float, bool, bytes, type(None))


class DerivationError(ValueError):
    """Nothing can be derived from the type of a field: a sentence that names module, class and field."""


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
    where = f"{struct.__module__}.{struct.__qualname__}"
    hints = get_type_hints(struct, include_extras=True)
    return {field: _part(hints[field], f"{where}.{field}") for field in struct.__struct_fields__}


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
    meanings = tuple(one for one in annotations if isinstance(one, Meaning))
    if any(isinstance(one, IsName) for one in annotations):
        if hint is not str:
            raise DerivationError(f"{where}: a node's name is a text: annotate str with NodeName")
        part = msgspec.structs.replace(part, form="name")
    return msgspec.structs.replace(part, meanings=(*part.meanings, *meanings))


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
    return Part("union", tuple(part for part in parts if part.form == "struct"), optional=optional)
