"""Publications over any overlay that delivers a node's neighbours."""

from collections.abc import Mapping
from functools import partial

import msgspec

from gomboc.impl.authenticator import IDEAL, Authenticator
from gomboc.impl.automaton import Core, Implementation, RandomSource
from gomboc.impl.dissemination import commands, messages
from gomboc.impl.dissemination.core import Member
from gomboc.impl.dissemination.states import load
from gomboc.impl.errors import UsageError
from gomboc.impl.limits import Limits
from gomboc.impl.port import Command, Port
from gomboc.impl.store import Store

_BLANK: Mapping[str, object] = {"member": {"live": False, "neighbours": []}}


def _make(
    limits: Limits, authenticator: Authenticator, role: str, name: str, value: object, random: RandomSource
) -> Core:
    del random  # No rule tosses a coin.
    if role != "member":
        raise UsageError(f"Dissemination has no role {role!r}; it has: member.")
    state = load(value, limits)
    return Member(name, state, Store(limits, authenticator, state.publications, state.hashes))


def _implementation(limits: Limits, authenticator: Authenticator = IDEAL) -> Implementation:
    return Implementation(
        name="dissemination",
        protocol="dissemination",
        make=partial(_make, limits, authenticator),
        decode=messages.decoder(limits),
        encode=messages.encode,
        decode_command=commands.decode,
        configured=_configured,
        blank=_BLANK,
    )


def _read(values: Mapping[str, object]) -> Limits:
    """The limits in a header's parameters; without any, the usual ones."""
    try:
        return msgspec.convert(dict(values) or {"key_bits": 32}, Limits)
    except msgspec.ValidationError as error:
        raise UsageError(f"These are not parameters of dissemination: {error}.") from error


def authenticated(values: Mapping[str, object], authenticator: Authenticator) -> Implementation:
    """The implementation that signs and verifies publications with this authenticator.

    Raises `UsageError` for invalid parameters.
    """
    return _implementation(_read(values), authenticator)


def _configured(values: Mapping[str, object]) -> Implementation:
    return _implementation(_read(values))


def _leave(forget: bool) -> Command:
    return {"kind": "Unsubscribe", "forget": True} if forget else {"kind": "Unsubscribe"}


def _publish(number: int, payload: str) -> Command:
    return {"kind": "Issue", "number": number, "payload": payload}


def _agreed(parameters: Mapping[str, object]) -> object:
    return _read(parameters).agreed()


IMPLEMENTATION = _implementation(Limits(key_bits=32))
PORT = Port(
    over="skip_plus",
    member="member",
    join={"kind": "Subscribe"},
    leave=_leave,
    publish=_publish,
    agreed=_agreed,
    authenticated=authenticated,
    tells_holders=True,
    crash=({"kind": "Crash"},),
    absent_answers=True,
)
