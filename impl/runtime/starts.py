"""Starts of a node: a start from an older value than the last that was kept is detected, and has no effect.

Each parcel carries the start of its sender: a number, one more than that of the start before, and a token drawn at
random. Two starts with one number and different tokens, or a lower number after a higher one, exist only if the later
of them began with an old value: it would give out the same ids again. Its peers ignore it, and tell it so. Only the
nodes that a node listens to are its peers: a stranger's starts are not remembered, and its reports mean nothing.
"""

from collections.abc import Callable, Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from gomboc.impl.core.automaton import RandomSource
from gomboc.impl.runtime.transport import Parcel, Returned, Through, Transport


class Start(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One start of a node: its number, counted from 0, and its token."""

    number: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    token: Annotated[str, Meta(pattern=r"\A[0-9a-f]{14}\Z")]


class Outdated(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A start of the receiver that began with an old value, and the number of its latest known start."""

    start: Start
    latest: int


class _Header(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The first line of a parcel."""

    start: Start
    outdated: Outdated | None = None


_decoder = msgspec.json.Decoder(_Header)


def start(number: int, random: RandomSource) -> Start:
    """A start with this number, and a new token."""
    return Start(number, f"{int(random.random() * 2**53):014x}")


class Starts(Through):
    """A transport that writes the node's own start on each parcel, and checks the starts of other nodes.

    `latest` are the latest starts of peers that are known from before. `refused()` is called for each parcel of an
    outdated start of a peer, and `outdated(peer, number)` when a peer knows of a later start of this node, with its
    number, or of another one with the same number. `is_peer(sender)` says whether the node listens to a sender; what
    others say of starts has no effect. A parcel without a start is passed on.
    """

    def __init__(
        self,
        transport: Transport,
        own: Start,
        latest: Mapping[str, Start],
        refused: Callable[[], None],
        outdated: Callable[[str, int], None],
        is_peer: Callable[[str], bool],
    ) -> None:
        super().__init__(transport)
        self.own = own
        self.latest = dict(latest)
        self._refused, self._outdated, self._is_peer = refused, outdated, is_peer
        self._line = msgspec.json.encode(_Header(own)) + b"\n"

    def listen(self, receive: Callable[[Parcel], None], returned: Returned) -> None:
        """As the transport itself, for parcels of starts that are not outdated."""

        def checked(parcel: Parcel) -> None:
            header, written = _read(parcel)
            if header is None or self._passes(parcel.sender, header):
                receive(replace(parcel, written=written))

        def bare(to: str, parcel: Parcel) -> None:
            header, written = _read(parcel)
            if header is None or header.outdated is None:
                returned(to, replace(parcel, written=written))

        super().listen(checked, bare)

    def send(self, to: str, written: bytes) -> int:
        """Send, with the own start as the first line."""
        return super().send(to, self._line + written)

    def _passes(self, sender: str, header: _Header) -> bool:
        """Whether the parcel is for the host above; a parcel of an outdated start is answered."""
        if not self._is_peer(sender):
            return header.outdated is None
        if header.outdated is not None:
            # A notice about an earlier start of this node has been settled.
            if header.outdated.start == self.own:
                self._outdated(sender, header.outdated.latest)
            return False
        known = self.latest.get(sender)
        if known is None or known.number < header.start.number:
            self.latest[sender] = header.start
        elif known != header.start:
            self._refused()
            notice = _Header(self.own, Outdated(header.start, known.number))
            super().send(sender, msgspec.json.encode(notice) + b"\n")
            return False
        return True


def _read(parcel: Parcel) -> tuple[_Header | None, bytes]:
    """The first line of a parcel, and the rest; None and all of it if it does not begin with a start."""
    line, _, rest = parcel.written.partition(b"\n")
    try:
        return _decoder.decode(line), rest
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None, parcel.written
