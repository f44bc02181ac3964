"""The lines of a trace, as `traces/README.md` names them."""

from typing import Any, Literal

from msgspec import Raw, Struct


class InFlight(Struct, frozen=True, gc=False):
    """A message in flight: its number, unique in the trace; its receiver; its content."""

    id: int
    to: str
    message: Any


class Step(Struct, frozen=True, omit_defaults=True, gc=False):
    """A node's step: its input, its whole state afterwards, the messages and deliveries, and perhaps its time."""

    node: str
    took: Literal["timeout"] | int | Struct
    state: Raw
    sent: list[InFlight]
    delivered: tuple[Any, ...] = ()
    coin: str | None = None
    at: float | None = None
