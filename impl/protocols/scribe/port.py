"""The port of Scribe, a layer over an overlay that delivers routes."""

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from gomboc.impl.core.automaton import HeldElsewhere, Implementation
from gomboc.impl.core.vocabulary import Crash
from gomboc.impl.protocols.scribe import messages
from gomboc.impl.protocols.scribe.commands import Heard, Issue, Subscribe, Unsubscribe
from gomboc.impl.protocols.scribe.core import Node
from gomboc.impl.protocols.scribe.deliveries import Spread
from gomboc.impl.protocols.scribe.parameters import read
from gomboc.impl.publishing.authenticator import Authenticator
from gomboc.impl.publishing.port import Beside, Disputed, Manner, Port


def _holders(message: Struct) -> HeldElsewhere | None:
    match message:
        case messages.Subscribe(sender, _, keys) | messages.Heartbeat(sender, keys):
            return HeldElsewhere(sender, keys)
        case messages.Acknowledge(key):
            return HeldElsewhere(None, (key,))
    return None


def _undisputed(message: Struct, disputed: Disputed) -> Struct:
    """What was refused of a neighbour is not asked for again."""
    if not isinstance(message, messages.Subscribe | messages.Heartbeat):
        return message
    return replace(message, keys=tuple(key for key in message.keys if key not in disputed.here))


def port(authenticated: Callable[[Mapping[str, object], Authenticator], Implementation]) -> Port:
    """The port, given the function that makes the implementation of an authenticator."""
    return Port(
        member="node",
        join=Subscribe(),
        leave=Unsubscribe,
        publish=Issue,
        limits=read,
        agreed=lambda parameters: read(parameters).agreed(),
        authenticated=authenticated,
        below="chord",
        beside=Beside(
            overlay="hyparview",
            needed_with="high",
            shared=("key_bits", "payload_limit", "chunk", "keep"),
            to_spread=lambda content: content.publication if isinstance(content, Spread) else None,
            heard=Heard,
        ),
        tells_holders=True,
        holders=_holders,
        manner=Manner(altered=_undisputed),
        joined=lambda core: isinstance(core, Node) and core.joined,
        spare=lambda core: isinstance(core, Node) and core.spare,
        crash=(Crash(),),
        crashed_answers=True,
    )
