"""Any values of the right types: a specification takes a step from them, or says in a sentence why not.

A trace may hold them: its start is free, and later values are held against the rules only once they are read.
"""

import types
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from gomboc.spec.core.model import Commanded, Received, Timeout
from gomboc.spec.core.protocol import Protocol, configured
from gomboc.spec.core.registry import find_protocol, protocol_names
from tests.sampling import share

NAMES = {"delta_fault_tolerance": ("0", "0.1", "0.1.2", "0.1.2.3", "0.3")}
OTHER_NAMES = ("a", "b", "c")
TEXTS = ("", "0", "1", "01", "x", "=", "<", "prefix")
DRAWN = share(600, 3, least=400)

_hints, _text = cache(get_type_hints), cache(str)


@cache
def _defaults(wanted: type[msgspec.Struct]) -> dict[str, Any]:
    return {field.name: field.default for field in msgspec.structs.fields(wanted)}


class Drawing:
    """Values of given types, drawn by a seed; half of them were drawn before, so that they refer to each other."""

    def __init__(self, names: tuple[str, ...], seed: int) -> None:
        self.names, self.random = names, Random(seed)
        self._before: dict[str, list[Any]] = {}

    def value(self, wanted: Any) -> Any:
        """A value of a type; lists ascend, each element once, as canonical ones do."""
        before = self._before.setdefault(_text(wanted), [])
        if not before or self.random.random() < 0.5:
            before.append(self._fresh(wanted))
        return self.random.choice(before)

    def _fresh(self, wanted: Any) -> Any:
        origin, inner = get_origin(wanted), get_args(wanted)
        if origin is Annotated:
            return self.value(inner[0])
        if origin is Literal:
            return self.random.choice(inner)
        if origin in (Union, types.UnionType):
            return self.value(self.random.choice(inner))
        if origin is tuple:
            return self._several(inner)
        if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
            return self._struct(wanted)
        return self._plain(wanted)

    def _several(self, inner: tuple[Any, ...]) -> tuple[Any, ...]:
        if inner[1:] != (...,):
            return tuple(map(self.value, inner))
        distinct = {
            msgspec.json.encode(value_): value_ for value_ in (self.value(inner[0]) for _ in range(self._length()))
        }
        return tuple(value_ for _, value_ in sorted(distinct.items()))

    def _length(self) -> int:
        return self.random.choice((0, 0, 1, 2, 3))

    def _struct(self, wanted: type[msgspec.Struct]) -> msgspec.Struct:
        hints = _hints(wanted, include_extras=True)
        # Most variables are as they are at the beginning, lest something made no sense in every value.
        defaults = _defaults(wanted)
        kept = (name for name, default in defaults.items() if default is not msgspec.NODEFAULT)
        left = {name for name in kept if self.random.random() < 0.5}
        return wanted(**{name: self.value(hints[name]) for name in defaults if name not in left})

    def _plain(self, wanted: Any) -> Any:
        if wanted is str:
            return self.random.choice((*self.names, *self.names, *TEXTS))
        if wanted is bool:
            return self.random.random() < 0.5
        if wanted is int:
            return self.random.choice((0, 1, 1, 2))
        return self.random.choice((0.0, 0.5, 1.5)) if wanted is float else None


def _sensible(protocol: Protocol, drawing: Drawing, wanted: Any) -> Any:
    """A value of that type that is canonical; None if none was found soon."""
    values = (drawing.value(wanted) for _ in range(8))
    return next(
        (value_ for value_ in values if wanted is protocol.vocabulary.command or not protocol.naming.malformed(value_)),
        None,
    )


def _taken(protocol: Protocol, drawing: Drawing) -> Any:
    kind = drawing.random.choice(("timeout", "message", "message", "command"))
    wanted = {"message": protocol.vocabulary.message, "command": protocol.vocabulary.command}.get(kind)
    value = None if wanted is None else _sensible(protocol, drawing, wanted)
    if value is None:
        return Timeout()
    return Received(value) if kind == "message" else Commanded(value)


def _names_there(protocol: Protocol, names: tuple[str, ...], values: tuple[Any, ...]) -> bool:
    return all({*protocol.naming.named(value_)} <= {*names, *protocol.vocabulary.fixed} for value_ in values)


def _judge(protocol: Protocol, names: tuple[str, ...], seed: int) -> bool:
    """Take one step from any state; whether there was one to take."""
    drawing = Drawing(names, seed)
    role, me = drawing.random.choice(list(protocol.vocabulary.roles.items())), drawing.random.choice(names)
    local, taken = _sensible(protocol, drawing, role[1]), _taken(protocol, drawing)
    content = taken.message if isinstance(taken, Received) else taken.command if isinstance(taken, Commanded) else None
    values = tuple(value for value in (local, content) if value is not None)
    if local is None or not _names_there(protocol, names, values):
        return False
    try:
        protocol.actor.rule(local, taken)
        for choice in protocol.actor.choices(me, local, taken):
            protocol.actor.react(me, local, taken, choice)
    except ValueError:
        # What makes no sense is said in a sentence, and is a finding.
        return True
    return True


def _parameters(name: str) -> tuple[Mapping[str, Any], ...]:
    return ({"delta": 0}, {"delta": 1}, {"delta": 2, "audit": True}) if name == "delta_fault_tolerance" else ({},)


@pytest.mark.parametrize("name", protocol_names())
def test_no_value_of_the_right_type_makes_a_specification_fail(name):
    judged = 0
    for parameters in _parameters(name):
        ours = configured(find_protocol(name), parameters)
        names = NAMES.get(name, OTHER_NAMES)
        for protocol in (ours, *(variant.protocol for variant in ours.variants.errata)):
            runs = DRAWN if protocol is ours else DRAWN // 10
            judged += sum(_judge(protocol, names, seed) for seed in range(runs))
    assert judged > DRAWN // 10
