"""The port of dissemination, a layer over an overlay that delivers neighbours."""

from collections.abc import Callable, Mapping

from gomboc.impl.core.automaton import Implementation
from gomboc.impl.core.vocabulary import Crash
from gomboc.impl.protocols.dissemination.commands import Issue, Subscribe, Unsubscribe
from gomboc.impl.protocols.dissemination.messages import EXCHANGE
from gomboc.impl.protocols.dissemination.parameters import read
from gomboc.impl.publishing.authenticator import Authenticator
from gomboc.impl.publishing.port import Manner, Port


def port(authenticated: Callable[[Mapping[str, object], Authenticator], Implementation]) -> Port:
    """The port, given the function that makes the implementation of an authenticator."""
    return Port(
        over="skip_plus",
        member="member",
        join=Subscribe(),
        leave=Unsubscribe,
        publish=Issue,
        limits=read,
        agreed=lambda parameters: read(parameters).agreed(),
        authenticated=authenticated,
        manner=Manner(EXCHANGE),
        tells_holders=True,
        crash=(Crash(),),
        absent_answers=True,
    )
