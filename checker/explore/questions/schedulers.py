"""Schedulers: one node at a time, any set of nodes at once, or all at once, for models with shared memory."""

from collections.abc import Hashable, Iterator
from enum import Enum
from itertools import combinations, product
from math import prod
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.spec.core.model import Model, never


class Scheduler(Enum):
    """Sets of nodes that may act at once."""

    CENTRAL = "central"
    """One node at a time."""
    DISTRIBUTED = "distributed"
    """Any of the nodes that can act, at least one."""
    SYNCHRONOUS = "synchronous"
    """All of the nodes that can act."""


class Together(msgspec.Struct, frozen=True):
    """Simultaneous actions of different nodes, each of which reads the state before the step."""

    actions: tuple[Any, ...]


def scheduled(model: Model, scheduler: Scheduler) -> Model:
    """`model` under another scheduler. Its states must be tuples with one variable for each node."""
    if scheduler is Scheduler.CENTRAL:
        return model

    def enabled(state: Any) -> tuple[Together, ...]:
        by_actor: dict[str, list[Any]] = {}
        for action in model.enabled(state):
            by_actor.setdefault(model.actor(action), []).append(action)
        return tuple(Together(actions) for group in _groups(by_actor, scheduler) for actions in product(*group))

    def turns(action: Together) -> tuple[Hashable, ...]:
        if model.fair is None:
            return tuple(model.actor(part) for part in action.actions)
        return tuple(turn for part in action.actions for turn in model.fair(part))

    return replace(
        model,
        enabled=enabled,
        step=lambda state, action: _merged(model, state, action),
        actor=lambda action: "+".join(model.actor(part) for part in action.actions),
        fair=turns,
        pick=lambda action: tuple(model.pick(part) for part in action.actions),
        chance=lambda action: prod(model.chance(part) for part in action.actions),
        disturbs=never if model.disturbs is never else lambda action: any(map(model.disturbs, action.actions)),
    )


def _groups(by_actor: dict[str, list[Any]], scheduler: Scheduler) -> Iterator[tuple[list[Any], ...]]:
    actors = list(by_actor)
    sizes = range(1, len(actors) + 1) if scheduler is Scheduler.DISTRIBUTED else range(len(actors), len(actors) + 1)
    for size in sizes:
        if size:
            yield from (tuple(by_actor[actor] for actor in chosen) for chosen in combinations(actors, size))


def _merged(model: Model, state: Any, action: Together) -> Any:
    """The state after all actions. Raises UsageError if two of them write different values to one variable."""
    if not isinstance(state, tuple):
        raise UsageError(f"The model {model.name} has no shared memory: its states are no tuples of variables.")
    merged = list(state)
    for part in action.actions:
        for index, value in enumerate(model.step(state, part)):
            if value != state[index]:
                if merged[index] != state[index] and merged[index] != value:
                    raise UsageError(f"The model {model.name} has two nodes that write the variable {index} at once.")
                merged[index] = value
    return tuple(merged)
