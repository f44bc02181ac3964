"""Compression of the messages of a node, each by itself.

No message is compressed by means of another, so nodes remember nothing of each other for it: there is no memory that
could be corrupted, nothing to ask for after a start, and a message arrives when it would arrive anyway.
"""

import zlib
from collections.abc import Callable

from msgspec.structs import replace

from gomboc.impl.core.errors import PeerError
from gomboc.impl.runtime.transport import Parcel, Returned, Through, Transport

MARK = b"\x01"
"""The first byte of a compressed message; no JSON text begins with it."""

LONGEST = 4096
"""Bytes of a message that is compressed, at most: no few bytes become many at their receiver."""

_BITS = -12
"""Raw deflate, and a window as long as the longest message."""

_MEMORY = 9
"""Of zlib's levels of memory, the one with the best compression."""


def compressed(written: bytes, common: bytes) -> bytes:
    """The message in fewer bytes, or as it is. `common` is text that messages share, the same at all nodes."""
    if len(written) > LONGEST:
        return written
    packer = zlib.compressobj(zlib.Z_BEST_COMPRESSION, zlib.DEFLATED, _BITS, _MEMORY, zdict=common)
    short = MARK + packer.compress(written) + packer.flush()
    return short if len(short) < len(written) else written


def expanded(written: bytes, common: bytes) -> bytes:
    """The message that was compressed with this common text; `PeerError` if there is none."""
    if not written.startswith(MARK):
        return written
    reader = zlib.decompressobj(_BITS, zdict=common)
    try:
        message = reader.decompress(written[len(MARK) :], LONGEST)
    except zlib.error as error:
        raise PeerError(f"This is not a compressed message: {error}.") from error
    if not reader.eof or reader.unused_data:
        raise PeerError(f"This is not a compressed message: it does not end, or not within {LONGEST} bytes.")
    return message


class Compressed(Through):
    """A connection over which messages travel compressed; `common` is their common text."""

    def __init__(self, transport: Transport, common: bytes) -> None:
        super().__init__(transport)
        self._common = common

    def listen(self, receive: Callable[[Parcel], None], returned: Returned) -> None:
        """As the transport itself. Bytes that cannot be expanded are received as they are: a host refuses them."""
        super().listen(
            lambda parcel: receive(self._expanded(parcel)), lambda to, parcel: returned(to, self._expanded(parcel))
        )

    def send(self, to: str, written: bytes) -> int:
        """Send bytes, and return their number."""
        return super().send(to, compressed(written, self._common))

    def _expanded(self, parcel: Parcel) -> Parcel:
        try:
            return replace(parcel, written=expanded(parcel.written, self._common))
        except PeerError:
            return parcel
