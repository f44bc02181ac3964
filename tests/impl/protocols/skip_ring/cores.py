"""One core at a time, and its answers: states and messages as plain JSON values, sends without an order."""

from random import Random
from typing import Any

import msgspec

from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import Received, Send, Timeout, Traced

BLANK: dict[str, Any] = {"label": None, "left": None, "right": None, "ring": None, "shortcuts": [], "wants": True}
SILENT = 0.999


class LoadedCoin(Random):
    """A random source that always gives the same number."""

    def __init__(self, number: float) -> None:
        super().__init__()
        self._number = number

    def random(self) -> Any:
        return self._number


def make(role: str, name: str, state: Any, coin: Any = SILENT, variant: str = "skip_ring") -> Any:
    return implementation(variant).make(role, name, state, LoadedCoin(coin))


def subscriber(coin: Any = SILENT, variant: str = "skip_ring", **variables: Any) -> Any:
    """A subscriber called u, by default with label 01 and nothing else."""
    return make("subscriber", "u", {**BLANK, "label": "01", **variables}, coin, variant)


def state_of(core: Any) -> Any:
    return msgspec.json.decode(core.snapshot())


def sends(outputs: Any) -> list[Any]:
    """The messages sent, as (target, kind, further values ...), sorted."""
    values = [
        (output.to, *msgspec.to_builtins(output.message, builtin_types=(tuple,)).values())
        for output in outputs
        if isinstance(output, Send)
    ]
    return sorted(values, key=repr)


def hear(core: Any, message: Any) -> Any:
    """Deliver a message; return the answers."""
    return sends(core.handle(0.0, Received(message)))


def time_out(core: Any) -> Any:
    return sends(core.handle(0.0, Timeout()))


def coin_of(outputs: Any) -> list[Any]:
    return [output.coin for output in outputs if isinstance(output, Traced)]
