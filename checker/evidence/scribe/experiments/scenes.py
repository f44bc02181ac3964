"""Scenes of Scribe: the states of a small tree, and rounds or turns of it, by our rules or a variant."""

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.errata.played import Played
from gomboc.checker.errata.scene import command, delivery, opening, take
from gomboc.spec.core.protocol import Protocol, Start
from gomboc.spec.core.starts import started
from gomboc.spec.protocols.scribe import PROTOCOL
from gomboc.spec.protocols.scribe.space import ROLE, heap, names, routes, tree
from gomboc.spec.protocols.scribe.state import Issue, Node, Publish


class Grown(Played, frozen=True, kw_only=True):
    """The states of nodes as in a trace, then timeouts of the nodes in `turns`."""

    ours: ClassVar[Protocol] = PROTOCOL

    states: Mapping[str, Mapping[str, Any]]
    turns: tuple[str, ...] = ()

    def start(self) -> Start:
        """Those states."""
        states = {name: msgspec.convert({"next": None, **state}, Node) for name, state in self.states.items()}
        return started(ROLE, states)


played, scene = Grown.played, Grown.scene


def ours(scene: Grown) -> Grown:
    """The same start by our rules, with as many rounds as the scene has, and six at least."""
    return scene.by_our_rules(turns=(), rounds=max(6, scene.rounds))


def never_right(name: str) -> Evidence:
    """A run by a variant, replayed, and the same start by our rules."""
    shown = scene(name)
    _, *right = shown.right()
    return Evidence(
        settled(right[-1]),
        {"rounds": shown.rounds},
        {
            "no state of the last rounds is legitimate": not any(right),
            "by our rules the same start becomes legitimate": ours(shown).right()[-1],
        },
    )


def leaves_right(name: str) -> Evidence:
    """A run that begins right and does not stay so, replayed, and the same start by our rules."""
    shown = scene(name)
    *_, before, end = shown.right()
    facts = {"it was right before": before, "by our rules it stays right": all(ours(shown).right())}
    return Evidence(settled(end), {"steps": len(shown.script().turns)}, facts)


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
