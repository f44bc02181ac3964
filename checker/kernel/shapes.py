"""What headers say that composing needs: which nodes there are. Traces with the same nodes have the same shape."""

from typing import Any, Literal

import msgspec
import numpy as np

from checker.errors import UsageError
from checker.kernel.arrays import Array
from checker.kernel.batch import Batch
from checker.kernel.dictionary import NONE, Dictionary
from checker.trace import Expected, Id, Name, Natural
from spec.protocol import Protocol


class Shape(msgspec.Struct, frozen=True):
    """The nodes of a trace in the header's order: names, their numbers, roles and places; `members` is n."""

    names: tuple[str, ...]
    numbers: tuple[int, ...]
    roles: tuple[str, ...]
    places: dict[str, int]
    members: int


class _Sent(msgspec.Struct, forbid_unknown_fields=True):
    id: Id
    to: str
    message: msgspec.Raw


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    """A header, as `checker/trace.py` has it, with the texts of states and messages."""

    format: Literal["gomboc-trace"]
    version: Literal[1]
    protocol: str
    parameters: dict[str, Any]
    roles: msgspec.Raw
    states: dict[str, msgspec.Raw]
    messages: list[_Sent]
    origin: dict[str, str | int | float]
    bound: Natural | None = None
    expect: Expected | None = None


_HEAD = msgspec.json.Decoder(_Head)
_ROLES = msgspec.json.Decoder(dict[Name, str])


class Shapes:
    """The shapes that occur in one pack, numbered as they are met."""

    def __init__(self, protocol: Protocol, words: Dictionary) -> None:
        self._protocol = protocol
        self._words = words
        self.names = words.names
        self._numbers: dict[bytes, int] = {}
        self.known: list[Shape] = []

    def read(self, batch: Batch, bound: int | None) -> tuple[Array, Array]:
        """Shape and bound of every trace; `bound` overrides what headers and protocol say.

        Raises UsageError for a header that is none, or that says something else than the columns do.
        """
        shapes, bounds = np.zeros((2, len(batch)), np.int64)
        columns = zip(*(column.rows() for column in (batch.first, batch.initial, batch.initial_to)), strict=True)
        contents = batch.initial_content.rows()
        for place, (header, start, content) in enumerate(zip(batch.headers, columns, contents, strict=True)):
            head: _Head = _decoded(_HEAD, header)
            shape = shapes[place] = self._number(bytes(head.roles))
            if not self._says(head, self.known[shape], (*start, content)):
                raise UsageError(f"trace {batch.names[place]!r}: its header says something else than its columns")
            chosen = head.bound if bound is None else bound
            bounds[place] = self._protocol.bound(self.known[shape].members) if chosen is None else chosen
        return shapes, bounds

    def _says(self, head: _Head, shape: Shape, start: tuple[list[int], ...]) -> bool:
        """Whether a header says what the columns do: first states, and ids, targets and contents of messages."""
        states = self._words.state_texts
        first, ids, targets, contents = start
        if head.protocol != self._protocol.name or len(head.states) != len(first) or len(first) != len(shape.names):
            return False
        if tuple(head.states) != shape.names and head.states.keys() != shape.places.keys():
            return False
        if head.parameters and not head.parameters.keys() <= set(self._protocol.parameters):
            return False
        said = head.states if tuple(head.states) == shape.names else {name: head.states[name] for name in shape.names}
        if [*map(bytes, said.values())] != [states[state] for state in first]:
            return False
        texts, places = self._words.message_texts, shape.places
        found = [(sent.id, places.get(sent.to, NONE), bytes(sent.message)) for sent in head.messages]
        return found == [*zip(ids, targets, [texts[content] for content in contents], strict=True)]

    def _number(self, roles: bytes) -> int:
        if roles not in self._numbers:
            self._numbers[roles] = len(self.known)
            self.known.append(self._shape(_decoded(_ROLES, roles)))
        return self._numbers[roles]

    def _shape(self, roles: dict[str, str]) -> Shape:
        protocol = self._protocol
        if not set(roles.values()) <= set(protocol.roles) or not protocol.fixed.items() <= roles.items():
            raise UsageError(f"the roles of a header are not those of {protocol.name}")
        numbers = tuple(map(self.names.number, roles))
        members = sum(role == protocol.member for role in roles.values())
        places = {name: place for place, name in enumerate(roles)}
        return Shape(tuple(roles), numbers, tuple(roles.values()), places, members)

    def places(self) -> Array:
        """For every shape and every name, which node of the shape that is; -1 if it is none."""
        found = np.full((len(self.known), len(self.names.known)), NONE, np.int64)
        for row, shape in enumerate(self.known):
            found[row, list(shape.numbers)] = np.arange(len(shape.numbers))
        return found


def targets(header: bytes) -> list[str]:
    """To whom the messages go that are in flight at the start, in order."""
    return [sent.to for sent in _decoded(_HEAD, header).messages]


def _decoded(decoder: msgspec.json.Decoder[Any], text: bytes) -> Any:
    try:
        return decoder.decode(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"a header cannot be read: {error}") from error
