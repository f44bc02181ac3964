"""Scenes of HyParView: the states of a few members, then turns and rounds, by our rules or a variant."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.checker.errata.registry import find_scene
from gomboc.checker.errata.scene import Script, Stage, Turn, last, play, round_of, take
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import Received, Timeout
from gomboc.spec.core.protocol import Protocol, Start, configured, variant
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

    def turn(self) -> Turn:
        """The turn of a script."""
        return Turn(self.node, Timeout() if self.takes is None else Received(self.takes), self.coin)


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The states of nodes as in a trace, then turns, then so many rounds, in which each coin shows its first side."""

    variant: str | None
    parameters: Mapping[str, Any]
    states: Mapping[str, Node]
    turns: tuple[Move, ...] = ()
    rounds: int = 0
    bound: int | None = None

    @property
    def protocol(self) -> Protocol:
        """The protocol that is played."""
        return variant(configured(PROTOCOL, self.parameters), self.variant)

    def script(self) -> Script:
        """The turns as they are taken."""
        start = Start(tuple((name, ROLE) for name in sorted(self.states)), tuple(sorted(self.states.items())))
        script = Script(start, tuple(move.turn() for move in self.turns), self.bound)
        stage, turns = last(self.protocol, script), list(script.turns)
        for _ in range(self.rounds):
            for turn in (replace(turn, coin=FIRST) for turn in round_of(stage)):
                stage = take(self.protocol, stage, turn)
                turns.append(turn)
        return replace(script, turns=tuple(turns))

    def stages(self) -> list[Stage]:
        """The stages of the script, the opening first."""
        return list(play(self.protocol, self.script()))

    def right(self) -> list[bool]:
        """Whether each stage is legitimate."""
        return [stage.is_legitimate(self.protocol) for stage in self.stages()]

    def wrong_at_the_end(self) -> set[str]:
        """The rules that the states of the last stage break, whatever is in flight."""
        return {fault.rule for fault in legitimacy_faults(self.protocol, self.stages()[-1].states, ())}


def played(variant: str | None, parameters: Mapping[str, Any], **arguments: Any) -> Script:
    """The script of such a scene."""
    return _read(variant, parameters, arguments).script()


def scene(name: str) -> Played:
    """The scene of that name."""
    found = find_scene("hyparview", name)
    return _read(found.variant, found.parameters, found.arguments)


def _read(variant: str | None, parameters: Mapping[str, Any], arguments: Mapping[str, Any]) -> Played:
    return msgspec.convert({"variant": variant, "parameters": parameters, **arguments}, Played)


def by_our_rules(scene: Played) -> Played:
    """The same start and rounds by our rules."""
    return replace(scene, variant=None)
