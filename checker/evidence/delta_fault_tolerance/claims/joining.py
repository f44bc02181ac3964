"""Claims on joining: the brokers that J reaches, the answer to a leaf, and the order of both."""

from functools import cache
from random import Random
from typing import NamedTuple

from gomboc.checker.errata.claim import Claim, Evidence, Result, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene, Script
from gomboc.checker.evidence.delta_fault_tolerance.experiments.readings import TREE_IS_TOLD_AGAIN, read
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run, walk
from gomboc.checker.evidence.delta_fault_tolerance.experiments.shortest import FEWER, is_stuck, script, shortest
from gomboc.checker.evidence.delta_fault_tolerance.experiments.trees import trees
from gomboc.checker.evidence.delta_fault_tolerance.experiments.tried import holds_in
from gomboc.spec.core.network import Act
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.delta_fault_tolerance.models import joining, protocol
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, distance, lies_on, parent
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import leaves, right_start
from gomboc.spec.protocols.delta_fault_tolerance.state import Crash, Down, Join

TWO, LEAF, LEAVES = ("0", "0.1"), ("0.1.2",), ("0.2", "0.3")
LARGEST, MOST = 6, 3
RUNS, STEPS, CRASHES = 10, 40, 0.06
WALKS = 100
SEED = 1851
"""The shortest of 3,000 runs in which a leaf is answered first, and lacks a subscription in the end."""

PRINTED = {
    "join_unheard": joining(1, TWO, LEAF, "join_unheard", join=1),
    "unmarked": joining(1, TWO, LEAVES, "unmarked", join=2),
}
DELTA = {"join_unheard": 1, "unmarked": 1}


@cache
def acts(variant: str) -> tuple[Act, ...]:
    """The shortest run of a small system that ends wrong by a printed rule."""
    model = PRINTED[variant]
    steps = shortest(model, is_stuck(model))
    assert steps is not None, f"{variant} breaks"
    return steps


def _script(variant: str) -> Script:
    return script(PRINTED[variant], acts(variant), 3)


def scene(variant: str, name: str, shows: str) -> Scene:
    """The trace of that run."""
    return Scene(name, shows, lambda: _script(variant), variant, 1, {"delta": DELTA[variant]})


@cache
def joined(variant: str | None, seed: int) -> Run:
    """A run of two brokers and a leaf below them, with crashes, as drawn."""
    return walk(protocol(1, variant), 1, TWO, Random(seed), STEPS, CRASHES, outside=LEAF)


def while_one_is_away(by: Protocol) -> Run:
    """Two brokers and a leaf, delta = 1: it joins while the broker two hops away has failed."""
    run = Run(by, right_start(Parameters(1), TWO, {}, LEAF))
    run.command(TWO[0], Crash())
    run.command(TWO[1], Down(TWO[0]))
    run.command(LEAF[0], Join())
    run.deliver(LEAF[0], TWO[1])
    run.settle(Random(0))
    return run


def joins_and_failures() -> Evidence:
    """The run in which a broker is away, and random runs, with PAR_TOP sent at recovery; and the run without."""
    read_again = read(TREE_IS_TOLD_AGAIN, 1)
    walks = [walk(read_again, 1, TWO, Random(seed), STEPS, CRASHES, outside=LEAF) for seed in range(WALKS)]
    without = while_one_is_away(protocol(1, "join_goes_past"))
    return Evidence(
        settled(not while_one_is_away(read_again).wrong() and not any(run.wrong() for run in walks)),
        {"steps": len(without.turns), "runs": WALKS},
        {
            "without PAR_TOP at recovery it does not know the leaf": bool(without.wrong()),
            "by our rules it knows the leaf": not while_one_is_away(protocol(1)).wrong(),
        },
    )


def runs_by_our_rules() -> bool:
    """Whether nothing is wrong in some runs of each delta in which leaves join, and others crash."""
    made = (
        walk(protocol(delta), delta, TWO, Random(seed), STEPS, CRASHES if delta else 0, outside=leaves(TWO, 2))
        for delta in range(MOST + 1)
        for seed in range(RUNS)
    )
    return not any(run.wrong() for run in made)


class Way(NamedTuple):
    """A way to join: a tree, and the broker in it below which a leaf joins."""

    names: Names
    point: str

    @property
    def leaf(self) -> str:
        """The leaf that joins."""
        return f"{self.point}.9"

    def near(self, delta: int) -> set[str]:
        """The brokers, and the leaf, that are within delta of the join point."""
        return {name for name in (*self.names, self.leaf) if distance(name, self.point) <= delta}

    def recipients(self, delta: int) -> set[str]:
        """The recipients of J at the leaf, as printed."""
        return {name for name in self.near(delta) - {self.leaf} if lies_on(self.leaf, name, self.point)}

    def ends(self, delta: int) -> set[str]:
        """The ends of the links that PAR_TOP has, as printed: both within delta of the join point."""
        near = self.near(delta)
        links = ((name, above) for name in near if (above := parent(name)) in near)
        return {end for link in links for end in link}


@cache
def ways() -> tuple[Way, ...]:
    """Every way to join a small tree."""
    return tuple(Way(names, point) for nodes in range(1, LARGEST + 1) for names in trees(nodes) for point in names)


def recipients_of_j() -> Evidence:
    """Every leaf of every small tree; and the smallest system."""
    reached = [way for way in ways() for delta in range(MOST + 1) if way.recipients(delta)]
    return Evidence(
        settled(bool(reached)),
        {"steps": len(acts("join_unheard")), "leaves": len(ways()), "largest": LARGEST, "most": MOST},
        {"by our rules leaves join while others crash, and nothing is wrong": runs_by_our_rules()},
    )


def tree_of_links() -> Evidence:
    """Every leaf of every small tree: its answer as links, and as nodes; and runs by the links."""
    answers = [(delta, way.ends(delta), way.near(delta)) for way in ways() for delta in range(MOST + 1)]
    alone = joining(0, TWO[:1], TWO[1:], "tree_of_links", join=1, subscription=1, publication=1)
    walks = [
        walk(protocol(delta, "tree_of_links"), delta, names, Random(seed), STEPS, CRASHES * delta, outside=outside)
        for delta, names, outside in ((0, TWO[:1], TWO[1:]), (1, TWO, LEAF))
        for seed in range(WALKS)
    ]
    return Evidence(
        settled(not any(run.wrong() for run in walks)),
        {"runs": len(walks)},
        {
            "in no run of one broker and a leaf a promise is broken": holds_in(alone, alone.protocol)
            is Result.REPRODUCED,
            "if delta = 0 there is no such link": not any(ends for delta, ends, _ in answers if not delta),
            "else their ends are the nodes": all(ends == near for delta, ends, near in answers if delta),
        },
    )


def marked_links() -> Evidence:
    """Ours without marked links, and the shortest run that ends wrong."""
    return Evidence(Result.REPRODUCED, {"steps": len(acts("unmarked"))})


def answered_first() -> Evidence:
    """A run that is drawn."""
    made = joined("answered_first", SEED)
    return Evidence(settled(not made.wrong()), {"steps": len(made.turns), "wrong": list(made.wrong())})


CLAIMS = (
    Claim(
        "recipients_of_j",
        "the recipients of J",
        "Section 4.6, RCPT^J",
        "The joining node sends J reliably to all within delta of its join point M; its recipients at B are those X "
        "where B is on the path from X to M.",
        Result.REFUTED,
        "A leaf is on no such path: in all {leaves} ways to join a tree of up to {largest} brokers it has no "
        "recipients, for every delta up to {most}.",
        recipients_of_j,
        "as printed",
        counterexample="Two brokers and a leaf, delta = 1: after {steps} steps it has joined, and the broker two hops "
        "away does not know it.",
        reading="The sentence below the formula says the same in words. An author would answer that the joining node "
        "has one link only, and sends J over it; from the join point on the formula is right.",
        instead="The join point sends J, for which the formula is right, and answers the leaf when it is confirmed.",
        scenes=(scene("join_unheard", "joined_unheard", "only its parent knows a leaf that has joined"),),
        quotes=(
            Quotation("Section 4.6, RCPT^J", "return X | d(X, M) <= delta and B in P(X, M) and"),
            Quotation(
                "Section 4.6",
                "In the second phase of the join operation, N uses the reliable forwarding algorithm (Algorithm "
                "1) to deliver a J message, j, to topology nodes within distance delta + 1.",
            ),
        ),
        prose=(
            Quotation(
                "Section 4.6",
                "The final destination of j corresponding to joining of N to M, are all nodes within distance "
                "delta of the join point",
            ),
        ),
        searched=FEWER,
    ),
    Claim(
        "tree_as_links",
        "PAR_TOP as links or as nodes",
        "Algorithm 2; Section 4.6, RCPT^J",
        "A leaf that joins gets the links with both ends within delta of the join point.",
        Result.REPRODUCED,
        "Where delta = 0 there is no such link; but computing the recipients of its J adds its own link to "
        "TOP_N, so that it "
        "knows its join point, and synchronising tells it again. For greater delta the ends of the links are the nodes "
        "within delta. Nothing goes wrong in any run of one broker and a leaf, nor in {runs} random runs.",
        tree_of_links,
        "as printed",
        instead="PAR_TOP is of nodes, and the join point is one.",
        domain="All runs: delta = 0, one subscription, one publication. Random runs: one and two brokers and a "
        "leaf, delta = "
        "0 and 1, seeds 0 to 99, 40 steps.",
        quotes=(
            Quotation(
                "Section 4.6",
                "PAR_TOP_M^N contains topology links that have endpoints at distance delta of M (these nodes are hence "
                "within distance delta + 1 of N).",
            ),
        ),
        prose=(
            Quotation("Section 4.6", "Furthermore, the NM* is added to TOP_B (as a marked link)."),
            Quotation("Algorithm 7, line 13", "XY not marked and d(X, N) < d(X, R)"),
        ),
    ),
    Claim(
        "marked_links",
        "the side effect of RCPT^J",
        "Section 4.6, RCPT^J; Lemma 6",
        "A join request and computing the recipients of J add a marked link, which the proof of Lemma 6 has in the "
        "answer to the next leaf. The PAR_TOP of Section 6, which has none, is another one: the answer to a broker "
        "that recovers.",
        Result.REPRODUCED,
        "Lemma 6 needs it: if a joining leaf is not told of others that join at the same broker, two do not know each "
        "other, after {steps} steps.",
        marked_links,
        "ours without it",
        scenes=(scene("unmarked", "two_join_at_once", "two leaves that join at once do not know each other"),),
        quotes=(
            Quotation("Section 4.6", "Furthermore, the NM* is added to TOP_B (as a marked link)."),
            Quotation(
                "Lemma 6, proof",
                "At any time later, when N_2 requests a join, it will know about [...] by receiving the updated",
            ),
        ),
        prose=(Quotation("Section 6", "is a subset of TOP_N and contains unmarked topology links"),),
        searched=FEWER,
    ),
    Claim(
        "joins_and_failures",
        "joining while a broker is away",
        "Section 4.6; Lemma 5",
        "When J is confirmed, all nodes within delta + 1 that have not failed know the new link; a node that "
        "has gets the "
        "topology when it recovers.",
        Result.REPRODUCED,
        "Reliable forwarding goes past a broker that has failed, and PAR_TOP, which becomes its TOP when it "
        "recovers, tells "
        "it: in the run in which a broker is away while a leaf joins, and in {runs} random runs, all know the "
        "leaf. Without "
        "that it never would, after {steps} steps of the same run.",
        joins_and_failures,
        "as printed",
        instead="J waits for brokers nearby that are away, and PAR_TOP is not sent at recovery.",
        domain="Two brokers and a leaf, delta = 1, seeds 0 to 99, 40 steps.",
        scenes=(
            Scene(
                "away_while_a_leaf_joins",
                "without PAR_TOP at recovery, a broker that was away while a leaf joined never knows it",
                lambda: while_one_is_away(protocol(1, "join_goes_past")).script(3),
                "join_goes_past",
                1,
                {"delta": 1},
            ),
        ),
        quotes=(
            Quotation("Algorithm 6, line 13", "TOP'_R <- TOP'_R + PAR_TOP_N^R"),
            Quotation("Algorithm 5, line 11", "TOP_R <- TOP'_R"),
            Quotation(
                "Lemma 5, proof",
                "This ensures that by the time N becomes a VALID_JOINED node, delta-Level-1 consistency property"
                " holds for forwarding of J messages.",
            ),
        ),
    ),
    Claim(
        "order_of_joining",
        "first J, or first the table",
        "Section 4.6, the second phase",
        "A joining leaf sends J and synchronises with its join point; nothing is said of the order.",
        Result.SILENT,
        "If it has the table first, a subscription may go past its parent, and past it, as long as it is not known.",
        answered_first,
        "as read",
        counterexample="Two brokers and a leaf, delta = 1, with a failure: after {steps} steps all is over, and the "
        "leaf's table is wrong.",
        instead="The leaf is answered when all brokers nearby know it.",
        scenes=(
            Scene(
                "answered_before_it_is_known",
                "a subscription goes past a leaf that has its table, and is not known",
                lambda: joined("answered_first", SEED).script(3),
                "answered_first",
                1,
                {"delta": 1},
            ),
        ),
        quotes=(
            Quotation(
                "Section 4.6",
                "Furthermore, N receives the subscription routing information currently present in the network "
                "via invoking a synchronization procedure with the join point M.",
            ),
        ),
        examined=Result.REFUTED,
    ),
)
