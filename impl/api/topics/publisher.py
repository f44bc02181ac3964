"""Publishing: payloads get numbers, and a payload that is refused uses none up."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from gomboc.impl.api.layers.everywhere import Everywhere
from gomboc.impl.api.overlays import Overlay
from gomboc.impl.api.topics.requests import Requests
from gomboc.impl.core.automaton import Refused
from gomboc.impl.core.failed import Failed
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.publishing.numbers import Numbers
from gomboc.impl.publishing.payloads import BYTES, TEXT, Payload, is_content_type, written
from gomboc.impl.publishing.publication import PublicationId, held
from gomboc.impl.publishing.validity import is_too_large, key_of
from gomboc.impl.runtime.host import Host

_SENTENCES = {
    Reason.KEY_TAKEN: "Another publication has the key of this one: longer keys (key_bits) make that rare.",
    Reason.NOT_JOINED: "The node is not in the system yet, and nothing is published before: wait until it has joined.",
}


class Published(Struct, frozen=True):
    """What has been published: its id, and the text that carries it."""

    id: PublicationId
    text: str


class Publisher:
    """The publications of one node; `began(topic)` is called for a topic that the node begins in order to publish."""

    def __init__(
        self,
        host: Host | Everywhere,
        overlay: Overlay,
        requests: Requests,
        numbers: Numbers,
        began: Callable[[str], None],
    ) -> None:
        self._host, self._port, self._limits = host, overlay.port, overlay.limits
        self._requests, self._began, self._layer = requests, began, overlay.implementation.name
        self.numbers = numbers

    def publish(
        self,
        topic: str,
        given: object,
        content_type: str | None,
        then: Callable[[Published], object] | None = None,
    ) -> Published:
        """Publish text or bytes; `then` is called with what has been published, even if an observer raises.

        Refused: not_subscribed, cannot_publish, bad_payload, bad_content_type, out_of_numbers, and the protocol's own
        reasons, such as too_large; then no number is used up.
        """
        self._requests.require_publisher(topic)
        payload = self._payload(topic, given, content_type)
        if topic not in self._host.instances:
            self._host.want(topic)
            self._began(topic)
        if self.numbers.begins(topic):
            # Some that are held were never delivered here: those of former lives.
            for publication in held(self._host.instances.snapshot(topic)):
                self.see(topic, publication.publisher, publication.number)
        number, before = self.numbers.next(topic), self.numbers.before(topic)
        if number is None:
            says = "This incarnation has given out all its numbers; start the node anew with a greater one."
            raise self._requests.refusal(topic, Reason.OUT_OF_NUMBERS, says)
        self.numbers.use(topic)
        text = self._text(payload, before)
        failed = self._issue(topic, number, text)
        published = Published(PublicationId(self._host.name, number), text)
        if then is not None:
            then(published)
        failed.raise_first()
        return published

    def key(self, published: Published) -> str:
        """The key of a publication; empty if the overlay names no limits."""
        if self._limits is None:
            return ""
        return key_of(published.id.publisher, published.id.number, published.text, self._limits.key_bits)

    def see(self, topic: str, publisher: str, number: int) -> None:
        """Hear of a publication: it may be one of a former life of this node."""
        if publisher == self._host.name:
            self.numbers.see(topic, number)

    def _issue(self, topic: str, number: int, text: str) -> Failed:
        """Give the command; take the number back if the protocol refuses it. The host has counted that."""
        assert self._port.publish is not None
        failed = Failed(self._host.failures, self._layer)
        outputs = self._host.attempt(topic, self._port.publish(number, text), failed)
        refusals = [Reason(output.reason) for output in outputs if isinstance(output, Refused)]
        if refusals:
            self.numbers.give_back(topic)
            says = _SENTENCES.get(refusals[0], f"The protocol refuses the publication: {refusals[0]}.")
            raise RefusedError(refusals[0], says)
        self.numbers.see(topic, number)
        return failed

    def _text(self, payload: Payload, before: int | None) -> str:
        """The text that carries the payload, and the number before it unless it would be too large by that."""
        if before is not None:
            text = written(replace(payload, after=before))
            if self._limits is None or not is_too_large(text, self._limits):
                return text
        return written(payload)

    def _payload(self, topic: str, given: object, content_type: str | None) -> Payload:
        if content_type is not None and not is_content_type(content_type):
            says = f"A content type is type/subtype, in 127 characters at most, and {content_type!r} is not."
            raise self._requests.refusal(topic, Reason.BAD_CONTENT_TYPE, says)
        if isinstance(given, bytes | bytearray | memoryview):
            return Payload(bytes(given), content_type or BYTES)
        return Payload(self._requests.require_text(topic, given, "text or bytes"), content_type or TEXT)
