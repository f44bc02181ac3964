"""Experiments on the report: its pseudocode, read as it stands, and its statements on failures."""

from msgspec.structs import replace

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.scene import MOST_ROUNDS
from gomboc.checker.evidence.chord.experiments.routing import (
    as_reported,
    fingers_as_reported,
    hashed,
    lookups,
    mean_hops,
    ours,
)
from gomboc.checker.evidence.chord.experiments.scenes import becomes_right, protocol, ring, scene
from gomboc.spec.core.model import CERTAIN, Received
from gomboc.spec.protocols.chord.errata import FingersOnly, NeverPings
from gomboc.spec.protocols.chord.models import ONE, WIDE
from gomboc.spec.protocols.chord.names import between
from gomboc.spec.protocols.chord.rules import Rules
from gomboc.spec.protocols.chord.space import names_of
from gomboc.spec.protocols.chord.state import CRASHED, Dead, JoinRequest, Node

NODES, LOOKUPS = 64, 2_000
RING_SIZES = range(2, 6)
"""Members of the rings of which one crashes."""
OF_TWO = Node("inside", "n001", ("n001",))
"""Node 0 in a ring of two."""


def adoption_is_safe() -> Evidence:
    """The shortest run by our explorer that leaves no ring, replayed."""
    played = scene("dead_candidate_is_adopted")
    asked = Rules(ONE).improve("n001", Node("inside", None, ("n000",)), "n002").sends[0]
    return Evidence(
        settled(not played.broken()),
        {"steps": len(played.script().turns), "conjuncts": sorted(played.broken())},
        {
            "all promises were kept until then": not played.broken(-2),
            "ours asks first": asked.target == "n002",
        },
    )


def joins_with_a_head() -> Evidence:
    """The shortest run by our explorer after which a joiner knows no live node, replayed."""
    played = scene("joiner_knows_the_dead_only")
    *_, before, end = played.stages()
    return Evidence(
        settled(not played.broken()),
        {"steps": len(played.script().turns), "conjuncts": sorted(played.broken())},
        {
            "all promises were kept until then": not played.broken(-2),
            "the operating assumption is kept": not all(
                played.protocol.promises.assumption(stage.states, stage.in_flight) for stage in (before, end)
            ),
            "with the whole list all promises are kept": not replace(played, variant=None).broken(),
        },
    )


def regenerated() -> Evidence:
    """A run by the rules of the report, which send no pings, and the same run with a failure detector."""
    played = scene("dead_predecessor_stays")
    end, by = played.stages()[-1], played.protocol
    ours_end = replace(played, variant=None).stages()[-1]
    heard = replace(played, turns=f"{played.turns}; n000: Suspect n002; n001: Suspect n002").stages()[-1]
    healed = [after_one_crash(members, crashed) for members in RING_SIZES for crashed in range(members)]
    return by_readings(
        (settled(end.is_legitimate(by)), settled(heard.is_legitimate(by) and all(healed))),
        {"rounds": played.rounds, "sizes": [*RING_SIZES], "healed": len(healed)},
        {
            "no node pings": NeverPings(ONE).pings("n000", OF_TWO) == (),
            "the dead predecessor is still one": end.states["n000"].predecessor == "n002",
            "by our rules it is right": ours_end.is_legitimate(protocol(ONE)),
        },
    )


def after_one_crash(members: int, crashed: int) -> bool:
    """Whether an ideal ring becomes right after one crash that every other member hears of, without pings."""
    gone = names_of(WIDE.circle, members)[crashed]
    by, start = protocol(WIDE, "never_pings"), dict(ring(WIDE, members).locals)
    rules = NeverPings(WIDE)
    heard = {name: CRASHED if name == gone else rules.handle_crash(name, local, gone) for name, local in start.items()}
    return becomes_right(by, heard, MOST_ROUNDS)


def preceding_node() -> Evidence:
    """The report's next hop for a joiner, and its lookups in a right ring."""
    sent = FingersOnly(ONE).find_successor("n000", OF_TWO, JoinRequest("n002", "n002")).sends
    ring_of_all = hashed(NODES)
    theirs, fine = (lookups(*ring_of_all, LOOKUPS, hop) for hop in (as_reported, ours))
    wrong = sum(not looked.is_right for looked in theirs)
    return Evidence(
        settled(wrong == 0),
        {"wrong": wrong, "lookups": LOOKUPS, "nodes": NODES},
        {
            "the question of a joiner is sent to the asked node itself": [send.target for send in sent] == ["n000"],
            "ours finds all owners": all(looked.is_right for looked in fine),
        },
    )


def open_interval() -> Evidence:
    """All places of a circle: the intervals that contain a joiner's place, open and half open."""
    size = range(16)
    same = all(
        between(low, position, high) == (between(low, position, high) or position == high)
        for low in size
        for high in size
        for position in size
        if position not in (low, high)
    )
    return Evidence(settled(same), {"places": len(size)})


def fingers_by_number() -> Evidence:
    """The targets of the report's fingers, and the hops of lookups with them and with ours."""
    parameters, right = hashed(NODES)
    theirs = fingers_as_reported(parameters, right)
    pointed = {name for local in theirs.values() for _, name in local.fingers}
    far, near = (mean_hops(lookups(parameters, system, LOOKUPS, ours)) for system in (theirs, right))
    return Evidence(
        settled(far <= 2 * near),
        {"nodes": NODES, "pointed": len(pointed), "far": f"{far:.1f}", "near": f"{near:.1f}"},
    )


def crash_in_a_ring_of_two() -> Evidence:
    """A ring of two after the report's crash event, raised once and twice, and after ours."""
    once = as_crashed(OF_TWO, "n001")
    twice = as_crashed(once, "n001")
    after = Rules(ONE).react("n000", OF_TWO, Received(Dead("n001")), CERTAIN[0]).local
    return by_readings(
        (settled("n001" not in twice.successors), settled("n001" not in once.successors)),
        {},
        {"ours drops both at once": after.predecessor is None and after.successors == ()},
    )


def as_crashed(local: Node, host: str) -> Node:
    """The state of a member after `crash (host)`.

    Source: Section 2.2.3, crash
    """
    if local.predecessor == host:
        return replace(local, predecessor=None)
    return replace(local, successors=tuple(name for name in local.successors if name != host))
