"""A client of a content-based node, for coroutines. They wait by the clock of the node; timeouts are in periods."""

from collections.abc import Mapping
from types import TracebackType

from gomboc.impl.api.client import Client, Predicates
from gomboc.impl.api.topics.waiting import fault_of_periods, until
from gomboc.impl.core.reasons import Reason
from gomboc.impl.publishing.deliveries import Deliveries
from gomboc.impl.publishing.port import Filter, Matched, Value
from gomboc.impl.publishing.publication import PublicationId
from gomboc.impl.runtime.clock import Clock


class Session:
    """One client; as a context it is detached at the end.

    A call that waits ends with `RefusedError` (stopped) if the node stops, and with `TimeoutError` after its timeout.
    """

    def __init__(self, client: Client, clock: Clock) -> None:
        self._client, self._clock = client, clock

    async def __aenter__(self) -> "Session":
        """The session itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Detach the client, unless the node has stopped."""
        if self._client.is_attached:
            self._client.detach()

    async def subscribe(self, predicates: Predicates, timeout: float | None = None) -> Filter:
        """Subscribe, and wait until no later publication is missed; after a timeout the subscription remains."""
        self._require_periods(timeout)
        known: list[Filter] = []
        wanted = self._client.subscribe(predicates, known.append)
        await self._wait(known, timeout, "The subscription is not in effect")
        return wanted

    async def publish(self, attributes: Mapping[str, Value], timeout: float | None = None) -> PublicationId:
        """Publish, and wait until all matching receivers have it; after a timeout it is published all the same."""
        self._require_periods(timeout)
        confirmed: list[PublicationId] = []
        self._client.publish(attributes, confirmed.append)
        await self._wait(confirmed, timeout, "Not all receivers are known to have the publication")
        return confirmed[0]

    def unsubscribe(self, predicates: Predicates) -> None:
        """As `Client.unsubscribe`."""
        self._client.unsubscribe(predicates)

    def deliveries(self) -> Deliveries[Matched]:
        """As `Client.deliveries`."""
        return self._client.deliveries()

    async def _wait(self, answers: list[Filter] | list[PublicationId], timeout: float | None, lacks: str) -> None:
        def is_over() -> bool:
            if not answers:
                self._client.require_running()
            return bool(answers)

        if not await until(self._clock, is_over, timeout):
            raise TimeoutError(f"{lacks} after {timeout} periods.")

    def _require_periods(self, timeout: object) -> None:
        wrong = fault_of_periods(timeout)
        if wrong is not None:
            raise self._client.refusal(Reason.BAD_NUMBER, wrong)
