"""Where the golden traces of delta-fault-tolerance begin: headers as JSON values, still without `origin`."""

from typing import Any

from tests.golden.drive import Header, State, header

WANTED = [["x", "=", 1]]
"""The filter of clients' subscriptions."""


def distance(one: str, other: str) -> int:
    """How many links lie between two brokers."""
    up, down = one.split("."), other.split(".")
    shared = next((index for index, pair in enumerate(zip(up, down, strict=False)) if len(set(pair)) > 1), None)
    both = min(len(up), len(down)) if shared is None else shared
    return len(up) + len(down) - 2 * both


def near(names: tuple[str, ...], me: str, reach: int) -> list[str]:
    """The others at most so far away, ascending."""
    return sorted(name for name in names if 0 < distance(me, name) <= reach)


def broker(names: tuple[str, ...], me: str, delta: int, *own: Any, rows: tuple[Any, ...] = ()) -> State:
    """A broker that has never failed, when all is over."""
    links = near(names, me, 1)
    return {
        "status": "operational",
        "incarnation": 0,
        "known": near(names, me, delta + 1),
        "count": 0,
        "streams": len(links),
        "own": [[wanted, "subscribed", None] for wanted in own],
        "rows": list(rows),
        "connections": [
            [peer, "operational", [0, index], [0, near(names, peer, 1).index(me) + 1]]
            for index, peer in enumerate(links, 1)
        ],
        "seen": [],
        "entries": [],
        "asking": [],
        "asked": [],
        "answers": [],
        "later": [],
        "queue": [],
    }


def outside() -> State:
    """A broker that is outside."""
    return {**broker(("",), "", 0), "status": "detached"}


def start(delta: int, states: dict[str, State], **parameters: Any) -> Header:
    """The start of a system with those states."""
    return header("delta_fault_tolerance", {"delta": delta, **parameters}, dict.fromkeys(states, "broker"), states)


A, B, C, D = LINE = ("b", "b.1", "b.1.2", "b.1.2.3")
"""Four in a row, the root at one end."""

FIGURE_5 = ("N1", "N1.N2", "N1.N2.S1", "N1.N2.S2", "N1.N3", "N1.N3.S3", "N1.N3.S4", "N1.P1")
P1, S1, S4 = "N1.P1", "N1.N2.S1", "N1.N3.S4"


def line(delta: int, vias: tuple[str, str, str]) -> Header:
    """Four in a row, where the client of the last one has subscribed: the next hops in the rows of the others."""
    states = {name: broker(LINE, name, delta, rows=([D, WANTED, via],)) for name, via in zip(LINE, vias, strict=False)}
    return start(delta, {**states, D: broker(LINE, D, delta, WANTED)})


ONE, TWO = line(1, (C, D, D)), line(2, (D, D, D))
STRAY = [[A, WANTED, B], [B, WANTED, B]]
"""Rows of subscriptions that there are none of."""

JOINING = start(1, {**{name: broker((A, B, C), name, 1) for name in (A, B, C)}, D: outside()})
CORRUPTED = start(1, {**ONE["states"], A: broker(LINE, A, 1), C: {**ONE["states"][C], "rows": STRAY}}, audit=True)
SOME = [["x", "exists", None]]
PARTS = start(
    1,
    {
        A: broker((A, B, C), A, 1, rows=([C, WANTED, C], [C, SOME, C])),
        B: broker((A, B, C), B, 1, rows=([C, WANTED, C], [C, SOME, C])),
        C: broker((A, B, C), C, 1, WANTED, SOME),
    },
    most_rows=1,
)
"""Three in a row, where the client of the last one has two subscriptions, and a message has one of them."""
TREE = start(1, {name: broker(FIGURE_5, name, 1) for name in FIGURE_5})
