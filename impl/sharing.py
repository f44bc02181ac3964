"""One connection for several hosts of a node: what arrives goes to the one whose agreement stands on its envelope."""

from collections.abc import Callable
from dataclasses import dataclass

from gomboc.impl.errors import PeerError
from gomboc.impl.topics import opened
from gomboc.impl.transport import Parcel, Transport


class Shared:
    """The connection. What belongs to none of the hosts goes to the one that began to listen first: it refuses it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._listening: dict[str, Callable[[Parcel], None]] = {}
        transport.listen(self._receive)

    def line(self, agreement: str) -> "Line":
        """The part of the connection that a host with this agreement has."""
        return Line(self, agreement)

    def listen(self, agreement: str, receive: Callable[[Parcel], None]) -> None:
        """From now on, give what arrives under this agreement to `receive`."""
        self._listening[agreement] = receive

    def send(self, to: str, written: bytes) -> int:
        """Give bytes on their way, and say under which number."""
        return self._transport.send(to, written)

    def _receive(self, parcel: Parcel) -> None:
        first = next(iter(self._listening.values()))
        self._listening.get(_agreement(parcel), first)(parcel)


def _agreement(parcel: Parcel) -> str:
    try:
        return opened(parcel.written).agreement
    except PeerError:
        return ""


@dataclass(frozen=True, slots=True)
class Line:
    """One host's part of a connection."""

    shared: Shared
    agreement: str

    def listen(self, receive: Callable[[Parcel], None]) -> None:
        """From now on, give what arrives to `receive`."""
        self.shared.listen(self.agreement, receive)

    def send(self, to: str, written: bytes) -> int:
        """Give bytes on their way, and say under which number."""
        return self.shared.send(to, written)
