"""Publications for tests, as JSON values, and tries computed anew from nothing but their keys."""

from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from itertools import count
from typing import Any

from gomboc.impl.api.registry import implementation
from gomboc.impl.publishing.publication import Publication
from tests.impl.protocols.skip_ring.cores import BLANK, SILENT, LoadedCoin

BITS = 3


def key_of(publisher: Any, number: int, payload: str, bits: Any = BITS) -> Any:
    digest = sha256(b"\0" + b"\0".join(part.encode() for part in (publisher, str(number), payload))).digest()
    return "".join(f"{byte:08b}" for byte in digest)[:bits]


def written(number: int = 0, publisher: str = "a", payload: str = "p", bits: Any = BITS, **other: Any) -> list[Any]:
    """A publication as traces write it, by default a valid one."""
    values = {"key": key_of(publisher, number, payload, bits), "signer": publisher, **other}
    return [values["key"], publisher, number, payload, values["signer"]]


def made(*values: Any, **named: Any) -> Publication:
    return Publication(*written(*values, **named))


@cache
def of_key(key: str, publisher: str = "a") -> Any:
    """A valid publication that has this key."""
    numbers = count(int(key, 2) * 1_000)
    return next(
        candidate
        for candidate in (made(number, publisher, bits=len(key)) for number in numbers)
        if candidate.key == key
    )


def all_keys(bits: Any = BITS) -> list[Any]:
    return [f"{number:0{bits}b}" for number in range(2**bits)]


def configured(**parameters: Any) -> Any:
    made: Any = implementation("skip_ring")
    return made.configured({"key_bits": BITS, **parameters})


def holder(
    *publications: Any,
    name: str = "u",
    coin: Any = SILENT,
    parameters: Mapping[str, Any] | None = None,
    **variables: Any,
) -> Any:
    """A subscriber, by default with label 01, that holds these publications."""
    held = sorted(
        [publication.key, publication.publisher, publication.number, publication.text, publication.signature]
        for publication in publications
    )
    state = {**BLANK, "label": "01", "publications": held, **variables}
    return configured(**(parameters or {})).make("subscriber", name, state, LoadedCoin(coin))


def hashed(text: Any) -> Any:
    return sha256(text).digest()[:16]


def naive_hash(keys: Sequence[str]) -> Any:
    """The hash of a trie's root, by its definition.

    Source: Section 4.2
    """
    keys = sorted(keys)
    if not keys:
        return hashed(b"\x03")
    if len(keys) == 1:
        return hashed(b"\x01" + keys[0].encode())
    depth = len(shared(keys))
    zero, one = ([key for key in keys if key[depth] == bit] for bit in "01")
    return hashed(b"\x02" + naive_hash(zero) + naive_hash(one))


def shared(keys: Sequence[str]) -> Any:
    """The longest prefix that all keys share."""
    first, last = min(keys), max(keys)
    return next((first[:index] for index in range(len(first)) if first[index] != last[index]), first)


def naive_nodes(keys: Sequence[str]) -> dict[str, Any]:
    """The hash of every node by its label: the shared prefix of each two keys, and each key.

    Source: Section 4.2
    """
    labels = {shared([one, other]) for one in keys for other in keys}
    return {label: naive_hash([key for key in keys if key.startswith(label)]).hex() for label in labels}
