"""Commands of an application to a subscriber, and events of failures and detectors."""

from gomboc.impl.core import vocabulary
from gomboc.impl.core.vocabulary import Command, Crash, Suspect, Trust, reader
from gomboc.impl.protocols.skip_ring.labels import WrittenEntries
from gomboc.impl.publishing.publication import Number


class Join(Command, frozen=True, tag="Subscribe"):
    """From now on the application wants the node in the ring."""


class Leave(Command, frozen=True, tag="Unsubscribe", omit_defaults=True):
    """From now on the application does not want the node in the ring, nor its publications if it is to `forget`."""

    forget: bool = False


class Issue(Command, frozen=True, tag="Publish"):
    """A publication of the node's own; no number is used twice."""

    number: Number
    payload: str


class Restart(vocabulary.Restart, frozen=True):
    """The node is there again: with the variables that it had if it could `keep` them, else with empty ones."""

    keep: bool


class Restore(Command, frozen=True):
    """The supervisor starts again with these entries."""

    database: WrittenEntries


decode = reader(
    Join | Leave | Issue | Crash | Restart | Suspect | Trust | Restore, "This is not a command of the skip ring"
)
