"""Equality in the sense of JSON, by value and type: to Python, 1, 1.0 and true are equal, and 0.0 is -0.0."""

from collections.abc import Callable, Hashable
from functools import cache
from operator import eq
from typing import Any

import msgspec
import msgspec.inspect as kinds

from gomboc.spec.core.protocol import Protocol

Same = Callable[[Any, Any], bool]
"""Whether two values are equal."""

NUMBERS = frozenset({kinds.IntType, kinds.FloatType, kinds.BoolType})

WRITTEN = msgspec.json.Encoder(order="deterministic").encode


def written_alike(one: Any, other: Any) -> bool:
    """Whether two values are equal in their spelling, except for the order of keys."""
    return one == other and WRITTEN(one) == WRITTEN(other)


def sameness(protocol: Protocol) -> Same:
    """Equality of states, messages and commands: Python's, which is cheaper, where their types make it exact."""
    return eq if is_plain(protocol) else written_alike


def keyed(protocol: Protocol) -> Callable[[Any], Hashable]:
    """The key of a state or message in a cache: itself where its equality is exact, its spelling elsewhere."""
    return _itself if is_plain(protocol) else WRITTEN


def _itself(value: Any) -> Any:
    return value


def is_plain(protocol: Protocol) -> bool:
    """Whether no type of the protocol allows two values that are equal in Python and different in JSON."""
    return _are_plain((*protocol.vocabulary.roles.values(), protocol.vocabulary.message, protocol.vocabulary.command))


@cache
def _are_plain(types: tuple[Any, ...]) -> bool:
    seen: set[Any] = set()
    return all(_is_plain(kind, seen) for kind in kinds.multi_type_info(types))


def _is_plain(kind: kinds.Type, seen: set[Any]) -> bool:
    match kind:
        case kinds.Metadata(type=described):
            return _is_plain(described, seen)
        case kinds.StructType(cls=cls, fields=fields) | kinds.DataclassType(cls=cls, fields=fields):
            if cls in seen:
                return True
            seen.add(cls)
            return all(_is_plain(field.type, seen) for field in fields)
        case kinds.UnionType(types=types):
            return len(NUMBERS & set(map(type, types))) < 2 and all(_is_plain(item_type, seen) for item_type in types)
        case kinds.TupleType(item_types=types):
            return all(_is_plain(item_type, seen) for item_type in types)
        case kinds.VarTupleType(item_type=item) | kinds.FrozenSetType(item_type=item) | kinds.ListType(item_type=item):
            return _is_plain(item, seen)
        case kinds.LiteralType(values=values):
            return len({type(value) for value in values} & {int, str}) < 2
        case kinds.IntType() | kinds.BoolType() | kinds.StrType() | kinds.NoneType() | kinds.EnumType():
            return True
    return False
