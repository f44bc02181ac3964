"""Lines of traces in the recorder's own spelling, read many at once: each distinct text in them is read once.

Such a line is what its fields give when they are written again, so it has each key once and no other. What is inside
a state or a message is left as text, and read when it occurs for the first time. Other lines are left to the trace
reader, which knows the sentence for each fault.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw

from gomboc.checker.replay.pack.dictionary import Dictionary
from gomboc.checker.replay.pack.format import COMMAND, DELIVERY, NONE
from gomboc.checker.replay.pack.record import NOTHING, NumberedStep, Recorder, Taken
from gomboc.checker.traces.interning_decoder import Reader
from gomboc.checker.traces.keys import ENCODE
from gomboc.checker.traces.trace import Id
from gomboc.spec.core.protocol import Vocabulary

ABSENT = Raw()
"""Stands for an optional key that is not there."""

MOST_ID = 2**53 - 1
"""The greatest id of a message."""


class SentText(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A message given to the network, its content as text."""

    id: Id
    to: str
    message: Raw


class Line(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A step, its states and messages as text; a command is made of JSON's own values."""

    node: str
    took: Any
    state: Raw
    sent: list[SentText]
    delivered: Raw = ABSENT
    coin: str | None = None
    before: Raw = ABSENT
    received: Raw = ABSENT
    at: float | None = None


_LINES = msgspec.json.Decoder(list[Line])
_WRITTEN = msgspec.json.Encoder().encode_lines


class ForeignSpellingError(ValueError):
    """A text has a meaning, perhaps, but is not as the recorder would write it."""


class Accepted(dict[bytes, int]):
    """The numbers of texts of one kind that can be read and are in our own spelling; each is read once.

    Raises ValueError or RecursionError for another text.
    """

    def __init__(self, read: Callable[[bytes], Any], number: Callable[[bytes], int]) -> None:
        super().__init__()
        self._read, self._number = read, number

    def __missing__(self, text: bytes) -> int:
        if ENCODE(self._read(text)) != text:
            raise ForeignSpellingError("not in the recorder's spelling")
        number = self[text] = self._number(text)
        return number


class AcceptedTexts:
    """The texts of one protocol, by kind, with their numbers in a dictionary."""

    def __init__(self, vocabulary: Vocabulary, words: Dictionary) -> None:
        message = words.messages.__getitem__
        self.states = {
            role: Accepted(Reader(kind).read, partial(_numbered, words, role))
            for role, kind in vocabulary.roles.items()
        }
        self.messages = Accepted(Reader(vocabulary.message).read, message)
        self.commands = Accepted(msgspec.json.Decoder(vocabulary.command).decode, message)
        self.deliveries = Accepted(msgspec.json.Decoder(list[Any]).decode, len)


def _numbered(words: Dictionary, role: str, text: bytes) -> int:
    return words.states[role, text]


def record_lines(recorder: Recorder, texts: AcceptedTexts, roles: Mapping[str, str], raw: Sequence[bytes]) -> bool:
    """Record these lines if each is in the recorder's spelling, and say whether it was so; otherwise, record none."""
    try:
        lines = _LINES.decode(b"[%b]" % b",".join(raw))
        if _WRITTEN(lines) != b"\n".join([*raw, b""]):
            return False
        states = {node: texts.states[role] for node, role in roles.items()}
        optional = {
            index: _optional(texts, states[line.node], line)
            for index, line in enumerate(lines)
            if line.delivered is not ABSENT or line.before is not ABSENT or line.received is not ABSENT
        }
        messages = texts.messages
        steps: list[NumberedStep] = [
            (
                line.node,
                NOTHING if line.took == "timeout" else _taken(texts, line.took),
                states[line.node][bytes(line.state)],
                tuple([(sent.to, messages[bytes(sent.message)]) for sent in line.sent]) if line.sent else (),
                line.coin,
                None,
                None,
            )
            for line in lines
        ]
    except (ValueError, KeyError, RecursionError):
        return False
    first = len(recorder.events)
    for index, values in optional.items():
        steps[index] = (*steps[index][:-2], values.delivered, values.received)
    recorder.take(steps, [sent.id for line in lines for sent in line.sent])
    for index, line in enumerate(lines, first):
        if line.at is not None:
            recorder.happened(index, line.at)
    for index, values in optional.items():
        if values.before is not None:
            recorder.claimed(first + index, values.before)
    return True


def _taken(texts: AcceptedTexts, took: Any) -> Taken:
    """The input of a step, without the content of a message that it takes."""
    if type(took) is not int:
        return COMMAND, NONE, texts.commands[ENCODE(took)]
    if not 0 <= took <= MOST_ID:
        raise ForeignSpellingError("no id")
    return DELIVERY, took, NONE


class Optional(NamedTuple):
    """The optional fields of a step that hold values: the text of its deliveries, and numbers of values."""

    delivered: bytes | None = None
    before: int | None = None
    received: int | None = None


def _optional(texts: AcceptedTexts, states: Accepted, line: Line) -> Optional:
    delivered, before, received = bytes(line.delivered), bytes(line.before), bytes(line.received)
    if delivered:
        texts.deliveries[delivered]
    if received and type(line.took) is not int:
        raise ForeignSpellingError("a message is named, and none was delivered")
    return Optional(
        delivered or None, states[before] if before else None, texts.messages[received] if received else None
    )
