"""Scenes of Chord: a small ring, and turns, each in a few words; and runs round by round."""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

import msgspec

from gomboc.checker.errata.registry import find_scene
from gomboc.checker.errata.scene import (
    Script,
    Stage,
    Turn,
    a_round,
    command,
    delivery,
    opening,
    play,
    take,
    timeout,
    with_rounds,
)
from gomboc.spec.core.protocol import Protocol, Start, configured, variant
from gomboc.spec.protocols.chord import PROTOCOL
from gomboc.spec.protocols.chord.legitimacy import anchor, right_state
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.space import ROLE, names_of
from gomboc.spec.protocols.chord.state import FIELDS, Command, Node
from gomboc.spec.types.parameters import told


@cache
def protocol(options: Parameters, printed: str | None = None) -> Protocol:
    """The protocol with those parameters, or that variant of it."""
    return variant(configured(PROTOCOL, told(options)), printed)


def ring(options: Parameters, nodes: int, outside: Collection[int] = ()) -> Start:
    """An ideal ring of so many nodes, but for those with these numbers, with nothing in flight."""
    names = names_of(options.circle, nodes)
    members = anchor(options, {name: number not in outside for number, name in enumerate(names)})
    return of_states({name: right_state(options, members, name) if name in members else Node() for name in names})


def of_states(states: Mapping[str, Node]) -> Start:
    """Those states with nothing in flight."""
    return Start(tuple((name, ROLE) for name in sorted(states)), tuple(sorted(states.items())))


class Played(msgspec.Struct, frozen=True):
    """A ring and its turns, separated by semicolons, and so many rounds after them; by our rules or a variant.

    At first the ring is ideal, of all but the nodes outside, which are told by their numbers, counted from 0.

    A turn is `n0` (a timeout), `n0 StabilizeRequest n1` (the message that n0 takes, and the first node that it
    names; a number behind that selects one of several, the oldest being 1), or `n0: Join n1` (a command).
    """

    options: Parameters
    variant: str | None
    nodes: int
    turns: str
    outside: tuple[int, ...] = ()
    rounds: int = 0
    bound: int | None = None

    @property
    def protocol(self) -> Protocol:
        """The protocol that is played."""
        return protocol(self.options, self.variant)

    def script(self) -> Script:
        """The turns as they are taken."""
        start = ring(self.options, self.nodes, self.outside)
        stage, taken = opening(start), []
        for words in filter(None, (part.strip() for part in self.turns.split(";"))):
            taken.append(_turn(stage, words))
            stage = take(self.protocol, stage, taken[-1])
        return with_rounds(self.protocol, Script(start, tuple(taken), self.bound), self.rounds)

    def stages(self) -> list[Stage]:
        """The stages of the script, the opening first."""
        return list(play(self.protocol, self.script()))

    def broken(self, at: int = -1) -> set[str]:
        """The promises over states that are false at the end, or at that stage."""
        return broken(self.protocol, self.stages()[at])


def of_claim(variant: str | None, parameters: Mapping[str, Any], **arguments: Any) -> Played:
    """A scene as it stands with its claim."""
    return msgspec.convert({"options": parameters, "variant": variant, **arguments}, Played)


def played(variant: str | None, parameters: Mapping[str, Any], **arguments: Any) -> Script:
    """The script of such a scene."""
    return of_claim(variant, parameters, **arguments).script()


def scene(name: str) -> Played:
    """The scene of that name."""
    found = find_scene("chord", name)
    return of_claim(found.variant, found.parameters, **found.arguments)


def _turn(stage: Stage, words: str) -> Turn:
    node, _, command_words = words.partition(": ")
    if command_words:
        kind, *values = command_words.split()
        (made,) = (item for item in Command.__args__ if item.__name__ == kind)
        return command(node, made(*values))
    node, *about = words.split()
    if not about:
        return timeout(node)
    *about, number = about if about[-1].isdigit() else [*about, "1"]
    fits = [item for to, item in stage.in_flight if to == node and _words(item) == about]
    return delivery(node, fits[int(number) - 1])


def _words(message: Any) -> list[str]:
    return [type(message).__name__, *FIELDS.named(message)[:1]]


def broken(by: Protocol, stage: Stage) -> set[str]:
    """The promises over states that are false."""
    return {promise.name for promise in by.promises.always if promise.faults(stage.states, stage.in_flight)}


def becomes_right(by: Protocol, states: Mapping[str, Node], most: int) -> bool:
    """Whether a system is right within so many rounds; the run ends early if no node changes for six rounds."""
    stage, unchanged = opening(of_states(states)), 0
    for _ in range(most):
        if stage.is_legitimate(by):
            return True
        before, stage = stage, a_round(by, stage)
        unchanged = unchanged + 1 if stage.states == before.states else 0
        if unchanged == 6:
            return False
    return stage.is_legitimate(by)
