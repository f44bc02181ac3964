"""Joining a system through contacts, repeated until the node has taken part for some periods; and layers that do so."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.failed import each
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.core.refusals import Refusals
from gomboc.impl.runtime.host import Host

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


class JoiningLayers:
    """The layers of a node below, or in place of, the host that publishes. They join through `contacts`.

    `ask(contact)` asks a contact to let the node in; where it raises `UsageError`, that cannot be one. `own_topic` is
    the topic of the layers themselves.
    """

    def __init__(
        self, refusals: Refusals, contacts: Sequence[str], ask: Callable[[str], object], own_topic: str | None = None
    ) -> None:
        self.refusals = refusals
        self._ask, self._own_topic = ask, own_topic
        self._hosts: list[Host] = []
        self.joining = Joining(contacts, self._join_via)

    def _join_via(self, contact: str) -> None:
        try:
            self._ask(contact)
        except UsageError as error:
            self.refusals.count(None, Reason.BAD_CONTACT)
            raise RefusedError(Reason.BAD_CONTACT, str(error)) from error

    def add_peer(self, contact: str) -> None:
        """Add a node of the system as a contact, for instance if the first contact did not help."""
        self.joining.add(contact)

    def join(self, topic: str) -> None:
        """Take part in the topic. By default all nodes take part in all topics."""

    def leave(self, topic: str) -> None:
        """Take part in the topic no more. By default all nodes take part in all topics."""

    def hand_down(self, topic: str, content: object) -> None:
        """Take what the layer above hands down. By default it hands nothing down."""

    def fault(self, topic: str) -> str | None:
        """The reason why no application can have this topic; None if it can."""
        says = f"The topic {topic} belongs to the overlay itself; choose another name."
        return says if topic == self._own_topic else None

    def suspect(self, node: str) -> None:
        """Tell all layers that this node has crashed; `UsageError` if it can have no such name."""
        each(*(partial(host.suspect, node) for host in self._hosts))

    def trust(self, node: str) -> None:
        """End the suspicion of this node."""
        each(*(partial(host.trust, node) for host in self._hosts))

    def crash(self) -> None:
        """Stop, and record in the traces that the node has crashed."""
        each(*(host.crash for host in self._hosts))

    def _miss(self, node: str) -> None:
        """Handle the report that no node of this name exists: count it if the node is a contact."""
        if self.joining.missing(node):
            self.refusals.count(None, Reason.CONTACT_GONE)
