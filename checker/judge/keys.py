"""Objects of JSON in which a key stands twice: readers differ in which of the two they take, so we take neither."""

import json

import msgspec

from gomboc.checker.errors import UsageError

ENCODE = msgspec.json.Encoder().encode
"""A value as a recorder writes it: without blanks, and each key once."""


def repeated_key(text: bytes, written: bytes = b"") -> str | None:
    """A key that stands twice in one object of a JSON text; None if there is none. Raises RecursionError.

    Its value is `written` like that by ourselves, if that is known: then there is mostly nothing to look for.
    """
    if _without_blanks(text) == _without_blanks(written):
        return None
    found: list[str] = []

    def look(pairs: list[tuple[str, object]]) -> None:
        keys = [key for key, _ in pairs]
        if len(set(keys)) < len(keys):
            found.append(next(key for place, key in enumerate(keys) if key in keys[:place]))

    # Numbers are nobody's business here, and some are too long for Python.
    json.loads(text.decode(), object_pairs_hook=look, parse_int=float)
    return found[0] if found else None


def _without_blanks(text: bytes) -> bytes:
    """The text without the blanks that other recorders write; where they are in a string, nobody is misled by that."""
    return text.strip().replace(b", ", b",").replace(b": ", b":")


def check_keys(value: object, text: bytes) -> None:
    """Raise UsageError if a key stands twice in one object of the text of a value, wherever in it."""
    written = ENCODE(value)
    if written != text and (key := repeated_key(text, written)) is not None:
        raise UsageError(twice(key))


def twice(key: str) -> str:
    """What is said of a key that stands twice in one object."""
    return f"the key {key!r} stands twice in one object"
