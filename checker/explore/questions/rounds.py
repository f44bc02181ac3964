"""Whole rounds as single steps: all receipts, then all timeouts, of a synchronous protocol.

Where the receipts of one round commute, their order does not matter. So one order represents all, and states are judged
only between rounds.
"""

from collections.abc import Iterator
from itertools import groupby
from math import prod

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.instance import Instance, bounded_model, saturated, turns
from gomboc.spec.core.model import Kind, Model, Promise, Timeout, everywhere, nothing_comes
from gomboc.spec.core.network import Act, World, disturbs, enabled, pick, step
from gomboc.spec.core.protocol import Discipline, Protocol

RECEIPTS_COMMUTE = "the receipts of one round commute, as the protocol says"

COMMUTING = Promise(Kind.ALWAYS, "commuting", everywhere, "the protocol's commuting")
"""The promise that a synchronous protocol declares of itself: its receipts commute."""

BETWEEN = "whole rounds are single steps, as receipts commute, and states are looked at between them"

A_ROUND = "a round"

COMMANDS_BETWEEN = ", where all commands come"


class Round(msgspec.Struct, frozen=True):
    """One round: the steps of all nodes in it, the receipts before the timeouts."""

    acts: tuple[Act, ...]


def is_by_rounds(instance: Instance) -> bool:
    """Whether whole rounds of an instance can be single steps: if its receipts commute."""
    return instance.protocol.discipline is Discipline.ROUNDS and instance.protocol.actor.commuting


def round_bounds(instance: Instance) -> str:
    """The bounds of every claim about whole rounds of an instance, as text."""
    commanded = instance.protocol.environment.offers is not nothing_comes
    return f"{instance.bounds()}; {BETWEEN}{COMMANDS_BETWEEN if commanded else ''}"


def whole_rounds(protocol: Protocol, world: World) -> Iterator[Round]:
    """Every round from a world between two rounds, one for each combination of results of its coins."""
    for acts, _ in _continued(protocol, world, ()):
        yield Round(acts)


def _continued(protocol: Protocol, world: World, acts: tuple[Act, ...]) -> Iterator[tuple[tuple[Act, ...], World]]:
    acting = (act for act in enabled(protocol, world) if act.offer is None)
    possible = sorted(acting, key=lambda act: isinstance(act.input, Timeout))
    if acts and not possible:
        # All nodes have fallen asleep.
        yield acts, world
    _, first = next(groupby(possible, key=lambda act: (act.node, act.input)), (None, ()))
    for act in first:
        after = step(protocol, world, act)
        if isinstance(act.input, Timeout) and not after.channels.acted:
            yield (*acts, act), after
        else:
            yield from _continued(protocol, after, (*acts, act))


def after_round(instance: Instance, world: World, taken: Round | Act) -> World:
    """The world after a round or a command, in which messages coalesce if the instance says so."""
    for act in acts_of(taken):
        world = step(instance.protocol, world, act)
    return replace(world, channels=saturated(world.channels, instance.copies)) if instance.coalesce else world


def round_model(instance: Instance) -> Model:
    """The model of an instance with whole rounds as single steps, and commands between them."""
    single = bounded_model(instance)

    def possible(world: World) -> tuple[Round | Act, ...]:
        commands = (act for act in single.enabled(world) if act.offer is not None)
        return (*whole_rounds(instance.protocol, world), *commands)

    return replace(
        single,
        enabled=possible,
        step=lambda world, taken: after_round(instance, world, taken),
        actor=lambda taken: "everybody" if isinstance(taken, Round) else taken.node,
        fair=lambda taken: (A_ROUND,) if isinstance(taken, Round) else turns(taken),
        pick=lambda taken: A_ROUND if isinstance(taken, Round) else pick(taken),
        chance=lambda taken: prod(act.choice.probability for act in acts_of(taken)),
        bounds=round_bounds(instance),
        disturbs=lambda taken: isinstance(taken, Act) and disturbs(instance.protocol, taken),
    )


def acts_of(taken: Round | Act) -> tuple[Act, ...]:
    """The single steps of a round or of a command."""
    return taken.acts if isinstance(taken, Round) else (taken,)
