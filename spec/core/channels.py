"""Messages in flight, and which of them can be delivered next, under three disciplines."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import Send
from gomboc.spec.core.protocol import Discipline


class Envelope(msgspec.Struct, frozen=True):
    """A message in flight.

    `source` is used under FIFO only, `deferred` (sent in the current round) under ROUNDS only.
    """

    target: str
    message: Any
    source: str = ""
    deferred: bool = False


class Channels(msgspec.Struct, frozen=True):
    """All messages in flight, oldest first; under ROUNDS also the nodes that have had their timeout in this round.

    Under UNORDERED and ROUNDS the order has no meaning and is made canonical, so that equal contents are equal values.
    """

    discipline: Discipline
    in_flight: tuple[Envelope, ...] = ()
    acted: tuple[str, ...] = ()

    def put(self, source: str, sends: Iterable[Send]) -> "Channels":
        """These channels with the messages that `source` has just sent."""
        if sends == ():
            return self
        fifo, rounds = self.discipline is Discipline.FIFO, self.discipline is Discipline.ROUNDS
        added = [Envelope(send.target, send.message, source if fifo else "", rounds) for send in sends]
        return replace(self, in_flight=self._ordered((*self.in_flight, *added)))

    def _ordered(self, envelopes: tuple[Envelope, ...]) -> tuple[Envelope, ...]:
        return envelopes if self.discipline is Discipline.FIFO else tuple(sorted(envelopes, key=_key))

    def ready(self) -> tuple[Envelope, ...]:
        """The envelopes that may be delivered next, without duplicates."""
        if self.discipline is Discipline.FIFO:
            first: dict[tuple[str, str], Envelope] = {}
            for envelope in self.in_flight:
                first.setdefault((envelope.source, envelope.target), envelope)
            return tuple(first.values())
        return tuple(envelope for envelope in dict.fromkeys(self.in_flight) if not envelope.deferred)

    def take(self, envelope: Envelope) -> "Channels":
        """These channels without one copy of `envelope`. Raises ValueError if it is not in flight."""
        return self.exchange(envelope, ())

    def exchange(self, envelope: Envelope, others: tuple[Envelope, ...]) -> "Channels":
        """These channels with `others` instead of one copy of `envelope`. Raises ValueError if there is none."""
        index = self.in_flight.index(envelope)
        in_flight = (*self.in_flight[:index], *others, *self.in_flight[index + 1 :])
        return replace(self, in_flight=self._ordered(in_flight) if others else in_flight)

    def may_time_out(self, node: str) -> bool:
        """Whether `node` may take its timeout now: under ROUNDS once per round, after all messages to it."""
        if self.discipline is not Discipline.ROUNDS:
            return True
        waiting = any(envelope.target == node and not envelope.deferred for envelope in self.in_flight)
        return node not in self.acted and not waiting

    def timed_out(self, node: str) -> "Channels":
        """These channels after the timeout of `node`."""
        if self.discipline is not Discipline.ROUNDS:
            return self
        return replace(self, acted=tuple(sorted({*self.acted, node})))

    def settled(self, awake: Iterable[str], asleep: frozenset[str]) -> "Channels":
        """Under FIFO and ROUNDS: these channels after a step that leaves the nodes in `awake` awake.

        Under ROUNDS a new round begins when every node that is awake has had its timeout. Messages in flight to a node
        that is asleep are lost.
        """
        left = self.in_flight if not asleep else tuple(e for e in self.in_flight if e.target not in asleep)
        if self.discipline is Discipline.FIFO or set(awake) - set(self.acted):
            return replace(self, in_flight=left)
        opened = tuple(replace(envelope, deferred=False) for envelope in left)
        return Channels(self.discipline, self._ordered(opened))

    def by_link(self) -> "Channels":
        """Under FIFO: these channels sorted by link, as only the order within a link matters; otherwise unchanged."""
        if self.discipline is not Discipline.FIFO:
            return self
        return replace(
            self, in_flight=tuple(sorted(self.in_flight, key=lambda envelope: (envelope.target, envelope.source)))
        )

    def links_from(self, node: str) -> dict[str, int]:
        """Under FIFO: the number of messages from `node` in flight to each other node."""
        return Counter(
            envelope.target for envelope in self.in_flight if envelope.source == node and envelope.target != node
        )

    def cut(self, node: str, lost: tuple[tuple[str, int], ...]) -> "Channels":
        """Under FIFO: these channels without the last messages from `node`: `lost` has their number for each target."""
        left, kept = dict(lost), []
        for envelope in reversed(self.in_flight):
            if envelope.source == node and left.get(envelope.target, 0):
                left[envelope.target] -= 1
            else:
                kept.append(envelope)
        return replace(self, in_flight=tuple(reversed(kept)))


@lru_cache(maxsize=1 << 16)
def _key(envelope: Envelope) -> tuple[str, bytes]:
    return envelope.target, msgspec.msgpack.encode((envelope.message, envelope.deferred))
