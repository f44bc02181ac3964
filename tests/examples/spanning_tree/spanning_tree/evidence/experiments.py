"""The experiments that settle the claims: each finds its result again."""

from itertools import product

from gomboc.checker import Evidence, settled
from gomboc.spec import CERTAIN, Received, Timeout
from spanning_tree.spec.legitimacy import anchor
from spanning_tree.spec.rules import place, react
from spanning_tree.spec.space import Links, line, ring, star
from spanning_tree.spec.state import Node, Register


def rises(neighbours: int, below: int) -> Evidence:
    """Every step of the induction: distances of the neighbours, their registers, and k, all below a number."""
    cases, right = 0, True
    for distances in product(range(below), repeat=neighbours):
        for read in product(range(below), repeat=neighbours):
            for k in range(1, below):
                if all(one == other if other < k else one >= k for one, other in zip(read, distances, strict=True)):
                    mine, placed = min(distances) + 1, placed_by(read)
                    right &= placed == mine if mine < k + 1 else placed >= k + 1
                    cases += 1
    return Evidence(settled(right), {"cases": cases})


def placed_by(read: tuple[int, ...]) -> int:
    """The distance that a node computes from these registers."""
    return place("v0", Node(0, None, tuple(Register(f"v{index + 1}", one) for index, one in enumerate(read)))).distance


def rounds(nodes: int, below: int) -> Evidence:
    """The rounds from any registers below a number, on a line, a ring and a star, until no node changes its distance.

    In a round each node writes, and then each reads. `late` are the nodes that are wrong after as many rounds as their
    distance and one more.
    """
    starts, late = 0, 0
    for links in (line(nodes), ring(nodes), star(nodes)):
        right = anchor(links).distances()
        for states in _any_states(links, below):
            starts += 1
            for done in range(1, nodes + 2):
                states = _round(states)
                late += sum(right[name] < done and local.distance != right[name] for name, local in states.items())
    return Evidence(settled(late == 0), {"starts": starts, "late": late})


def _any_states(links: Links, below: int) -> list[dict[str, Node]]:
    ends = [(name, other) for name, others in links.items() for other in others]
    every = []
    for read in product(range(below), repeat=len(ends)):
        registers = dict(zip(ends, read, strict=True))
        every.append(
            {name: Node(0, None, tuple(Register(o, registers[name, o]) for o in links[name])) for name in links}
        )
    return every


def _round(states: dict[str, Node]) -> dict[str, Node]:
    outcomes = {name: react(name, local, Timeout(), *CERTAIN) for name, local in states.items()}
    after = {name: outcome.local for name, outcome in outcomes.items()}
    for send in (send for outcome in outcomes.values() for send in outcome.sends):
        after[send.target] = react(send.target, after[send.target], Received(send.message), *CERTAIN).local
    return after
