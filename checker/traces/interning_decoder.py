"""Large values read piece by piece: a piece that was read before is not read again, and both values share it.

Most of a state stays from step to step. If its type is a struct with a tuple of elements that contain tuples themselves
(such as the reports of each neighbour), these elements are left as text at first, and each different text is read once.
That takes a third of the time, and far less memory, since equal pieces are one object.
"""

from collections.abc import Callable, Iterator
from operator import attrgetter
from types import GenericAlias
from typing import Any, TypeGuard, get_args, get_origin

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import FieldInfo, fields

from gomboc.checker.traces.keys import ENCODE

MOST_KNOWN = 100_000
"""Most pieces of a kind kept in memory; beyond that, all are forgotten. It bounds the memory."""

Decode = Callable[[bytes], Any]

NOT_READ = (ValueError, RecursionError)
"""The exceptions for a text that cannot be read."""


class InternedPieces(dict[bytes, Any]):
    """A cache of the values of one kind of piece by text; each is read on first access.

    Raises ValueError for a text that cannot be read, or is not in our own spelling.
    """

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self._decode: Decode = msgspec.json.Decoder(kind).decode

    def __missing__(self, text: bytes) -> Any:
        value = self._decode(text)
        if ENCODE(value) != text:
            raise ValueError("this piece is not written as we write it")
        if len(self) >= MOST_KNOWN:
            self.clear()
        self[text] = value
        return value


class Reader:
    """Reads values of one type, with the same results as a decoder of that type."""

    def __init__(self, kind: Any) -> None:
        pieces = {field.name: InternedPieces(get_args(field.type)[0]) for field in _with_pieces(kind)}
        self._whole: Decode = msgspec.json.Decoder(kind).decode
        self._assemble = _assembler(kind, pieces) if pieces else _as_it_is
        shell = _shell(kind, pieces) if pieces else kind
        self._one: Decode = msgspec.json.Decoder(shell).decode
        self._many: Decode = msgspec.json.Decoder(GenericAlias(list, (shell,))).decode

    def read(self, text: bytes) -> Any:
        """The value of a text. Raises ValueError or RecursionError if it cannot be read."""
        try:
            return self._assemble(self._one(text))
        except NOT_READ:
            return self._whole(text)

    def read_many(self, texts: list[bytes]) -> dict[int, Any]:
        """The values of many texts by index, of those in our own spelling; the others are left out."""
        values: dict[int, Any] = {}
        try:
            shells = self._many(b"[%b]" % b",".join(texts))
        except NOT_READ:
            return values
        # Commas within the texts may shift the values; a value that is spelled as a text is the value of that text.
        for index, (shell, written, text) in enumerate(zip(shells, map(ENCODE, shells), texts, strict=False)):
            try:
                if written == text:
                    values[index] = self._assemble(shell)
            except NOT_READ:
                continue
        return values


def _as_it_is(value: Any) -> Any:
    return value


def _with_pieces(kind: Any) -> Iterator[FieldInfo]:
    """The fields of a struct that are tuples of elements that contain tuples."""
    for field in fields(kind) if _is_struct(kind) else ():
        if _is_sequence(field.type) and _has_sequences(get_args(field.type)[0]):
            yield field


def _is_struct(kind: Any) -> TypeGuard[type[Struct]]:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _is_sequence(kind: Any) -> bool:
    return get_origin(kind) is tuple and get_args(kind)[1:] == (...,)


def _has_sequences(kind: Any) -> bool:
    parts = [field.type for field in fields(kind)] if _is_struct(kind) else get_args(kind)
    return any(map(_is_sequence, parts))


def _assembler(kind: type[Struct], pieces: dict[str, InternedPieces]) -> Callable[[Any], Any]:
    """A function from a shell to a value, with the pieces in place of their texts."""
    names = tuple(field.name for field in fields(kind))
    values_of = attrgetter(*names, *pieces)

    def assemble(shell: Any) -> Any:
        values = dict(zip(names, values_of(shell), strict=False))
        for name, known in pieces.items():
            values[name] = tuple([known[bytes(text)] for text in values[name]])
        return kind(**values)

    return assemble


def _shell(kind: type[Struct], pieces: dict[str, InternedPieces]) -> type[Struct]:
    """A struct with the same spelling, in which pieces are texts."""
    config = kind.__struct_config__
    return msgspec.defstruct(
        kind.__name__,
        [(field.name, *_left_as_text(field, pieces)) for field in fields(kind)],
        rename={field.name: field.encode_name for field in fields(kind)},
        frozen=True,
        kw_only=True,
        tag=config.tag,
        tag_field=config.tag_field,
        array_like=config.array_like,
        omit_defaults=config.omit_defaults,
        forbid_unknown_fields=config.forbid_unknown_fields,
    )


def _left_as_text(field: FieldInfo, pieces: dict[str, InternedPieces]) -> tuple[Any, Any]:
    kind = tuple[Raw, ...] if field.name in pieces else field.type
    defaults: dict[str, Any] = {"default": field.default, "default_factory": field.default_factory}
    return kind, msgspec.field(**defaults)
