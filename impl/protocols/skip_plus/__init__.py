"""Skip+, implemented: a skip graph that sorts itself."""

from collections.abc import Mapping
from functools import partial

import msgspec
from msgspec import Struct

from gomboc.impl.core.automaton import Core, Implementation, RandomSource
from gomboc.impl.core.errors import UsageError
from gomboc.impl.protocols.skip_plus import commands, messages
from gomboc.impl.protocols.skip_plus.core import Node
from gomboc.impl.protocols.skip_plus.names import is_name
from gomboc.impl.protocols.skip_plus.port import PORT
from gomboc.impl.protocols.skip_plus.states import load

__all__ = ["IMPLEMENTATION", "PORT"]

_BLANK: Mapping[str, object] = {
    "node": {"live": False, "neighbours": [], "stable": [], "told": [], "gone": []},
}


class _Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """`synchronous`: whether the network keeps rounds; a node acts the same either way.

    `layered`: whether there is a layer
    above.
    """

    synchronous: bool = True
    layered: bool = False


def _make(is_layered: bool, role: str, name: str, state: object, random: RandomSource) -> Core:
    del random  # No rule tosses a coin.
    if role != "node":
        raise UsageError(f"Skip+ has no role {role!r}; it has: node.")
    if not is_name(name):
        raise UsageError(f"{name!r} is no name of a node of Skip+: write an id and bits, such as '007:0110'.")
    return Node(name, load(name, state), is_layered=is_layered)


def _configured(values: Mapping[str, object]) -> Implementation:
    try:
        parameters = msgspec.convert(dict(values), _Parameters)
    except msgspec.ValidationError as error:
        raise UsageError(f"These are not parameters of Skip+: {error}.") from error
    return _implementation(is_layered=parameters.layered)


def _implementation(*, is_layered: bool) -> Implementation:
    return Implementation(
        name="skip_plus",
        protocol="skip_plus",
        make=partial(_make, is_layered),
        decode=messages.decode,
        encode=messages.encode,
        decode_command=commands.decode,
        configured=_configured,
        blank=_BLANK,
    )


IMPLEMENTATION = _implementation(is_layered=False)
