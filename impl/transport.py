"""What a node asks of whatever carries its messages."""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct


class Parcel(Struct, frozen=True, gc=False):
    """Bytes that have arrived: their number, which no other parcel of the run has; who sent them; an envelope."""

    number: int
    sender: str
    written: bytes


class Transport(Protocol):
    """One node's connection to all others. `sender` is who the transport knows it to be, whatever the bytes say."""

    def listen(self, receive: Callable[[Parcel], None]) -> None:
        """From now on, call for each parcel that arrives; never within `send`."""

    def send(self, to: str, written: bytes) -> int:
        """Give bytes on their way, and say under which number. It never waits."""
