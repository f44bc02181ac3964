"""Scribe, implemented: the tree of one topic over any overlay that delivers the next hop towards the topic's key."""

from collections.abc import Mapping
from functools import partial

from gomboc.impl.core.automaton import Core, Implementation, RandomSource
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.vocabulary import plain
from gomboc.impl.protocols.scribe import commands, messages
from gomboc.impl.protocols.scribe.core import FAILING, Node
from gomboc.impl.protocols.scribe.parameters import USUAL, Parameters, read
from gomboc.impl.protocols.scribe.port import port
from gomboc.impl.protocols.scribe.states import BLANK, load
from gomboc.impl.publishing.authenticator import IDEAL, Authenticator
from gomboc.impl.publishing.store import Store

__all__ = ["IMPLEMENTATION", "PORT"]


def _make(
    parameters: Parameters, authenticator: Authenticator, role: str, name: str, value: object, random: RandomSource
) -> Core:
    if role != "node":
        raise UsageError(f"Scribe has no role {role!r}; it has: node.")
    state = load(name, value, parameters)
    return Node(name, state, parameters, Store(parameters, authenticator, state.publications), random)


def _implementation(parameters: Parameters, authenticator: Authenticator = IDEAL) -> Implementation:
    return Implementation(
        name="scribe",
        protocol="scribe",
        make=partial(_make, parameters, authenticator),
        decode=messages.decoder(parameters),
        decode_command=commands.decoder(parameters),
        configured=authenticated,
        words=messages.WORDS,
        blank={"node": plain(BLANK)},
        failing=FAILING,
    )


def authenticated(values: Mapping[str, object], authenticator: Authenticator = IDEAL) -> Implementation:
    """The implementation with these parameters; this authenticator signs and verifies its publications.

    Raises `UsageError` for invalid parameters.
    """
    return _implementation(read(values), authenticator)


IMPLEMENTATION = _implementation(USUAL)
PORT = port(authenticated)
