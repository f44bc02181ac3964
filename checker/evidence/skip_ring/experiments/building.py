"""BuildRing, one receipt or timeout at a time: false labels, both sides, traces of labels, checks, and flags."""

from itertools import pairwise, product

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.scene import Stage, opening
from gomboc.checker.evidence.skip_ring.experiments.counting import false_claims, invents, makes_more, receipts
from gomboc.checker.evidence.skip_ring.experiments.printed_ring import (
    OLD_RING,
    REPAIRED,
    SIZES,
    STRICT,
    WHOLLY,
    after_timeouts,
    linearizing_nothing,
    wrong_in,
)
from gomboc.checker.evidence.skip_ring.experiments.ring import (
    by_size,
    members,
    right_states,
    ring,
    shortcuts_of,
)
from gomboc.checker.evidence.skip_ring.experiments.scenes import scene
from gomboc.spec.core.model import CERTAIN, Outcome, Received, Timeout
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.skip_ring import PROTOCOL, printed
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.state import CYCLE, LIST, Check, Claim, Flag, Introduce, Linearize, Subscriber

TIMEOUTS, FURTHER = 3, 12
"""The timeouts of one node; and the rounds that are watched where nothing breaks."""
FEW = 1, 2, 3, 4, 8, 16


def _further(protocol: Protocol, nodes: int) -> list[Stage]:
    stage, stages = opening(ring(nodes)), list[Stage]()
    for _ in range(FURTHER):
        stage = after_timeouts(protocol, stage, 2)
        stages.append(stage)
    return stages


def right_ring_stays_right() -> Evidence:
    """SR(n) with nothing in flight, as printed and with one thing repaired: the wrong nodes after each round."""
    first = {nodes: after_timeouts(WHOLLY, opening(ring(nodes)), 2) for nodes in SIZES}
    broken = [nodes for nodes, stage in first.items() if wrong_in(stage)]
    ends = {nodes: {node for node, u in right_states(nodes).items() if getattr(u, "ring", None)} for nodes in SIZES}
    repaired = [
        (what, nodes)
        for what, protocol in REPAIRED.items()
        for nodes in SIZES
        if any(map(wrong_in, _further(protocol, nodes)))
    ]
    return Evidence(
        settled(not broken),
        {
            "broken": broken,
            "further": FURTHER,
            "in_flight": [len(stage.in_flight) for stage in _further(WHOLLY, 2)][:6],
            "repairs": list(REPAIRED),
        },
        {
            "wrong are the two ends of the ring, and no others": all(
                set(wrong_in(first[nodes])) == ends[nodes] for nodes in broken
            ),
            "each of them is its own left neighbour, or its own right one": all(
                any(slot and slot.node == node for slot in (u.left, u.right))
                for nodes in broken
                for node in ends[nodes]
                for u in (first[nodes].states[node],)
            ),
            "a ring of one stays right": 1 not in broken,
            "the same rings break if lines 32 and 34 read the old u.ring": broken
            == [nodes for nodes in SIZES if wrong_in(after_timeouts(OLD_RING, opening(ring(nodes)), 2))],
            "with any one of the repairs no ring changes": not repaired,
        },
    )


def labels_do_not_multiply() -> Evidence:
    """Every single receipt of BuildRing as printed in SR(3); and, by our rules, two scenes turn by turn."""
    cases = list(receipts())
    printed, strict = (sum(makes_more(protocol, *case) for case in cases) for protocol in (WHOLLY, STRICT))
    stored, candidate = (
        [false_claims(stage) for stage in scene(name).stages()]
        for name in ("one_false_label_becomes_four", "one_false_candidate_becomes_two")
    )
    grows = all(any(later > earlier for earlier, later in pairwise(run)) for run in (stored, candidate))
    renamed = Subscriber("0", ring=Claim("01", "v3")), Introduce(Claim("1", "v3"), CYCLE)
    new = any(invents(WHOLLY, *case) for case in cases)
    return by_readings(
        (settled(not new), settled(printed == 0)),
        {
            "cases": len(cases),
            "printed": printed,
            "strict": strict,
            "stored": stored[: TIMEOUTS + 1],
            "candidate": candidate[:2],
            "end": stored[-1] + candidate[-1],
        },
        {
            "a Linearize with the receiver's own label makes two of one": makes_more(
                WHOLLY, "v1", Subscriber("0"), Linearize(Claim("0", "v2"))
            ),
            "line 34 makes two of one, with < in line 26 too": makes_more(STRICT, "v1", *renamed),
            "by our rules the number grows too, for a while": grows,
        },
    )


def right_neighbours() -> list[tuple[Claim, Claim]]:
    """The right neighbour before and after every receipt of BuildRing as printed in SR(3) that leaves one."""
    pairs = (
        (u.right, WHOLLY.actor.react(me, u, Received(message), CERTAIN[0]).local.right) for me, u, message in receipts()
    )
    return [(before, after) for before, after in pairs if before is not None and after is not None]


def trace_is_monotone() -> Evidence:
    """Where the label of u.right is greater after a receipt than before."""
    changes = [(before, after) for before, after in right_neighbours() if before != after]
    grown = [(before, after) for before, after in changes if after.label > before.label]
    inserted = [pair for pair in grown if pair[0].node != pair[1].node]
    return by_readings(
        (settled(not inserted), settled(not grown)),
        {
            "changes": len(changes),
            "grown": len(grown),
            "others": sum(before.node != after.node for before, after in changes),
            "inserted": len(inserted),
        },
    )


def checked(u: Subscriber, me: str) -> set[str]:
    """The nodes to which a timeout sends Check, as printed and by our rules."""
    sends = PROTOCOL.actor.react(me, u, Timeout(), PROTOCOL.actor.choices(me, u, Timeout())[-1]).sends
    return {send.target for send in sends if isinstance(send.message, Check)}


def stored_labels_are_checked() -> Evidence:
    """The nodes that each node of a right ring refers to, and those it sends Check."""
    owners = {(nodes, me): u for nodes in range(2, 17) for me, u in members(nodes).items()}
    stored = {(nodes, me): shortcuts_of(u) for (nodes, me), u in owners.items()}
    unchecked = {(nodes, me): stored[nodes, me] - checked(u, me) for (nodes, me), u in owners.items()}
    first = min(nodes for (nodes, _), left in unchecked.items() if left)
    return Evidence(
        settled(not any(unchecked.values())),
        {"first": first, "last": 16, "shortcuts": sum(map(len, stored.values()))},
        {"no shortcut is checked": unchecked == stored},
    )


def one_side_only() -> Evidence:
    """Every label of SR(16), and a claim with each of them, by Linearize as printed, with and without neighbours."""
    labels = [label_of(index) for index in range(16)]
    near, far = Claim("0", "l"), Claim("1111", "r")
    astray = Subscriber("1", left=Claim("111", "l"), right=Claim("101", "r"))
    cases = [(own, label) for own in labels for label in labels]
    both = [case for case in cases if _on_both_sides(Subscriber(case[0]), case[1])]
    between = [own for own in labels[2:15] if _on_both_sides(Subscriber(own, left=near, right=far), own)]
    return Evidence(
        settled(not both),
        {"cases": len(cases), "both": len(both)},
        {
            "these are the claims with the receiver's own label": both == [(own, own) for own in labels],
            "with neighbours on both sides it is the same": len(between) == 13,
            "so is the receiver itself": all(_on_both_sides(Subscriber(own), own, "u") for own in labels),
            "a claim between a left neighbour on the wrong side and a right one is delegated to both": (
                [send.target for send in printed.linearize(astray, "u", Claim("11", "x")).sends] == ["l", "r"]
            ),
        },
    )


def _on_both_sides(u: Subscriber, label: str, who: str = "x") -> bool:
    after = printed.linearize(u, "u", Claim(label, who)).local
    return bool(after.left == after.right == Claim(label, who))


LABELS = tuple(label_of(index) for index in range(4))

OTHERS = (None, *(Claim(label, "w") for label in LABELS))


def relabelled() -> list[tuple[Subscriber, Claim]]:
    """Nodes of SR(4) with a closing edge to v and any other neighbours, and claims by which line 22 is reached."""
    slots = ((label, left, right) for label, left, right in product(LABELS, OTHERS, OTHERS))
    return [
        (Subscriber(label, left, right, Claim(held, "v")), Claim(said, "v"))
        for label, left, right in slots
        for held, said in product(LABELS, LABELS)
        if held != said and label not in (held, said) and (held < label) != (said < label)
    ]


def after_line_22(u: Subscriber, claim: Claim, flag: Flag) -> Outcome:
    """Outcome of line 22's message to the node itself with that flag; v's own message had the flag LIN."""
    first = printed.introduce(u, "u", claim, LIST, True, linearizing_nothing)
    assert any(send.message == Introduce(claim, LIST) and send.target == "u" for send in first.sends), "line 22 it was"
    return printed.introduce(first.local, "u", claim, flag, False, printed.linearize)


def flags_do_not_matter() -> Evidence:
    """Whether the claim that line 22 passes on ends in another state with another flag."""
    cases = relabelled()
    other = [case for case in cases if after_line_22(*case, CYCLE).local != after_line_22(*case, LIST).local]
    u, claim = other[0]
    return Evidence(
        settled(not other),
        {
            "cases": len(cases),
            "other": len(other),
            "label": f"{u.label}",
            "held": f"{u.ring.label if u.ring else None}",
            "said": claim.label,
        },
    )


def no_slot_is_empty() -> Evidence:
    """The empty slots of right rings, which line 3 checks; and line 27's delegations at a node without neighbours."""
    empty = {nodes: sum((u.left, u.right).count(None) for u in members(nodes).values()) for nodes in FEW}
    first = printed.linearize(Subscriber("0"), "u", Claim("1", "v"))
    return Evidence(
        settled(not any(empty.values())),
        {"empty": by_size(empty)},
        {
            "as we read it, a node without neighbours takes the first one and sends nothing": first
            == Outcome(Subscriber("0", right=Claim("1", "v")))
        },
    )
