"""Scenes of HyParView: the states of a few members, then turns and rounds, by our rules or a variant."""

from collections.abc import Mapping
from typing import ClassVar

import msgspec

from gomboc.checker.errata.played import Played
from gomboc.checker.errata.scene import Stage, Turn
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import Received, Timeout
from gomboc.spec.core.protocol import Protocol, Start
from gomboc.spec.core.starts import started
from gomboc.spec.protocols.hyparview import PROTOCOL
from gomboc.spec.protocols.hyparview.space import ROLE
from gomboc.spec.protocols.hyparview.state import Message, Node

FIRST = ""
"""The first side of any coin."""


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The node `node` takes the message `takes`, or has its timeout; `coin` names the side of its coin."""

    node: str
    takes: Message | None = None
    coin: str = FIRST


class Linked(Played, frozen=True, kw_only=True):
    """The states of nodes as in a trace, then turns; in the rounds each coin shows its first side."""

    ours: ClassVar[Protocol] = PROTOCOL
    coin: ClassVar[str] = FIRST

    states: Mapping[str, Node]
    turns: tuple[Move, ...] = ()

    def start(self) -> Start:
        """Those states."""
        return started(ROLE, self.states)

    def turn(self, _stage: Stage, words: Move) -> Turn:
        """The turn of a script."""
        return Turn(words.node, Timeout() if words.takes is None else Received(words.takes), words.coin)

    def wrong_at_the_end(self) -> set[str]:
        """The rules that the states of the last stage break, whatever is in flight."""
        return {fault.rule for fault in legitimacy_faults(self.protocol, self.stages()[-1].states, ())}


played, scene = Linked.played, Linked.scene
