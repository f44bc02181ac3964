"""The properties that were said to be invariant of the published rules, and the executions that break them."""

from functools import cache

import msgspec

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.evidence.chord.experiments.claimed import CLAIMED
from gomboc.checker.evidence.chord.experiments.machine import Known, Machine, System, alone, ideal, published, zave
from gomboc.checker.evidence.chord.experiments.zave import RUNS, breaks_at, played

LONGEST = 13
"""Events of the longest of the shortest executions."""

RINGS = (next(ideal(2, 1)), next(ideal(3, 0)))
"""The ideal rings of two of three nodes, but for rotations, and of all three."""

NODES, MOST = 4, 11
"""Nodes, and events of the longest executions, that are searched on Zave's machine from node 0 alone."""


class Broken(msgspec.Struct, frozen=True):
    """A shortest execution after which a claimed property is false: its start, its events and its end."""

    start: System
    happens: tuple[str, ...]
    ends: System


class Search(msgspec.Struct, frozen=True):
    """The result of a search: executions by claim, the number of states, and whether these are all."""

    broken: dict[str, Broken]
    states: int
    whole: bool


def shortest(machine: Machine, starts: tuple[System, ...], most: int = 99) -> Search:
    """For each claim a shortest execution of at most so many events from those starts that makes it false, if any."""
    reached: dict[System, tuple[System, str] | None] = dict.fromkeys(starts)
    layer, left = list(reached), dict(CLAIMED)
    # What is claimed is of what members know alone: systems differ mostly by the notices in flight.
    judged = set[tuple[Known | None, ...]]()
    broken: dict[str, Broken] = {}
    for _ in range(most):
        reached_next: list[System] = []
        for system in layer:
            for happens, after in machine.steps(system):
                if after in reached:
                    continue
                reached[after] = (system, happens)
                reached_next.append(after)
                if after.known in judged:
                    continue
                judged.add(after.known)
                for name in [name for name, claimed in left.items() if not claimed(after)]:
                    del left[name]
                    broken[name] = _broken_run(reached, after)
        layer = reached_next
    return Search(broken, len(reached), not layer)


def _broken_run(reached: dict[System, tuple[System, str] | None], end: System) -> Broken:
    happens: list[str] = []
    at = end
    while (earlier := reached[at]) is not None:
        at, happened = earlier
        happens.append(happened)
    return Broken(at, tuple(reversed(happens)), end)


@cache
def three_nodes() -> Search:
    """Every execution of three nodes, of which two or all form a ring first."""
    return shortest(published(), RINGS, LONGEST)


@cache
def fewer() -> tuple[Search, ...]:
    """Every execution of two nodes, of which two, or one, form a ring first; and of three if no name returns."""
    return (
        shortest(published(), tuple(ideal(2, 0))),
        shortest(published(), tuple(ideal(1, 1))),
        shortest(published(returns=False), RINGS),
    )


@cache
def from_one() -> Search:
    """Every execution of at most so many events on Zave's machine, of node 0 alone and three that are new."""
    return shortest(zave(checks=False), (alone(NODES),), MOST)


@cache
def from_rings() -> Search:
    """The same of ideal rings of two, three and four nodes, but for rotations, and new ones, four in all."""
    return shortest(zave(checks=False), (*tuple(ideal(2, 2))[:2], next(ideal(3, 1)), next(ideal(4, 0))), MOST)


def drawn(system: System) -> str:
    """A state of the published rules, node by node."""
    return "; ".join(
        f"{name}: " + ("outside" if known is None else f"{known.first}, {known.second}, {known.before}")
        for name, known in enumerate(system.known)
    )


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
