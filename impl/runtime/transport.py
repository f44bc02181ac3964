"""Interface of a transport of messages."""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from msgspec import Struct


class Parcel(Struct, frozen=True, gc=False):
    """Bytes that have arrived: their number, which no other parcel of the run has; the sender; an envelope."""

    number: int
    sender: str
    written: bytes


Returned = Callable[[str, Parcel], None]
"""Takes the name of a node that does not exist, and the parcel that was sent to it."""


class Transport(Protocol):
    """One node's connection to all others. `sender` comes from the transport, not from the bytes."""

    def listen(self, receive: Callable[[Parcel], None], returned: Returned) -> None:
        """From now on, call `receive` for each parcel that arrives; never within `send`.

        `returned(to, parcel)` is called for a parcel of this node's own if there is no node of the name `to`: only by a
        transport that knows this, and never for a node that is there. A transport that cannot know it never calls it.
        """

    def send(self, to: str, written: bytes) -> int:
        """Send bytes, and return their number; `to` may be this node. It never blocks."""

    def close(self) -> None:
        """End the connection: from now on there is no node of this name, until one listens again."""


class Through:
    """A transport that stands on another one; all that a subclass does not change goes through."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def listen(self, receive: Callable[[Parcel], None], returned: Returned) -> None:
        """As the transport itself."""
        self._transport.listen(receive, returned)

    def send(self, to: str, written: bytes) -> int:
        """As the transport itself."""
        return self._transport.send(to, written)

    def close(self) -> None:
        """As the transport itself."""
        self._transport.close()


class Gate(Through):
    """A connection on which nothing arrives before it is opened: before its node is complete, and has its wishes."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self._begin: Callable[[], None] | None = None

    def listen(self, receive: Callable[[Parcel], None], returned: Returned) -> None:
        """As the transport itself, once the connection is open."""
        self._begin = partial(self._transport.listen, receive, returned)

    def open(self) -> None:
        """Begin to listen, unless the connection has been closed before."""
        begin, self._begin = self._begin, None
        if begin is not None:
            begin()

    def close(self) -> None:
        """As the transport itself; a connection that is not open yet stays closed."""
        self._begin = None
        super().close()
