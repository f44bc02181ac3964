"""Texts of states, messages and commands as the values of a protocol."""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from checker.errors import UsageError
from checker.judge.trace import KEYS, lacking_keys
from checker.replay.kernel.dictionary import Dictionary
from spec.model import Received
from spec.protocol import Protocol

Decoder = msgspec.json.Decoder[Any]


_ENCODER = msgspec.json.Encoder()


def _decoder(kind: Any) -> Decoder:
    return msgspec.json.Decoder(kind)


def _decoded(decoder: Decoder, text: bytes) -> Any:
    try:
        return decoder.decode(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(str(error)) from error


class Values:
    """What the texts of one protocol mean. Raises UsageError for a text that means nothing."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self._states = {role: _decoder(kind) for role, kind in protocol.roles.items()}
        self._message, self._command = _decoder(protocol.message), _decoder(protocol.command)

    def state(self, role: str | None, text: bytes) -> Any:
        """A local state of that role; None for that of a node that is not there."""
        return None if role is None else _decoded(self._states[role], text)

    def message(self, text: bytes) -> Any:
        """The content of a message."""
        return _decoded(self._message, text)

    def command(self, text: bytes) -> Any:
        """A command."""
        return _decoded(self._command, text)


class Once(dict[int, Any]):
    """What `find` gives for each number, found when it is first asked for."""

    def __init__(self, find: Callable[[int], Any]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, number: int) -> Any:
        found = self[number] = self._find(number)
        return found


class PackValues:
    """The values of one pack, by number, each decoded when it is first asked for.

    `state(number)` is a local state, `message(number)` a content as a message, and `received(number)` as an input.
    """

    def __init__(self, values: Values, dictionary: Dictionary) -> None:
        self._values = values
        self.dictionary = dictionary
        # None of them refers back to this object: whole packs would wait for a collector of cycles otherwise.
        self.state = Once(partial(_state, values, dictionary)).__getitem__
        self.message = message = Once(lambda number: values.message(dictionary.message_texts[number])).__getitem__
        self.received: Callable[[int], Received] = Once(lambda number: Received(message(number))).__getitem__

    def whole_state(self, number: int) -> Any:
        """The same. Raises UsageError also if a key is missing, which has a default for those who write code."""
        state, text = self.state(number), self.dictionary.state_texts[number]
        if state is not None and _ENCODER.encode(state) != text:
            for key in lacking_keys(state, _decoded(KEYS, text)):
                raise UsageError(f"the state lacks the key {key!r}")
        return state

    def command(self, number: int) -> Any:
        """The content with that number, as a command."""
        return self._values.command(self.dictionary.message_texts[number])

    def same_state(self, one: int, other: int) -> int:
        """Whether two states are equal, though their texts are not."""
        return int(self.state(one) == self.state(other))

    def same_message(self, one: int, other: int) -> int:
        """Whether two messages are equal, though their texts are not."""
        return int(self.message(one) == self.message(other))


def _state(values: Values, dictionary: Dictionary, number: int) -> Any:
    return values.state(dictionary.state_roles[number], dictionary.state_texts[number])
