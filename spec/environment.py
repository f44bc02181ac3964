"""What may come from outside: commands that a node may be given now, under a budget or owed."""

from typing import Any

import msgspec

from gomboc.spec.model import InFlight, States


class Offer(msgspec.Struct, frozen=True):
    """A command that `node` may be given from outside now.

    `budget` is the name of the budget that it is taken from, and "" if it needs none. One that is `owed` is enabled
    like a timeout: an infinite fair run takes it in the end, if it is offered for ever.
    """

    node: str
    command: Any
    budget: str
    owed: bool = False


def nothing_comes(states: States, in_flight: InFlight) -> tuple[Offer, ...]:
    """Nothing comes from outside."""
    del states, in_flight
    return ()
