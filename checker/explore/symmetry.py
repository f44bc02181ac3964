"""Symmetry: states that differ only by an exchange of names are one state in the quotient of an instance's model.

That nodes are alike is a claim of the instance, and is checked: the renamings must act on values as on names, and each
step, and each promise, must be that of the renamed node in the renamed state. Otherwise nothing is judged.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise, permutations, product
from operator import itemgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.checker.core.bad_models import shown
from gomboc.checker.core.errors import UsageError
from gomboc.spec.core.instance import Instance, bounded_model
from gomboc.spec.core.model import Model, Send
from gomboc.spec.core.network import World
from gomboc.spec.core.protocol import Discipline, Protocol


def renamings(alike: tuple[str, ...]) -> list[dict[str, str]]:
    """Every permutation of interchangeable names; the first leaves them as they are."""
    return [dict(zip(alike, order, strict=True)) for order in permutations(alike)]


class NoSymmetryError(Exception):
    """Nodes that are declared alike are not; the text says what shows it."""

    def __init__(self, alike: tuple[str, ...], why: str) -> None:
        super().__init__(f"{', '.join(alike)} are not alike, as the instance says: {why}; leave out alike")


Rename = Callable[[Any, Mapping[str, str]], Any]


def rename_of(protocol: Protocol) -> Rename:
    """The protocol's renaming of values. Raises UsageError if it states none."""
    if protocol.naming.renamed is None:
        raise UsageError(
            f"An instance of {protocol.name} has nodes that are alike, and the protocol states no `renamed`: declare "
            "its names as NodeName, and give it renamed=Derived(...).renamed."
        )
    return protocol.naming.renamed


def insist_on_action(rename: Rename, alike: tuple[str, ...], value: Any) -> None:
    """Raise NoSymmetryError unless renaming a value again is renaming it once, by both renamings one after the other.

    Then the values that it is renamed to are finitely many, and each of them can be renamed back to it.
    """
    every = renamings(alike)
    if rename(value, every[0]) != value:
        raise NoSymmetryError(alike, f"`renamed` changes {shown(value)} if no name is exchanged")
    for first, swap in product(every, _swaps(alike)):
        both = {name: swap.get(to, to) for name, to in first.items()}
        if rename(rename(value, first), swap) != rename(value, both):
            raise NoSymmetryError(alike, f"`renamed` exchanges the names of {shown(value)} differently in two steps")


def _swaps(alike: tuple[str, ...]) -> list[dict[str, str]]:
    """The exchanges of two neighbours in that order, which together make every renaming."""
    return [{one: other, other: one} for one, other in pairwise(alike)]


def renamed_world(world: World, renaming: Mapping[str, str], renamed: Rename) -> World:
    """A world with names exchanged, its nodes in the order of their names and its channels in their own order."""
    assert world.channels.discipline is Discipline.UNORDERED, "other channels have an order of their own"
    channels = replace(world.channels, in_flight=())
    for sent in world.channels.in_flight:
        target = renaming.get(sent.target, sent.target)
        channels = channels.put("", [Send(target, renamed(sent.message, renaming))])
    locals_ = ((renaming.get(name, name), renamed(local, renaming)) for name, local in world.locals)
    return World(tuple(sorted(locals_, key=itemgetter(0))), channels)


def canonical_world(instance: Instance, world: World) -> World:
    """The first of the worlds that differ from this one by a permutation of interchangeable names."""
    others = renamings(instance.alike)[1:]
    if not others:
        return world
    rename = rename_of(instance.protocol)
    return min((world, *(renamed_world(world, renaming, rename) for renaming in others)), key=_order)


def quotient(instance: Instance) -> Model:
    """The model of an instance in which states that differ by interchangeable names are one.

    It does not support fairness: it does not distinguish the turns of two nodes.
    """
    model = bounded_model(instance)
    if len(instance.alike) < 2:
        return model
    rename_of(instance.protocol)

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
