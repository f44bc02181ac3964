"""Texts that are nearly right: acceptable texts, changed a little, as bytes, as lines or as values."""

import json
from random import Random
from typing import Any

TOKENS: tuple[bytes, ...] = (
    *rb'null true -1 0 1e999 9223372036854775808 1.5 "" "\ud800" "\u0000" {} [] [[[[[[[[ {"a":{"a": , : "'.split(),
    *(b"\\", b"\n", b"\r\n", b"\x00", b"\xff", b"\xef\xbb\xbf"),
    *b"NaN Infinity ' = [ ] # .. ../".split(),
    *(b" ", b"%s", b"\xe2\x80\xae"),
)
"""Values that readers stumble over."""

VALUES: tuple[Any, ...] = (None, True, False, 0, -1, 1, 2**63, 2**64, 1.5, 1e300)
VALUES += ("", "v1", "0", "supervisor", "\ud800", "\x00", [], {}, [[]])


def changed(text: bytes, random: Random) -> bytes:
    """The text with one to three changes."""
    for _ in range(random.randrange(1, 4)):
        text = random.choice((in_bytes, in_lines, in_values, in_values, in_values))(text, random)
    return text


def in_bytes(text: bytes, random: Random) -> bytes:
    """Some bytes flipped, left out, repeated or put in."""
    at = random.randrange(len(text) + 1)
    until = min(len(text), at + random.choice((0, 1, 1, 2, 8, 100)))
    match random.randrange(4):
        case 0:
            return text[:at] + text[until:]
        case 1:
            return text[:at] + text[at:until] * 2 + text[until:]
        case 2:
            return text[:at] + bytes(random.randrange(256) for _ in range(until - at)) + text[until:]
        case _:
            return text[:at] + random.choice(TOKENS) + text[until:]


def in_lines(text: bytes, random: Random) -> bytes:
    """A line left out, repeated, moved or cut."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    line = lines.pop(random.randrange(len(lines)))
    match random.randrange(3):
        case 0:
            lines.insert(random.randrange(len(lines) + 1), line)
        case 1:
            lines.insert(random.randrange(len(lines) + 1), line[: random.randrange(len(line) + 1)])
        case _:
            lines[random.randrange(len(lines) + 1) :] = []
    return b"".join(lines)


def in_values(text: bytes, random: Random) -> bytes:
    """A value of one line of JSON replaced, left out, put in, or under a key that is there twice."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    index = random.randrange(len(lines))
    try:
        value = json.loads(lines[index])
    except (ValueError, RecursionError):
        return in_bytes(text, random)
    message = _spelled(_changed(value, random), random).encode("utf-8", "surrogatepass")
    lines[index] = message + (b"\n" if lines[index].endswith(b"\n") else b"")
    return b"".join(lines)


def _changed(value: Any, random: Random) -> Any:
    if isinstance(value, dict) and value and random.random() < 0.9:
        key = random.choice([*value])
        match random.randrange(8):
            case 0:
                return {other: value[other] for other in value if other != key}
            case 1:
                return {**value, random.choice(("more", "", key + "s", "kind", "state")): random.choice(VALUES)}
            case _:
                return {**value, key: _changed(value[key], random)}
    if isinstance(value, list) and value and random.random() < 0.9:
        index = random.randrange(len(value))
        match random.randrange(6):
            case 0:
                return value[:index] + value[index + 1 :]
            case 1:
                return [*value, value[index]]
            case _:
                return [*value[:index], _changed(value[index], random), *value[index + 1 :]]
    return random.choice(VALUES)


def _spelled(value: Any, random: Random) -> str:
    """As JSON, which has a key twice every now and then."""
    text = json.dumps(value, ensure_ascii=random.random() < 0.5, separators=random.choice(((",", ":"), (", ", ": "))))
    if isinstance(value, dict) and value and random.random() < 0.1:
        key = random.choice([*value])
        return f"{text[:-1]},{json.dumps(key)}:{json.dumps(random.choice(VALUES))}}}"
    return text
