"""Claims on rings that no node leaves: joins, their cost, the spread of keys, and points that the texts leave open."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from math import log2

from gomboc.checker.errata.claim import Claim, Evidence, Result, settled
from gomboc.checker.errata.quotation import paraphrase
from gomboc.checker.evidence.chord.experiments.joins import all_joins, cycle_of_all, keys_of_busiest, messages_of_a_join
from gomboc.checker.evidence.chord.experiments.rounds import becomes_right
from gomboc.checker.evidence.chord.experiments.routing import is_right, ours, way
from gomboc.checker.evidence.chord.experiments.scenes import protocol
from gomboc.spec.protocols.chord.legitimacy import owner, right_state
from gomboc.spec.protocols.chord.models import ONE, small
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.space import names_of
from gomboc.spec.protocols.chord.state import Node

SIZES = (8, 64, 512)
NODES, ROUNDS, JOINERS, KEYS = 4, 12, 10, 100


def joins_alone() -> Evidence:
    """Every state that joins and stabilization lead to, and the rounds after it."""
    states = all_joins(NODES)
    rounds = [cycle_of_all(state, ROUNDS) for state in states]
    return Evidence(
        settled(None not in rounds),
        {
            "states": len(states),
            "nodes": NODES,
            "most": max((count for count in rounds if count is not None), default=0),
        },
        {"some states are no cycle of all members yet": any(rounds)},
    )


def cost_of_a_join() -> Evidence:
    """Messages for the fingers that a join makes or changes, by the square of log2 n."""
    shares = [messages_of_a_join(nodes, JOINERS) / log2(nodes) ** 2 for nodes in SIZES]
    return Evidence(
        settled(max(shares) <= 2),
        {"sizes": [*SIZES], "joiners": JOINERS, "shares": [f"{share:.2f}" for share in shares]},
        {"the share does not grow from 64 nodes to 512": shares[2] <= shares[1] * 1.1},
    )


def load() -> Evidence:
    """How many keys the member with the most owns, by the mean."""
    most = [keys_of_busiest(nodes, KEYS * nodes) / KEYS for nodes in SIZES]
    return Evidence(
        settled(all(load <= 1 + log2(nodes) for load, nodes in zip(most, SIZES, strict=True))),
        {"sizes": [*SIZES], "keys": KEYS, "most": [f"{load:.1f}" for load in most]},
        {"it is more than twice the mean in each": min(most) > 2},
    )


def loops_are_undone() -> Evidence:
    """The ring of three members with successors that go around backwards."""
    names = names_of(ONE.circle, 3)
    backwards = {name: Node("inside", None, (names[at - 1],)) for at, name in enumerate(names)}
    return Evidence(settled(becomes_right(protocol(ONE), backwards, 40)), {})


def drawn_tables() -> Evidence:
    """Every right ring on a circle of eight places: its fingers, and all lookups."""
    parameters = Parameters(3, "number", 2)
    looked = list(_lookups(parameters))
    return Evidence(settled(all(looked)), {"lookups": len(looked)})


def _lookups(parameters: Parameters) -> Iterator[bool]:
    names = names_of(small(3, 2).circle, 8)
    for members in (chosen for size in range(1, 9) for chosen in combinations(names, size)):
        ring = {name: right_state(parameters, members, name) for name in members}
        points = partial(owner, parameters.circle, members)
        yield all(
            finger == points(parameters.circle.target(name, number))
            for name, local in ring.items()
            for number, finger in local.fingers
        )
        for name in members:
            for position in range(8):
                yield is_right(parameters, ring, position, way(parameters, ring, name, position, ours))


CLAIMS = (
    Claim(
        name="joins_close_the_cycle",
        title="joins alone end in a cycle of all members",
        source="Stoica et al. 2003, Theorem IV.3",
        says="However joins and stabilizations take turns, some time after the last join the successors form a cycle "
        "of all members.",
        ran="The published rules, event by event, as Zave models them, without failures.",
        result=Result.REPRODUCED,
        why="From each of {states} states that node 0 alone and others, {nodes} in all, reach, the first successors "
        "form a cycle of all members within {most} rounds.",
        domain="All orders of joins, `stabilize` and notices, of {nodes} nodes; without failures second successors "
        "do not matter. A round after the last "
        "join: each member stabilizes, by number, and each notice is taken at once.",
        reading="Some time after the last join is read as rounds of all members: a member that never stabilizes "
        "is not let into the ring. The order within a round is one of many.",
        evidence=joins_alone,
        quotes=(
            paraphrase(
                "Stoica et al. 2003, Theorem IV.3",
                "Any sequence of joins interleaved with stabilizations ends in a cycle of all nodes.",
            ),
        ),
    ),
    Claim(
        name="join_costs_log_squared",
        title="a join costs O(log^2 n) messages",
        source="Stoica et al. 2001, Theorem 3",
        says="With high probability, a node that joins or leaves uses O(log^2 n) messages to make routing and fingers "
        "right again.",
        ran="Our next hops over right rings of hashed nodes.",
        result=Result.REPRODUCED,
        why="In rings of {sizes} nodes, lookups of the fingers of a joiner, and of those of other members that are "
        "to point to it, take {shares} times the square of log2 n hops on average.",
        domain="{joiners} joiners in each ring; a hop is a message; answers, and lookups that find a finger as it "
        "was, are not counted. Leaving is not measured.",
        reading="The lookups are counted that bring something new. `fix_fingers` looks each finger up again and "
        "again, without knowing of a join; by that count a join has no cost of its own.",
        evidence=cost_of_a_join,
        quotes=(
            paraphrase(
                "Stoica et al. 2001, Theorem 3",
                "With high probability, a join or leave takes O(log^2 N) messages to re-establish routing and fingers.",
            ),
        ),
    ),
    Claim(
        name="keys_are_spread",
        title="no member owns more than (1 + O(log n)) K / n keys",
        source="Stoica et al. 2003, Theorem IV.1",
        says="With high probability each of n nodes is responsible for at most (1 + e) K / n of K keys, and e is "
        "O(log n).",
        ran="No rules: the owners of hashed keys among hashed nodes.",
        result=Result.REPRODUCED,
        why="In rings of {sizes} nodes with {keys} keys for each, the member with the most owns {most} times the mean, "
        "and 1 + log2 n bounds it in each.",
        domain="One draw for each size: names and keys are numbers, hashed by SHA-256.",
        reading="e is taken to be log2 n. Without virtual nodes the bound is no even load, as the theorem says.",
        evidence=load,
        quotes=(
            paraphrase(
                "Stoica et al. 2003, Theorem IV.1",
                "Each node is responsible for at most (1 + e) K / N keys, with e = O(log N).",
            ),
        ),
    ),
    Claim(
        name="loops_are_undone",
        title="a ring that winds more than once is undone",
        source="Liben-Nowell et al. 2002, strong stabilization",
        says="The paper has a stronger stabilization against rings that wind more than once. Its text is not at hand, "
        "and the report does not speak of it: nothing is said here of whether the claim is true.",
        ran="Our rules without `meet`, round by round.",
        result=Result.SILENT,
        why="Our rules have no such procedure: three members with successors that go around backwards stay so.",
        counterexample="Three members with one successor each: the one before, and no predecessor.",
        instead="`meet` undoes such rings, with peers that a membership names, and not by lookups.",
        domain="The one start, 40 rounds.",
        evidence=loops_are_undone,
        examined=Result.REFUTED,
    ),
    Claim(
        name="figure_5b",
        title="the drawing in Figure 5(b)",
        source="Stoica et al. 2001, Figure 5(b)",
        says="The text at hand has no such drawing: Figure 5 of the report is of messages that were sent. Whether "
        "the numbers in that of Stoica et al. are right cannot be said here.",
        ran="The definitions of our specification, and our next hops.",
        result=Result.SILENT,
        why="Instead every right ring on a circle of eight places is drawn: each finger is the successor of id + 2^i, "
        "and all lookups find the owner, {lookups} checks in all.",
        instead="The fingers of a right ring are defined (`spec/protocols/chord/legitimacy.py`), and a drawing can be "
        "held against them.",
        domain="All 255 sets of members, ids of three bits, r = 2; all members and places.",
        evidence=drawn_tables,
        examined=Result.REPRODUCED,
    ),
)
