"""Commands of the layers above, crashes, and deliveries of the layer below."""

from gomboc.impl.core.names import TopicName
from gomboc.impl.core.neighbourhood import Moved, Stayed
from gomboc.impl.core.vocabulary import Command, Crash, reader


class Enter(Command, frozen=True):
    """Belong to the directory."""


class Announce(Command, frozen=True):
    """Announce in every period that this node takes part."""

    topic: TopicName


class Retract(Command, frozen=True):
    """Stop announcing it."""

    topic: TopicName


decode = reader(Enter | Announce | Retract | Crash | Moved | Stayed, "This is not a command of the directory")
