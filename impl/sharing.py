"""One connection for several hosts of a node: what arrives goes to the one whose agreement stands on its envelope."""

from collections.abc import Callable
from dataclasses import dataclass

from gomboc.impl.errors import PeerError
from gomboc.impl.topics import opened
from gomboc.impl.transport import Parcel, Returned, Transport


class Shared:
    """The connection. What belongs to none of the hosts goes to the one that began to listen first: it refuses it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._listening: dict[str, tuple[Callable[[Parcel], None], Returned]] = {}
        transport.listen(self._receive, self._returned)

    def line(self, agreement: str) -> "Line":
        """The part of the connection that a host with this agreement has."""
        return Line(self, agreement)

    def listen(self, agreement: str, receive: Callable[[Parcel], None], returned: Returned) -> None:
        """From now on, give what arrives under this agreement to `receive`, and what found no node to `returned`."""
        self._listening[agreement] = receive, returned

    def send(self, to: str, written: bytes) -> int:
        """Give bytes on their way, and say under which number."""
        return self._transport.send(to, written)

    def close(self) -> None:
        """End the connection, for all hosts."""
        self._transport.close()

    def _receive(self, parcel: Parcel) -> None:
        first = next(iter(self._listening.values()))
        receive, _ = self._listening.get(_agreement(parcel), first)
        receive(parcel)

    def _returned(self, to: str, parcel: Parcel) -> None:
        _, returned = self._listening[_agreement(parcel)]
        returned(to, parcel)


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

    def listen(self, receive: Callable[[Parcel], None], returned: Returned) -> None:
        """From now on, give what arrives to `receive`, and what found no node to `returned`."""
        self.shared.listen(self.agreement, receive, returned)

    def send(self, to: str, written: bytes) -> int:
        """Give bytes on their way, and say under which number."""
        return self.shared.send(to, written)

    def close(self) -> None:
        """End the connection, for all hosts: a node is there as a whole, or not at all."""
        self.shared.close()
