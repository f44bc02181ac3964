"""One topic of a node, for coroutines. What they wait for comes by the clock of the node; timeouts are in periods."""

from types import TracebackType
from typing import Literal, overload

from gomboc.impl.api.topics.leaving import PATIENCE
from gomboc.impl.api.topics.memberships import Membership, Memberships, Status
from gomboc.impl.api.topics.ordered import OrderedDeliveries
from gomboc.impl.api.topics.publisher import Published
from gomboc.impl.api.topics.waiting import until
from gomboc.impl.publishing.deliveries import Deliveries
from gomboc.impl.publishing.publication import Publication, PublicationId


class Topic:
    """One topic of a node. As a context it is subscribed to, and left at the end.

    A call that waits ends with `RefusedError` (stopped) if the node stops, and with `TimeoutError` after its timeout.
    """

    def __init__(self, name: str, via: str | None, memberships: Memberships) -> None:
        self.name, self._via, self._memberships = name, via, memberships
        self._requests, self._publisher = memberships.requests, memberships.publisher
        self._reading, self._leaving, self._clock = memberships.reading, memberships.leaving, memberships.clock

    async def __aenter__(self) -> "Topic":
        """Subscribe; the node may not have joined yet."""
        self._memberships.begin(self.name, self._via)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave, unless that has been done; after an error, do not wait until the node has left."""
        if self.status().membership not in (Membership.JOINING, Membership.JOINED):
            return
        if kind is None:
            await self.leave()
        else:
            self._memberships.end(self.name, False, PATIENCE, None)

    def status(self) -> Status:
        """What the node is in the topic now."""
        return self._memberships.status(self.name)

    async def joined(self, timeout: float | None = None) -> None:
        """Wait until the node takes part in the topic. Refused: stopped, not_subscribed, bad_number."""
        self._requests.require_periods(timeout)
        if not await until(self._clock, self._has_joined, timeout):
            raise TimeoutError(f"The node has not joined {self.name} within {timeout} periods.")

    def _has_joined(self) -> bool:
        self._requests.require_subscribed(self.name)
        return self.status().membership is Membership.JOINED

    async def publish(
        self,
        payload: str | bytes,
        *,
        content_type: str | None = None,
        copies: int = 0,
        timeout: float | None = PATIENCE,
    ) -> PublicationId:
        """Publish, and wait until so many other members are known to hold the publication.

        After a timeout it is published all the same. A node hears of copies from its neighbours only, so there may be
        no more of them than it has neighbours. Refused: as by `Node.publish`, and bad_number.
        """
        self._requests.require_copies(copies)
        self._requests.require_periods(timeout)
        published = self._publisher.publish(self.name, payload, content_type)
        if copies:
            await self._await_copies(published, copies, timeout)
        return published.id

    async def _await_copies(self, published: Published, copies: int, timeout: float | None) -> None:
        known = self._leaving.watch(self.name, published.id, self._publisher.key(published))

        def are_enough() -> bool:
            self._requests.require_publisher(self.name)
            return len(known) >= copies

        try:
            if not await until(self._clock, are_enough, timeout):
                number = published.id.number
                raise TimeoutError(
                    f"{len(known)} of {copies} copies of number {number} were known in {timeout} periods."
                )
        finally:
            self._leaving.release(self.name, known)

    async def leave(self, *, forget: bool = False, patience: float = PATIENCE) -> tuple[PublicationId, ...]:
        """Leave, and wait until the node has; return the publications that no other member is known to hold.

        If the application subscribes again meanwhile, the node has not left, and nothing is returned.
        """
        lost: list[tuple[PublicationId, ...]] = []
        self._memberships.end(self.name, forget, patience, lost.append)

        def is_over() -> bool:
            if not lost:
                self._requests.require_running()
            return bool(lost) or self.status().membership is not Membership.LEAVING

        await until(self._clock, is_over, None)
        return lost[0] if lost else ()

    @overload
    def deliveries(self, *, ordered: Literal[False] = False) -> Deliveries[Publication]: ...

    @overload
    def deliveries(self, *, ordered: Literal[True], patience: float | None = PATIENCE) -> OrderedDeliveries: ...

    def deliveries(
        self, *, ordered: bool = False, patience: float | None = PATIENCE
    ) -> Deliveries[Publication] | OrderedDeliveries:
        """As `Node.deliveries`."""
        return self._reading.ordered(self.name, patience) if ordered else self._reading.deliveries(self.name)

    def history(self, *, publisher: str | None = None, last: int | None = None) -> tuple[Publication, ...]:
        """As `Node.history`."""
        return self._reading.history(self.name, publisher, last)
