"""Limits of publications that the nodes of one topic agree on."""

from typing import Annotated

from msgspec import Meta, Struct

from gomboc.impl.publishing.trie import LONGEST_KEY

MOST_BYTES = 64_000
"""The most bytes of several publications in one message, which takes less than 64 KiB then."""
MOST_BESIDE_PAYLOAD = 640
"""The most bytes that key, publisher, number and signature of a publication take in JSON."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of lengths and counts.

    A key has `key_bits` bits, a payload at most `payload_limit` bytes, a message at most `chunk` publications. Of each
    publisher the `keep` publications with the highest numbers are kept; all of them if that is None.
    """

    key_bits: Annotated[int, Meta(ge=1, le=LONGEST_KEY)]
    payload_limit: Annotated[int, Meta(ge=0)] = 4096
    chunk: Annotated[int, Meta(ge=1)] = 64
    keep: Annotated[int, Meta(ge=1)] | None = None

    def agreed(self) -> dict[str, int | None]:
        """The limits that must be equal at all nodes: all, since each refuses messages that are above its own."""
        return {
            "key_bits": self.key_bits,
            "payload_limit": self.payload_limit,
            "chunk": self.chunk,
            "keep": self.keep,
        }
