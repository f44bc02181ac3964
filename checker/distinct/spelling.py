"""Decode distinct values and local steps: from the numbers and texts of one pack to values that do not depend on it."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.arrays import Array, spread
from gomboc.checker.distinct.distinct import COMMAND, DELIVERY, Distinct
from gomboc.checker.judge.exact import sameness
from gomboc.checker.traces.interning_decoder import Reader
from gomboc.checker.traces.keys import ENCODE, check_keys
from gomboc.checker.traces.trace import KEYS, lacking_keys
from gomboc.spec.core.model import Commanded, Input, Received, Timeout
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

    `state(number)` is a local state, `message(number)` a content as a message, and `received(number)` as an input.
    """

    def __init__(self, decoders: Decoders, distinct: Distinct) -> None:
        self._decoders = decoders
        self.distinct = distinct
        # None of them refers back to this object: whole packs would wait for a collector of cycles otherwise.
        self._states = Once(partial(_state, decoders, distinct))
        self._messages = Once(lambda number: decoders.message(distinct.message_texts[number]))
        self.state, self.message = self._states.__getitem__, self._messages.__getitem__
        message = self.message
        self.received: Callable[[int], Received] = Once(lambda number: Received(message(number))).__getitem__

    def read_states(self, numbers: Array) -> None:
        """Decode those states together as far as possible; the others are decoded on first access."""
        roles = self.distinct.state_roles
        new = [number for number in numbers.tolist() if number not in self._states]
        for role in set(map(roles.__getitem__, new)) - {None}:
            mine = [number for number in new if roles[number] == role]
            texts = [self.distinct.state_texts[number] for number in mine]
            states = self._decoders.many_states(str(role), texts)
            self._states.update((mine[index], value) for index, value in states.items())

    def read_messages(self, numbers: Array) -> None:
        """Decode those contents together."""
        new = [number for number in numbers.tolist() if number not in self._messages]
        messages = self._decoders.many_messages([self.distinct.message_texts[number] for number in new])
        self._messages.update((new[index], value) for index, value in messages.items())

    def whole_state(self, number: int) -> Any:
        """The same, but raises UsageError also if a key is missing that has a default in code."""
        state, text = self.state(number), self.distinct.state_texts[number]
        if state is not None and ENCODE(state) != text:
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


class SpelledStep(NamedTuple):
    """One row of `steps.parquet` with values instead of numbers, so that it means the same in every pack.

    `taken` is the input in the sense of the specification, `sends` are pairs of target and content.
    """

    node: str
    before: Any
    taken: Input
    after: Any
    sends: list[tuple[str, Any]]
    coin: str | None
    delivered: list[Any]


def spelled_steps(values: PackValues, rows: Array) -> list[SpelledStep | UsageError]:
    """The steps of those numbers; an error in the place of a step that cannot be read."""
    try:
        return list(_together(values, rows))
    except (UsageError, msgspec.DecodeError) as error:
        if len(rows) == 1:
            return [UsageError(str(error))]
        # Halving finds the unreadable ones, of which there are few; all others are still spelled out many at once.
        middle = len(rows) // 2
        return spelled_steps(values, rows[:middle]) + spelled_steps(values, rows[middle:])


def _together(values: PackValues, rows: Array) -> Iterator[SpelledStep]:
    """All steps at once: one look-up per column, because a look-up per step costs as much as decoding."""
    distinct = values.distinct
    node, before, took, content, after = (
        column[rows].tolist()
        for column in (distinct.node, distinct.before, distinct.took, distinct.input, distinct.after)
    )
    return map(
        SpelledStep,
        map(distinct.names.known.__getitem__, node),
        map(values.state, before),
        [_input(values, *columns) for columns in zip(took, content, strict=True)],
        map(values.state, after),
        _sends(values, rows),
        distinct.coins.of(rows),
        [[] if text is None else _decoded(ARRAY, text) for text in distinct.deliveries.of(rows)],
    )


def _sends(values: PackValues, rows: Array) -> list[list[tuple[str, Any]]]:
    """The sends of each of these steps: targets and contents."""
    distinct = values.distinct
    counts = distinct.sends[rows]
    places = spread(distinct.send_starts[rows], counts)
    targets = map(distinct.names.known.__getitem__, distinct.send_target[places].tolist())
    sends = zip(targets, map(values.message, distinct.send_content[places].tolist()), strict=True)
    return [list(islice(sends, count)) if count else [] for count in counts.tolist()]


def _input(values: PackValues, took: int, content: int) -> Input:
    if took == DELIVERY:
        return values.received(content)
    return Commanded(values.command(content)) if took == COMMAND else TIMEOUT
