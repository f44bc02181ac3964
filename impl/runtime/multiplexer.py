"""One connection for several hosts of a node: the agreement on an envelope selects the host."""

from collections.abc import Callable
from dataclasses import dataclass

from gomboc.impl.core.errors import PeerError
from gomboc.impl.runtime.topics import opened
from gomboc.impl.runtime.transport import Parcel, Returned, Transport


class Multiplexer:
    """The connection. Parcels for no host go to the one that began to listen first: it refuses them."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._listening: dict[str, tuple[Callable[[Parcel], None], Returned]] = {}
        transport.listen(self._receive, self._returned)

    def line(self, agreement: str) -> "Channel":
        """The part of the connection for a host with this agreement."""
        return Channel(self, agreement)

    def listen(self, agreement: str, receive: Callable[[Parcel], None], returned: Returned) -> None:
        """Give arriving parcels of this agreement to `receive` from now on, and undeliverable ones to `returned`."""
        self._listening[agreement] = receive, returned

    def send(self, to: str, written: bytes) -> int:
        """Send bytes, and return their number."""
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
class Channel:
    """One host's part of a connection."""

    shared: Multiplexer
    agreement: str

    def listen(self, receive: Callable[[Parcel], None], returned: Returned) -> None:
        """Give arriving parcels to `receive` from now on, and parcels sent to absent nodes to `returned`."""
        self.shared.listen(self.agreement, receive, returned)

    def send(self, to: str, written: bytes) -> int:
        """Send bytes, and return their number."""
        return self.shared.send(to, written)

    def close(self) -> None:
        """End the connection, for all hosts: a node exists as a whole, or not at all."""
        self.shared.close()
