"""Limits of publications that the nodes of one topic agree on."""

from typing import Annotated

from msgspec import Meta, Struct

from gomboc.impl.publishing.trie import LONGEST_KEY


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of lengths and counts.

    A key has `key_bits` bits, a payload at most `payload_limit` bytes, a message at most `chunk` publications. Of each
    publisher the publications with the `keep` highest numbers are kept; all of them if that is None.
    """

    key_bits: Annotated[int, Meta(ge=1, le=LONGEST_KEY)]
    payload_limit: Annotated[int, Meta(ge=0)] = 4096
    chunk: Annotated[int, Meta(ge=1)] = 64
    keep: Annotated[int, Meta(ge=1)] | None = None

    def agreed(self) -> dict[str, int | None]:
        """The limits that must be equal at all nodes: all but `chunk`, which bounds a node's own messages only."""
        return {"key_bits": self.key_bits, "payload_limit": self.payload_limit, "keep": self.keep}
