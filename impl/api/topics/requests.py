"""Checks of an application's requests to a node: an invalid one is refused with its reason, and counted."""

from collections.abc import Callable

from gomboc.impl.api.layers.everywhere import Everywhere
from gomboc.impl.api.overlays import Overlay
from gomboc.impl.api.topics.waiting import fault_of_periods
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.runtime.host import Host
from gomboc.impl.runtime.topics import wrong_topic


class Requests:
    """The requests to one node; its application has `subscribed` to topics.

    `fault(topic)` says why no application can have a topic that is well formed; None if it can.
    """

    def __init__(
        self, host: Host | Everywhere, overlay: Overlay, subscribed: set[str], fault: Callable[[str], str | None]
    ) -> None:
        self._host, self._port, self._subscribed, self._fault = host, overlay.port, subscribed, fault
        needed = self._port.publishing_needs
        self._publishes = self._port.publish is not None and needed in (None, *overlay.parameters)

    def refusal(self, topic: str | None, reason: Reason, sentence: str) -> RefusedError:
        """The error for a refused request; the refusal is counted."""
        self._host.refusals.count(topic, reason)
        return RefusedError(reason, sentence)

    def require_running(self) -> None:
        """Refused: stopped."""
        if self._host.stopped:
            raise self.refusal(None, Reason.STOPPED, f"{self._host.name} has stopped; start it anew.")

    def require_topic(self, topic: str) -> None:
        """Refused: stopped, bad_topic."""
        self.require_running()
        wrong = wrong_topic(topic) or self._fault(topic)
        if wrong is not None:
            raise self.refusal(None, Reason.BAD_TOPIC, wrong)

    def require_subscribed(self, topic: str) -> None:
        """Refused: stopped, bad_topic, not_subscribed."""
        self.require_topic(topic)
        if topic not in self._subscribed:
            says = f"{self._host.name} is not subscribed to {topic}; subscribe to it first."
            raise self.refusal(topic, Reason.NOT_SUBSCRIBED, says)

    def require_publisher(self, topic: str) -> None:
        """Where publications find their way to a topic, a node outside may publish as well.

        Refused: stopped, bad_topic, not_subscribed, cannot_publish.
        """
        if self._port.below is None:
            self.require_subscribed(topic)
        else:
            self.require_topic(topic)
        self.require_publications(topic)

    def require_publications(self, topic: str) -> None:
        """Refused: cannot_publish."""
        if not self._publishes:
            needed = self._port.publishing_needs
            lacks = "" if self._port.publish is None else f" without the parameter {needed}: give the overlay one"
            raise self.refusal(topic, Reason.CANNOT_PUBLISH, f"Nothing is published on this overlay{lacks}.")

    def require_periods(self, given: object, *, ends: bool = False) -> None:
        """A time in periods, or None unless it `ends`. Refused: bad_number."""
        wrong = fault_of_periods(given, ends=ends)
        if wrong is not None:
            raise self.refusal(None, Reason.BAD_NUMBER, wrong)

    def require_copies(self, given: object) -> None:
        """A number of copies, and `UsageError` if the overlay never reports any. Refused: bad_number."""
        if type(given) is not int or given < 0:
            says = f"A number of copies is a whole number from 0 on, and {given!r} is not."
            raise self.refusal(None, Reason.BAD_NUMBER, says)
        if given and not self._port.tells_holders:
            raise UsageError("This overlay does not say which member holds a publication: ask for no confirmation.")

    def require_text(self, topic: str, text: object, wanted: str = "text") -> str:
        """The same, if it is text that UTF-8 can write; `wanted` is what it might have been. Refused: bad_payload."""
        if not isinstance(text, str):
            says = f"A payload has to be {wanted}, and this is of the type {type(text).__name__}."
            raise self.refusal(topic, Reason.BAD_PAYLOAD, says)
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            says = f"A payload has to be text that UTF-8 can write, and this is not: {error}."
            raise self.refusal(topic, Reason.BAD_PAYLOAD, says) from error
        return text
