"""The port of the skip ring: the supervisor is the one well-known node."""

from collections.abc import Callable, Mapping

from gomboc.impl.core.automaton import Implementation
from gomboc.impl.core.vocabulary import Crash
from gomboc.impl.protocols.skip_ring.commands import Issue, Join, Leave, Restart
from gomboc.impl.protocols.skip_ring.core import Subscriber
from gomboc.impl.protocols.skip_ring.messages import EXCHANGE, SUPERVISOR
from gomboc.impl.protocols.skip_ring.parameters import read, supervisor
from gomboc.impl.publishing.authenticator import Authenticator
from gomboc.impl.publishing.port import Manner, Port


def port(authenticated: Callable[[Mapping[str, object], Authenticator], Implementation]) -> Port:
    """The port, given the function that makes the implementation of an authenticator."""
    return Port(
        member="subscriber",
        join=Join(),
        leave=Leave,
        publish=Issue,
        publishing_needs="key_bits",
        limits=read,
        contacts={SUPERVISOR: "supervisor"},
        contact_parameter="supervisor",
        agreed=_agreed,
        authenticated=authenticated,
        manner=Manner(EXCHANGE),
        tells_holders=True,
        joined=lambda core: isinstance(core, Subscriber) and core.u.own is not None,
        crash=(Crash(),),
        begin_anew=(Restart(False), Leave()),
    )


def _agreed(parameters: Mapping[str, object]) -> object:
    limits, called = read(parameters), supervisor(parameters)
    agreed = None if limits is None else limits.agreed()
    return agreed if called == SUPERVISOR else [agreed, called]
