"""The circle of identifiers: the identifiers of names, and intervals between them.

Source: Stoica et al., Section IV-B, "identifiers are ordered on an identifier circle modulo 2^m"
"""

import re
from hashlib import sha256

_NUMBER = re.compile(r"[0-9]+\Z")


class Circle:
    """Identifiers of so many bits. A name's is its SHA-256, or the number at its end.

    An identifier is computed once for each name; the caller makes sure that the name has one.
    """

    __slots__ = ("_digits", "_hashed", "_ids", "bits", "size")

    def __init__(self, bits: int, *, hashed: bool) -> None:
        self.bits = bits
        self.size = 1 << bits
        self._hashed = hashed
        self._ids: dict[str, int] = {}
        self._digits = -(-bits // 4)

    def id_of(self, name: str) -> int:
        """The identifier of the node of this name. ValueError if it has none."""
        identifier = self._ids.get(name)
        if identifier is None:
            identifier = self._ids[name] = self._worked_out(name)
        return identifier

    def _worked_out(self, name: str) -> int:
        if self._hashed:
            return _hash(name) % self.size
        wrong = self.wrong_name(name)
        if wrong is not None:
            raise ValueError(wrong)
        return _number(name)

    def wrong_name(self, name: str) -> str | None:
        """The reason why a node cannot have this name; None if it can."""
        if self._hashed:
            return None
        if _NUMBER.search(name) is None:
            return f"the name {name!r} does not end in a number"
        if _number(name) >= self.size:
            return f"the number of {name!r} is not below {self.size}"
        return None

    def key_of(self, text: str) -> str:
        """The key of this text: its SHA-256 in the space of identifiers, in so many hexadecimal digits."""
        return f"{_hash(text) % self.size:0{self._digits}x}"

    def wrong_key(self, key: str) -> str | None:
        """The reason why this is no key; None if it is one."""
        if re.fullmatch(f"[0-9a-f]{{{self._digits}}}", key) is None or int(key, 16) >= self.size:
            return f"the key {key!r} is not one of {self._digits} hexadecimal digits below 2^{self.bits}"
        return None

    def way(self, start: int, end: int) -> int:
        """The distance from one identifier to another: from 0 to size - 1."""
        return (end - start) % self.size

    def between(self, start: int, middle: int, end: int) -> bool:
        """Whether the middle lies in (start, end): on the whole circle but for the start, if that is the end too."""
        return 0 < self.way(start, middle) < (self.way(start, end) or self.size)

    def up_to(self, start: int, middle: int, end: int) -> bool:
        """Whether the middle lies in (start, end]: on the whole circle, if its start is its end."""
        return (self.way(start, middle) or self.size) <= (self.way(start, end) or self.size)


def _hash(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest(), "big")


def _number(name: str) -> int:
    match = _NUMBER.search(name)
    assert match is not None
    return int(match.group())
