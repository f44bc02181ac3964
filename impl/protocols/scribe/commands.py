"""Commands to a node: from its application, from the layers below and beside it, and from outside."""

from collections.abc import Callable

from gomboc.impl.core.routing import Routed, StillRouted
from gomboc.impl.core.vocabulary import Command, Crash, Suspect, reader
from gomboc.impl.protocols.scribe.parameters import Parameters
from gomboc.impl.publishing.publication import Number, Publication


class Subscribe(Command, frozen=True):
    """Deliver publications from now on."""


class Unsubscribe(Command, frozen=True, omit_defaults=True):
    """Deliver no more; with `forget`, a later subscription gets all publications anew."""

    forget: bool = False


class Issue(Command, frozen=True):
    """Publish this under this number, which was not used before."""

    number: Number
    payload: str


class Heard(Command, frozen=True):
    """This publication was broadcast, and has arrived here."""

    publication: Publication


class Leave(Command, frozen=True):
    """Leave the overlay: crash, with notice."""


Any = Subscribe | Unsubscribe | Issue | Heard | Routed | StillRouted | Leave | Crash | Suspect


def decoder(parameters: Parameters) -> Callable[[bytes], Any]:
    """Decoder of commands under these parameters; it raises `UsageError` for invalid bytes."""
    return reader(Any, "This is not a command of Scribe", parameters)
