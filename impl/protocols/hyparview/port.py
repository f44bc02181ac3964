"""The port of HyParView: every publication reaches every node, and is delivered where its topic is subscribed to."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from gomboc.impl.core.automaton import Core, HeldElsewhere, Implementation
from gomboc.impl.core.vocabulary import Crash
from gomboc.impl.protocols.hyparview.commands import Join, Spread
from gomboc.impl.protocols.hyparview.core import Node
from gomboc.impl.protocols.hyparview.deliveries import Heard, Peers
from gomboc.impl.protocols.hyparview.messages import Digest
from gomboc.impl.protocols.hyparview.parameters import read
from gomboc.impl.publishing.authenticator import Authenticator
from gomboc.impl.publishing.port import Disputed, Manner, Port, Spreading, ToSpread
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.store import Store


def _store(core: Core, topic: str) -> Store:
    assert isinstance(core, Node), "this core is a node of HyParView"
    return core.store(topic)


def _heard(content: object) -> tuple[str, Publication] | None:
    return (content.topic, content.publication) if isinstance(content, Heard) else None


def _peers(content: object) -> tuple[str, ...] | None:
    return content.nodes if isinstance(content, Peers) else None


def _holders(message: Struct) -> HeldElsewhere | None:
    return HeldElsewhere(message.sender, ids=message.ids) if isinstance(message, Digest) else None


def _undisputed(message: Struct, disputed: Disputed) -> Struct:
    if not isinstance(message, Digest):
        return message
    refused = {*disputed.here.values()}
    return Digest(message.sender, tuple(id_ for id_ in message.ids if id_ not in refused))


def port(authenticated: Callable[[Mapping[str, object], Authenticator], Implementation]) -> Port:
    """The port, given the function that makes the implementation of an authenticator."""
    return Port(
        member="node",
        # To leave a topic is nothing that other nodes hear of.
        leave=lambda _forget: None,
        publish=ToSpread,
        agreed=lambda parameters: read(parameters).agreed(),
        authenticated=authenticated,
        spreading=Spreading(join_via=Join, spread=Spread, heard=_heard, peers=_peers, store=_store),
        limits=read,
        tells_holders=True,
        holders=_holders,
        manner=Manner(altered=_undisputed),
        joined=lambda core: isinstance(core, Node) and core.status == "inside",
        crash=(Crash(),),
        crashed_answers=True,
    )
