"""Filters: conjunctions of typed predicates on the attributes of a publication.

A value is a boolean, a number or a text, and a predicate is about values of its own kind. Whole numbers and those with
a fraction are of one kind, and in one order: 1 < 1.5 < 2. A number is finite, and has one way to be written, so 1.0 is
none. A boolean is no number: it is written as an array of one, and false comes before true.
"""

from collections.abc import Callable, Mapping
from math import isfinite
from operator import eq, ge, gt, le, lt, ne
from typing import Any

import msgspec


class Truth(msgspec.Struct, frozen=True, array_like=True, order=True, forbid_unknown_fields=True):
    """A boolean as the value of an attribute. By itself it would equal a number. Source: decided here."""

    value: bool


Value = int | float | str | Truth
Attributes = tuple[tuple[str, Value], ...]
"""The attributes of a publication with their values, ascending by name."""


class Predicate(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A condition on one attribute. `exists` has no value.

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
"""The comparison of each operator: the attribute's value with the predicate's; both are of one kind."""


def matches(attributes: Attributes, wanted: Filter) -> bool:
    """Whether a publication with those attributes evaluates every predicate to true.

    Source: Section 2, "A publication matches a subscription"
    """
    values = dict(attributes)
    return all(_holds(values.get(predicate.attribute), predicate) for predicate in wanted)


def _holds(value: Value | None, predicate: Predicate) -> bool:
    """Whether a value satisfies a predicate; one that is lacking, or of another kind, does not."""
    if value is None or predicate.operator == "exists":
        return value is not None
    return (
        predicate.value is not None
        and kind(value) == kind(predicate.value)
        and COMPARED[predicate.operator](value, predicate.value)
    )


def kind(value: Value) -> str:
    """The kind of a value: "boolean", "number" or "text"."""
    if isinstance(value, Truth):
        return "boolean"
    return "text" if isinstance(value, str) else "number"


def text(value: Any) -> bytes:
    """A filter or predicate as JSON; filters and predicates are ordered by it."""
    return msgspec.json.encode(value)


def ill_formed(wanted: Filter) -> str | None:
    """The first requirement that a filter violates, in words; None if it is well formed."""
    kinds: dict[str, str] = {}
    for predicate in wanted:
        if predicate.operator not in COMPARED and predicate.operator != "exists":
            return f"an operator out of {', '.join((*COMPARED, 'exists'))}"
        if (predicate.value is None) != (predicate.operator == "exists"):
            return "a value of every predicate but exists"
        if predicate.operator == "prefix" and not isinstance(predicate.value, str):
            return "a text as prefix"
        if wrong := _ill_valued(predicate.value):
            return wrong
        if predicate.value is not None and kinds.setdefault(predicate.attribute, kind(predicate.value)) != kind(
            predicate.value
        ):
            return "values of one type about one attribute"
    texts = [text(predicate) for predicate in wanted]
    return None if texts == sorted(set(texts)) else "predicates ascending, each once"


def ill_valued(attributes: Attributes) -> str | None:
    """The first requirement that the attributes of a publication violate, in words; None if they are well formed."""
    names = [name for name, _ in attributes]
    if names != sorted(set(names)):
        return "attributes ascending, each once"
    return next(filter(None, (_ill_valued(value) for _, value in attributes)), None)


def _ill_valued(value: Value | None) -> str | None:
    if isinstance(value, int) and abs(value) > LARGEST:
        return f"numbers up to {LARGEST}"
    if isinstance(value, float) and not isfinite(value):
        return "finite numbers"
    if isinstance(value, float) and value.is_integer() and abs(value) <= LARGEST:
        return "whole numbers without a fraction"
    return None
