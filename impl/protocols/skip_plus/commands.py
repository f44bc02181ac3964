"""Commands of an application to a node, crashes and suspicions.

Source: slide 33, "Node join / departure"
"""

from gomboc.impl.core.vocabulary import Command, Crash, Suspect, reader
from gomboc.impl.protocols.skip_plus.names import Name


class Join(Command, frozen=True):
    """The node is live from now on, and knows the contact, if there is one.

    A crashed node restarts in this way, too.
    """

    contact: Name | None = None


class Leave(Command, frozen=True):
    """The node introduces its neighbours to each other, and is live no longer."""


decode = reader(Join | Leave | Crash | Suspect, "This is not a command of Skip+")
