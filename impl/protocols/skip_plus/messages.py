"""The messages of Skip+: `inserts` are the nodes that the receiver is to know."""

from collections.abc import Callable
from itertools import chain
from typing import Annotated, Any

from gomboc.impl.core.authority import SENDER, Words, own
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.vocabulary import Fault, Message, Rule, reader, surplus
from gomboc.impl.protocols.skip_plus.names import Name, Names, bits, inequality
from gomboc.impl.protocols.skip_plus.parameters import Parameters
from gomboc.impl.protocols.skip_plus.ranges import Ranges


def _surplus(inserts: Names, parameters: Parameters) -> Fault:
    return surplus("it inserts {} names", len(inserts), parameters.most_names)


Inserts = Annotated[Names, Rule(_surplus)]


class Update(Message, frozen=True):
    """The ranges of `sender`.

    Source: slide 20, "Send state updates to neighbors"; slide 19, insert(u, v)
    """

    sender: Name
    ranges: Ranges
    inserts: Inserts

    def fault(self, _: object) -> Fault:
        """All strings are as long as the sender's, which has so many levels."""
        levels = bits(self.sender)
        if len(self.ranges) != levels:
            return f"it has {len(self.ranges)} ranges, and {self.sender!r} has {levels} levels"
        return inequality(levels, (*chain.from_iterable(self.ranges), *self.inserts))


class Gone(Message, frozen=True):
    """`node` is not live; it returns the inserts that it was sent.

    Source: slide 20, "Check liveness of neighbors and remove failed ones"
    """

    node: Name
    inserts: Inserts

    def fault(self, _: object) -> Fault:
        """All strings are as long as the node's."""
        return inequality(bits(self.node), self.inserts)


WORDS: Words = {
    # The inserts are hearsay.
    Update: SENDER,
    Gone: own("node"),
}
"""Whose word each message is."""


def decoder(parameters: Parameters) -> Callable[[bytes], Any]:
    """A decoder of messages: `PeerError` for bytes that are none, and for more inserts than are allowed."""
    return reader(Update | Gone, "This is not a message of Skip+", parameters, error=PeerError)
