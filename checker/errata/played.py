"""Scenes as claims tell them: a start, turns and rounds, by the rules of a protocol or by a variant of them."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import msgspec
from msgspec.structs import replace

from gomboc.checker.errata.registry import find_scene
from gomboc.checker.errata.scene import Script, Stage, Turn, opening, play, take, with_rounds
from gomboc.spec.core.protocol import Protocol, Start, configured, variant


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of the scenes of a protocol, which say by further fields where they start.

    `turns` are told as a subclass says, a text with semicolons in between; so many `rounds` come after them. `bound` is
    that of the script.
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
        """A turn of the scene at a stage."""
        raise NotImplementedError

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

    def script(self) -> Script:
        """The turns as they are taken."""
        stage, taken = opening(self.start()), list[Turn]()
        for words in filter(None, map(str.strip, self.turns.split(";"))) if isinstance(self.turns, str) else self.turns:
            taken.append(self.turn(stage, words))
            stage = take(self.protocol, stage, taken[-1])
        script = Script(self.start(), tuple(taken), self.bound)
        return with_rounds(self.protocol, script, self.rounds, self.coin)

    def stages(self) -> list[Stage]:
        """The stages of the script, the opening first."""
        return list(play(self.protocol, self.script()))

    def right(self) -> list[bool]:
        """Whether each stage is legitimate."""
        return [stage.is_legitimate(self.protocol) for stage in self.stages()]
