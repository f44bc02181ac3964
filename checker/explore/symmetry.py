"""States that differ by an exchange of names only, taken as one: a quotient of an instance's model."""

from functools import lru_cache
from itertools import permutations
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.instance import Instance, bounded_model
from gomboc.spec.model import Model
from gomboc.spec.network import World
from gomboc.spec.protocol import Discipline


def renamings(alike: tuple[str, ...]) -> list[dict[str, str]]:
    """Every way to exchange the names that are alike; the first leaves them as they are."""
    return [dict(zip(alike, order, strict=True)) for order in permutations(alike)]


def renamed(value: Any, renaming: dict[str, str]) -> Any:
    """A value with other names in the place of those renamed, wherever they stand in it."""
    if isinstance(value, str):
        return renaming.get(value, value)
    if isinstance(value, tuple):
        return tuple(renamed(part, renaming) for part in value)
    if isinstance(value, msgspec.Struct):
        return type(value)(*(renamed(getattr(value, field), renaming) for field in value.__struct_fields__))
    return value


def renamed_world(world: World, renaming: dict[str, str]) -> World:
    """A world with names exchanged, its nodes in the order of their names and its channels in theirs."""
    assert world.channels.discipline is Discipline.UNORDERED, "other channels have an order of their own"
    channels = replace(world.channels, in_flight=())
    for envelope in world.channels.in_flight:
        channels = channels.put("", [renamed(envelope, renaming)])
    return World(tuple(sorted(renamed(world.locals, renaming))), channels)


def canonical_world(instance: Instance, world: World) -> World:
    """The first of the worlds that differ from this one by names that are alike."""
    others = renamings(instance.alike)[1:]
    return min((world, *(renamed_world(world, renaming) for renaming in others)), key=_order)


def quotient(instance: Instance) -> Model:
    """The model of an instance in which states that differ by names that are alike are one.

    It says nothing of fairness: the turns of two nodes are not told apart in it.
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
