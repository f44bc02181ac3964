"""Failures as steps of the world, each under a budget: loss, duplication, corruption.

Crashes, and all other events that a node notices, come from the environment as commands.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.channels import Envelope
from gomboc.spec.core.network import World, spend


class Failure(Enum):
    """The kinds of failure that a budget counts."""

    LOSS = "loss"
    DUPLICATION = "duplication"
    CORRUPT_STATE = "corrupt_state"
    CORRUPT_MESSAGE = "corrupt_message"


class Failed(msgspec.Struct, frozen=True):
    """One failure: of a node, with its local state afterwards, or of an envelope, with its message afterwards."""

    kind: Failure
    node: str = ""
    envelope: Envelope | None = None
    value: Any = None


def with_budget(world: World, budget: dict[Failure, int]) -> World:
    """`world` with a budget: the number of failures of each kind that may happen."""
    return replace(world, budget=tuple(sorted((kind.value, times) for kind, times in budget.items() if times > 0)))


def possible(world: World, states: Iterable[Any] = (), messages: Iterable[Any] = ()) -> tuple[Failed, ...]:
    """Every failure that the budget of `world` still allows.

    A corrupted node has one of `states`, a corrupted message becomes one of `messages`.
    """
    left = {kind for kind, times in world.budget if times > 0}
    values, contents = tuple(states), tuple(messages)
    nodes = [name for name, _ in world.locals]
    envelopes = tuple(dict.fromkeys(world.channels.in_flight))
    every = {
        Failure.LOSS: [Failed(Failure.LOSS, "", envelope) for envelope in envelopes],
        Failure.DUPLICATION: [Failed(Failure.DUPLICATION, "", envelope) for envelope in envelopes],
        Failure.CORRUPT_STATE: [Failed(Failure.CORRUPT_STATE, node, None, v) for node in nodes for v in values],
        Failure.CORRUPT_MESSAGE: [
            Failed(Failure.CORRUPT_MESSAGE, "", envelope, content) for envelope in envelopes for content in contents
        ],
    }
    return tuple(failed for kind, failures in every.items() if kind.value in left for failed in failures)


def fail(world: World, failed: Failed) -> World:
    """The world after a failure, which is charged to the budget. Raises ValueError if the budget does not allow it."""
    spent = spend(world, failed.kind.value)
    if failed.envelope is not None:
        return _fail_envelope(spent, failed.kind, failed.envelope, failed.value)
    return spent.with_local(failed.node, failed.value)


def _fail_envelope(world: World, kind: Failure, envelope: Envelope, content: Any) -> World:
    """Loss removes the envelope, duplication leaves two copies, corruption leaves one with another content."""
    left = {
        Failure.LOSS: (),
        Failure.DUPLICATION: (envelope, envelope),
        Failure.CORRUPT_MESSAGE: (replace(envelope, message=content),),
    }[kind]
    return replace(world, channels=world.channels.exchange(envelope, left))
