"""Whose word a message is: each protocol has a table of its kinds, by which a host refuses what a peer may not say.

The transport knows the sender of a message. Most messages name a node that speaks, and that has to be the sender; some
only a node with a certain role may send; the rest is hearsay, which any node may pass on.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from msgspec import Struct


@dataclass(frozen=True, slots=True)
class Word:
    """Whose word a kind of message is: that of the node that `author` reads in it, or of nodes with this role.

    With neither it is hearsay. `route(receiver, message)` says in addition whether the message can come this way.
    """

    author: Callable[[Any], str] | None = None
    role: str | None = None
    route: Callable[[str, Any], bool] | None = None

    def is_of(self, sender: str, role: str | None, receiver: str, message: Struct) -> bool:
        """Whether the sender, which has this role if it is a well-known node, may send the message to the receiver."""
        is_hearsay = self.author is None and self.role is None
        is_own = self.author is not None and self.author(message) == sender
        if not (is_hearsay or is_own or (role is not None and role == self.role)):
            return False
        return self.route is None or self.route(receiver, message)


Words = Mapping[type[Struct], Word]
"""The words of a protocol, by kind of message. A kind without one is hearsay."""

HEARSAY = Word()
SENDER = Word(attrgetter("sender"))
"""The word of the node in the field `sender`."""


def own(field: str) -> Word:
    """The word of the node in the field of this name."""
    return Word(attrgetter(field))
