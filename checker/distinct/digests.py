"""Digests of distinct values and steps by content, the same in every pack. Units: 16 bytes, as two numbers of 64 bits.

They are cryptographic: nobody can make a wrong step whose digest is that of a right one.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from hashlib import blake2b
from itertools import chain, repeat
from struct import iter_unpack

import numpy as np

from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import COMMAND, Distinct

SIZE = 16
"""Bytes of a digest."""

NOTHING = bytes(SIZE)

STATE, MESSAGE, STEP = b"state", b"message", b"step"
"""What a digest is of; equal content of another kind has another digest."""

Begun = Callable[[], blake2b]

WAYS = COMMAND + 1
"""The number of ways to take a step."""


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
    def _actors(self) -> Array:
        """Those of each name with each way to take a step."""
        names = self._words.names.known
        return _rows(_digest(name.encode(), b"takes %d" % way) for name in names for way in range(WAYS))

    @cached_property
    def _states(self) -> Array:
        words = self._words
        roles = {role: _digest(b"" if role is None else b"of " + role.encode()) for role in set(words.state_roles)}
        begun = {role: _begun(STATE, digest) for role, digest in roles.items()}
        return _rows(_digests(map(begun.__getitem__, words.state_roles), words.state_texts))

    @cached_property
    def _messages(self) -> Array:
        """Those of the contents; the last row stands for no content, whose number is NONE."""
        return _rows([*_digests(repeat(_begun(MESSAGE)), self._words.message_texts), NOTHING])

    def states(self, rows: Array) -> Array:
        """The digests of those states: a row of two numbers for each."""
        return self._states[rows]

    def messages(self, rows: Array) -> Array:
        """The digests of those contents, as messages: a row for each."""
        return self._messages[rows]

    def steps(self, rows: Array) -> Array:
        """The digests of those steps, with their coins and deliveries: a row for each.

        Steps that send equally many messages are digested together: every part of them has a fixed length.
        """
        digests = np.empty((len(rows), 2), np.uint64)
        sends = self._words.sends[rows]
        for count in np.unique(sends).tolist():
            some = np.flatnonzero(sends == count)
            digests[some] = _of_each(self._contents(rows[some], count))
        return digests

    def _contents(self, rows: Array, sends: int) -> Array:
        """The digests of the parts of these steps, each of which sends that many messages, side by side."""
        words, states, messages = self._words, self._states, self._messages
        columns = [
            (self._actors, words.node[rows] * WAYS + words.took[rows]),
            (states, words.before[rows]),
            (messages, words.input[rows]),
            (states, words.after[rows]),
            (self._coins, words.coins.number[rows]),
            (self._deliveries, words.deliveries.number[rows]),
        ]
        for send in (words.send_starts[rows] + place for place in range(sends)):
            columns += [(self._names, words.send_target[send]), (messages, words.send_content[send])]
        return np.concatenate([part.take(numbers, 0) for part, numbers in columns], 1)

    @cached_property
    def _coins(self) -> Array:
        coins = self._words.coins.values
        return _rows(NOTHING if coin is None else _digest(coin.encode(), b"coin") for coin in coins)

    @cached_property
    def _deliveries(self) -> Array:
        texts = self._words.deliveries.values
        return _rows(NOTHING if text is None else _digest(text, b"delivered") for text in texts)


def _of_each(contents: Array) -> Array:
    """The digest of each row, as of a step."""
    rows = iter_unpack(f"{contents.itemsize * contents.shape[1]}s", contents.tobytes())
    return _rows(_digests(repeat(_begun(STEP)), chain.from_iterable(rows)))


def _begun(kind: bytes, first: bytes = b"") -> Begun:
    """The beginning of digests of that kind, as a function that copies it: `first` is of the same length for all."""
    return blake2b(first, digest_size=SIZE, person=kind).copy


def _digests(begun: Iterable[Begun], contents: Iterable[bytes]) -> list[bytes]:
    """The digest of each content after its beginning; to copy one is cheaper than to begin anew."""
    digests = []
    for copy, content in zip(begun, contents, strict=False):
        whole = copy()
        whole.update(content)
        digests.append(whole.digest())
    return digests


def _rows(digests: Iterable[bytes]) -> Array:
    """A row for each digest: its halves."""
    rows: Array = np.frombuffer(b"".join(digests), np.uint64).reshape(-1, 2)
    return rows
