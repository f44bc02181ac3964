"""Claims of the report: its pseudocode, read as it stands, and its statements on failures."""

from fractions import Fraction

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.scene import MOST_ROUNDS, Script, last, play
from gomboc.checker.evidence.chord.experiments.rounds import becomes_right
from gomboc.checker.evidence.chord.experiments.routing import (
    as_reported,
    fingers_as_reported,
    hashed,
    is_right,
    ours,
    places,
    way,
)
from gomboc.checker.evidence.chord.experiments.scenes import broken, protocol, ring, script
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
LET_IN = (
    "n002: Join n001; n002; n001 JoinRequest n002; n002 JoinReply n001; n002; "
    "n000 StabilizeRequest n002; n002 StabilizeReply n000"
)
"""Two members let in a third one, which asks its head and is about to notify it."""

ADOPTED = f"{LET_IN}; n002: Crash; n000 Notify n002; n001; n000 StabilizeRequest n001; n001 StabilizeReply n000"
STAYS = f"{LET_IN}; n002: Crash; n000 Notify n002"
HEAD_ONLY = "n004: Join n003; n000: Crash; n004; n003 JoinRequest n004; n004 JoinReply n003"


def adopting() -> Script:
    """Twelve steps of two members and a joiner."""
    return script(protocol(ONE, "adopts_unasked"), ring(ONE, 2, 1), ADOPTED)


def never_pinged() -> Script:
    """A member that has crashed has notified its head, which never looks whether it is there."""
    return script(protocol(ONE, "never_pings"), ring(ONE, 2, 1), STAYS, 9, 9)


def in_circles() -> Script:
    """A joiner asks the member that it does not belong behind."""
    return script(protocol(ONE, "fingers_only"), ring(ONE, 2, 1), "n002: Join n000", 6, 6)


def head_only() -> Script:
    """A joiner's head crashes while the joiner is let in."""
    return script(protocol(WIDE, "copies_head_only"), ring(WIDE, 4, 1), HEAD_ONLY)


def adoption_is_safe() -> Evidence:
    """The shortest run by our explorer that leaves no ring, replayed."""
    by, run = protocol(ONE, "adopts_unasked"), adopting()
    *_, before, end = play(by, run)
    asked = Rules(ONE)
    return Evidence(
        settled(not broken(by, end)),
        {"steps": len(run.turns), "conjuncts": sorted(broken(by, end))},
        {
            "all promises were kept until then": not broken(by, before),
            "ours asks first": asked.improve("n001", Node("inside", None, ("n000",)), "n002").sends[0].target == "n002",
        },
    )


def regenerated() -> Evidence:
    """A run by the rules of the report, which send no pings, and the same run with a failure detector."""
    by, run = protocol(ONE, "never_pings"), never_pinged()
    *_, end = play(by, run)
    ours_end = list(play(protocol(ONE), script(protocol(ONE), ring(ONE, 2, 1), STAYS, 9)))[-1]
    heard = script(by, ring(ONE, 2, 1), f"{STAYS}; n000: Suspect n002; n001: Suspect n002", 9)
    healed = [after_one_crash(members, crashed) for members in RING_SIZES for crashed in range(members)]
    return by_readings(
        (settled(end.is_legitimate(by)), settled(last(by, heard).is_legitimate(by) and all(healed))),
        {"rounds": run.bound or 0, "sizes": [*RING_SIZES], "healed": len(healed)},
        {
            "no node pings": NeverPings(ONE).pings("n000", Node("inside", "n001", ("n001",))) == (),
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
    local = Node("inside", "n001", ("n001",))
    sent = FingersOnly(ONE).find_successor("n000", local, JoinRequest("n002", "n002")).sends
    options, right = hashed(NODES)
    looked = [way(options, right, at, position, as_reported) for at, position in places(options, right, LOOKUPS)]
    asked = list(places(options, right, LOOKUPS))
    wrong = sum(
        not is_right(options, right, position, passed) for (_, position), passed in zip(asked, looked, strict=True)
    )
    fine = [way(options, right, at, position, ours) for at, position in asked]
    return Evidence(
        settled(wrong == 0),
        {"wrong": wrong, "lookups": LOOKUPS, "nodes": NODES},
        {
            "the question of a joiner is sent to the asked node itself": [send.target for send in sent] == ["n000"],
            "ours finds all owners": all(
                is_right(options, right, position, passed) for (_, position), passed in zip(asked, fine, strict=True)
            ),
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
    options, right = hashed(NODES)
    theirs = fingers_as_reported(options, right)
    pointed = {name for local in theirs.values() for _, name in local.fingers}
    hops = []
    for system in (theirs, right):
        ways = [way(options, system, at, position, ours) for at, position in places(options, system, LOOKUPS)]
        hops.append(sum(len(route) - 1 for route in ways if route) / Fraction(LOOKUPS))
    far, near = hops
    return Evidence(
        settled(far <= 2 * near),
        {"nodes": NODES, "pointed": len(pointed), "far": f"{float(far):.1f}", "near": f"{float(near):.1f}"},
    )


def crash_in_a_ring_of_two() -> Evidence:
    """A ring of two after the report's crash event, raised once and twice, and after ours."""
    local = Node("inside", "n001", ("n001",))
    once = as_crashed(local, "n001")
    twice = as_crashed(once, "n001")
    after = Rules(ONE).react("n000", local, Received(Dead("n001")), CERTAIN[0]).local
    return by_readings(
        (settled("n001" not in twice.successors), settled("n001" not in once.successors)),
        {},
        {
            "ours drops both at once": after.predecessor is None and after.successors == (),
        },
    )


def as_crashed(local: Node, host: str) -> Node:
    """The state of a member after `crash (host)`.

    Source: Section 2.2.3, crash
    """
    if local.predecessor == host:
        return Node("inside", None, local.successors)
    return Node("inside", local.predecessor, tuple(name for name in local.successors if name != host))


def joins_with_a_head() -> Evidence:
    """The shortest run by our explorer after which a joiner knows no live node, replayed."""
    by, run = protocol(WIDE, "copies_head_only"), head_only()
    *_, before, end = play(by, run)
    whole = list(play(protocol(WIDE), script(protocol(WIDE), ring(WIDE, 4, 1), HEAD_ONLY)))[-1]
    return Evidence(
        settled(not broken(by, end)),
        {"steps": len(run.turns), "conjuncts": sorted(broken(by, end))},
        {
            "all promises were kept until then": not broken(by, before),
            "the operating assumption is kept": not by.assumption(end.states, end.in_flight)
            or not by.assumption(before.states, before.in_flight),
            "with the whole list all promises are kept": not broken(protocol(WIDE), whole),
        },
    )
