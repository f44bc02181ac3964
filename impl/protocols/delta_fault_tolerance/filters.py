"""Filters: conjunctions of typed predicates on attributes.

A value is a boolean, a number or a text. A predicate applies to values of its own kind only: a value of another kind
satisfies neither `=` nor `!=`. Numbers are finite and in one order, whole or not; a whole number is written without a
fraction. A boolean is no number, and is written as an array of one element.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from operator import eq, ge, gt, le, lt, ne
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from gomboc.impl.core.vocabulary import Fault, Rule, disorder, encode, surplus
from gomboc.impl.publishing.port import Truth

Value = Annotated[int, Meta(gt=-(2**53), lt=2**53)] | float | str | Truth
Operator = Literal["=", "!=", "<", "<=", ">", ">=", "prefix", "exists"]

Kind = Literal["a boolean", "a number", "a text"]


class Predicate(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A condition on one attribute of a publication; `exists` takes no value, and `prefix` a text."""

    attribute: str
    operator: Operator
    value: Value | None


Filter = Annotated[
    tuple[Predicate, ...],
    Rule(
        lambda predicates, bounds: wrong_filter(predicates) or (bounds and too_long(predicates, bounds.filter_bytes()))
    ),
]
"""Predicates that all have to be satisfied; an empty filter matches every publication."""

Attributes = Annotated[
    tuple[tuple[str, Value], ...],
    Rule(
        lambda attributes, bounds: (
            wrong_attributes(attributes) or (bounds and too_long(attributes, bounds.attribute_bytes()))
        )
    ),
]
"""The attributes of a publication, ascending by name, each once."""


def kind(value: Value) -> Kind:
    """The kind of a value; values of one kind are in one order."""
    match value:
        case str():
            return "a text"
        case Truth():
            return "a boolean"
        case _:
            return "a number"


_COMPARISONS: Mapping[Operator, Callable[[Any, Any], bool]] = {
    "=": eq,
    "!=": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
    "prefix": str.startswith,
}


def satisfies(value: Value, predicate: Predicate) -> bool:
    """Whether the value of its attribute satisfies a predicate."""
    asked = predicate.value
    if asked is None:
        return predicate.operator == "exists"
    return kind(value) == kind(asked) and _COMPARISONS[predicate.operator](value, asked)


def matches(attributes: Mapping[str, Value], predicates: Sequence[Predicate]) -> bool:
    """Whether a publication with these attributes satisfies every predicate; one without the attribute does not.

    Source: Section 2, "matches a subscription when the attribute-value pairs in the publication evaluate all
    predicates of the subscription to true"
    """
    for predicate in predicates:
        value = attributes.get(predicate.attribute)
        if value is None or not satisfies(value, predicate):
            return False
    return True


@lru_cache(maxsize=65_536)
def text(predicates: Filter) -> str:
    """A filter as compact JSON, by which filters are ordered."""
    return encode(predicates).decode()


def too_long(written: object, most: int | None) -> Fault:
    """The fault of a filter, or of attributes, with more bytes of JSON than there may be."""
    return None if most is None else surplus("it takes {} bytes", len(encode(written)), most)


def wrong_filter(predicates: Sequence[Predicate]) -> Fault:
    """The fault of a filter."""
    kinds: dict[str, Kind] = {}
    for predicate in predicates:
        if (predicate.operator == "exists") != (predicate.value is None):
            has = "no" if predicate.value is None else "a"
            return f"{predicate.operator!r} of {predicate.attribute!r} has {has} value"
        if predicate.operator == "prefix" and not isinstance(predicate.value, str):
            return f"a prefix of {predicate.attribute!r} is a text, and {predicate.value!r} is not"
        if predicate.value is None:
            continue
        if wrong := _wrong_number(predicate.attribute, predicate.value):
            return wrong
        used_kinds = {kinds.setdefault(predicate.attribute, kind(predicate.value)), kind(predicate.value)}
        if len(used_kinds) > 1:
            return f"{predicate.attribute!r} would have to be {' and '.join(sorted(used_kinds))}"
    return disorder("predicate", [text((predicate,)) for predicate in predicates], str)


def wrong_attributes(attributes: Attributes) -> Fault:
    """The fault of the attributes of a publication."""
    for name, value in attributes:
        if wrong := _wrong_number(name, value):
            return wrong
    return disorder("attribute", [name for name, _ in attributes], str)


def _wrong_number(name: str, value: Value) -> Fault:
    if not isinstance(value, float):
        return None
    if not isfinite(value):
        return f"a number is finite, and {name!r} would be {value}"
    if value.is_integer() and abs(value) < 2**53:
        return f"a whole number has no fraction, and {name!r} would be {value}"
    return None
