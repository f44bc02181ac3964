"""Commands of an application to a subscriber, and events of failures and detectors."""

from gomboc.impl.core import vocabulary
from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import Command, reader
from gomboc.impl.protocols.skip_ring.labels import WrittenEntries
from gomboc.impl.publishing.publication import Number


class Join(Command, frozen=True, tag="subscribe"):
    """From now on the application wants the node in the ring."""


class Leave(Command, frozen=True, tag="unsubscribe", omit_defaults=True):
    """From now on the application does not want the node in the ring, nor its publications if it is to `forget`."""

    forget: bool = False


class Issue(Command, frozen=True, tag="publish"):
    """A publication of the node's own; no number is used twice."""

    number: Number
    payload: str


class Crash(vocabulary.Crash, frozen=True, tag="crash"):
    """From now on nothing that reaches the node has any effect."""


class Restart(Command, frozen=True, tag="restart"):
    """The node is there again: with the variables that it had if it could `keep` them, else with empty ones."""

    keep: bool


class Suspect(vocabulary.Suspect, frozen=True, tag="suspect"):
    """The supervisor's failure detector holds this node to be crashed."""


class Trust(Command, frozen=True, tag="trust"):
    """The supervisor's failure detector trusts this node again."""

    node: Name


class Restore(Command, frozen=True, tag="restore"):
    """The supervisor starts again with these entries."""

    database: WrittenEntries


decode = reader(
    Join | Leave | Issue | Crash | Restart | Suspect | Trust | Restore, "This is not a command of the skip ring"
)
