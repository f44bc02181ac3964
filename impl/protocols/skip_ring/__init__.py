"""The supervised skip ring, and its variants with printed rules."""

from collections.abc import Mapping
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from gomboc.impl.core.automaton import Core, Implementation, RandomSource
from gomboc.impl.core.errors import UsageError
from gomboc.impl.protocols.skip_ring import commands, messages, parameters
from gomboc.impl.protocols.skip_ring.core import FAILING, Subscriber
from gomboc.impl.protocols.skip_ring.placing import Placing
from gomboc.impl.protocols.skip_ring.port import port
from gomboc.impl.protocols.skip_ring.printed import PrintedPlacing
from gomboc.impl.protocols.skip_ring.printed_ring import PrintedRingPlacing, PrintedRingSubscriber
from gomboc.impl.protocols.skip_ring.states import load_subscriber, load_supervisor
from gomboc.impl.protocols.skip_ring.supervisor import Supervisor
from gomboc.impl.publishing.authenticator import IDEAL, Authenticator
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.store import Store

_BLANK: Mapping[str, object] = {
    "supervisor": {"database": [], "next": 0},
    "subscriber": {"label": None, "left": None, "right": None, "ring": None, "shortcuts": [], "wants": False},
}


class _Form(Struct, frozen=True):
    """Differences between the implementations."""

    name: str
    placing: type[Placing]
    subscriber: type[Subscriber] = Subscriber
    limits: Limits | None = None
    supervisor: str = messages.SUPERVISOR
    authenticator: Authenticator = IDEAL
    variants: tuple["_Form", ...] = ()


def _make(form: _Form, role: str, name: str, state: object, random: RandomSource) -> Core:
    match role:
        case "supervisor":
            if name != form.supervisor:
                raise UsageError(f"The supervisor of this skip ring is called {form.supervisor!r}, and not {name!r}.")
            return Supervisor(load_supervisor(state), name)
        case "subscriber":
            if name == messages.SUPERVISOR != form.supervisor:
                raise UsageError(f"A node called {name!r} is no subscriber: choose another name.")
            return _subscriber(form, name, state, random)
        case _:
            raise UsageError(f"The skip ring has no role {role!r}; it has: subscriber, supervisor.")


def _subscriber(form: _Form, name: str, value: object, random: RandomSource) -> Subscriber:
    state, store = load_subscriber(value, form.limits), None
    if form.limits is not None:
        store = Store(form.limits, form.authenticator, state.publications, state.hashes)
    return form.subscriber(name, state, random, form.placing, store, form.supervisor)


def _implementation(form: _Form) -> Implementation:
    return Implementation(
        name=form.name,
        protocol="skip_ring",
        make=partial(_make, form),
        decode=messages.decoder(form.limits),
        decode_command=commands.decode,
        variants=tuple(map(_implementation, form.variants)),
        configured=partial(_configured, form),
        words=messages.WORDS,
        blank=_BLANK,
        failing=FAILING,
    )


def _configured(form: _Form, values: Mapping[str, object], authenticator: Authenticator = IDEAL) -> Implementation:
    given = {
        "limits": parameters.read(values),
        "supervisor": parameters.supervisor(values),
        "authenticator": authenticator,
    }
    variants = tuple(replace(variant, **given) for variant in form.variants)
    return _implementation(replace(form, **given, variants=variants))


_PRINTED = _Form("skip_ring.printed_linearize", PrintedPlacing)
_PRINTED_RING = _Form("skip_ring.printed_build_ring", PrintedRingPlacing, PrintedRingSubscriber)
_OURS = _Form("skip_ring", Placing, variants=(_PRINTED, _PRINTED_RING))


def authenticated(values: Mapping[str, object], authenticator: Authenticator) -> Implementation:
    """The implementation with these parameters; this authenticator signs and verifies its publications.

    Raises `UsageError` for invalid parameters.
    """
    return _configured(_OURS, values, authenticator)


IMPLEMENTATION = _implementation(_OURS)
PORT = port(authenticated)
