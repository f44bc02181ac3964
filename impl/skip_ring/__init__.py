"""The supervised skip ring, and its variant with the published Linearize."""

from functools import partial

from impl.automaton import Core, Implementation, RandomSource
from impl.errors import UsageError
from impl.skip_ring import commands, messages
from impl.skip_ring.core import Subscriber
from impl.skip_ring.placing import Placing
from impl.skip_ring.published import PublishedPlacing
from impl.skip_ring.states import load_subscriber, load_supervisor
from impl.skip_ring.supervisor import Supervisor


def _make(placing: type[Placing], role: str, name: str, state: object, random: RandomSource) -> Core:
    match role:
        case "supervisor":
            return Supervisor(load_supervisor(state))
        case "subscriber":
            return Subscriber(name, load_subscriber(state), random, placing)
        case _:
            raise UsageError(f"The skip ring has no role {role!r}; it has: subscriber, supervisor.")


def _implementation(name: str, placing: type[Placing], variants: tuple[Implementation, ...] = ()) -> Implementation:
    return Implementation(
        name=name,
        protocol="skip_ring",
        make=partial(_make, placing),
        decode=messages.decode,
        encode=messages.encode,
        decode_command=commands.decode,
        variants=variants,
    )


IMPLEMENTATION = _implementation(
    "skip_ring", Placing, variants=(_implementation("skip_ring.published_linearize", PublishedPlacing),)
)
