"""Skip+, implemented: a skip graph that sorts itself."""

from collections.abc import Mapping
from functools import partial

from gomboc.impl.core.automaton import Core, Implementation, RandomSource
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.vocabulary import plain
from gomboc.impl.protocols.skip_plus import commands, messages
from gomboc.impl.protocols.skip_plus.core import FAILING, Node
from gomboc.impl.protocols.skip_plus.names import is_name
from gomboc.impl.protocols.skip_plus.parameters import USUAL, Parameters, read
from gomboc.impl.protocols.skip_plus.port import PORT
from gomboc.impl.protocols.skip_plus.states import BLANK, load

__all__ = ["IMPLEMENTATION", "PORT"]


def _make(parameters: Parameters, role: str, name: str, state: object, random: RandomSource) -> Core:
    if role != "node":
        raise UsageError(f"Skip+ has no role {role!r}; it has: node.")
    if not is_name(name):
        raise UsageError(f"{name!r} is no name of a node of Skip+: write an id and bits, such as '007:0110'.")
    return Node(name, load(name, state), random, is_layered=parameters.layered, most_names=parameters.most_names)


def _configured(values: Mapping[str, object]) -> Implementation:
    return _implementation(read(values))


def _implementation(parameters: Parameters) -> Implementation:
    return Implementation(
        name="skip_plus",
        protocol="skip_plus",
        make=partial(_make, parameters),
        decode=messages.decoder(parameters),
        decode_command=commands.decode,
        configured=_configured,
        words=messages.WORDS,
        blank={"node": plain(BLANK)},
        failing=FAILING,
    )


IMPLEMENTATION = _implementation(USUAL)
