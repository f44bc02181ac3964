"""Repeated keys in JSON objects: readers differ in the value that they take, so such objects are refused."""

import json

import msgspec

from gomboc.checker.core.errors import UsageError

ENCODE = msgspec.json.Encoder().encode
"""A value in the recorder's spelling: without blanks, and each key once."""


def repeated_key(text: bytes, written: bytes = b"") -> str | None:
    """A key that stands twice in one object of a JSON text; None if there is none. Raises RecursionError.

    `written` is our own spelling of the value, if it is known: if it equals the text, no key is repeated.
    """
    if _without_blanks(text) == _without_blanks(written) or _is_own_spelling(text):
        return None
    repeated: list[str] = []

    def look(pairs: list[tuple[str, object]]) -> None:
        keys = [key for key, _ in pairs]
        if len(set(keys)) < len(keys):
            repeated.append(next(key for index, key in enumerate(keys) if key in keys[:index]))

    # Numbers do not matter here, and some are too long for Python.
    json.loads(text.decode(), object_pairs_hook=look, parse_int=float)
    return repeated[0] if repeated else None


def _is_own_spelling(text: bytes) -> bool:
    """Whether a text is what its value gives when it is written again."""
    try:
        return ENCODE(msgspec.json.decode(text)) == text
    except ValueError:
        return False


def _without_blanks(text: bytes) -> bytes:
    """The text without the blanks that other recorders write; removing blanks within strings, too, does
    no harm here.
    """
    return text.strip().replace(b", ", b",").replace(b": ", b":")


def check_keys(value: object, text: bytes) -> None:
    """Raise UsageError if a key stands twice in any object of the text of a value."""
    written = ENCODE(value)
    if written != text and (key := repeated_key(text, written)) is not None:
        raise UsageError(twice(key))


def twice(key: str) -> str:
    """The error message for a key that stands twice in one object."""
    return f"the key {key!r} stands twice in one object"
