"""The lines of a trace, as `traces/README.md` names them."""

from typing import Any, Literal

from msgspec import Raw, Struct


class InFlight(Struct, frozen=True, gc=False):
    """A message on its way: its number, unique in the trace; the node it goes to; what it says."""

    id: int
    to: str
    message: Any


class Step(Struct, frozen=True, omit_defaults=True, gc=False):
    """What one node did: what it took, its whole state afterwards, and what it sent and delivered."""

    node: str
    took: Literal["timeout"] | int | Struct
    state: Raw
    sent: list[InFlight]
    delivered: tuple[Any, ...] = ()
    coin: str | None = None
