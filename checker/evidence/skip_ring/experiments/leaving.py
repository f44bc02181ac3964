"""Leaving and crashing: what the last subscriber is told, and whether all others forget the node."""

from collections.abc import Iterator, Mapping

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.scene import Script, Turn, command, last, until_legitimate, with_rounds
from gomboc.checker.evidence.skip_ring.experiments.ring import (
    database_of,
    members,
    ring,
    ring_with,
    shortcuts_of,
    stages,
)
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.legitimacy import OUTSIDE, ring_of
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, SetData, Supervisor, Unsubscribe, WantOut
from gomboc.spec.protocols.skip_ring.subscriber import references
from gomboc.spec.protocols.skip_ring.supervisor import unsubscribe

MOST, AWAY = 32, 8


def told_as_printed(nodes: int, leaver: str) -> SetData:
    """The message to the last subscriber of SR(nodes): predecessor and successor are those of the leaver, from before.

    Source: Algorithm 3, lines 16-20
    """
    said = ring_with(nodes).configurations[leaver]
    return SetData(said.pred, said.label, said.succ)


def told_after_the_move() -> Evidence:
    """Whether the message to the last subscriber is right: every leaver but the last of SR(2) to SR(MOST)."""
    leaving = [(nodes, leaver) for nodes in range(2, MOST + 1) for leaver in names(nodes)[:-1]]
    wrong = [case for case in leaving if told_as_printed(*case) != _right_configurations(*case)[f"v{case[0]}"]]
    own = [case for case in leaving if f"v{case[0]}" in PROTOCOL.naming.named(told_as_printed(*case))]
    ours = sum(_sends_something_else(*case) for case in leaving)
    return Evidence(
        settled(not wrong),
        {
            "cases": len(leaving),
            "wrong": len(wrong),
            "ours": ours,
            "most": MOST,
            "said": _shown(told_as_printed(2, "v1")),
        },
        {"wrong are those that name their receiver, and no others": wrong == own, "n = 2 is one": (2, "v1") in wrong},
    )


def _right_configurations(nodes: int, leaver: str) -> Mapping[str, SetData]:
    return ring_of(unsubscribe(Supervisor(database_of(nodes)), leaver).local.database).configurations


def _sends_something_else(nodes: int, leaver: str) -> bool:
    right = _right_configurations(nodes, leaver)
    sends = unsubscribe(Supervisor(database_of(nodes)), leaver).sends
    return any(send.message != right.get(send.target, SetData(None, None, None)) for send in sends)


def _shown(said: SetData) -> str:
    pred, succ = (f"({claim.label}, {claim.node})" if claim else "bottom" for claim in (said.pred, said.succ))
    return f"SetData({pred}, {said.label}, {succ})"


def every_node_introduces_itself() -> Evidence:
    """Every edge of SR(n): does the one end tell the other of itself, in rounds in which every coin is silent?"""
    silent = {nodes: _silent_edges(nodes) for nodes in range(2, 10)}
    shortcuts = {nodes: {(v, w) for v, u in members(nodes).items() for w in shortcuts_of(u)} for nodes in silent}
    first = min(nodes for nodes, edges in silent.items() if edges)
    gone = all(_leaves_for_good(nodes, leaver) for nodes in (2, 3, 4, 5) for leaver in names(nodes))
    return Evidence(
        settled(not any(silent.values())),
        {"first": first, "edge": [f"{one} to {other}" for one, other in sorted(silent[first])], "most": max(silent)},
        {
            "the edges over which no node introduces itself are the shortcuts": silent == shortcuts,
            "for n = 2 to 5, every leaver is disconnected, and the others form a ring": gone,
        },
    )


def _silent_edges(nodes: int) -> set[tuple[str, str]]:
    """The edges over which no message with the sender's own claim is sent in some rounds."""
    script = with_rounds(PROTOCOL, Script(ring(nodes), ()), 4)
    introduced = {(turn.node, target) for turn, sent in _sends(script) for target, about in sent if about == turn.node}
    known = {(node, claim.node) for node, u in members(nodes).items() for claim in references(u)}
    return known - introduced


def _sends(script: Script) -> Iterator[tuple[Turn, list[tuple[str, str | None]]]]:
    for turn, stage in zip(script.turns, stages(script)[1:], strict=True):
        claims = [(target, getattr(m, "sender", getattr(m, "claim", None))) for target, m in stage.sent]
        yield turn, [(target, getattr(claim, "node", None)) for target, claim in claims]


def _leaves_for_good(nodes: int, leaver: str) -> bool:
    end = last(PROTOCOL, until_legitimate(PROTOCOL, Script(ring(nodes), (command(leaver, WantOut()),))))
    known = {claim.node for name in names(nodes) if name != leaver for claim in references(end.states[name])}
    return end.states[leaver] == OUTSIDE and leaver not in known


def leavers_stay_away() -> Evidence:
    """SR(2) to SR(5), each leaver: when it has no label, and when it is recorded again."""
    cases = [(nodes, leaver) for nodes in range(2, 6) for leaver in names(nodes)]
    ways = {case: list(_labels_of(*case)) for case in cases}
    removed = all(_leaves_for_good(*case) for case in cases)
    return by_readings(
        (settled(removed), settled(all(labels[-1] is None for labels in ways.values()))),
        {"cases": len(cases), "back": sum(labels[-1] is not None for labels in ways.values()), "rounds": AWAY},
        {"each of them has no label in between": all(None in labels for labels in ways.values())},
    )


def _labels_of(nodes: int, leaver: str) -> Iterator[str | None]:
    start = ring(nodes, (SUPERVISOR, Unsubscribe(leaver)))
    return (stage.states[leaver].label for stage in stages(with_rounds(PROTOCOL, Script(start, ()), AWAY)))
