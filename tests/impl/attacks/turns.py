"""Attacks as data: the messages of a period, with fields that may be functions of the turn."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.impl.attacks.system import TOPIC, Attack, Attacked, Said

Into = Mapping[str, str]
"""Layer and topic of a message, if they are not the first ones."""
FIRST: Into = {}
IN_SKIP_PLUS: Into = {"layer": "skip_plus", "topic": TOPIC}
IN_DIRECTORY: Into = {"layer": "topic_directory", "topic": ":directory:"}
IN_EVERYWHERE: Into = {"topic": ":everywhere:"}


@dataclass(frozen=True)
class Turn:
    """One message of a period: its number in all, and in the period."""

    there: Attacked
    period: int
    offset: int

    @property
    def number(self) -> int:
        """Number of the message, with three in a period."""
        return 3 * self.period + self.offset

    def honest(self, index: int) -> str:
        """An honest node; they are counted on in a circle."""
        return self.there.honest[index % len(self.there.honest)]

    def next(self) -> str:
        """The honest node whose turn it is."""
        return self.honest(self.number)

    def later(self) -> str:
        """The same where the turn goes on by one in a period, so that each node is told more than once."""
        return self.honest(self.period + self.offset)

    def peer(self) -> str:
        """The peer itself."""
        return self.there.peer

    def ghost(self) -> str:
        """A node that does not exist, of the peer's invention."""
        return f"ghost{self.number}"

    def ghost_of_period(self) -> str:
        """The same, one in a period."""
        return f"ghost{self.period}"


def in_turn(*messages: Mapping[str, Any], to: Any = Turn.next, into: Any = FIRST, once: bool = False) -> Attack:
    """These messages in each period, or only once; receiver, layer and fields may be functions of the turn."""

    def attack(there: Attacked, period: int) -> Iterator[Said]:
        for offset, message in enumerate(() if once and period else messages):
            turn = Turn(there, period, offset)
            yield _of(to, turn), {name: _of(value, turn) for name, value in message.items()}, _of(into, turn)

    return attack


def _of(value: Any, turn: Turn) -> Any:
    return value(turn) if callable(value) else value


def said(kind: str, to: Any, into: Into = FIRST, *, once: bool = False, **fields: Any) -> Attack:
    """Three such messages in each period, or only one at first."""
    return in_turn(*({"kind": kind, **fields},) * (1 if once else 3), to=to, into=into, once=once)
