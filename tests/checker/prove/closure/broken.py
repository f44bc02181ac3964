"""Whether a protocol of a stranger breaks closure of a small system: steps of real nodes from legitimate states."""

from collections.abc import Iterator
from itertools import product
from math import prod
from random import Random
from types import ModuleType
from typing import Any

from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import CERTAIN, Input, Received, Timeout

TRIED, RIGHT = 20_000, 250
"""So many states of a node are looked at, and so many legitimate ones take every step; if there are more, by chance."""
AMOUNTS = range(-1, 5)


def broken(module: Any, random: Random) -> str | None:
    """A step that leads a legitimate system of at most four nodes out, or that raises an error; None if none does."""
    left = RIGHT
    for values in _values(module, random):
        local = module.Node(*values)
        for me in module.NAMES[1:]:
            if left and not _faults(module, me, local, ()):
                left -= me == module.NAMES[-1]
                said = _broken_by(module, me, local)
                if said is not None:
                    return said
    return None


def _values(module: ModuleType, random: Random) -> Iterator[tuple[Any, ...]]:
    choices = [module.VALUES[field] for field in module.Node.__struct_fields__]
    if prod(map(len, choices)) <= TRIED:
        every = [*product(*choices)]
        random.shuffle(every)
        yield from every
    else:
        for _ in range(TRIED):
            yield tuple(map(random.choice, choices))


def _faults(module: Any, me: str, local: Any, in_flight: Any, right: int = 2) -> tuple[Any, ...]:
    return legitimacy_faults(module.PROTOCOL, {"leader": module.Leader(right), me: local}, in_flight)


def _broken_by(module: Any, me: str, local: Any) -> str | None:
    for right, taken in _inputs(module, me, local):
        try:
            outcome = module.PROTOCOL.actor.react(me, local, taken, *CERTAIN)
            sent = tuple((send.target, send.message) for send in outcome.sends)
            faults = _faults(module, me, outcome.local, sent, right)
        except ValueError:
            continue
        except (TypeError, LookupError, AttributeError, StopIteration) as error:
            return f"{me}, {local}, {taken}: {error!r}"
        if faults:
            return f"{me}, {local}, {taken}: {outcome}"
    return None


def _inputs(module: Any, me: str, local: Any) -> Iterator[tuple[int, Input]]:
    """A timeout, and each message that a legitimate system can have in flight, with the leader's number."""
    for right in range(4):
        yield right, Timeout()
    for node, amount in product(module.NAMES, AMOUNTS):
        message = module.Tell(node, amount)
        for right in {2, amount}:
            if not _faults(module, me, local, ((me, message),), right):
                yield right, Received(message)
