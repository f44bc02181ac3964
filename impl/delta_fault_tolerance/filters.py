"""Filters: conjunctions of typed predicates on attributes.

A value is a whole number or a text. A predicate with a number says something of numbers only, and one with a text of
texts only: a value of the other type satisfies neither `=` nor `!=`.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

Value = Annotated[int, Meta(gt=-(2**53), lt=2**53)] | str
Operator = Literal["=", "!=", "<", "<=", ">", ">=", "prefix", "exists"]

_Either = TypeVar("_Either", int, str)


class Predicate(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What one attribute of a publication has to be; `exists` asks for no value, and `prefix` for a text."""

    attribute: str
    operator: Operator
    value: Value | None


Filter = tuple[Predicate, ...]
"""All of them have to be satisfied; without any, everything matches."""

Attributes = tuple[tuple[str, Value], ...]
"""Those of a publication, ascending by their names, each once."""


def satisfies(value: Value, predicate: Predicate) -> bool:
    """Whether the value of its attribute satisfies a predicate."""
    asked = predicate.value
    if predicate.operator == "exists":
        return True
    if isinstance(value, str) and isinstance(asked, str):
        return (
            value.startswith(asked) if predicate.operator == "prefix" else _compares(value, predicate.operator, asked)
        )
    if isinstance(value, int) and isinstance(asked, int):
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
    """What is wrong with a filter; None if it is one."""
    types: dict[str, type] = {}
    for each in predicates:
        if (each.operator == "exists") != (each.value is None):
            return f"{each.operator!r} of {each.attribute!r} has {'a' if each.value is not None else 'no'} value"
        if each.operator == "prefix" and not isinstance(each.value, str):
            return f"a prefix of {each.attribute!r} is a text, and {each.value!r} is not"
        if each.value is not None and types.setdefault(each.attribute, type(each.value)) is not type(each.value):
            return f"{each.attribute!r} would have to be a number and a text"
    return _disorder("predicate", [text((each,)) for each in predicates])


def wrong_attributes(attributes: Attributes) -> str | None:
    """What is wrong with the attributes of a publication; None if nothing is."""
    return _disorder("attribute", [name for name, _ in attributes])


def _disorder(what: str, texts: Iterable[str]) -> str | None:
    for former, latter in pairwise(texts):
        if former >= latter:
            return f"its {what} {latter} comes after {former}"
    return None
