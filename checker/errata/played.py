"""Scenes as claims tell them: a start, turns and rounds, by the rules of a protocol or by a variant of them."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

import msgspec
from msgspec.structs import replace

from gomboc.checker.errata.registry import find_scene
from gomboc.checker.errata.scene import (
    Script,
    Stage,
    Turn,
    command,
    delivery,
    opening,
    round_of,
    take,
    timeout,
)
from gomboc.spec.core.protocol import Protocol, Start, configured, variant


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of the scenes of a protocol, which say by further fields where they start.

    `turns` are told in words, with semicolons in between: `n0` (a timeout), `n0 Kind n1` (the message of that kind that
    n0 takes, and the first node that it names; a number behind selects one of several, the oldest being 1), `n0: Kind
    n1` (a command), `all` (the deliveries of all that is in flight), `round`, or `round but` and one delivery that it
    leaves out; a subclass may tell them otherwise. So many `rounds` come after them. `bound` is that of the script.
    """

    ours: ClassVar[Protocol]
    """Our rules."""
    coin: ClassVar[str] = "silent"
    """The side that coins show in the rounds."""

    variant: str | None
    parameters: Mapping[str, Any]
    turns: Any = ()
    rounds: int = 0
    bound: int | None = None

    def start(self) -> Start:
        """The start of the scene."""
        raise NotImplementedError

    def turn(self, stage: Stage, words: Any) -> Turn:
        """The turn of a node that these words tell at a stage."""
        node, _, command_words = words.partition(": ")
        if command_words:
            kind, *values = command_words.split()
            (made,) = (item for item in self.ours.vocabulary.command.__args__ if item.__name__ == kind)
            return command(node, made(*values))
        node, *about = words.split()
        if not about:
            return timeout(node)
        *about, number = about if about[-1].isdigit() else [*about, "1"]
        fits = [item for to, item in stage.in_flight if to == node and self._words(item)[: len(about)] == about]
        return delivery(node, fits[int(number) - 1])

    def _words(self, message: Any) -> list[str]:
        return [type(message).__name__, *self.ours.naming.named(message)[:1]]

    def _turns(self, stage: Stage, words: Any) -> list[Turn]:
        if words == "all":
            return [delivery(*message) for message in stage.in_flight]
        if not isinstance(words, str) or not words.startswith("round"):
            return [self.turn(stage, words)]
        turns = list(round_of(stage, self.coin))
        if left_out := words.removeprefix("round").removeprefix(" but "):
            turns.remove(self.turn(stage, left_out))
        return turns

    @classmethod
    def of_claim(cls, variant: str | None, parameters: Mapping[str, Any], **arguments: Any) -> Self:
        """A scene as it stands with its claim."""
        return msgspec.convert({"variant": variant, "parameters": parameters, **arguments}, cls)

    @classmethod
    def played(cls, variant: str | None, parameters: Mapping[str, Any], **arguments: Any) -> Script:
        """The script of such a scene."""
        return cls.of_claim(variant, parameters, **arguments).script()

    @classmethod
    def scene(cls, name: str) -> Self:
        """The scene of that name among those of the protocol's claims."""
        found = find_scene(cls.ours.name, name)
        return cls.of_claim(found.variant, found.parameters, **found.arguments)

    @property
    def protocol(self) -> Protocol:
        """The protocol that is played."""
        return variant(configured(self.ours, self.parameters), self.variant)

    def by_our_rules(self, **changed: Any) -> Self:
        """The same scene by our rules, with those changes."""
        return replace(self, variant=None, **changed)

    def _taken(self) -> Iterator[tuple[Turn, Stage]]:
        """The turns as they are taken, each with the stage after it."""
        protocol, stage = self.protocol, opening(self.start())
        told = filter(None, map(str.strip, self.turns.split(";"))) if isinstance(self.turns, str) else self.turns
        for words in (*told, *["round"] * self.rounds):
            for turn in self._turns(stage, words):
                stage = take(protocol, stage, turn)
                yield turn, stage

    def script(self) -> Script:
        """The turns as they are taken."""
        return Script(self.start(), tuple(turn for turn, _ in self._taken()), self.bound)

    def stages(self) -> list[Stage]:
        """The stages of the script, the opening first."""
        return [opening(self.start()), *(stage for _, stage in self._taken())]

    def right(self) -> list[bool]:
        """Whether each stage is legitimate."""
        protocol = self.protocol
        return [stage.is_legitimate(protocol) for stage in self.stages()]
