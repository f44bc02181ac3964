"""Commands to a node: from its application, from the layer below, and from outside."""

from collections.abc import Callable
from typing import Annotated

from gomboc.impl.core import vocabulary
from gomboc.impl.core.vocabulary import Command, Crash, ascending, reader
from gomboc.impl.protocols.chord.parameters import Key, NodeName, Parameters


class Join(Command, frozen=True):
    """Join the ring through this contact; a node that is its own contact begins a ring of its own."""

    contact: NodeName


class Leave(Command, frozen=True):
    """The node crashes, and gives notice."""


class Suspect(vocabulary.Suspect, frozen=True):
    """The failure detector says that this node has crashed."""

    node: NodeName


class Peers(Command, frozen=True):
    """The membership names these nodes, ascending; the node itself may be one of them."""

    nodes: Annotated[tuple[NodeName, ...], ascending("node")]


class Lookup(Command, frozen=True):
    """Find the owner of this key, for the application."""

    key: Key


class Watch(Command, frozen=True):
    """Deliver the next hop towards this key to the application, now, at each change, and in every period."""

    key: Key


class Unwatch(Command, frozen=True):
    """Deliver it no more: there is none, for the application."""

    key: Key


Any = Join | Leave | Crash | Suspect | Peers | Lookup | Watch | Unwatch


def decoder(parameters: Parameters) -> Callable[[bytes], Any]:
    """Decoder of commands under these parameters; it raises `UsageError` for invalid bytes."""
    return reader(Any, "This is not a command of Chord", parameters)
