"""Filters: conjunctions of typed predicates on attributes.

A value is a boolean, a number or a text. A predicate applies to values of its own kind only: a value of another kind
satisfies neither `=` nor `!=`. Numbers are finite and in one order, whole or not; a whole number is written without a
fraction. A boolean is no number, and is written as an array of one element.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import isfinite
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from gomboc.impl.publishing.port import Truth

Value = Annotated[int, Meta(gt=-(2**53), lt=2**53)] | float | str | Truth
Operator = Literal["=", "!=", "<", "<=", ">", ">=", "prefix", "exists"]

Kind = Literal["a boolean", "a number", "a text"]

_Either = TypeVar("_Either", float, str, Truth)


class Predicate(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A condition on one attribute of a publication; `exists` takes no value, and `prefix` a text."""

    attribute: str
    operator: Operator
    value: Value | None


Filter = tuple[Predicate, ...]
"""Predicates that all have to be satisfied; an empty filter matches every publication."""

Attributes = tuple[tuple[str, Value], ...]
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


def satisfies(value: Value, predicate: Predicate) -> bool:
    """Whether the value of its attribute satisfies a predicate."""
    asked = predicate.value
    if predicate.operator == "exists":
        return True
    if isinstance(value, str) and isinstance(asked, str):
        return (
            value.startswith(asked) if predicate.operator == "prefix" else _compares(value, predicate.operator, asked)
        )
    if isinstance(value, Truth) and isinstance(asked, Truth):
        return _compares(value, predicate.operator, asked)
    if isinstance(value, int | float) and isinstance(asked, int | float):
        return _compares(value, predicate.operator, asked)
    return False


def _compares(value: _Either, operator: Operator, asked: _Either) -> bool:
    match operator:
        case "=":
            return value == asked
        case "!=":
            return value != asked
        case "<":
            return value < asked
        case "<=":
            return value <= asked
        case ">":
            return value > asked
        case ">=":
            return value >= asked
        case _:
            return False


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
    return msgspec.json.encode(predicates).decode()


def wrong_filter(predicates: Filter) -> str | None:
    """The error in a filter, in words; None if it is right."""
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
    return _disorder("predicate", [text((predicate,)) for predicate in predicates])


def wrong_attributes(attributes: Attributes) -> str | None:
    """The error in the attributes of a publication, in words; None if they are right."""
    for name, value in attributes:
        if wrong := _wrong_number(name, value):
            return wrong
    return _disorder("attribute", [name for name, _ in attributes])


def _wrong_number(name: str, value: Value) -> str | None:
    if not isinstance(value, float):
        return None
    if not isfinite(value):
        return f"a number is finite, and {name!r} would be {value}"
    if value.is_integer() and abs(value) < 2**53:
        return f"a whole number has no fraction, and {name!r} would be {value}"
    return None


def _disorder(what: str, texts: Iterable[str]) -> str | None:
    for former, latter in pairwise(texts):
        if former >= latter:
            return f"its {what} {latter} comes after {former}"
    return None
