"""HyParView, implemented: a membership of small views, and a broadcast with recovery over their links."""

from collections.abc import Mapping
from functools import partial

from gomboc.impl.core.automaton import Core, Implementation, RandomSource
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.vocabulary import plain
from gomboc.impl.protocols.hyparview import commands, messages
from gomboc.impl.protocols.hyparview.core import FAILING, Node
from gomboc.impl.protocols.hyparview.parameters import USUAL, Parameters, read
from gomboc.impl.protocols.hyparview.port import port
from gomboc.impl.protocols.hyparview.states import OUTSIDE, load
from gomboc.impl.publishing.authenticator import IDEAL, Authenticator

__all__ = ["IMPLEMENTATION", "PORT"]


def _make(
    parameters: Parameters, authenticator: Authenticator, role: str, name: str, value: object, random: RandomSource
) -> Core:
    if role != "node":
        raise UsageError(f"HyParView has no role {role!r}; it has: node.")
    return Node(name, load(name, value, parameters), parameters, authenticator, random)


def _implementation(parameters: Parameters, authenticator: Authenticator = IDEAL) -> Implementation:
    return Implementation(
        name="hyparview",
        protocol="hyparview",
        make=partial(_make, parameters, authenticator),
        decode=messages.decoder(parameters),
        decode_command=commands.decoder(parameters),
        configured=authenticated,
        words=messages.WORDS,
        blank={"node": plain(OUTSIDE)},
        failing=FAILING,
    )


def authenticated(values: Mapping[str, object], authenticator: Authenticator = IDEAL) -> Implementation:
    """The implementation with these parameters; this authenticator signs and verifies its publications.

    Raises `UsageError` for invalid parameters.
    """
    return _implementation(read(values), authenticator)


IMPLEMENTATION = _implementation(USUAL)
PORT = port(authenticated)
