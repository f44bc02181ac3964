"""Experiments on joining and leaving, and on the work on the way."""

from collections.abc import Iterator
from math import log2
from random import Random

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.evidence.skip_plus.experiments.order import all_reproduced, follows, listed
from gomboc.checker.evidence.skip_plus.experiments.rounds import System, a_round, commanded, run
from gomboc.checker.evidence.skip_plus.experiments.starts import settled as quiet
from gomboc.checker.evidence.skip_plus.experiments.starts import star
from gomboc.spec.protocols.skip_plus.ranges import neighbours
from gomboc.spec.protocols.skip_plus.space import assignments
from gomboc.spec.protocols.skip_plus.state import Command, Join, Leave
from gomboc.spec.types.kinds import Crash

NODES, SUBJECTS, MOST = (8, 16), 4, 60
SIZES = (*NODES, 32)
COMMANDS = ("join", "leave", "crash")


def degree_on_the_way() -> Evidence:
    """The most nodes that a node knows, round by round from a star, and in the right graph."""
    names = assignments(16)[0]
    start = star(names, Random(0))
    middle = max(names, key=lambda name: len(start.known(name)))
    others = [max(len(now.known(name)) for name in names if name != middle) for now in list(run(start, MOST))[1:]]
    right = max(len(neighbours(name, names)) for name in names)
    return Evidence(
        settled(max(len(start.known(middle)), *others) <= right),
        {"most": max(others), "right": right, "nodes": len(names)},
    )


def disturbed(kind: str, nodes: int) -> Iterator[tuple[str, System, System]]:
    """Right graphs in which one node joins, leaves or crashes: the node, the graph before and just after."""
    for number in range(SUBJECTS):
        names = assignments(nodes)[number]
        subject, contact = names[(3 * number + 1) % nodes], names[(3 * number + 4) % nodes]
        before = quiet(names, (subject,) if kind == "join" else ())
        commands: dict[str, Command] = {"join": Join(contact), "leave": Leave(), "crash": Crash()}
        yield subject, before, commanded(before, subject, commands[kind])


def only_neighbours_are_involved() -> Evidence:
    """The nodes with another set of neighbours after some timeout, while one joins or leaves."""
    strangers, temporary = 0, 0
    cases = [(kind, case) for kind in ("join", "leave") for nodes in NODES for case in disturbed(kind, nodes)]
    for kind, (subject, before, after) in cases:
        around = {subject, *neighbours(subject, (after if kind == "join" else before).live())}
        for now in list(run(after, MOST))[1:]:
            for name in set(now.live()) - around:
                has = now.states[name].neighbours
                strangers += has != before.states[name].neighbours
                temporary += not now.known(name).issubset((*has, *neighbours(name, now.live())))
    return Evidence(settled(strangers == 0), {"runs": len(cases), "strangers": strangers, "temporary": temporary})


def membership_takes_few_rounds() -> Evidence:
    """Rounds until all is right again, of joins, leaves and crashes."""
    counts = {
        kind: {nodes: max(len(list(run(after, MOST))) - 1 for _, _, after in disturbed(kind, nodes)) for nodes in SIZES}
        for kind in COMMANDS
    }
    return Evidence(
        all_reproduced(follows(by_size, log2) for by_size in counts.values()),
        {
            "sizes": listed(SIZES),
            "subjects": SUBJECTS,
            **{kind: listed(by_size.values()) for kind, by_size in counts.items()},
        },
    )


def few_edges_are_inserted() -> Evidence:
    """The inserts of one quiet round, and the edges that are inserted anew while one joins or leaves."""
    still = [_inserts(a_round(quiet(assignments(nodes)[0]))) for nodes in SIZES]
    powers = {nodes: log2(nodes) ** 4 for nodes in SIZES}
    fresh = {
        kind: {nodes: max(_fresh(after) for _, _, after in disturbed(kind, nodes)) for nodes in SIZES}
        for kind in ("join", "leave")
    }
    join = [most / powers[nodes] for nodes, most in fresh["join"].items()]
    return Evidence(
        all_reproduced(follows(by_size, powers.__getitem__) for by_size in fresh.values()),
        {
            "sizes": listed(SIZES),
            "quiet": listed(still),
            "powers": listed(powers.values(), ".0f"),
            **{kind: listed(by_size.values()) for kind, by_size in fresh.items()},
        },
        {"over these n a join's inserts grow faster than log^4 n": join == sorted(join)},
    )


def _inserts(now: System) -> int:
    return sum(len(message.inserts) for sent in now.inbox.values() for message in sent if hasattr(message, "sender"))


def _fresh(first: System) -> int:
    """How often a node comes to know a node that it did not know, until all is right."""
    return sum(
        len(now.known(name) - set(now.states[name].neighbours)) for now in run(first, MOST) for name in now.live()
    )
