"""Claims of the report: its pseudocode, read as it stands, and its statements on failures."""

from fractions import Fraction

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation, paraphrase
from gomboc.checker.errata.scene import MOST_ROUNDS, Scene, Script, last, play
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
from gomboc.checker.evidence.chord.experiments.scenes import broken, parameters, protocol, ring, script
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
            "the operating assumption is kept": not by.promises.assumption(end.states, end.in_flight)
            or not by.promises.assumption(before.states, before.in_flight),
            "with the whole list all promises are kept": not broken(protocol(WIDE), whole),
        },
    )


CLAIMS = (
    Claim(
        name="ring_is_regenerated",
        title="after crashes the ring becomes right again",
        source="Section 5.3",
        says='"The regeneration of the table fingers and of the ring structure were positively maintained."',
        ran="Our rules without check_predecessor, which the report does not have (variant never_pings).",
        result=Result.DEPENDS,
        why="It hangs on how `crash(host)` is raised, of which the report does not say more. No node checks whether "
        "its predecessor is there. One that has crashed stays unless the event is raised at its successor, and a node "
        "that is notified by a node farther away keeps it.",
        counterexample="Two members 0 and 1, r = 1: 2 joins and notifies 0, crashes, and the notice arrives. After "
        "{rounds} rounds 2 is still the predecessor of 0, and ever will be.",
        readings=(
            Reading(
                "`crash(host)` is raised at a member that sends to the host, as its messages are not taken: no node "
                "sends to its predecessor.",
                Result.REFUTED,
            ),
            Reading(
                "`crash(host)` is raised at every member that names the host, as by a connection to it that breaks: "
                "the run of the counterexample becomes right, and so does each of {healed} ideal rings of {sizes} "
                "members, r = 2, of which one crashes.",
                Result.REPRODUCED,
            ),
        ),
        domain="Rounds of timeouts and deliveries in order; at most one crash.",
        instead="Each timeout pings the predecessor; the explorer finds that the same system always becomes right "
        "(model asks_first).",
        evidence=regenerated,
        scenes=(
            Scene(
                "dead_predecessor_stays",
                "A predecessor that has crashed stays one.",
                never_pinged,
                "never_pings",
                1,
                parameters(ONE),
            ),
        ),
        quotes=(
            Quotation(
                "the report, Section 5.3",
                "The Chord layer was also tested apart, and the regeneration of the table fingers and of the "
                "ring structure were positively maintained.",
            ),
        ),
        prose=(Quotation("the report, Section 2.2.3, crash", "upon crash (host) do if predecessor = host then"),),
    ),
    Claim(
        name="candidate_is_adopted",
        title="the predecessor of the head is adopted as head",
        source="Section 2.2.3, STABILIZE_REPLY; Stoica et al. 2003, Figure 6",
        says="If the predecessor of the successor lies between, it is the successor from now on.",
        ran="Our rules, but a candidate is adopted unasked (variant adopts_unasked).",
        result=Result.OURS,
        examined=Result.REFUTED,
        why="The papers print the rule; that it keeps a ring within our operating assumption is a statement of ours. "
        "The candidate may have crashed. With lists of one entry it takes the place of the last live one.",
        counterexample="Two members 0 and 1, r = 1: 2 joins and notifies 0, crashes, and 1 adopts it. After {steps} "
        "steps these are false: {conjuncts}.",
        instead="The candidate is asked, and adopted when it answers.",
        reading="A list of one entry is promised nothing: Stoica et al. 2003 expect a disruption when all entries "
        "fail. The effect of the rule on longer lists is in at_least_one_ring, beside the claim.",
        evidence=adoption_is_safe,
        scenes=(
            Scene(
                "dead_candidate_is_adopted",
                "The last live successor gives way to a dead one.",
                adopting,
                "adopts_unasked",
                1,
                parameters(ONE),
            ),
        ),
        quotes=(
            Quotation(
                "the report, Section 2.2.3, STABILIZE_REPLY",
                "if x in (myself, successor) then successor <- x; end if Send(successor, NOTIFY)",
            ),
            paraphrase(
                "Stoica et al. 2003, Figure 6",
                "stabilize: if the successor's predecessor lies between, it becomes the successor.",
            ),
        ),
    ),
    Claim(
        name="joiner_needs_its_head_only",
        title="a joining node is given its successor",
        source="Section 2.2.3, JOIN_REPLY; Stoica et al. 2003, Figure 6, join",
        says="A new node is told its successor, and has no predecessor.",
        ran="Our rules, but a joiner takes its head only (variant copies_head_only).",
        result=Result.OURS,
        examined=Result.REFUTED,
        why="The papers print the rule; that it is enough while members crash is a statement of ours. "
        "The successor may crash while the joiner is let in, and no list depends on it yet.",
        counterexample="Four members 0 to 3, r = 2: 4 joins through 3, and 0 crashes. "
        "After {steps} steps 4 knows no live node, and these are false: {conjuncts}.",
        instead="The whole list is given, and counts for the operating assumption while it is on its way.",
        reading="Stoica et al. 2003 prove it of joins alone (joins_close_the_cycle); the ring of the others stands.",
        evidence=joins_with_a_head,
        scenes=(
            Scene(
                "joiner_knows_the_dead_only",
                "A joiner's only successor has crashed.",
                head_only,
                "copies_head_only",
                1,
                parameters(WIDE),
            ),
        ),
        quotes=(
            Quotation(
                "the report, Section 2.2.3, JOIN_REPLY",
                "upon event JoinProtocolMessage(JOIN_REPLY, JOIN_CODE, sender) do successor <- sender;",
            ),
            paraphrase(
                "Stoica et al. 2003, Figure 6",
                "join: the predecessor is nil, and the successor is the answer of find_successor.",
            ),
        ),
    ),
    Claim(
        name="closest_preceding_node",
        title="the closest preceding node is a finger, or the node itself",
        source="Section 2.2.3, closest_preceding_node and routeRequest",
        says="Questions go to the farthest finger before the identifier, and if there is none, to the node itself.",
        ran="The report's procedure on right rings (variant fingers_only).",
        result=Result.REFUTED,
        why="A successor is never considered. Where no finger lies before the key, the question comes back to the "
        "node for ever.",
        counterexample="Two members 0 and 1 without fingers: 2 asks 0, and 0 sends the question to itself. In the "
        "right ring of {nodes} hashed nodes, {wrong} of {lookups} random lookups never arrive.",
        instead="The nearest of successors and fingers, and the head if none lies before the key.",
        reading="If change_fingers_table, which is not printed, keeps the successor among the fingers, a joiner is let "
        "in. A route still ends before its owner: routeRequest does not ask whether the key lies behind the node "
        "itself, where no finger lies before the key.",
        evidence=preceding_node,
        scenes=(
            Scene(
                "question_goes_in_circles",
                "A joiner is never let in.",
                in_circles,
                "fingers_only",
                1,
                parameters(ONE),
            ),
        ),
        quotes=(
            Quotation(
                "the report, Section 2.2.3, closest_preceding_node", "return fingers[i]; end if end for return myself;"
            ),
        ),
        prose=(
            Quotation(
                "the report, Section 2.2.1",
                "ROUTE message, it's a message used to propagate information along the chord network, making one"
                " jump to the node with the closest identifier.",
            ),
        ),
    ),
    Claim(
        name="fingers_by_number",
        title="finger i is looked up as the identifier i",
        source="Section 2.2.3, fix_fingers",
        says="`next` counts from 1 to the number of bits, and the owner of the identifier `next` becomes finger "
        "`next`.",
        ran="Our next hops over right rings, with the report's fingers and with ours.",
        result=Result.REFUTED,
        why="The identifiers 1 to 256 lie side by side on a circle of 2^256.",
        counterexample="In a ring of {nodes} hashed nodes all fingers together point to {pointed} node. A lookup "
        "takes {far} hops on average, and {near} with fingers to the successors of id + 2^i.",
        instead="Finger i is the successor of id + 2^i (Stoica et al. 2003, Table 1).",
        reading="An author would call it a shorthand for the start of finger `next`. As it is printed, `next` is "
        "compared with identifiers and looked up as one.",
        evidence=fingers_by_number,
        quotes=(
            Quotation(
                "the report, Section 2.2.3, fix_fingers",
                "if next not in (myself, successor] then trigger find_successor(next, m, NEXT_CODE);",
            ),
        ),
        prose=(
            Quotation(
                "the report, Section 2.1",
                "The circle pattern is then updated, in the Chord protocol, adding m - 1 links where m is the "
                "number of bit used to represent the unique ID of the nodes",
            ),
        ),
    ),
    Claim(
        name="crash_replaces_the_successor",
        title="a successor that has crashed is replaced",
        source="Section 2.2.3, crash",
        says="If the predecessor has crashed, there is none; else, if the successor has, another one takes its place.",
        ran="The report's procedure.",
        result=Result.DEPENDS,
        why='In a ring of two the same node is both, and "else" leaves it where it is successor. The report does not '
        "say when `crash(host)` is raised, and how often.",
        counterexample="Two nodes, each of which is predecessor and successor of the other: one crashes, and the "
        "other one keeps it as successor.",
        instead="A node that has crashed is dropped wherever it is listed.",
        evidence=crash_in_a_ring_of_two,
        readings=(
            Reading(
                "It is raised again whenever the node is asked in vain, as in our models: the second time it is "
                "replaced.",
                Result.REPRODUCED,
            ),
            Reading("It is raised once for each crash: it is kept.", Result.REFUTED),
        ),
        reading="A broken connection is reported once, a message that cannot be sent each time; both are usual.",
        quotes=(
            Quotation(
                "the report, Section 2.2.3, crash",
                "if predecessor = host then predecessor <- null; else if successor = host then",
            ),
        ),
    ),
    Claim(
        name="open_interval_suffices_for_joins",
        title="a joiner's place is an open interval",
        source="Section 2.2.3, find_successor with JOIN_CODE",
        says="A joiner has its place behind a node if it lies strictly between that node and its successor.",
        ran="All joiners on a circle of {places} places.",
        result=Result.REPRODUCED,
        why="Ids are distinct, so no joiner has the id of a successor; lookups need the half-open interval.",
        evidence=open_interval,
        quotes=(
            Quotation(
                "the report, Section 2.2.3, find_successor",
                "if id in (myself, successor) then Send(m.getNewNode(), JOIN_REPLY, JOIN_CODE, successor);",
            ),
        ),
    ),
)
