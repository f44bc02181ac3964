"""What one step may send to one peer: `chunk` publications, and 64 KiB of them if they are several."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

KIB_64 = 65_536
ONE = ("publication", "item", "content")
SEVERAL = ("publications", "items", "rows")
"""Fields of messages, by name: on either side, of any protocol, they are publications, or rows of a broker's table."""


def number_of(message: Any) -> int:
    """The number of publications, or rows, that a message carries."""
    return sum(hasattr(message, name) for name in ONE) + sum(len(getattr(message, name, ())) for name in SEVERAL)


def volumes(sent: Iterable[tuple[str, Any]]) -> Mapping[str, tuple[int, int]]:
    """The number of publications, and the bytes of all messages, that one step sends to each peer."""
    by_peer = defaultdict[str, list[Any]](list)
    for to, message in sent:
        by_peer[to].append(message)
    return {
        to: (sum(map(number_of, messages)), sum(len(msgspec.json.encode(message)) for message in messages))
        for to, messages in by_peer.items()
    }


def too_much(sent: Iterable[tuple[str, Any]], chunk: int) -> Mapping[str, tuple[int, int]]:
    """The same of the peers that the step sends too much."""
    return {
        to: (many, size) for to, (many, size) in volumes(sent).items() if many > chunk or (many != 1 and size >= KIB_64)
    }
