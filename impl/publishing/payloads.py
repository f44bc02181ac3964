"""Payloads of applications as the texts that protocols carry.

A protocol looks into no payload: it hashes, signs and passes on a text, which a trace shows as it is. So text is
carried as it was given, and all else as a text in the form of a data URL, such as `data:image/png;base64,iVBORw0=`;
key and signature cover its content type, too. Data that is text stands behind the comma as it is, not in percent signs.

Source: RFC 2397, for the form
"""

import re
from base64 import b64decode, b64encode

from msgspec import Struct

TEXT = "text/plain;charset=utf-8"
"""The content type of text, if none is given."""

BYTES = "application/octet-stream"
"""The content type of bytes, if none is given."""

_TOKEN = r"[A-Za-z0-9!#$&^_.+-]+"
_TYPE = rf"{_TOKEN}/{_TOKEN}(?:;(?!after=){_TOKEN}={_TOKEN})*"
_IS_TYPE = re.compile(_TYPE, re.ASCII)
_FORM = re.compile(rf"data:({_TYPE})(?:;after=([0-9]{{1,16}}))?(;base64)?,(.*)", re.ASCII | re.DOTALL)


class Payload(Struct, frozen=True):
    """A payload, its content type, and the number of its publisher's publication in the topic before it.

    That is told only where it does not follow from the number: at the first one of an incarnation of the publisher.
    """

    value: str | bytes
    content_type: str = TEXT
    after: int | None = None


def is_content_type(given: object) -> bool:
    """Whether this is type/subtype with parameters, in 127 characters at most, none of them called `after`."""
    return isinstance(given, str) and len(given) <= 127 and _IS_TYPE.fullmatch(given) is not None


def written(payload: Payload) -> str:
    """The text that a protocol carries; its content type has to be one."""
    value, after = payload.value, "" if payload.after is None else f";after={payload.after}"
    if isinstance(value, bytes):
        return f"data:{payload.content_type}{after};base64,{b64encode(value).decode('ascii')}"
    if payload.content_type == TEXT and not after and not value.startswith("data:"):
        return value
    return f"data:{payload.content_type}{after},{value}"


def read(text: str) -> Payload:
    """The payload that a text carries; a text that `written` does not give is itself the payload."""
    form = _FORM.fullmatch(text) if text.startswith("data:") else None
    if form is None:
        return Payload(text)
    content_type, after, base64, data = form.groups()
    payload = Payload(_bytes(data) if base64 else data, content_type, None if after is None else int(after))
    return payload if is_content_type(content_type) and written(payload) == text else Payload(text)


def _bytes(data: str) -> bytes:
    """The bytes of Base64; other ones if it is none, so that writing them does not give it back."""
    try:
        return b64decode(data, validate=True)
    except ValueError:
        return b""
