"""Whole rounds as single steps: what everybody receives, and then everybody's timeout, of a synchronous protocol.

Where the receipts of one round commute, it does not matter in which order they are taken. So one order stands for all,
and states are looked at between rounds only.
"""

from collections.abc import Iterator
from itertools import groupby
from math import prod

import msgspec
from msgspec.structs import replace

from checker.explore.run import Run
from spec.instance import Instance, bounded_model, saturated
from spec.model import Model, Timeout, never
from spec.network import Act, World, enabled, step
from spec.protocol import Discipline, Protocol

BETWEEN = "whole rounds are single steps, as receipts commute, and states are looked at between them"


class Round(msgspec.Struct, frozen=True):
    """One round: what each node does in it, the receipts before the timeouts."""

    acts: tuple[Act, ...]


def is_by_rounds(instance: Instance) -> bool:
    """Whether whole rounds of an instance can be single steps: if its receipts commute."""
    return instance.protocol.discipline is Discipline.ROUNDS and instance.protocol.commuting


def round_bounds(instance: Instance) -> str:
    """What every claim about whole rounds of an instance is bounded by, in words."""
    return f"{instance.bounds()}; {BETWEEN}"


def whole_rounds(protocol: Protocol, world: World) -> Iterator[Round]:
    """Every round from a world between two rounds, one for each way in which all of its coins may fall."""
    for acts, _ in _continued(protocol, world, ()):
        yield Round(acts)


def _continued(protocol: Protocol, world: World, acts: tuple[Act, ...]) -> Iterator[tuple[tuple[Act, ...], World]]:
    possible = sorted(enabled(protocol, world), key=lambda act: isinstance(act.input, Timeout))
    _, first = next(groupby(possible, key=lambda act: (act.node, act.input)), (None, ()))
    for act in first:
        after = step(protocol, world, act)
        if isinstance(act.input, Timeout) and not after.channels.acted:
            yield (*acts, act), after
        else:
            yield from _continued(protocol, after, (*acts, act))


def after_round(instance: Instance, world: World, taken: Round) -> World:
    """The world after a round, in which messages coalesce as the instance says."""
    for act in taken.acts:
        world = step(instance.protocol, world, act)
    return replace(world, channels=saturated(world.channels, instance.copies)) if instance.coalesce else world


def round_model(instance: Instance) -> Model:
    """The model of an instance whose single steps are whole rounds."""
    return replace(
        bounded_model(instance),
        enabled=lambda world: tuple(whole_rounds(instance.protocol, world)),
        step=lambda world, taken: after_round(instance, world, taken),
        actor=lambda _: "everybody",
        fair=lambda _: ("a round",),
        pick=lambda _: "a round",
        chance=lambda taken: prod(act.choice.probability for act in taken.acts),
        bounds=round_bounds(instance),
        disturbs=never,
    )


def unrolled(run: Run) -> Run:
    """The acts of a run, one by one; of the states only the first one is kept, from which all others follow."""
    parts = [action.acts if isinstance(action, Round) else (action,) for action in run.actions]
    back = None if run.back is None else sum(map(len, parts[: run.back]))
    return Run(run.states[:1], tuple(act for acts in parts for act in acts), back)
