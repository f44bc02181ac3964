"""Decode distinct values and local steps: from the numbers and texts of one pack to values that do not depend on it."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec
import numpy as np

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.arrays import Array, spread
from gomboc.checker.distinct.distinct import COMMAND, DELIVERY, NONE, Distinct
from gomboc.checker.judge.exact import sameness
from gomboc.checker.traces.interning_decoder import Reader
from gomboc.checker.traces.keys import ENCODE, check_keys
from gomboc.checker.traces.trace import KEYS, lacking_keys
from gomboc.spec.core.model import Commanded, Input, Received, Send, Timeout
from gomboc.spec.core.protocol import Protocol

Decoder = msgspec.json.Decoder[Any]

TIMEOUT = Timeout()

TOGETHER = 1024
"""Texts that are decoded at once."""

ARRAY = msgspec.json.Decoder(list[Any])


def _decoder(kind: Any) -> Decoder:
    return msgspec.json.Decoder(kind)


def _decoded(decoder: Decoder, text: bytes) -> Any:
    try:
        value = decoder.decode(text)
        check_keys(value, text)
    except (ValueError, RecursionError) as error:
        raise UsageError(str(error)) from error
    return value


def _at_once(reader: Reader, texts: list[bytes]) -> dict[int, Any]:
    """The values of many texts by index, of those in our own spelling; the others are left out."""
    values: dict[int, Any] = {}
    for low in range(0, len(texts), TOGETHER):
        some = reader.read_many(texts[low : low + TOGETHER])
        values.update((low + index, value) for index, value in some.items())
    return values


class Decoders:
    """Decoders for the texts of one protocol. Raises UsageError for a text that cannot be read.

    `same`: whether two states, or two messages, are equal.
    """

    def __init__(self, protocol: Protocol) -> None:
        self.same = sameness(protocol)
        self._states = {role: _decoder(kind) for role, kind in protocol.vocabulary.roles.items()}
        self._message, self._command = _decoder(protocol.vocabulary.message), _decoder(protocol.vocabulary.command)
        self._many_states = {role: Reader(kind) for role, kind in protocol.vocabulary.roles.items()}
        self._many_messages = Reader(protocol.vocabulary.message)

    def many_states(self, role: str, texts: list[bytes]) -> dict[int, Any]:
        """Local states of that role by index, of texts in our own spelling: decoding them at once is cheaper."""
        return _at_once(self._many_states[role], texts) if role in self._many_states else {}

    def many_messages(self, texts: list[bytes]) -> dict[int, Any]:
        """The same for contents of messages."""
        return _at_once(self._many_messages, texts)

    def state(self, role: str | None, text: bytes) -> Any:
        """A local state of that role; None for the state of an unknown node."""
        if role is None:
            check_keys(None, text)
            return None
        if role not in self._states:
            raise UsageError(f"the protocol has no role {role!r}")
        return _decoded(self._states[role], text)

    def message(self, text: bytes) -> Any:
        """The content of a message."""
        return _decoded(self._message, text)

    def command(self, text: bytes) -> Any:
        """A command."""
        return _decoded(self._command, text)


class Once(dict[Any, Any]):
    """A cache of `find`, which is called once for each key."""

    def __init__(self, find: Callable[[Any], Any]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: Any) -> Any:
        value = self[key] = self._find(key)
        return value


class PackValues:
    """The values of one pack by number, each decoded on first access.

    `state(number)` is a local state, `message(number)` a content as a message, `input` and `send` give those of a step
    by the numbers that `spelled_steps` makes, and `deliveries(number)` what a step hands over.
    """

    def __init__(self, decoders: Decoders, distinct: Distinct) -> None:
        self._decoders = decoders
        self.distinct = distinct
        # None of them refers back to this object: whole packs would wait for a collector of cycles otherwise.
        self._states = Once(partial(_state, decoders, distinct))
        self._messages = Once(lambda number: decoders.message(distinct.message_texts[number]))
        self._whole: set[int] = set()
        self.state, self.message = self._states.__getitem__, self._messages.__getitem__
        self.input: Callable[[int], Input] = Once(partial(_input, decoders, distinct, self._messages)).__getitem__
        self.send: Callable[[int], Send] = Once(partial(_send, distinct, self._messages)).__getitem__
        self.deliveries: Callable[[int], list[Any]] = Once(partial(_deliveries, distinct)).__getitem__

    def read_states(self, numbers: Array) -> None:
        """Decode those states together as far as possible; the others are decoded on first access."""
        roles = self.distinct.state_roles
        new = [number for number in numbers.tolist() if number not in self._states]
        for role in set(map(roles.__getitem__, new)) - {None}:
            mine = [number for number in new if roles[number] == role]
            texts = [self.distinct.state_texts[number] for number in mine]
            states = self._decoders.many_states(str(role), texts)
            self._states.update((mine[index], value) for index, value in states.items())
            self._whole.update(map(mine.__getitem__, states))

    def read_messages(self, numbers: Array) -> None:
        """Decode those contents together."""
        new = [number for number in numbers.tolist() if number not in self._messages]
        messages = self._decoders.many_messages([self.distinct.message_texts[number] for number in new])
        self._messages.update((new[index], value) for index, value in messages.items())

    def whole_state(self, number: int) -> Any:
        """The same, but raises UsageError also if a key is missing that has a default in code."""
        state = self.state(number)
        if number in self._whole or state is None:
            return state
        text = self.distinct.state_texts[number]
        if ENCODE(state) != text:
            for key in lacking_keys(state, KEYS.decode(text)):
                raise UsageError(f"the state lacks the key {key!r}")
        return state

    def command(self, number: int) -> Any:
        """The content with that number, as a command."""
        return self._decoders.command(self.distinct.message_texts[number])

    def same_state(self, one: int, other: int) -> int:
        """Whether two states are equal, though their texts are not."""
        return int(self._decoders.same(self.state(one), self.state(other)))

    def same_message(self, one: int, other: int) -> int:
        """Whether two messages are equal, though their texts are not."""
        return int(self._decoders.same(self.message(one), self.message(other)))


def _state(decoders: Decoders, distinct: Distinct, number: int) -> Any:
    return decoders.state(distinct.state_roles[number], distinct.state_texts[number])


def _input(decoders: Decoders, distinct: Distinct, messages: Once, number: int) -> Input:
    if number == NONE:
        return TIMEOUT
    if number < distinct.contents:
        return Received(messages[number])
    return Commanded(decoders.command(distinct.message_texts[number - distinct.contents]))


def _send(distinct: Distinct, messages: Once, number: int) -> Send:
    target, content = divmod(number, distinct.contents)
    return Send(distinct.names.known[target], messages[content])


def _deliveries(distinct: Distinct, number: int) -> list[Any]:
    text = distinct.deliveries.values[number]
    return [] if text is None else list(_decoded(ARRAY, text))


class SpelledStep(NamedTuple):
    """One row of `steps.parquet` with values instead of numbers, so that it means the same in every pack.

    `taken` is the input in the sense of the specification.
    """

    node: str
    before: Any
    taken: Input
    after: Any
    sends: tuple[Send, ...]
    coin: str | None
    delivered: list[Any]


class SpelledSteps(NamedTuple):
    """Many steps, a column for each field of `SpelledStep`."""

    node: Sequence[str]
    before: Sequence[Any]
    taken: Sequence[Input]
    after: Sequence[Any]
    sends: Sequence[tuple[Send, ...]]
    coin: Sequence[str | None]
    delivered: Sequence[list[Any]]


def spelled_steps(values: PackValues, rows: Array) -> SpelledSteps:
    """The steps of those numbers, one look-up for each value. Raises UsageError or DecodeError if one of them cannot
    be read.
    """
    distinct = values.distinct
    took, content, counts = distinct.took[rows], distinct.input[rows], distinct.sends[rows]
    inputs = np.where(took == DELIVERY, content, np.where(took == COMMAND, content + distinct.contents, NONE))
    places = spread(distinct.send_starts[rows], counts)
    sends = distinct.send_target[places] * distinct.contents + distinct.send_content[places]
    sent = tuple(map(values.send, sends.tolist()))
    return SpelledSteps(
        list(map(distinct.names.known.__getitem__, distinct.node[rows].tolist())),
        list(map(values.state, distinct.before[rows].tolist())),
        list(map(values.input, inputs.tolist())),
        list(map(values.state, distinct.after[rows].tolist())),
        [sent[low:high] for low, high in pairwise([0, *np.cumsum(counts).tolist()])],
        distinct.coins.of(rows),
        list(map(values.deliveries, distinct.deliveries.number[rows].tolist())),
    )
