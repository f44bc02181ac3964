"""Shortcuts: how they come about by introductions, and what these cost."""

from collections import Counter
from itertools import islice

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.scene import Stage, opening, rounds
from gomboc.checker.evidence.skip_ring.experiments.ring import (
    PRINTED,
    by_size,
    levels,
    members,
    ring,
    sent_in_round,
    unaware,
)
from gomboc.checker.evidence.skip_ring.experiments.scenes import scene
from gomboc.spec.core.protocol import Protocol, Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.rules import Rules
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Claim, Linearize, Subscriber
from gomboc.spec.protocols.skip_ring.subscriber import Side, partner, references

SIZES, ALL_EDGES = range(1, 33), range(2, 130)

PARTNERS, AGAIN = "printed_partners", "printed_introduce_shortcut"

ROUNDS, STEADY = 8, 20
"""The rounds that shortcuts are waited for, and those after which a legitimate ring sends the same in every round."""


def without_shortcuts(nodes: int) -> Start:
    """SR(nodes), in which no shortcut's node is known."""
    return ring(nodes, **{node: unaware(local, names(nodes)) for node, local in members(nodes).items()})


def missing_shortcuts(protocol: Protocol, nodes: int) -> tuple[int, int]:
    """Shortcuts that are missing after some rounds from none, and the rounds after which none was missing first."""
    stages = rounds(protocol, opening(without_shortcuts(nodes)))
    for number, stage in enumerate(islice(stages, ROUNDS + 1)):
        missing = sum(len({*u.shortcuts} - {*stage.states[node].shortcuts}) for node, u in members(nodes).items())
        if not missing:
            return 0, number
    return missing, ROUNDS


def introducers_that_know_the_last_level(nodes: int) -> Protocol:
    """Both shortcuts on level |label|, or the ring neighbours if and only if |label| is ceil(log n); n is given."""

    def partners(u: Subscriber, before: Side, after: Side) -> tuple[Claim | None, Claim | None]:
        if len(u.label or "") == levels(nodes):
            return before.neighbour, after.neighbour
        if before.chain and after.chain:
            return partner(u, before), partner(u, after)
        return None, None

    return PROTOCOL.changed(react=Rules(partners=partners).react, errata=())


def introductions_suffice() -> Evidence:
    """Which SR(n) are completed by the printed introductions, in both readings, and by ours."""
    incomplete = [n for n in SIZES if missing_shortcuts(introducers_that_know_the_last_level(n), n)[0]]
    local = [n for n in SIZES if missing_shortcuts(PRINTED[PARTNERS], n)[0]]
    ours = {n: missing_shortcuts(PROTOCOL, n) for n in SIZES}
    powers = {2**power for power in range(6)}
    all_edges = not any(map(missed_if_ring_edges_count, ALL_EDGES))
    return by_readings(
        (settled(not incomplete), settled(not local), settled(all_edges)),
        {
            "told": incomplete,
            "all_edges": ALL_EDGES[-1],
            "local": local,
            "most": SIZES[-1],
            "five": missing_shortcuts(introducers_that_know_the_last_level(5), 5)[0],
            "nine": missing_shortcuts(PRINTED[PARTNERS], 9)[0],
            "ours": max(rounds for _, rounds in ours.values()),
        },
        {
            "both readings complete every power of two": not powers & {*incomplete, *local},
            "ours completes every ring": not any(missing for missing, _ in ours.values()),
            "n = 9 repeats for ever without the edge": repeats_without(
                PRINTED[PARTNERS], scene("edge_stays_away").start()
            ),
            "n = 5 repeats for ever": repeats_without(introducers_that_know_the_last_level(5), without_shortcuts(5)),
            "ours takes a round for each level": all(
                took <= max(levels(nodes), 1) for nodes, (_, took) in ours.items()
            ),
        },
    )


def missed_if_ring_edges_count(nodes: int) -> int:
    """Shortcuts of SR(nodes) that no node ever introduces, if v.shortcuts has the ring edges of Definition 2 too.

    v then introduces its two neighbours on level |v.label|, whether they are shortcuts or ring neighbours.
    """
    introduced = set()
    for u in members(nodes).values():
        known = {claim for claim in references(u) if u.label and len(claim.label) <= len(u.label)}
        if len(known) == 2:
            introduced |= {frozenset(claim.node for claim in known)}
    wanted = {frozenset((node, e.node or "")) for node, u in members(nodes).items() for e in u.shortcuts}
    return len(wanted - introduced)


def repeats_without(protocol: Protocol, start: Start) -> bool:
    """Whether rounds in which every coin is silent come back to where they were, and never are legitimate."""
    seen = set()
    for stage in rounds(protocol, opening(start)):
        if stage.is_legitimate(PROTOCOL):
            return False
        if (key := _key(stage)) in seen:
            break
        seen.add(key)
    return True


def _key(stage: Stage) -> tuple[object, ...]:
    return tuple(sorted(stage.states.items())), frozenset(Counter(stage.in_flight).items())


def nothing_is_linearised_again() -> Evidence:
    """Messages in a round of SR(n) in which every coin is silent: as printed, and by our reading."""
    sizes = (2, 4, 8, 16)
    printed = {nodes: sent_in_round(PRINTED[AGAIN], nodes, STEADY) for nodes in sizes}
    ours = {nodes: sent_in_round(PROTOCOL, nodes) for nodes in sizes}
    again = {nodes: sum(isinstance(message, Linearize) for _, message in sent) for nodes, sent in printed.items()}
    inside = not any(isinstance(message, Linearize) for sent in ours.values() for _, message in sent)
    return by_readings(
        (settled(inside), settled(not any(again.values()))),
        {
            "again": by_size(again),
            "printed": by_size({nodes: len(sent) for nodes, sent in printed.items()}),
            "ours": by_size({nodes: len(sent) for nodes, sent in ours.items()}),
        },
        {
            "the number stays the same from round to round": all(
                len(sent_in_round(PRINTED[AGAIN], nodes, STEADY + more)) == len(printed[nodes])
                for nodes in sizes
                for more in (1, 2)
            )
        },
    )


def messages_show_live_nodes() -> Evidence:
    """Messages from subscribers to the supervisor in a round of a right ring in which every coin is silent."""
    sizes = (1, 2, 3, 4, 8, 16)
    received = {nodes: sum(target == SUPERVISOR for target, _ in sent_in_round(PROTOCOL, nodes)) for nodes in sizes}
    return Evidence(settled(all(count >= nodes for nodes, count in received.items())), {"told": by_size(received)})
