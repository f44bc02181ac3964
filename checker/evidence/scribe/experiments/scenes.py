"""Scenes of Scribe: the states of a small tree, and rounds or turns of it, by our rules or a variant."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.errata.registry import find_scene
from gomboc.checker.errata.scene import Script, Stage, command, delivery, opening, play, take, timeout, with_rounds
from gomboc.spec.core.protocol import Protocol, Start, configured, variant
from gomboc.spec.protocols.scribe import PROTOCOL
from gomboc.spec.protocols.scribe.space import ROLE, heap, names, routes, tree
from gomboc.spec.protocols.scribe.state import Issue, Node, Publish


class Played(msgspec.Struct, frozen=True):
    """The states of nodes as in a trace, then timeouts of the nodes in `turns`, then so many rounds."""

    variant: str | None
    states: Mapping[str, Mapping[str, Any]]
    turns: tuple[str, ...] = ()
    rounds: int = 0
    bound: int | None = None

    @property
    def protocol(self) -> Protocol:
        """The protocol that is played."""
        return variant(configured(PROTOCOL, {}), self.variant)

    def script(self) -> Script:
        """The turns as they are taken."""
        locals_ = tuple(
            (name, msgspec.convert({"next": None, **state}, Node)) for name, state in sorted(self.states.items())
        )
        start = Start(tuple((name, ROLE) for name, _ in locals_), locals_)
        return with_rounds(self.protocol, Script(start, tuple(map(timeout, self.turns)), self.bound), self.rounds)

    def stages(self) -> list[Stage]:
        """The stages of the script, the opening first."""
        return list(play(self.protocol, self.script()))


def played(variant: str | None, _parameters: Mapping[str, Any], **arguments: Any) -> Script:
    """The script of such a scene."""
    return msgspec.convert({"variant": variant, **arguments}, Played).script()


def scene(name: str) -> Played:
    """The scene of that name."""
    found = find_scene("scribe", name)
    return msgspec.convert({"variant": found.variant, **found.arguments}, Played)


def ours(scene: Played) -> Played:
    """The same start by our rules, with as many rounds as the scene has, and six at least."""
    return replace(scene, variant=None, turns=(), rounds=max(6, scene.rounds))


def never_right(name: str) -> Evidence:
    """A run by a variant, replayed, and the same start by our rules."""
    shown = scene(name)
    mended = ours(shown)
    *_, end = shown.stages()
    return Evidence(
        settled(end.is_legitimate(shown.protocol)),
        {"rounds": shown.rounds},
        {
            "no state of the last rounds is legitimate": not any(
                stage.is_legitimate(shown.protocol) for stage in shown.stages()[1:]
            ),
            "by our rules the same start becomes legitimate": mended.stages()[-1].is_legitimate(mended.protocol),
        },
    )


def leaves_right(name: str) -> Evidence:
    """A run that begins right and does not stay so, replayed, and the same start by our rules."""
    shown = scene(name)
    mended = ours(shown)
    return Evidence(
        settled(shown.stages()[-1].is_legitimate(shown.protocol)),
        {"steps": len(shown.script().turns)},
        {
            "it was right before": shown.stages()[-2].is_legitimate(shown.protocol),
            "by our rules it stays right": all(stage.is_legitimate(mended.protocol) for stage in mended.stages()),
        },
    )


def loses(name: str) -> Evidence:
    """A run in which the only holder of a publication leaves, replayed, and the same start by our rules."""
    shown = scene(name)
    held, kept = (
        {item for local in stages[-1].states.values() for item in local.publications}
        for stages in (shown.stages(), ours(shown).stages())
    )
    return Evidence(settled(bool(held)), {}, {"by our rules it is held": bool(kept)})


def published(nodes: int, subscribers: int) -> tuple[int, int]:
    """Messages that a publication of the owner takes in a right tree, and the edges of the tree."""
    hops = routes(names(nodes), heap, 0)
    states = tree(hops, names(nodes)[nodes - subscribers :])
    stage = opening(Start((), tuple(states.items())))
    stage = take(PROTOCOL, stage, command("n000", Issue(1, "")))
    sent = 0
    while stage.in_flight:
        to, message = stage.in_flight[0]
        sent += isinstance(message, Publish)
        stage = take(PROTOCOL, stage, delivery(to, message))
    edges = sum(len(local.children) for local in states.values())
    return sent, edges
