"""Delta-fault-tolerant content-based publish-subscribe, implemented: brokers in a tree that bypass those that fail."""

from collections.abc import Mapping
from functools import partial

from gomboc.impl.core.automaton import Core, Implementation, RandomSource
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.vocabulary import plain
from gomboc.impl.protocols.delta_fault_tolerance import commands, messages
from gomboc.impl.protocols.delta_fault_tolerance.core import FAILING, Broker
from gomboc.impl.protocols.delta_fault_tolerance.names import is_name
from gomboc.impl.protocols.delta_fault_tolerance.parameters import USUAL, Parameters, read
from gomboc.impl.protocols.delta_fault_tolerance.port import PORT
from gomboc.impl.protocols.delta_fault_tolerance.states import ALONE, load

__all__ = ["IMPLEMENTATION", "PORT"]


def _make(parameters: Parameters, role: str, name: str, state: object, random: RandomSource) -> Core:
    del random  # No rule tosses a coin.
    if role != "broker":
        raise UsageError(f"Delta-fault-tolerance has no role {role!r}; it has: broker.")
    if not is_name(name):
        raise UsageError(f"{name!r} is no name of a broker: write a path in the tree, such as 'a.b.c'.")
    return Broker(name, parameters, load(name, state, parameters))


def _configured(values: Mapping[str, object]) -> Implementation:
    return _implementation(read(values))


def _implementation(parameters: Parameters) -> Implementation:
    return Implementation(
        name="delta_fault_tolerance",
        protocol="delta_fault_tolerance",
        make=partial(_make, parameters),
        decode=messages.decoder(parameters),
        decode_command=commands.decode,
        configured=_configured,
        words=messages.WORDS,
        blank={"broker": plain(ALONE)},
        failing=FAILING,
    )


IMPLEMENTATION = _implementation(USUAL)
