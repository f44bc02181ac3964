"""The memory of the last broadcasts that a node has passed on, so that none goes to the same part twice."""

from collections.abc import Iterable

from gomboc.impl.core.vocabulary import encode
from gomboc.impl.protocols.dissemination.states import Passed

Part = tuple[str | None, str | None]
"""The names between these two; None on an unbounded side."""


class Broadcasts:
    """The parts by the keys of their publications, the last one last; the oldest beyond `most` are forgotten.

    `written` is the key `passed` of the state as a trace writes it, after a comma; nothing if there is nothing.
    """

    __slots__ = ("_most", "_parts", "written")

    def __init__(self, passed: Iterable[Passed], most: int) -> None:
        self._most = most
        self._parts: dict[str, Part] = {entry.key: (entry.low, entry.high) for entry in passed}
        self._write()

    def forget(self) -> None:
        """Forget all."""
        self._parts.clear()
        self._write()

    def extend(self, key: str, part: Part, *, is_new: bool) -> bool:
        """Whether a broadcast has to be passed on in this part, which is remembered then together with the former one.

        What is remembered of a publication that is new here is wrong: no node passes on what it does not hold.
        """
        former = None if is_new else self._parts.get(key)
        joined = part if former is None else _spanning(former, part)
        if joined == former:
            return False
        self._parts.pop(key, None)
        self._parts[key] = joined
        if len(self._parts) > self._most:
            del self._parts[next(iter(self._parts))]
        self._write()
        return True

    def _write(self) -> None:
        entries = [(key, *part) for key, part in self._parts.items()]
        self.written = b',"passed":' + encode(entries) if entries else b""


def _spanning(one: Part, other: Part) -> Part:
    """The smallest part with both in it."""
    low = None if one[0] is None or other[0] is None else min(one[0], other[0])
    return low, None if one[1] is None or other[1] is None else max(one[1], other[1])
