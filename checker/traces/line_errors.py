"""Remedies for a line of a trace that cannot be read, added to what the decoder says of it."""

import re
from typing import Any

from gomboc.checker.core.phrases import listed, suggestion
from gomboc.spec.types.kinds import kinds_of

MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
"""The byte order marks of UTF-8 and UTF-16, with which some editors begin a file."""

MARKED = "the file begins with a byte order mark: save it as UTF-8 without one"

KIND = re.compile(r"Invalid value .* - at `(.*)\.kind`")
"""The error message of msgspec for an unknown kind."""

TOOK = re.compile(r"(Invalid enum value|Expected `int \|).* - at `\$\.took`", re.DOTALL)
"""The error message of msgspec for an input that is neither a word nor a number nor an object that may be there."""

UNKNOWN_FIELD = re.compile(r"Object contains unknown field `(.*)`")

PARTIAL = re.compile(r"Input data was truncated|JSON is malformed: trailing characters .*")
"""The error messages of msgspec for a line that ends within a value, and for one that does not end with it."""

NO_HEADER = re.compile(r"Object missing required field `format`|Expected `object`, got .*")


def remedy(error: str, message: Any, command: Any) -> str:
    """The remedy for an error of a protocol with these types of messages and commands, after a colon; else empty."""
    if (kind := KIND.fullmatch(error)) is not None:
        return f"; {listed('there are', [*kinds_of(command if '.took' in kind[1] else message)])}"
    if TOOK.fullmatch(error):
        return '; it must be "timeout", the id of a message as a number, or a command as an object'
    return remedy_of_text(error)


def remedy_of_text(error: str) -> str:
    """The remedy for a line that is not one JSON object; else empty."""
    return "; each line of a trace is one JSON object" if PARTIAL.fullmatch(error) else ""


def remedy_of_header(error: str) -> str:
    """The remedy for a first line that is no header; else empty."""
    no_header = "; a trace begins with a header, an object with format, version, protocol and more"
    return no_header if NO_HEADER.fullmatch(error) else remedy_of_text(error)


def nearest_field(error: str, kind: Any) -> str:
    """A sentence with the field of a type that is nearest to an unknown one, after a blank; else empty."""
    unknown = UNKNOWN_FIELD.fullmatch(error)
    if unknown is None or not hasattr(kind, "__struct_encode_fields__"):
        return ""
    return suggestion(unknown[1], kind.__struct_encode_fields__)


def in_one_line(said: str) -> str:
    """The text, with escapes for what cannot be printed: a field that a trace has may be called by any text."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in said)
