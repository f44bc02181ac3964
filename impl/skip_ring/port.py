"""The port of the skip ring: the supervisor is the one well-known node."""

from collections.abc import Callable, Mapping

from gomboc.impl.authenticator import Authenticator
from gomboc.impl.automaton import Implementation
from gomboc.impl.port import Command, Port
from gomboc.impl.skip_ring.messages import SUPERVISOR
from gomboc.impl.skip_ring.parameters import read


def port(authenticated: Callable[[Mapping[str, object], Authenticator], Implementation]) -> Port:
    """The port, given the function that makes the implementation of an authenticator."""
    return Port(
        member="subscriber",
        join={"kind": "subscribe"},
        leave=_leave,
        publish=_publish,
        publishing_needs="key_bits",
        contacts={SUPERVISOR: "supervisor"},
        agreed=_agreed,
        authenticated=authenticated,
        tells_holders=True,
        crash=({"kind": "crash"},),
        begin_anew=({"kind": "restart", "keep": False}, {"kind": "unsubscribe"}),
    )


def _leave(forget: bool) -> Command:
    return {"kind": "unsubscribe", "forget": True} if forget else {"kind": "unsubscribe"}


def _publish(number: int, payload: str) -> Command:
    return {"kind": "publish", "number": number, "payload": payload}


def _agreed(parameters: Mapping[str, object]) -> object:
    limits = read(parameters)
    return None if limits is None else limits.agreed()
