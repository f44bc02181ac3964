"""Joining, formula by formula and run by run: the brokers that J reaches, and the answer to a leaf."""

from functools import cache
from random import Random
from typing import NamedTuple

from gomboc.checker.errata.claim import Evidence, Result, settled
from gomboc.checker.evidence.delta_fault_tolerance.experiments.built import while_one_is_away
from gomboc.checker.evidence.delta_fault_tolerance.experiments.drawn import CRASHES
from gomboc.checker.evidence.delta_fault_tolerance.experiments.formulas import LARGEST, MOST
from gomboc.checker.evidence.delta_fault_tolerance.experiments.readings import TREE_IS_TOLD_AGAIN, read
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import walk
from gomboc.checker.evidence.delta_fault_tolerance.experiments.shortest import LEAF, goes_wrong, holds_in
from gomboc.checker.evidence.delta_fault_tolerance.experiments.trees import trees
from gomboc.spec.protocols.delta_fault_tolerance.models import TWO, joining, protocol
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, distance, lies_on, parent
from gomboc.spec.protocols.delta_fault_tolerance.space import leaves

RUNS, STEPS, WALKS = 10, 40, 100
"""Random runs of each delta, the steps of each, and random runs of each reading."""


def joins_and_failures() -> Evidence:
    """The run in which a broker is away, and random runs, with PAR_TOP sent at recovery; and the run without."""
    read_again = read(TREE_IS_TOLD_AGAIN, 1)
    walks = [walk(read_again, 1, TWO, Random(seed), STEPS, CRASHES, outside=LEAF) for seed in range(WALKS)]
    without = while_one_is_away("join_goes_past")
    return Evidence(
        settled(not while_one_is_away(None, read_again).wrong() and not any(run.wrong() for run in walks)),
        {"steps": len(without.turns), "runs": WALKS},
        {
            "without PAR_TOP at recovery it does not know the leaf": bool(without.wrong()),
            "by our rules it knows the leaf": not while_one_is_away(None).wrong(),
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
        {**goes_wrong("join_unheard").figures, "leaves": len(ways()), "largest": LARGEST, "most": MOST},
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
