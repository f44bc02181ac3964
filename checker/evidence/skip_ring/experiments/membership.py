"""Joining and leaving: the nodes that are involved, and the messages that it costs."""

from fractions import Fraction
from itertools import pairwise

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.scene import Script, delivery, last
from gomboc.checker.evidence.skip_ring.experiments.ring import by_size, database_of, members, ring, ring_with
from gomboc.spec.protocols.skip_ring import PROTOCOL, state
from gomboc.spec.protocols.skip_ring.legitimacy import ring_of
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.supervisor import subscribe, unsubscribe

DOUBLINGS, LONGEST, LARGEST = range(1, 7), 256, 32
"""The doublings of rings, and the largest rings that are looked at."""


def changed_by_one_more(most: range) -> dict[str, list[int]]:
    """The numbers of subscribers at which one more changes a node's configuration, by node."""
    changed: dict[str, list[int]] = {}
    for nodes in most:
        before, after = ring_with(nodes).configurations, ring_with(nodes + 1).configurations
        for node in before:
            if before[node] != after[node]:
                changed.setdefault(node, []).append(nodes)
    return changed


def two_consecutive() -> Evidence:
    """In which subscriptions each node is involved, and by how much the number has grown until the next ones."""
    involved = {d: changed_by_one_more(range(2**d, 2 ** (d + 1))) for d in DOUBLINGS}
    numbers = changed_by_one_more(range(1, LONGEST))
    pairs = {node: list(zip(turns[::2], turns[1::2], strict=False)) for node, turns in numbers.items()}
    together = all(two == one + 1 for couples in pairs.values() for one, two in couples)
    following = [(before[0], after[0]) for couples in pairs.values() for before, after in pairwise(couples)]
    early = sum(later + 1 < 2 * (earlier + 2) for earlier, later in following)
    return by_readings(
        (settled(together and all(later >= 2 * earlier for earlier, later in following)), settled(not early)),
        {
            "one": [f"{one} and {two}" for one, two in pairs["v2"][:4]],
            "zero": [f"{one} and {two}" for one, two in pairs["v1"][:4]],
            "following": len(following),
            "early": early,
            "largest": LONGEST,
        },
        {
            "while SR(2^d) doubles, each node is involved in exactly two": all(
                set(counts) == set(names(2**d)) and all(len(turns) == 2 for turns in counts.values())
                for d, counts in involved.items()
            ),
            "label 0 is involved in the first and in the last of these": all(
                counts["v1"] == [2**d, 2 ** (d + 1) - 1] for d, counts in involved.items()
            ),
            "from each two to the next the number doubles and one is added": all(
                later == 2 * earlier + 1 for earlier, later in following
            ),
        },
    )


def supervisor_is_constant() -> Evidence:
    """The messages that the supervisor sends for one request, in every SR(n)."""
    subscribed = {len(subscribe(state.Supervisor(database_of(n)), "new").sends) for n in range(LARGEST)}
    left = {
        len(unsubscribe(state.Supervisor(database_of(n)), node).sends) for n in range(1, LARGEST) for node in names(n)
    }
    return Evidence(
        settled(max(subscribed) == 1 and max(left) <= 2),
        {"subscribe": max(subscribed), "unsubscribe": max(left), "most": LARGEST - 1},
    )


def changed_by_leaving(nodes: int, leaver: str) -> int:
    """How many of the others have another right state after `leaver` has left SR(nodes)."""
    after = ring_of(unsubscribe(state.Supervisor(database_of(nodes)), leaver).local.database).nodes
    before = members(nodes)
    return sum(after[node] != before[node] for node in after)


def subscribers_are_constant() -> Evidence:
    """How many others must learn something new when one joins or leaves."""
    joined = max(sum(members(n)[v] != members(n + 1)[v] for v in members(n)) for n in range(1, 64))
    worst = {2**d: changed_by_leaving(2**d, "v1") for d in range(2, 7)}
    average = {n: Fraction(sum(changed_by_leaving(n, v) for v in names(n)), n) for n in (4, 8, 16, 32, 64)}
    let_go = "v1", state.SetData(None, None, None)
    leavers = {d: last(PROTOCOL, Script(ring(2**d, let_go), (delivery(*let_go),))) for d in range(2, 7)}
    constant = joined <= 2 and max(average.values()) < 8
    return by_readings(
        (settled(constant), settled(max(worst.values()) <= worst[4] and joined <= 2)),
        {
            "joined": joined,
            "worst": by_size(worst),
            "average": by_size({n: f"{float(mean):.2f}" for n, mean in average.items()}),
            "eight": worst[8],
        },
        {
            "it is 2 log n - 1 when label 0 leaves": all(worst[2**d] == 2 * d - 1 for d in range(2, 7)),
            "the leaver tells as many to forget it": all(
                sum(isinstance(message, state.RemoveConnections) for _, message in stage.sent) == 2 * d - 1
                for d, stage in leavers.items()
            ),
            "the average is below 8": max(average.values()) < 8,
        },
    )
