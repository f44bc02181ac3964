"""Texts of code that a set or a table may hold, which a name or a text that is looked up there may be equal to."""

import gc
from collections.abc import Iterator, Mapping, Set
from dis import get_instructions, hasconst
from functools import _lru_cache_wrapper
from types import CodeType, FunctionType, ModuleType
from typing import Any

from gomboc.checker.prove.closure.beyond import Beyond
from gomboc.checker.prove.closure.identities import check_identities, parts_of
from gomboc.checker.prove.closure.stand_ins import is_defined_below, may_hold
from gomboc.spec.core.protocol import Protocol

HASHING = frozenset(
    {
        *("BUILD_SET", "SET_ADD", "SET_UPDATE", "BUILD_MAP", "MAP_ADD", "BUILD_CONST_KEY_MAP", "STORE_SUBSCR"),
        *("DICT_UPDATE", "DICT_MERGE", "MATCH_KEYS"),
    }
)
"""The instructions that look a value up, or put it where it is looked up."""

BUILDERS = frozenset({"set", "frozenset", "dict", "fromkeys", "Counter", "defaultdict", "setdefault", "add", "update"})
"""The functions that do so."""


def texts_looked_up(protocol: Protocol, world: Any, roots: tuple[str, ...]) -> tuple[str, ...]:
    """The texts in a set or a table that the functions of a protocol, or of its world, can reach in these packages.

    They are those in collections, and those in the code of functions that make a set or a table.
    """
    texts: set[str] = set()
    for one in _reachable(roots, world, *_parts(protocol)):
        if isinstance(one, FunctionType):
            check_identities(one)
            texts.update(_made(one.__code__))
        texts.update(_kept(one))
    return tuple(sorted(texts))


def beyond(protocol: Protocol, roots: tuple[str, ...]) -> Beyond:
    """What the functions of a protocol in these packages see beyond their arguments.

    Raises Undecided if that may change.
    """
    return Beyond(one for one in _reachable(roots, *_parts(protocol)) if isinstance(one, FunctionType))


def _parts(protocol: Protocol) -> tuple[Any, ...]:
    return protocol.actor, protocol.legitimacy, protocol.naming, protocol.environment


def _reachable(roots: tuple[str, ...], *starts: Any) -> Iterator[Any]:
    waiting, seen = [*starts], dict[int, Any]()
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen[id(one)] = one
            yield one
            waiting += (part for part in _reached(one) if _is_followed(part, roots))


def _is_followed(one: Any, roots: tuple[str, ...]) -> bool:
    return may_hold(one, roots) and (not isinstance(one, FunctionType) or is_defined_below(one, roots))


def _reached(one: Any) -> Iterator[Any]:
    """What code can reach from a value: of the names of a module, a function reaches those that its code has."""
    if isinstance(one, type):
        yield from (*(value for name, value in vars(one).items() if not name.startswith("__")), *one.__bases__)
        return
    if isinstance(one, _lru_cache_wrapper):
        yield one.__wrapped__
        return
    if not isinstance(one, FunctionType):
        yield from gc.get_referents(one)
        return
    yield from (one.__closure__, one.__defaults__, one.__kwdefaults__)
    for name in _names(one.__code__):
        value = one.__globals__.get(name)
        yield value
        if isinstance(value, ModuleType):
            yield from (getattr(value, other, None) for other in _names(one.__code__))


def _names(code: CodeType) -> Iterator[str]:
    for part in parts_of(code):
        yield from part.co_names


def _kept(value: Any) -> Iterator[str]:
    """The texts in a collection."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _texts(key)
            yield from _kept(one)
    elif isinstance(value, Set | list | tuple):
        yield from _texts(value)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Set | list | tuple):
        for part in value:
            yield from _texts(part)


def _made(code: CodeType) -> Iterator[str]:
    """The texts that code loads, if it makes a set or a table of anything; else those in a set that it loads.

    Each part of the code is looked at by itself.
    """
    for part in parts_of(code):
        steps = [*get_instructions(part)]
        hashes = any(step.opname in HASHING for step in steps) or not BUILDERS.isdisjoint(part.co_names)
        for step in steps:
            if step.opcode in hasconst and (hashes or isinstance(step.argval, frozenset)):
                yield from _texts(step.argval)
