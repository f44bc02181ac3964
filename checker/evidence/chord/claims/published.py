"""Claims on the published rules: what was said to be invariant of them."""

from collections.abc import Callable
from functools import cache

from gomboc.checker.errata.claim import Claim, Evidence, Result, settled
from gomboc.checker.errata.quotation import paraphrase
from gomboc.checker.evidence.chord.exhibits.published import Search, System, ideal, shortest

LONGEST = 13
"""Events of the longest of the shortest executions."""

RINGS = (next(ideal(2, 1)), next(ideal(3, 0)))
"""The ideal rings of two of three nodes, but for rotations, and of all three."""

RAN = "The published rules for two successors, event by event."
INSTEAD = (
    "Who joins gets a whole list, a candidate is asked before it is adopted, and what may fail is judged "
    "(`spec/chord/invariant.py`); each of these is promised of every state of a run."
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


def breaks(name: str) -> Callable[[], Evidence]:
    """What settles that this is no invariant."""

    def evidence() -> Evidence:
        found = three_nodes().broken.get(name)
        two, grown, fresh = fewer()
        return Evidence(
            settled(found is None),
            {
                "events": len(found.happens) if found else 0,
                "start": drawn(found.start) if found else "",
                "happens": ", ".join(found.happens) if found else "",
                "ends": drawn(found.ends) if found else "",
                "fresh": "too" if name in fresh.broken else "not",
            },
            {
                "of two nodes all executions keep it, from rings of one and two": two.whole
                and grown.whole
                and name not in {*two.broken, *grown.broken},
                "of three nodes whose names never return, all executions were looked at": fresh.whole,
            },
        )

    return evidence


def _claim(name: str, title: str, says: str, reading: str = "") -> Claim:
    fresh = (
        "It breaks {fresh} if no name returns."
        if name == "connected_appendages"
        else "If no name returns, it does {fresh} break with three nodes."
    )
    return Claim(
        name=name,
        title=title,
        source="Zave 2012, on Stoica et al. 2001 and 2003",
        says=says,
        ran=RAN,
        result=Result.REFUTED,
        why="All executions of three nodes from rings of two and three were looked at, the shortest first. " + fresh,
        counterexample="From {start}, {events} events: {happens}. Then {ends}.",
        searched="All executions of three nodes with fewer events, from rings of two and of three.",
        instead=INSTEAD,
        evidence=breaks(name),
        reading=reading,
        quotes=(paraphrase("Zave 2012, on Stoica et al. 2001 and 2003", f"{says} This is claimed to be invariant."),),
    )


DIES = (
    "A node may die if every other one keeps a live successor. Who has died may join again under its name; nothing "
    "published forbids it."
)

CLAIMS = (
    _claim(
        "connected_appendages",
        "every appendage reaches the ring",
        "From every member, live successors lead to the ring.",
    ),
    _claim(
        "valid_lists",
        "lists skip nobody who is listed before them",
        "If a member's list skips somebody, then nobody whose successor that member is lists whom it skips.",
        DIES,
    ),
    _claim(
        "ordered_merges",
        "appendages merge where they belong",
        "Who is outside of the ring, and whose successor is in it, lies between that one and the one before.",
        DIES,
    ),
    _claim(
        "ordered_appendages",
        "appendages are in order",
        "Along live successors outside of the ring, whoever comes later lies later on the circle.",
        DIES,
    ),
    _claim("at_least_one_ring", "there is a ring", "There is always a cycle of first live successors.", DIES),
    _claim("at_most_one_ring", "there is one ring", "There are never two cycles of first live successors.", DIES),
    _claim("ordered_ring", "the ring is in order", "The ring goes around the circle once.", DIES),
)
