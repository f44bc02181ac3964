"""A client of a node of a content-based overlay: its filters and its deliveries."""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.publishing.backlog import MemoryBacklog
from gomboc.impl.publishing.deliveries import Counted, Deliveries, Opened, Queueing
from gomboc.impl.publishing.port import Content, Filter, Matched, Truth, Value
from gomboc.impl.publishing.publication import PublicationId

Predicates = Iterable[tuple[str, str, Value | Truth | None]]
"""A filter as an application gives it: attribute, operator and value of each predicate, in any order."""


class ClientNode(Protocol):
    """The calls of a node that its clients use."""

    def require_running(self) -> None:
        """Refuse requests to a node that has stopped."""

    def require_fit(self, command: object) -> None:
        """Refuse a command of a client that is above the bounds of the overlay."""

    def want(self, wanted: Filter) -> bool:
        """Subscribe to a filter of a client; return whether the subscription is in effect already."""

    def release(self, unwanted: Filter) -> None:
        """End the subscription to a filter, unless another client still has it."""

    def publish(
        self, attributes: Mapping[str, Value | Truth], confirmed: Callable[[PublicationId], None] | None
    ) -> PublicationId | None:
        """Publish; return the id if the publication has been sent, None if it waits."""

    def detach(self, client: "Client") -> None:
        """Remove a client."""

    def has(self, client: "Client") -> bool:
        """Whether this is a client of the node, and the node runs."""

    def refusal(self, reason: Reason, sentence: str) -> RefusedError:
        """The error for a refused request; the refusal is counted."""


class Client:
    """An application at a node, with its filters and deliveries. It is made by `ContentNode.attach`."""

    def __init__(self, node: ClientNode, content: Content, queueing: Queueing) -> None:
        self._node, self._content, self._queueing = node, content, queueing
        self._wanted: dict[Filter, Callable[[Filter], None] | None] = {}
        self.opened: Opened[Matched] = Opened()

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The client's filters, in the order of subscription."""
        return tuple(self._wanted)

    @property
    def is_attached(self) -> bool:
        """Whether the client is at its node, and that has not stopped."""
        return self._node.has(self)

    def require_running(self) -> None:
        """Refused: stopped, bad_kept."""
        self._node.require_running()

    def refusal(self, reason: Reason, sentence: str) -> RefusedError:
        """The error for a refused request; the refusal is counted."""
        return self._node.refusal(reason, sentence)

    @property
    def counted(self) -> Counted:
        """The outcomes of the client's deliveries."""
        return self.opened.counted

    def subscribe(self, predicates: Predicates, confirmed: Callable[[Filter], None] | None = None) -> Filter:
        """Subscribe to all publications that satisfy every predicate; return the filter.

        `confirmed(filter)` is called once no later publication is missed: maybe before this returns, and never if the
        node crashes before. Refused: stopped, bad_filter, too_large, too_many_filters.
        """
        self._node.require_running()
        wanted = self._filter(predicates)
        self._node.require_fit(self._content.subscribe(wanted))
        if wanted not in self._wanted or confirmed is not None:
            self._wanted[wanted] = confirmed
        if self._node.want(wanted):
            self.acknowledge(wanted)
        return wanted

    def unsubscribe(self, predicates: Predicates) -> None:
        """Unsubscribe: no more deliveries for the filter. Refused: stopped, bad_filter, not_subscribed."""
        self._node.require_running()
        unwanted = self._filter(predicates)
        if unwanted not in self._wanted:
            says = f"This client is not subscribed to {list(unwanted)}; subscribe to it first."
            raise self._node.refusal(Reason.NOT_SUBSCRIBED, says)
        del self._wanted[unwanted]
        self._node.release(unwanted)

    def publish(
        self, attributes: Mapping[str, Value], confirmed: Callable[[PublicationId], None] | None = None
    ) -> PublicationId | None:
        """Publish; return the id, or None if the publication waits, since the node is not ready.

        `confirmed(id)` is called once all recipients have the publication: maybe before this returns, and never if the
        node crashes before. Refused: stopped, bad_attributes, too_large.
        """
        self._node.require_running()
        try:
            checked = self._content.attributes(attributes)
        except UsageError as error:
            raise self._node.refusal(Reason.BAD_ATTRIBUTES, str(error)) from error
        self._node.require_fit(self._content.publish(checked))
        return self._node.publish(checked, confirmed)

    def deliveries(self) -> Deliveries[Matched]:
        """Deliveries from now on, each once and in its publisher's order; close them if they are not read to the end.

        Nothing is held for deliveries that are opened later. Refused: stopped.
        """
        self._node.require_running()
        return self.opened.add(Deliveries(self._queueing, (), MemoryBacklog()))

    def detach(self) -> None:
        """Leave the node: all subscriptions and deliveries end. Refused: stopped."""
        self._node.require_running()
        unwanted, self._wanted = self.filters, {}
        for wanted_filter in unwanted:
            self._node.release(wanted_filter)
        self.opened.end()
        self._node.detach(self)

    # What follows is for the node.

    def restore(self, wanted: Iterable[Filter]) -> None:
        """Take over these filters, to which the node is subscribed already."""
        self._wanted.update(dict.fromkeys(wanted))

    def acknowledge(self, wanted: Filter) -> None:
        """Confirm a subscription: nothing that matches this filter is missed from now on."""
        confirmed = self._wanted.get(wanted)
        if confirmed is not None:
            self._wanted[wanted] = None
            confirmed(wanted)

    def put(self, matched: Matched) -> None:
        """Deliver a publication if it matches filters of this client, with these filters."""
        filters = tuple(wanted_filter for wanted_filter in matched.filters if wanted_filter in self._wanted)
        if filters:
            self.opened.put(Matched(matched.id, matched.attributes, filters))

    def _filter(self, predicates: Predicates) -> Filter:
        try:
            return self._content.filter(predicates)
        except UsageError as error:
            raise self._node.refusal(Reason.BAD_FILTER, str(error)) from error
