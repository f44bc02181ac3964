"""Symmetry: states that differ only by an exchange of names are one state in the quotient of an instance's model."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import permutations
from operator import itemgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.instance import Instance, bounded_model
from gomboc.spec.model import Model, Send
from gomboc.spec.network import World
from gomboc.spec.protocol import Discipline, Protocol, names_no_nodes

ABSENT = "no node of this name"
"""A text in place of a name, to test whether a protocol takes it for a name."""


def renamings(alike: tuple[str, ...]) -> list[dict[str, str]]:
    """Every permutation of interchangeable names; the first leaves them as they are."""
    return [dict(zip(alike, order, strict=True)) for order in permutations(alike)]


def renamed(value: Any, renaming: dict[str, str], protocol: Protocol | None = None) -> Any:
    """A value in which names are replaced, wherever they occur in it.

    A protocol that declares the references of a value decides which texts are names: a text is one if another text in
    its place is a reference too. Where the protocol's form of values requires it, tuples that were ascending are sorted
    again.
    """
    swapped = _swapped(value, _names_in(value, renaming, protocol), renaming, False)
    if protocol is None or swapped == value or not protocol.malformed(swapped):
        return swapped
    return _swapped(value, _names_in(value, renaming, protocol), renaming, True)


Place = tuple[int, ...]


def _names_in(value: Any, renaming: dict[str, str], protocol: Protocol | None) -> set[Place]:
    """The positions in a value of names that are to be replaced."""
    positions = {position for position, text in _texts(value) if text in renaming}
    if protocol is None or protocol.named is names_no_nodes:
        return positions
    return {position for position in positions if ABSENT in protocol.named(_put(value, position, ABSENT))}


def _parts(value: Any) -> tuple[Any, ...]:
    """The parts of a tuple or structure; empty for other values."""
    if isinstance(value, msgspec.Struct):
        return tuple(getattr(value, field) for field in value.__struct_fields__)
    return value if isinstance(value, tuple) else ()


def _built(value: Any, parts: Iterable[Any]) -> Any:
    """A value of the same type with other parts."""
    return type(value)(*parts) if isinstance(value, msgspec.Struct) else tuple(parts)


def _texts(value: Any, position: Place = ()) -> Iterator[tuple[Place, str]]:
    if isinstance(value, str):
        yield position, value
    for number, part in enumerate(_parts(value)):
        yield from _texts(part, (*position, number))


def _put(value: Any, position: Place, new: str) -> Any:
    if not position:
        return new
    parts = list(_parts(value))
    parts[position[0]] = _put(parts[position[0]], position[1:], new)
    return _built(value, parts)


def _swapped(value: Any, names: set[Place], renaming: dict[str, str], ordered: bool, position: Place = ()) -> Any:
    if isinstance(value, str):
        return renaming[value] if position in names else value
    if not isinstance(value, tuple | msgspec.Struct):
        return value
    parts = _parts(value)
    renamed_parts = [_swapped(part, names, renaming, ordered, (*position, number)) for number, part in enumerate(parts)]
    if ordered and isinstance(value, tuple) and _is_ascending(value):
        renamed_parts.sort()
    return _built(value, renamed_parts)


def _is_ascending(values: tuple[Any, ...]) -> bool:
    try:
        return list(values) == sorted(values)
    except TypeError:
        return False


def renamed_world(world: World, renaming: dict[str, str], protocol: Protocol | None = None) -> World:
    """A world with names exchanged, its nodes in the order of their names and its channels in their own order."""
    assert world.channels.discipline is Discipline.UNORDERED, "other channels have an order of their own"
    channels = replace(world.channels, in_flight=())
    for sent in world.channels.in_flight:
        target = renaming.get(sent.target, sent.target)
        channels = channels.put("", [Send(target, renamed(sent.message, renaming, protocol))])
    locals_ = ((renaming.get(name, name), renamed(local, renaming, protocol)) for name, local in world.locals)
    return World(tuple(sorted(locals_, key=itemgetter(0))), channels)


def canonical_world(instance: Instance, world: World) -> World:
    """The first of the worlds that differ from this one by a permutation of interchangeable names."""
    others = renamings(instance.alike)[1:]
    return min((world, *(renamed_world(world, renaming, instance.protocol) for renaming in others)), key=_order)


def quotient(instance: Instance) -> Model:
    """The model of an instance in which states that differ by interchangeable names are one.

    It does not support fairness: it does not distinguish the turns of two nodes.
    """
    model = bounded_model(instance)
    if len(instance.alike) < 2:
        return model

    @lru_cache(maxsize=1 << 16)
    def canonical(world: World) -> World:
        return canonical_world(instance, world)

    return replace(
        model,
        initial=lambda: map(canonical, model.initial()),
        step=lambda world, act: canonical(model.step(world, act)),
    )


def _order(world: World) -> bytes:
    return msgspec.msgpack.encode(world)
