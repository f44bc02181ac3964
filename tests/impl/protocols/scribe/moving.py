"""Trees whose routes are all drawn anew at each crash and join, while applications publish and change their minds.

python -m tests.impl.protocols.scribe.moving --runs 500 --low 2 --high 4
"""

import argparse
from dataclasses import astuple, dataclass
from typing import Any

from tests.impl.protocols.scribe.trees import Tree, faults

EVENTS = 60
"""The number of commands of a run, two in a period on average."""

Id = tuple[str, int]
"""Publisher and number of a publication."""


@dataclass(frozen=True)
class Outcome:
    """What went wrong in a run, as numbers, and how often owners changed the method.

    `lost` publications are held by no node any more, though one that held them in the tree lives: it has forgotten
    them. `doubled` ones were delivered twice to one node, `unasked` ones to a node that did not subscribe; `wrong` are
    differences from the right tree.
    """

    lost: int
    doubled: int
    unasked: int
    wrong: int
    switched: int


class Moving:
    """A run, and the nodes that held each publication in the tree when it was last looked at."""

    def __init__(self, seed: int, parameters: Any) -> None:
        self.tree = Tree(15, seed, corrupted=False, outside=3, **parameters)
        self.random = self.tree.random
        self.holders: dict[Id, set[str]] = {}
        self.lost = self.switched = self.number = 0
        self.methods: dict[str, str] = {}

    def run(self) -> Outcome:
        for _ in range(EVENTS):
            self.act()
            self.tree.run(self.random.expovariate(2.0))
            self.look()
        for name in sorted(self.tree.alive - self.tree.inside):
            self.tree.join(name)
        self.tree.run(40)
        self.look()
        doubled = sum(times > 1 for got in self.tree.deliveries.values() for times in got.values())
        return Outcome(self.lost, doubled, self.tree.unasked, len(faults(self.tree)), self.switched)

    def act(self) -> None:
        """One command: an application publishes or changes its mind, or a node joins or crashes."""
        tree, live = self.tree, sorted(self.tree.alive)
        name, kind = self.random.choice(live), self.random.random()
        if kind < 0.5:
            tree.command(name, "Issue", number=self.number, payload="x")
            self.number += 1
        elif kind < 0.9:
            tree.command(name, "Subscribe" if kind < 0.72 else "Unsubscribe")
        elif name not in tree.inside:
            tree.join(name)
        elif len(tree.inside) > 5:
            tree.crash(name)

    def look(self) -> None:
        """Note what is held in the tree, what is lost, and changes of the owners' methods."""
        before, self.holders = self.holders, {}
        states = self.tree.states()
        for name, state in states.items():
            inside = state["wants"] or state.get("children") or state["next"] == name
            for one in state.get("publications", ()):
                if inside or one[0] not in state.get("pending", ()):
                    self.holders.setdefault((one[1], one[2]), set()).add(name)
            if state["next"] == name:
                method = state.get("method", "tree")
                self.switched += self.methods.get(name, method) != method
                self.methods[name] = method
        held = {(one[1], one[2]) for state in states.values() for one in state.get("publications", ())}
        self.lost += sum(one not in held and bool(nodes & self.tree.alive) for one, nodes in before.items())


def moved(seed: int, parameters: Any) -> Outcome:
    """The outcome of the run with that seed."""
    return Moving(seed, parameters).run()


def main() -> None:
    """Run many, and print the sum of their outcomes."""
    parser = argparse.ArgumentParser(description=__doc__)
    for option, usual in (("--runs", 100), ("--seed", 0), ("--low", None), ("--high", None)):
        parser.add_argument(option, type=int, default=usual)
    given = parser.parse_args()
    parameters = {} if given.high is None else {"low": given.low, "high": given.high}
    outcomes = [moved(given.seed + run, parameters) for run in range(given.runs)]
    print(Outcome(*(sum(numbers) for numbers in zip(*map(astuple, outcomes), strict=True))))


if __name__ == "__main__":
    main()
