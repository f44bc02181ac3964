"""Digests of distinct values and steps by content, the same in every pack. Units: 16 bytes, as two numbers of 64 bits.

They are cryptographic: nobody can make a wrong step whose digest is that of a right one.
"""

from collections.abc import Iterable
from functools import cached_property
from hashlib import blake2b

import numpy as np

from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import NONE, Distinct

NOTHING = bytes(16)

STATE, MESSAGE, STEP = b"state", b"message", b"step"
"""What a digest is of; equal content of another kind has another digest."""


def _digest(content: bytes, kind: bytes = b"") -> bytes:
    return blake2b(content, digest_size=16, person=kind).digest()


class Digests:
    """Digests of the dictionary of one pack."""

    def __init__(self, words: Distinct) -> None:
        self._words = words

    @cached_property
    def _names(self) -> list[bytes]:
        return [_digest(name.encode()) for name in self._words.names.known]

    @cached_property
    def _states(self) -> list[bytes]:
        words = self._words
        roles = {role: _digest(b"" if role is None else b"of " + role.encode()) for role in set(words.state_roles)}
        pairs = zip(words.state_roles, words.state_texts, strict=True)
        return [_digest(roles[role] + text, STATE) for role, text in pairs]

    @cached_property
    def _messages(self) -> list[bytes]:
        return [_digest(text, MESSAGE) for text in self._words.message_texts]

    def states(self, rows: Array) -> Array:
        """The digests of those states: two columns."""
        return _numbers(map(self._states.__getitem__, rows.tolist()), len(rows))

    def messages(self, rows: Array) -> Array:
        """The digests of those contents, as messages: two columns."""
        return _numbers(map(self._messages.__getitem__, rows.tolist()), len(rows))

    def steps(self, rows: Array) -> Array:
        """The digests of those steps, with their coins and deliveries: two columns. Every part has a fixed length."""
        words, names, states, messages = self._words, self._names, self._states, self._messages
        said = [NOTHING if coin is None else _digest(coin.encode(), b"coin") for coin in words.coins.values]
        gave = [NOTHING if text is None else _digest(text, b"delivered") for text in words.deliveries.values]
        columns = words.node, words.took, words.before, words.input, words.after, words.coins.number
        lists = [
            column[rows].tolist() for column in (*columns, words.deliveries.number, words.send_starts, words.sends)
        ]
        targets, contents = words.send_target.tolist(), words.send_content.tolist()
        digests = []
        for node, took, before, taken, after, coin, delivered, start, sends in zip(*lists, strict=True):
            parts = [
                names[node],
                b"%c" % took,
                states[before],
                NOTHING if taken == NONE else messages[taken],
                states[after],
                said[coin],
                gave[delivered],
            ]
            for place in range(start, start + sends):
                parts += names[targets[place]], messages[contents[place]]
            digests.append(_digest(b"".join(parts), STEP))
        return _numbers(digests, len(rows))


def _numbers(digests: Iterable[bytes], count: int) -> Array:
    halves: Array = np.frombuffer(b"".join(digests), np.uint64).reshape(count, 2).T
    return halves
