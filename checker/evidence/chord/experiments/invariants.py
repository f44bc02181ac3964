"""The properties that were said to be invariant of the published rules, and the executions that break them."""

from functools import cache, partial

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.evidence.chord.experiments.published import CLAIMED, Broken, Search, System, ideal, shortest
from gomboc.checker.evidence.chord.experiments.zave import RUNS, alone, breaks_at, played, steps

LONGEST = 13
"""Events of the longest of the shortest executions."""

RINGS = (next(ideal(2, 1)), next(ideal(3, 0)))
"""The ideal rings of two of three nodes, but for rotations, and of all three."""

NODES, MOST = 4, 11
"""Nodes, and events of the longest executions, that are searched on Zave's machine from node 0 alone."""


@cache
def three_nodes() -> Search:
    """Every execution of three nodes, of which two or all form a ring first."""
    return shortest(RINGS, LONGEST)


@cache
def fewer() -> tuple[Search, ...]:
    """Every execution of two nodes, of which two, or one, form a ring first; and of three if no name returns."""
    return (
        shortest(tuple(ideal(2, 0)), 99),
        shortest(tuple(ideal(1, 1)), 99),
        shortest(RINGS, 99, returns=False),
    )


def drawn(system: System) -> str:
    """A state of the published rules, node by node."""
    return "; ".join(
        f"{name}: " + ("outside" if known is None else f"{known.first}, {known.second}, {known.before}")
        for name, known in enumerate(system.known)
    )


@cache
def from_one() -> Search:
    """Every execution of at most so many events on Zave's machine, of node 0 alone and three that are new."""
    return shortest((alone(NODES),), MOST, following=partial(steps, checks=False))


@cache
def from_rings() -> Search:
    """The same of ideal rings of two, three and four nodes, but for rotations, and new ones, four in all."""
    starts = (*tuple(ideal(2, 2))[:2], next(ideal(3, 1)), next(ideal(4, 0)))
    return shortest(starts, MOST, following=partial(steps, checks=False))


def _fewest(search: Search, name: str) -> str:
    broken = search.broken.get(name)
    return "none breaks it" if broken is None else f"the first to break it has {len(broken.happens)}: {_listed(broken)}"


def _listed(broken: Broken) -> str:
    return ", ".join(broken.happens)


def breaks(name: str) -> Evidence:
    """The evidence that this is no invariant: a recorded execution, and the results of a search on either machine."""
    run = RUNS[name]
    at, broken = breaks_at(run, CLAIMED[name]), three_nodes().broken.get(name)
    two, grown, fresh = fewer()
    until = 0 if at is None else at
    return by_readings(
        (settled(at is None), settled(broken is None)),
        {
            "length": len(run.happens),
            "at": until,
            "happens": ", ".join(run.happens[:until]),
            "ends": drawn(played(run)[until]),
            "most": MOST,
            "states": from_one().states,
            "fewest": _fewest(from_one(), name),
            "ring_states": from_rings().states,
            "from_rings": _fewest(from_rings(), name),
            "start": drawn(broken.start) if broken else "",
            "three": len(broken.happens) if broken else 0,
            "listed": _listed(broken) if broken else "",
            "fresh": "too" if name in fresh.broken else "not",
        },
        {
            "no name returns in the execution": not any(
                f"{node} fails" in run.happens[:at] and event.startswith(f"{node} joins")
                for node in range(run.nodes)
                for at, event in enumerate(run.happens)
            ),
            "of two nodes all executions keep it if the old head moves, from rings of one and two": two.whole
            and grown.whole
            and name not in {*two.broken, *grown.broken},
            "if it moves, all executions of three nodes were examined in which no name returns": fresh.whole,
        },
    )
