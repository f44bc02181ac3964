"""Publications over any overlay that delivers a node's neighbours."""

from collections.abc import Mapping
from functools import partial

from gomboc.impl.core.automaton import Core, Implementation, RandomSource
from gomboc.impl.core.errors import UsageError
from gomboc.impl.protocols.dissemination import commands, messages
from gomboc.impl.protocols.dissemination.broadcasts import Broadcasts
from gomboc.impl.protocols.dissemination.core import Member
from gomboc.impl.protocols.dissemination.parameters import USUAL, read
from gomboc.impl.protocols.dissemination.port import port
from gomboc.impl.protocols.dissemination.states import load
from gomboc.impl.publishing.authenticator import IDEAL, Authenticator
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.store import Store


def _make(
    limits: Limits, authenticator: Authenticator, role: str, name: str, value: object, random: RandomSource
) -> Core:
    if role != "member":
        raise UsageError(f"Dissemination has no role {role!r}; it has: member.")
    state = load(value, limits)
    store = Store(limits, authenticator, state.publications, state.hashes)
    return Member(name, state, store, Broadcasts(state.passed, limits.chunk), random)


def _implementation(limits: Limits, authenticator: Authenticator = IDEAL) -> Implementation:
    return Implementation(
        name="dissemination",
        protocol="dissemination",
        make=partial(_make, limits, authenticator),
        decode=messages.decoder(limits),
        decode_command=commands.decode,
        configured=authenticated,
        words=messages.WORDS,
        blank={"member": {"live": False, "neighbours": []}},
    )


def authenticated(values: Mapping[str, object], authenticator: Authenticator = IDEAL) -> Implementation:
    """The implementation with these parameters; this authenticator signs and verifies its publications.

    Raises `UsageError` for invalid parameters.
    """
    return _implementation(read(values), authenticator)


IMPLEMENTATION = _implementation(USUAL)
PORT = port(authenticated)
