"""Digests of distinct values and steps by content, the same in every pack. Units: 16 bytes, as two numbers of 64 bits.

They are cryptographic: nobody can make a wrong step whose digest is that of a right one.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from gomboc.checker.distinct.arrays import Array, spread
from gomboc.checker.distinct.distinct import Distinct

SIZE = 16
"""Bytes of a digest."""

NOTHING = bytes(SIZE)

STATE, MESSAGE, STEP = b"state", b"message", b"step"
"""What a digest is of; equal content of another kind has another digest."""


def _digest(content: bytes, kind: bytes = b"") -> bytes:
    return blake2b(content, digest_size=SIZE, person=kind).digest()


class Digests:
    """Digests of the dictionary of one pack."""

    def __init__(self, words: Distinct) -> None:
        self._words = words

    @cached_property
    def _names(self) -> Array:
        return _rows(_digest(name.encode()) for name in self._words.names.known)

    @cached_property
    def _states(self) -> Array:
        words = self._words
        roles = {role: _digest(b"" if role is None else b"of " + role.encode()) for role in set(words.state_roles)}
        pairs = zip(words.state_roles, words.state_texts, strict=True)
        return _rows(_digest(roles[role] + text, STATE) for role, text in pairs)

    @cached_property
    def _messages(self) -> Array:
        """Those of the contents; the last row stands for no content, whose number is NONE."""
        return _rows([*(_digest(text, MESSAGE) for text in self._words.message_texts), NOTHING])

    def states(self, rows: Array) -> Array:
        """The digests of those states: two columns."""
        return _numbers(self._states[rows])

    def messages(self, rows: Array) -> Array:
        """The digests of those contents, as messages: two columns."""
        return _numbers(self._messages[rows])

    def steps(self, rows: Array) -> Array:
        """The digests of those steps, with their coins and deliveries: two columns. Every part has a fixed length."""
        words, names, states, messages = self._words, self._names, self._states, self._messages
        said = [NOTHING if coin is None else _digest(coin.encode(), b"coin") for coin in words.coins.values]
        gave = [NOTHING if text is None else _digest(text, b"delivered") for text in words.deliveries.values]
        heads = (
            names[words.node[rows]],
            words.took[rows].astype(np.uint8)[:, np.newaxis],
            states[words.before[rows]],
            messages[words.input[rows]],
            states[words.after[rows]],
            _rows(said)[words.coins.number[rows]],
            _rows(gave)[words.deliveries.number[rows]],
        )
        places = spread(words.send_starts[rows], words.sends[rows])
        sends = names[words.send_target[places]], messages[words.send_content[places]]
        return _numbers(_rows(_of_each(np.concatenate(heads, 1), np.concatenate(sends, 1), words.sends[rows])))


def _of_each(heads: Array, sends: Array, counts: Array) -> Iterator[bytes]:
    """The digest of each row of `heads` with as many rows of `sends` after it as `counts` says."""
    begun, head, tail = blake2b(digest_size=SIZE, person=STEP), heads.tobytes(), sends.tobytes()
    ends = range(0, heads.size + 1, heads.shape[1]), [0, *(np.cumsum(counts) * sends.shape[1]).tolist()]
    for (begin, end), (low, high) in zip(*map(pairwise, ends), strict=True):
        whole = begun.copy()
        whole.update(head[begin:end] + tail[low:high])
        yield whole.digest()


def _rows(digests: Iterable[bytes]) -> Array:
    rows: Array = np.frombuffer(b"".join(digests), np.uint8).reshape(-1, SIZE)
    return rows


def _numbers(digests: Array) -> Array:
    halves: Array = np.ascontiguousarray(digests).view(np.uint64).T
    return halves
