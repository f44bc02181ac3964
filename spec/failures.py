"""Failures as steps of the world, each under a budget: crash, restart, loss, duplication, corruption."""

from collections.abc import Iterable
from enum import Enum
from typing import Any

import msgspec
from msgspec.structs import replace

from spec.network import Envelope, World


class Failure(Enum):
    """The kinds of failure that a budget counts."""

    CRASH = "crash"
    RESTART = "restart"
    LOSS = "loss"
    DUPLICATION = "duplication"
    CORRUPT_STATE = "corrupt_state"
    CORRUPT_MESSAGE = "corrupt_message"


class Failed(msgspec.Struct, frozen=True):
    """One failure: of a node, with the local state it then has, or of an envelope, with the message it then holds."""

    kind: Failure
    node: str = ""
    envelope: Envelope | None = None
    value: Any = None


def with_budget(world: World, budget: dict[Failure, int]) -> World:
    """`world`, in which each kind of failure may happen that often."""
    return replace(world, budget=tuple(sorted((kind.value, times) for kind, times in budget.items() if times > 0)))


def possible(world: World, states: Iterable[Any] = (), messages: Iterable[Any] = ()) -> tuple[Failed, ...]:
    """Every failure that the budget of `world` still allows.

    A restarted or corrupted node has one of `states`, a corrupted message becomes one of `messages`.
    """
    left = {Failure(kind) for kind, times in world.budget if times > 0}
    values, contents = tuple(states), tuple(messages)
    alive = [name for name, _ in world.locals if name not in world.crashed]
    envelopes = tuple(dict.fromkeys(world.channels.in_flight))
    every = {
        Failure.CRASH: [Failed(Failure.CRASH, node) for node in alive],
        Failure.RESTART: [Failed(Failure.RESTART, node, None, value) for node in world.crashed for value in values],
        Failure.LOSS: [Failed(Failure.LOSS, "", envelope) for envelope in envelopes],
        Failure.DUPLICATION: [Failed(Failure.DUPLICATION, "", envelope) for envelope in envelopes],
        Failure.CORRUPT_STATE: [Failed(Failure.CORRUPT_STATE, node, None, v) for node in alive for v in values],
        Failure.CORRUPT_MESSAGE: [
            Failed(Failure.CORRUPT_MESSAGE, "", envelope, content) for envelope in envelopes for content in contents
        ],
    }
    return tuple(failed for kind, failures in every.items() if kind in left for failed in failures)


def fail(world: World, failed: Failed) -> World:
    """The world after a failure, which is taken off the budget. Raises ValueError if the budget does not allow it."""
    spent = _spend(world, failed.kind)
    if failed.envelope is not None:
        return _fail_envelope(spent, failed.kind, failed.envelope, failed.value)
    match failed.kind:
        case Failure.CRASH:
            return replace(spent, crashed=tuple(sorted({*spent.crashed, failed.node})))
        case Failure.RESTART:
            alive = replace(spent, crashed=tuple(node for node in spent.crashed if node != failed.node))
            return alive.with_local(failed.node, failed.value)
        case _:
            return spent.with_local(failed.node, failed.value)


def _spend(world: World, kind: Failure) -> World:
    budget = dict(world.budget)
    if budget.get(kind.value, 0) < 1:
        raise ValueError(f"the budget allows no further {kind.value}")
    budget[kind.value] -= 1
    return replace(world, budget=tuple(sorted(budget.items())))


def _fail_envelope(world: World, kind: Failure, envelope: Envelope, content: Any) -> World:
    """Loss takes the envelope, duplication leaves it there twice, corruption leaves it there with another content."""
    left = {
        Failure.LOSS: (),
        Failure.DUPLICATION: (envelope, envelope),
        Failure.CORRUPT_MESSAGE: (replace(envelope, message=content),),
    }[kind]
    return replace(world, channels=world.channels.exchange(envelope, left))
