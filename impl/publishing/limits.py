"""Limits of publications that the nodes of one topic agree on."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nsmallest
from typing import Annotated, TypeVar

from msgspec import Meta, Struct

from gomboc.impl.core.vocabulary import Fault, Rule, encode, surplus
from gomboc.impl.publishing.trie import LONGEST_KEY

MOST_BYTES = 64_000
"""The bytes, at most, of several publications in one message, which takes less than 64 KiB then."""
MOST_BESIDE_PAYLOAD = 640
"""The bytes, at most, of key, publisher, number and signature of a publication in JSON, also with a topic."""

Item = TypeVar("Item")
Name = TypeVar("Name", str, tuple[str, str, int])


def at_most_chunk(noun: str) -> Rule:
    """The entries of a message are no more than `chunk`; without limits there may be any number."""
    says = "it carries {} " + noun

    def fault(entries: Sequence[object], limits: "Limits | None") -> Fault:
        return None if limits is None else surplus(says, len(entries), limits.chunk)

    return Rule(fault)


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

    def next_part(
        self, names: tuple[Name, ...], new: set[Name], told: Name | None
    ) -> tuple[tuple[Name, ...], Name | None]:
        """So many of these ascending names as a message may have, and the last one of them that had its turn.

        If there are more, up to half of them, rounded up, are `new`, and no longer new then; the others are those that
        follow `told`, the last one in its turn before, and after the last name of all the first.
        """
        if len(names) <= self.chunk:
            new.clear()
            return names, None
        first = nsmallest((self.chunk + 1) // 2, new)
        taken = frozenset(first)
        others = [name for name in names if name not in taken]
        at = 0 if told is None else bisect_right(others, told) % len(others)
        turn = others[at : at + self.chunk - len(first)]
        new.difference_update(first, turn)
        return tuple(sorted(first + turn)), turn[-1] if turn else told

    def portions(self, items: Iterable[Item], text: Callable[[Item], str]) -> Iterator[tuple[Item, ...]]:
        """These items, so many at a time as a message may have: by their number, and by their bytes.

        `text` gives the payload of an item.
        """
        portion: list[Item] = []
        bytes_left = 0
        for item in items:
            bytes_needed = len(encode(text(item))) + MOST_BESIDE_PAYLOAD
            if not portion or len(portion) == self.chunk or bytes_needed > bytes_left:
                if portion:
                    yield tuple(portion)
                portion, bytes_left = [], MOST_BYTES
            portion.append(item)
            bytes_left -= bytes_needed
        if portion:
            yield tuple(portion)
