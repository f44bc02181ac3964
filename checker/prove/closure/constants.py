"""Texts of code that a set or a table may hold, which a name or a text that is looked up there may be equal to."""

import gc
from collections.abc import Iterator, Mapping, Set
from dis import get_instructions
from functools import _lru_cache_wrapper
from types import CodeType, FunctionType, ModuleType
from typing import Any

from gomboc.checker.prove.closure.paths import Undecided
from gomboc.checker.prove.closure.stand_ins import is_below, may_hold
from gomboc.spec.core.protocol import Protocol

HASHING = frozenset(
    {
        *("BUILD_SET", "SET_ADD", "SET_UPDATE", "BUILD_MAP", "MAP_ADD", "BUILD_CONST_KEY_MAP", "STORE_SUBSCR"),
        *("DICT_UPDATE", "DICT_MERGE", "MATCH_KEYS"),
    }
)
"""The instructions that look a value up, or put it where it is looked up."""

LOCAL = frozenset({"LOAD_FAST", "LOAD_DEREF"})
"""The instructions that load a value of a function's own."""

BUILDERS = frozenset({"set", "frozenset", "dict", "fromkeys", "Counter", "defaultdict", "setdefault", "add", "update"})
"""The functions that do so."""


def texts_looked_up(protocol: Protocol, world: Any, roots: tuple[str, ...]) -> tuple[str, ...]:
    """The texts in a set or a table that the functions of a protocol, or of its world, can reach in these packages.

    They are those in collections, and those in the code of functions that make a set or a table.
    """
    waiting: list[Any] = [world, protocol.actor, protocol.legitimacy, protocol.naming, protocol.environment]
    seen: dict[int, Any] = {}
    texts: set[str] = set()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen[id(one)] = one
        if isinstance(one, FunctionType):
            _check_identities(one.__code__)
            texts.update(_made(one.__code__))
        texts.update(_kept(one))
        waiting += (part for part in _reached(one) if _is_followed(part, roots))
    return tuple(sorted(texts))


def _is_followed(one: Any, roots: tuple[str, ...]) -> bool:
    return may_hold(one, roots) and (not isinstance(one, FunctionType) or is_below(one, roots))


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
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _names(part)


def _check_identities(code: CodeType) -> None:
    """Raise Undecided for code that asks whether two values are the same object, which may be equal texts."""
    steps = [*get_instructions(code)]
    for before, last, step in zip(steps, steps[1:], steps[2:], strict=False):
        if step.opname == "IS_OP" and LOCAL & {last.opname, before.opname if last.opname == "LOAD_ATTR" else ""}:
            raise Undecided(f"{code.co_qualname} asks by `is` whether two values are one object: compare them by ==")
    for part in code.co_consts:
        if isinstance(part, CodeType):
            _check_identities(part)


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
    """The texts that code loads, if it makes a set or a table of anything; else those in a set that it loads."""
    steps = [*get_instructions(code)]
    hashes = any(step.opname in HASHING for step in steps) or not BUILDERS.isdisjoint(code.co_names)
    for step in steps:
        if step.opname == "LOAD_CONST" and (hashes or isinstance(step.argval, frozenset)):
            yield from _texts(step.argval)
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _made(part)
