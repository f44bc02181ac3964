"""Texts in the recorder's own spelling: each distinct one is read once, and has a number from then on.

A text is in that spelling if its value, written again, gives the same text: then it has each key once and no other.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from gomboc.checker.replay.pack.dictionary import Dictionary, Numbers
from gomboc.checker.replay.pack.format import Given, Located
from gomboc.checker.traces.interning_decoder import Reader
from gomboc.checker.traces.keys import ENCODE
from gomboc.spec.core.protocol import Vocabulary

MOST_ENDS = 100_000
"""Ends of lines of one kind that are remembered at most; beyond that, all are forgotten. It bounds the memory."""

NO_SENDS, FIRST_SEND, NEXT_SEND, LAST_SEND = b',"sent":[]', b',"sent":[{"id":', b'},{"id":', b"}]"
"""The text behind the state in a line without sends; in others, those before each id and behind the last message."""


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


class AcceptedSends(dict[bytes, Located]):
    """The target and the number of a message, by the text of a send from behind its id on; each is read once."""

    def __init__(self, messages: Accepted) -> None:
        super().__init__()
        self._messages = messages

    def __missing__(self, text: bytes) -> Located:
        key, _, rest = text.partition(b":")
        to, _, message = rest.partition(b',"message":')
        if key != b'"to"':
            raise ForeignSpellingError("not in the recorder's spelling")
        sent = self[text] = msgspec.json.decode(to, type=str), self._messages[message]
        return sent


class Fields(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The fields of a line behind its sends that name no state or message."""

    delivered: list[Any] = []
    coin: str | None = None
    at: float | None = None


_FIELDS = msgspec.json.Decoder(Fields)


def _fields(text: bytes) -> Fields:
    """The fields in the text from the end of the sends on. Raises ValueError unless it is in our own spelling."""
    whole = b"{" + text.removeprefix(b",")
    fields = _FIELDS.decode(whole)
    if ENCODE(fields) != whole or text.startswith(b",") is (whole == b"{}"):
        raise ForeignSpellingError("not in the recorder's spelling")
    return fields


def all_given(sends: tuple[Located, ...], fields: Fields) -> Given:
    """All that a step gives that sends these messages."""
    return sends, fields.coin, ENCODE(fields.delivered) if fields.delivered else None, None


class Ends(dict[bytes, Any]):
    """The meaning of the ends of lines of one kind, their times last.

    Each end is read once, but for those with a time, since times hardly recur.
    """

    def __init__(self, read: Callable[[bytes], tuple[Any, ...]]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, text: bytes) -> tuple[Any, ...]:
        said = self._read(text)
        if said[-1] is None:
            if len(self) >= MOST_ENDS:
                self.clear()
            self[text] = said
        return said


Tail = tuple[tuple[int, ...], int, float | None]
"""The end of a line with sends: the contents of all messages, the number of all that the step gives, and the time."""


class Tails(dict[bytes, Tail]):
    """The ends of lines with these messages before the last one, by the text from behind the id of the last one on.

    `then` has the same for one more message ahead of the last, by its text from behind its id on. Each text is read
    once, but for those with a time. All that is remembered is counted in `first`, the one of no messages.
    """

    def __init__(
        self,
        sends: AcceptedSends,
        numbers: Numbers[Given],
        sent: tuple[Located, ...] = (),
        first: "Tails | None" = None,
    ) -> None:
        super().__init__()
        self._sends, self._numbers, self._sent = sends, numbers, sent
        self._first = self if first is None else first
        self.then = Then(self)
        self.known = 0

    def __missing__(self, text: bytes) -> Tail:
        send, _, rest = text.rpartition(LAST_SEND)
        fields, sent = _fields(rest), (*self._sent, self._sends[send])
        said = tuple([content for _, content in sent]), self._numbers[all_given(sent, fields)], fields.at
        if fields.at is None:
            self._first.count()
            self[text] = said
        return said

    def following(self, text: bytes) -> "Tails":
        """Those with one more message."""
        self._first.count()
        return Tails(self._sends, self._numbers, (*self._sent, self._sends[text]), self._first)

    def count(self) -> None:
        """Count one more that is remembered; forget all that are, if they are too many."""
        if self.known >= MOST_ENDS:
            self.clear()
            self.then.clear()
            self.known = 0
        self.known += 1


class Then(dict[bytes, Tails]):
    """The ends of lines with one more message, by the text of that message."""

    def __init__(self, tails: Tails) -> None:
        super().__init__()
        self._following = tails.following

    def __missing__(self, text: bytes) -> Tails:
        following = self._following(text)
        self[text] = following
        return following


class AcceptedTexts:
    """The texts of one protocol, by kind, with their numbers in a dictionary.

    `ends` have, for a line without sends, the state after the step, the number of all that it gives, and the time; by
    role. `tails` have the ends of the other lines.
    """

    def __init__(self, vocabulary: Vocabulary, words: Dictionary) -> None:
        message, roles = words.messages.__getitem__, vocabulary.roles.items()
        self.states = {role: Accepted(Reader(kind).read, partial(_numbered, words, role)) for role, kind in roles}
        self.messages = Accepted(Reader(vocabulary.message).read, message)
        self.commands = Accepted(msgspec.json.Decoder(vocabulary.command).decode, message)
        self.deliveries = Accepted(msgspec.json.Decoder(list[Any]).decode, len)
        self.ends = {role: Ends(partial(_end, states, words.given)) for role, states in self.states.items()}
        self.tails = Tails(AcceptedSends(self.messages), words.given)


def _numbered(words: Dictionary, role: str, text: bytes) -> int:
    return words.states[role, text]


def _end(states: Accepted, numbers: Numbers[Given], text: bytes) -> tuple[int, int, float | None]:
    state, _, rest = text.partition(NO_SENDS)
    fields = _fields(rest)
    return states[state], numbers[all_given((), fields)], fields.at
