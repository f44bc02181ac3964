"""Filters: conjunctions of typed predicates on the attributes of a publication."""

from collections.abc import Callable, Mapping
from operator import eq, ge, gt, le, lt, ne
from typing import Any

import msgspec

Value = int | str
Attributes = tuple[tuple[str, Value], ...]
"""The attributes of a publication with their values, ascending by name."""


class Predicate(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What one attribute must be. `exists` has no value.

    Source: Section 2, "a conjunction of multiple predicates with a wide range of operators"
    """

    attribute: str
    operator: str
    value: Value | None


Filter = tuple[Predicate, ...]

LARGEST = 2**53 - 1

COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": eq,
    "!=": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
    "prefix": str.startswith,
}
"""What compares the value of an attribute with that of a predicate; both are of one type."""


def matches(attributes: Attributes, wanted: Filter) -> bool:
    """Whether a publication with those attributes evaluates every predicate to true.

    Source: Section 2, "A publication matches a subscription"
    """
    values = dict(attributes)
    return all(_holds(values.get(each.attribute), each) for each in wanted)


def _holds(value: Value | None, predicate: Predicate) -> bool:
    """Whether an attribute of that value is as demanded; one that is lacking, or of another type, is not."""
    if value is None or predicate.operator == "exists":
        return value is not None
    return type(value) is type(predicate.value) and COMPARED[predicate.operator](value, predicate.value)


def text(value: Any) -> bytes:
    """A filter or predicate as it is written: what they are ordered by."""
    return msgspec.json.encode(value)


def ill_formed(wanted: Filter) -> str | None:
    """What a filter must be and is not, in words; None if it is well formed."""
    types: dict[str, type] = {}
    for each in wanted:
        if each.operator not in COMPARED and each.operator != "exists":
            return f"an operator out of {', '.join((*COMPARED, 'exists'))}"
        if (each.value is None) != (each.operator == "exists"):
            return "a value of every predicate but exists"
        if each.operator == "prefix" and not isinstance(each.value, str):
            return "a text as prefix"
        if wrong := _ill_valued(each.value):
            return wrong
        if each.value is not None and types.setdefault(each.attribute, type(each.value)) is not type(each.value):
            return "values of one type about one attribute"
    texts = [text(each) for each in wanted]
    return None if texts == sorted(set(texts)) else "predicates ascending, each once"


def ill_valued(attributes: Attributes) -> str | None:
    """What the attributes of a publication must be and are not, in words."""
    names = [name for name, _ in attributes]
    if names != sorted(set(names)):
        return "attributes ascending, each once"
    return next(filter(None, (_ill_valued(value) for _, value in attributes)), None)


def _ill_valued(value: Value | None) -> str | None:
    if isinstance(value, int) and abs(value) > LARGEST:
        return f"numbers up to {LARGEST}"
    return None
