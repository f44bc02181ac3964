"""Interface between an overlay and the layer above it: a node's next hop towards one key.

Both layers have this vocabulary, and nothing else, in common.
"""

from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import Command


class Routed(Command, frozen=True):
    """The next hop has changed to this: the node itself at the owner of the key, None outside the overlay."""

    next: Name | None


class StillRouted(Command, frozen=True):
    """The node still has this next hop; repeated in every period, to correct a layer with a wrong state."""

    next: Name | None
