"""A connection with a failure detector: it watches the nodes that are sent to, by whatever arrives from them.

Overlays are never asked to send anything for it. A watched node from which nothing has arrived for a period is sent a
probe of two bytes, and the connection of a live node answers, one answer to a probe. A transport that finds no node of
a name says so. Once in a period the detector looks, and tells its node what has changed.
"""

from collections.abc import Callable, Iterable
from functools import partial

from gomboc.impl.core.failed import Failed
from gomboc.impl.runtime.clock import Clock
from gomboc.impl.runtime.detection import detector
from gomboc.impl.runtime.detection.detector import Timing, Watched
from gomboc.impl.runtime.transport import Parcel, Returned, Through, Transport

PROBE, ANSWER = b"\x02?", b"\x02!"
"""No JSON text and no compressed message begins so."""

MOST_WATCHED = 1_000
"""The most nodes that are watched at a time.

Beyond them a node takes the place of one that was never heard: a peer can make up names, and not their answers.
"""


class Answering(Through):
    """A connection that answers probes; neither probes nor answers get any further."""

    def listen(self, receive: Callable[[Parcel], None], returned: Returned) -> None:
        """As the transport itself, without probes and answers."""
        super().listen(partial(self._hear, receive), partial(self._miss, returned))

    def _hear(self, receive: Callable[[Parcel], None], parcel: Parcel) -> None:
        if parcel.written == PROBE:
            self._transport.send(parcel.sender, ANSWER)
        elif parcel.written != ANSWER:
            receive(parcel)

    def _miss(self, returned: Returned, to: str, parcel: Parcel) -> None:
        if parcel.written not in (PROBE, ANSWER):
            returned(to, parcel)


class Heartbeats(Answering):
    """The connection of the node `name`; `suspect(node)` and `trust(node)` are called within calls from the clock.

    Watched are the nodes that something was sent to within the time that `timing` says, and those that `needed()`
    names: these are reported again in each period in which they are suspected, until they are heard again, once they
    have been needed for as long as the detector is patient. A suspect that is watched no longer is trusted.
    """

    def __init__(
        self,
        transport: Transport,
        name: str,
        clock: Clock,
        timing: Timing,
        suspect: Callable[[str], None],
        trust: Callable[[str], None],
        needed: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        super().__init__(transport)
        self._name, self._clock, self._timing = name, clock, timing
        self._suspect, self._trust, self._needed = suspect, trust, needed
        self._watched: dict[str, Watched] = {}
        self._sent: dict[str, float] = {}
        self._since: dict[str, float] = {}
        self._unheard: dict[str, None] = {}
        self._dropped: list[str] = []
        self._closed = False
        self._look_later()

    @property
    def suspects(self) -> tuple[str, ...]:
        """The nodes that are suspected now, in order."""
        return tuple(sorted(node for node, watched in self._watched.items() if watched.is_suspected))

    def send(self, to: str, written: bytes) -> int:
        """Send bytes, and watch their receiver; return their number."""
        self._watch(to)
        return super().send(to, written)

    def close(self) -> None:
        """As the transport itself."""
        self._closed = True
        super().close()

    def _watch(self, node: str) -> None:
        if node == self._name or (node not in self._watched and not self._has_room()):
            return
        self._sent[node] = now = self._clock.now()
        if node not in self._watched:
            self._watched[node] = detector.begin(self._timing, now)
            self._unheard[node] = None

    def _has_room(self) -> bool:
        """Whether one more node can be watched, if need be in place of the first one that was never heard."""
        if len(self._watched) < MOST_WATCHED:
            return True
        for node in self._unheard:
            self._drop(node)
            return True
        return False

    def _drop(self, node: str) -> None:
        """Watch a node no longer; that a suspect is trusted is told later, as this may be within a step of the host."""
        self._dropped += (node,) if self._watched[node].is_suspected else ()
        del self._watched[node], self._sent[node]
        self._unheard.pop(node, None)

    def _hear(self, receive: Callable[[Parcel], None], parcel: Parcel) -> None:
        if parcel.sender in self._watched:
            self._unheard.pop(parcel.sender, None)
            self._watched[parcel.sender] = detector.heard(self._watched[parcel.sender], self._clock.now())
        super()._hear(receive, parcel)

    def _miss(self, returned: Returned, to: str, parcel: Parcel) -> None:
        if to in self._watched:
            self._watched[to] = detector.missing(self._watched[to], self._clock.now())
        super()._miss(returned, to, parcel)

    def _look_later(self) -> None:
        self._clock.call_at(self._clock.now() + 1.0, self._look)

    def _look(self) -> None:
        """Probe the silent nodes, and tell what has changed; a node that has stopped hears nothing more."""
        if self._closed:
            return
        # The timer first, and each node by itself: an exception at one must not end the detection of the others.
        self._look_later()
        needed, failed, now = frozenset(self._needed()), Failed(), self._clock.now()
        self._since = {node: self._since.get(node, now) for node in needed}
        for node in sorted(needed):
            self._watch(node)
        dropped, self._dropped = self._dropped, []
        for node in dropped:
            with failed:
                if not self._closed:
                    self._trust(node)
        for node in sorted(self._watched):
            with failed:
                if node in self._watched and not self._closed:
                    self._look_at(node, node in needed)
            with failed:
                if node in self._watched and not self._closed:
                    self._probe(node)
        failed.raise_first()

    def _look_at(self, node: str, is_needed: bool) -> None:
        """Tell what has changed of one node."""
        now, before = self._clock.now(), self._watched[node]
        after = self._watched[node] = detector.looked(self._timing, before, now)
        # A suspect that is needed anew may just have come back, as others have heard: it gets its time to be heard.
        is_due = is_needed and not after.again and now - self._since[node] >= after.patience
        if after.is_suspected and (not before.is_suspected or is_due):
            self._suspect(node)
        elif before.is_suspected and not after.is_suspected:
            self._trust(node)

    def _probe(self, node: str) -> None:
        """Ask a silent node for a word; forget one to which nothing has been sent for long.

        A suspect, too: else names that have crashed would leave no room for others in the end.
        """
        now, after = self._clock.now(), self._watched[node]
        if now - self._sent[node] > self._timing.lasting:
            self._drop(node)
        elif now - after.heard >= 1.0:
            self._transport.send(node, PROBE)


def detecting(
    transport: Transport,
    name: str,
    clock: Clock,
    timing: Timing | None,
    suspect: Callable[[str], None],
    trust: Callable[[str], None],
    needed: Callable[[], Iterable[str]] = tuple,
) -> Transport:
    """The connection of a node with a detector of this timing; for None, one that answers the probes of others."""
    return (
        Answering(transport) if timing is None else Heartbeats(transport, name, clock, timing, suspect, trust, needed)
    )
