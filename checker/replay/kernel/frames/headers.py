"""The nodes that headers declare. Traces with the same nodes have the same shape."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
import numpy as np

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import NONE, Distinct
from gomboc.checker.replay.kernel.frames.batch import Batch
from gomboc.checker.replay.pack.format import SentText
from gomboc.checker.traces.keys import check_keys
from gomboc.checker.traces.trace import Expected, Name, Natural
from gomboc.spec.core.protocol import Protocol


class Shape(msgspec.Struct, frozen=True):
    """The nodes of a trace in the header's order: names, their numbers, roles and indices; `members` is n.

    `keys` are the names as a recorder writes them before the states, with the separators between states.
    """

    names: tuple[str, ...]
    numbers: tuple[int, ...]
    roles: tuple[str, ...]
    places: dict[str, int]
    members: int
    keys: tuple[bytes, ...]


class _Head(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A header, as in `checker/traces/trace.py`, with the texts of states and messages."""

    format: Literal["gomboc-trace"]
    version: Literal[1]
    protocol: str
    parameters: dict[str, Any]
    roles: msgspec.Raw
    states: msgspec.Raw
    messages: msgspec.Raw
    origin: dict[str, str | int | float]
    bound: Natural | None = None
    expect: Expected | None = None


_HEAD = msgspec.json.Decoder(_Head)
_ROLES = msgspec.json.Decoder(dict[Name, str])
_STATES = msgspec.json.Decoder(dict[str, msgspec.Raw])
_MESSAGES = msgspec.json.Decoder(list[SentText])

Start = tuple[list[int], list[int], list[int], list[int]]
"""The start of a trace in columns: numbers of states; ids, indices of targets and numbers of contents of messages."""


class Shapes:
    """The shapes that occur in one pack, numbered as they are met."""

    def __init__(self, protocol: Protocol, parameters: Mapping[str, Any], distinct: Distinct) -> None:
        self._protocol, self._parameters = protocol, parameters
        self._distinct = distinct
        self.names = distinct.names
        self._numbers: dict[bytes, int] = {}
        self.known: list[Shape] = []

    def read(self, batch: Batch, bound: int | None) -> tuple[Array, Array]:
        """Shape and bound of every trace; `bound` overrides those of headers and protocol.

        Raises UsageError for a header that cannot be read, or differs from the columns.
        """
        shapes, bounds = np.zeros((2, len(batch)), np.int64)
        starts = zip(*(column.rows() for column in batch.starts), strict=True)
        for index, (header, start) in enumerate(zip(batch.headers, starts, strict=True)):
            head: _Head = _decoded(_HEAD, header)
            number = shapes[index] = self._number(bytes(head.roles))
            shape = self.known[number]
            if not (
                self._fits(head) and self._same_states(head, shape, start) and self._same_messages(head, shape, start)
            ):
                raise UsageError(f"trace {batch.names[index]!r}: its header says something else than its columns")
            chosen = head.bound if bound is None else bound
            bounds[index] = self._protocol.starts.bound(shape.members) if chosen is None else chosen
        return shapes, bounds

    def _fits(self, head: _Head) -> bool:
        """Whether the header has this protocol, with the parameters of the pack."""
        return head.parameters == self._parameters and head.protocol == self._protocol.name

    def _same_states(self, head: _Head, shape: Shape, start: Start) -> bool:
        """Whether the first states are those of the columns; mostly the text is exactly a recorder's."""
        if len(start[0]) != len(shape.names):
            return False
        texts = [self._distinct.state_texts[state] for state in start[0]]
        written = b"".join([part for pair in zip(shape.keys, texts, strict=True) for part in pair])
        if bytes(head.states) == b"{%b}" % written:
            return True
        said = _decoded(_STATES, bytes(head.states))
        return {name: bytes(text) for name, text in said.items()} == dict(zip(shape.names, texts, strict=True))

    def _same_messages(self, head: _Head, shape: Shape, start: Start) -> bool:
        """Whether the messages in flight are those of the columns."""
        _, ids, targets, contents = start
        text = bytes(head.messages)
        if text == b"[]":
            return not ids
        texts = [self._distinct.message_texts[content] for content in contents]
        said = [(sent.id, shape.places.get(sent.to, NONE), bytes(sent.message)) for sent in _decoded(_MESSAGES, text)]
        return said == list(zip(ids, targets, texts, strict=True))

    def _number(self, roles: bytes) -> int:
        if roles not in self._numbers:
            self._numbers[roles] = len(self.known)
            self.known.append(self._shape(_decoded(_ROLES, roles)))
        return self._numbers[roles]

    def _shape(self, roles: dict[str, str]) -> Shape:
        protocol = self._protocol
        if (
            not set(roles.values()) <= set(protocol.vocabulary.roles)
            or not protocol.vocabulary.fixed.items() <= roles.items()
        ):
            raise UsageError(f"the roles of a header are not those of {protocol.name}")
        numbers = tuple(map(self.names.number, roles))
        members = sum(role == protocol.vocabulary.member for role in roles.values())
        places = {name: index for index, name in enumerate(roles)}
        keys = tuple(b'%b"%b":' % (b"," if index else b"", name.encode()) for name, index in places.items())
        return Shape(tuple(roles), numbers, tuple(roles.values()), places, members, keys)

    def places(self) -> Array:
        """For every shape and every name, the index of the shape's node; -1 if there is none."""
        places = np.full((len(self.known), len(self.names.known)), NONE, np.int64)
        for row, shape in enumerate(self.known):
            places[row, list(shape.numbers)] = np.arange(len(shape.numbers))
        return places


def targets(header: bytes) -> list[str]:
    """The targets of the messages that are in flight at the start, in order."""
    return [sent.to for sent in _decoded(_MESSAGES, bytes(_decoded(_HEAD, header).messages))]


def _decoded(decoder: msgspec.json.Decoder[Any], text: bytes) -> Any:
    try:
        value = decoder.decode(text)
        check_keys(value, text)
    except (ValueError, RecursionError, UsageError) as error:
        raise UsageError(f"a header cannot be read: {error}") from error
    return value
