"""Joining a system through contacts, repeated until the node has taken part for some periods."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from gomboc.impl.core.reasons import RefusedError

SETTLED = 6
"""Periods for which a node must have had neighbours, and a contact that exists, before it is ready."""

DOUBTED = 3
"""Periods for which a contact counts as gone after the transport has said so."""


class Joining:
    """State of a node's entry into the system; `add_peer(contact)` is called to join through a contact.

    It raises `RefusedError`, and has counted it, for a contact through which this node cannot join.

    While the node is not ready it joins through one of its contacts in each period, in turn: a contact that crashes
    meanwhile may have introduced it to no node, or only to others that join as well. A node that is alone again later
    begins anew. Without contacts it is the first node of the system.
    """

    def __init__(self, contacts: Sequence[str], add_peer: Callable[[str], None]) -> None:
        self._contacts = list(contacts)
        self._add_peer = add_peer
        self._periods = self._settled = self._turn = 0
        self._missed: dict[str, int] = {}
        self.alone = True

    @property
    def ready(self) -> bool:
        """Whether the node takes part in the system; a node without contacts does so at once."""
        return not self._contacts or self._settled >= SETTLED

    def add(self, contact: str) -> None:
        """Add a contact, and join through it."""
        self._add_peer(contact)
        if contact not in self._contacts:
            self._contacts.append(contact)
        self._missed.pop(contact, None)

    def missing(self, node: str) -> bool:
        """Record that there is no node of this name; return whether it is a contact."""
        if node in self._contacts:
            self._missed[node] = self._periods
        return node in self._contacts

    def end_period(self, neighbours: Sequence[str]) -> None:
        """Update readiness from the neighbours that the node has at the end of a period."""
        self._periods += 1
        gone = {node for node, at in self._missed.items() if self._periods - at <= DOUBTED}
        self.alone = gone.issuperset(neighbours)
        in_vain = self._settled < SETTLED and gone.issuperset(self._contacts)
        self._settled = 0 if self.alone or in_vain else self._settled + 1
        if not self.ready:
            self._turn += 1
            with suppress(RefusedError):
                self._add_peer(self._contacts[self._turn % len(self._contacts)])
