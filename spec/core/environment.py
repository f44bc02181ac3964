"""The environment of a protocol: commands that a node may be given from outside, under a budget or owed."""

from typing import Any

import msgspec

from gomboc.spec.core.model import InFlight, States


class Offer(msgspec.Struct, frozen=True):
    """A command that `node` may be given from outside now.

    `budget` is the name of the budget that it is charged to, and "" if it needs none. An `owed` offer is enabled like a
    timeout: an infinite fair run takes it eventually, if it is offered for ever.
    """

    node: str
    command: Any
    budget: str
    owed: bool = False


def nothing_comes(states: States, in_flight: InFlight) -> tuple[Offer, ...]:
    """No offers: for a protocol without commands from outside."""
    del states, in_flight
    return ()
