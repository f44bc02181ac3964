"""One connection for several hosts of a node: the agreement on an envelope selects the host."""

from collections.abc import Callable

from gomboc.impl.core.errors import PeerError
from gomboc.impl.runtime.topics import opened
from gomboc.impl.runtime.transport import Parcel, Returned, Through, Transport


class Multiplexer(Through):
    """The connection. Parcels for no host go to the one that began to listen first: it refuses them."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self._listening: dict[str, tuple[Callable[[Parcel], None], Returned]] = {}
        transport.listen(self._receive, self._returned)

    def line(self, agreement: str) -> "Channel":
        """The part of the connection for a host with this agreement."""
        return Channel(self, agreement)

    def listen_to(self, agreement: str, receive: Callable[[Parcel], None], returned: Returned) -> None:
        """Give arriving parcels of this agreement to `receive` from now on, and undeliverable ones to `returned`."""
        self._listening[agreement] = receive, returned

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


class Channel(Through):
    """One host's part of a connection; to close it is to close all: a node exists as a whole, or not at all."""

    def __init__(self, shared: Multiplexer, agreement: str) -> None:
        super().__init__(shared)
        self._shared, self._agreement = shared, agreement

    def listen(self, receive: Callable[[Parcel], None], returned: Returned) -> None:
        """As the transport itself, for parcels of this agreement."""
        self._shared.listen_to(self._agreement, receive, returned)
