"""Claims on the published rules: the properties that were said to be invariant of them."""

from collections.abc import Callable
from functools import cache, partial

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import paraphrase
from gomboc.checker.evidence.chord.experiments.published import CLAIMED, Broken, Search, System, ideal, shortest
from gomboc.checker.evidence.chord.experiments.zave import RUNS, alone, breaks_at, played, steps

LONGEST = 13
"""Events of the longest of the shortest executions."""

RINGS = (next(ideal(2, 1)), next(ideal(3, 0)))
"""The ideal rings of two of three nodes, but for rotations, and of all three."""

NODES, MOST = 4, 11
"""Nodes, and events of the longest executions, that are searched on Zave's machine from node 0 alone."""

CHECK = "gomboc check --protocol gomboc.checker.evidence.chord.experiments.zave_protocol:PROTOCOL"
FOLDER = "checker/evidence/chord/traces"

RAN = (
    "The published rules for two successors, event by event: as Zave models them, where `stabilize` changes the first "
    "successor alone; and with the old head moved into the second place."
)
INSTEAD = (
    "A joiner gets a whole list, a candidate is asked before it is adopted, and an operating assumption judges which "
    "nodes may fail (`spec/protocols/chord/promises.py`); each of these is promised of every state of a run."
)


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


def breaks(name: str) -> Callable[[], Evidence]:
    """The evidence that this is no invariant: a recorded execution, and the results of a search on either machine."""

    def evidence() -> Evidence:
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

    return evidence


def _reading(name: str) -> str:
    dies = "A node fails if each list that names it has another live entry"
    if RUNS[name].checks:
        return f"{dies}. Joiners and members that stabilize ask whether the new successor lives, as Zave has them do."
    unasked = "a joiner takes its successor" if name == "connected_appendages" else "a candidate is adopted"
    return f"{dies}; and {unasked} unasked, dead or alive, as published. Zave shows it without that fix, and so do we."


def _claim(name: str, title: str, says: str) -> Claim:
    origin = "Zave's execution" if RUNS[name].hers else "An execution in the manner of Zave's for one ring"
    returning = (
        "It breaks {fresh} if no name returns"
        if name == "connected_appendages"
        else "If no name returns, it does {fresh} break with three nodes"
    )
    return Claim(
        name=name,
        title=title,
        source="Zave 2012, on Stoica et al. 2001 and 2003",
        says=says,
        ran=RAN,
        result=Result.REFUTED,
        why=f"{origin}, replayed on her machine, has {{length}} events from node 0 alone, and the property is false "
        "after {at} of them. Of all executions of at most {most} events from there with three other nodes, {fewest}. "
        "Of those from ideal rings of two to four of four nodes, {from_rings}.",
        counterexample="From node 0 alone, {at} events: {happens}. Then {ends}.",
        domain="The search on her machine: node 0 alone and three others, none of which returns, neither joiners nor "
        "members that stabilize ask, {states} states of at most {most} events; and ideal rings of two, three and four "
        "nodes, but for rotations, with new ones, four in all, {ring_states} states.",
        instead=INSTEAD,
        evidence=breaks(name),
        readings=(
            Reading(
                "Zave's machine: `stabilize` leaves the second successor as it is, and names are new.", Result.REFUTED
            ),
            Reading(
                "The old head moves into the second place, and a node that has died may join again under its name: "
                "all executions of three nodes from rings of two and three were examined, the shortest first. From "
                f"{{start}}, {{three}} events break it: {{listed}}. {returning}.",
                Result.REFUTED,
            ),
        ),
        reading=_reading(name),
        about="The execution is a trace of her machine, which is a protocol of one node. "
        f"`{CHECK} {FOLDER}/{name}.jsonl` judges it: each step is one that her rules allow, and the property is "
        "violated at step {at}.",
        quotes=(paraphrase("Zave 2012, on Stoica et al. 2001 and 2003", f"{says} This is claimed to be invariant."),),
    )


CLAIMS = (
    _claim(
        "connected_appendages",
        "every appendage reaches the ring",
        "From every member, live successors lead to the ring.",
    ),
    _claim(
        "valid_lists",
        "lists skip no node that is listed before them",
        "If a member's list skips a node, then no member with that member as its successor lists the skipped node.",
    ),
    _claim(
        "ordered_merges",
        "appendages merge where they belong",
        "A node outside of the ring with a successor in it lies between that successor and the node before it.",
    ),
    _claim(
        "ordered_appendages",
        "appendages are in order",
        "Along live successors outside of the ring, a node that comes later lies later on the circle.",
    ),
    _claim("at_least_one_ring", "there is a ring", "There is always a cycle of first live successors."),
    _claim("at_most_one_ring", "there is one ring", "There are never two cycles of first live successors."),
    _claim("ordered_ring", "the ring is in order", "The ring goes around the circle once."),
)
