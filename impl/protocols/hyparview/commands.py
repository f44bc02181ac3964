"""Commands to a node: from its application, from the layer above, and from outside."""

from collections.abc import Callable

from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import Command, Crash, Suspect, reader
from gomboc.impl.protocols.hyparview.messages import Topic
from gomboc.impl.protocols.hyparview.parameters import Parameters
from gomboc.impl.publishing.publication import Publication


class Join(Command, frozen=True):
    """Get in through this contact; a node that is its own contact begins the overlay."""

    contact: Name


class Leave(Command, frozen=True):
    """The node crashes, and gives notice."""


class Spread(Command, frozen=True):
    """Broadcast this publication, of any publisher, to all nodes."""

    topic: Topic
    publication: Publication


Any = Join | Leave | Crash | Suspect | Spread


def decoder(parameters: Parameters) -> Callable[[bytes], Any]:
    """Decoder of commands under these parameters; it raises `UsageError` for invalid bytes."""
    return reader(Any, "This is not a command of HyParView", parameters)
