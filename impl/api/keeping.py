"""The value kept of a node with filters, from which it comes back; starts from older values are noticed."""

from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from gomboc.impl.core.automaton import RandomSource
from gomboc.impl.core.errors import UsageError
from gomboc.impl.runtime.starts import Start, Starts, start
from gomboc.impl.runtime.transport import Through, Transport


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of the node's last start, the latest starts of its peers, and the state that a crash leaves."""

    node: str
    agreement: str
    start: Annotated[int, Meta(ge=0)]
    peers: dict[str, Start]
    left: object


def kept_of(name: str, agreement: str, written: object) -> Kept:
    """The value kept of this node under this agreement. Raises `UsageError` for any other value."""
    try:
        kept = msgspec.convert(written, Kept)
    except msgspec.ValidationError as error:
        raise UsageError(f"This was not kept of a node: give the `kept` value of {name}.") from error
    if kept.node != name:
        raise UsageError(
            f"This was kept of {kept.node!r}, and not of {name!r}: give the value that was kept of {name!r}."
        )
    if kept.agreement != agreement:
        raise UsageError(f"This was kept under {kept.agreement}, and {name} has {agreement}: give it the same.")
    return kept


class Keeping:
    """What is kept of one node. `left()` is the state that a crash would leave now.

    `keep` is called with the value to keep when that changes, and after a start before anything is sent.
    """

    def __init__(self, name: str, agreement: str, keep: Callable[[object], None] | None, kept: object) -> None:
        self._name, self._agreement, self._keep, self._told = name, agreement, keep, kept
        self.left: Callable[[], object] = lambda: None

    def connect(
        self,
        transport: Transport,
        before: Kept | None,
        random: RandomSource,
        refused: Callable[[], None],
        outdated: Callable[[str, int], None],
        is_peer: Callable[[str], bool],
    ) -> Transport:
        """The transport with starts checked, of a node that comes back with this value; it keeps before it sends.

        What others than peers say of starts has no effect.
        """
        written = transport if self._keep is None else _Written(transport, self.tell)
        own = start(0 if before is None else before.start + 1, random)
        self._starts = Starts(written, own, {} if before is None else before.peers, refused, outdated, is_peer)
        return self._starts

    @property
    def value(self) -> object:
        """The value to keep: JSON."""
        starts = self._starts
        return msgspec.to_builtins(Kept(self._name, self._agreement, starts.own.number, starts.latest, self.left()))

    def tell(self) -> None:
        """Call `keep` with the value to keep, if that has changed."""
        if self._keep is not None and self._told != (now := self.value):
            self._told = now
            self._keep(now)

    def superseded(self, peer: str, latest: int) -> str:
        """The sentence for a node of which this peer knows another start, from a later kept value than this one had."""
        own = self._starts.own.number
        return (
            f"{self._name} came back as its start {own}, and {peer!r} knows of "
            f"{'another' if latest == own else 'a later'} start {latest}: start it with the last that was kept of it."
        )


class _Written(Through):
    """A transport that stores the value to keep before it sends."""

    def __init__(self, transport: Transport, write: Callable[[], None]) -> None:
        super().__init__(transport)
        self._write = write

    def send(self, to: str, written: bytes) -> int:
        """Store the value to keep, and send."""
        self._write()
        return super().send(to, written)
