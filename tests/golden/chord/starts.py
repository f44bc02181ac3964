"""Where the golden traces of Chord begin, written by hand: headers as JSON values, still without `origin`."""

from typing import Any

from tests.golden.drive import Header, State, header

OUTSIDE: State = {
    "status": "outside",
    "predecessor": None,
    "successors": [],
    "fingers": [],
    "next": 0,
    "contact": None,
    "peers": [],
    "watched": [],
}
CRASHED = {**OUTSIDE, "status": "crashed"}
ALONE = {**OUTSIDE, "status": "inside"}

SIXTEEN = {"bits": 4, "ids": "number", "r": 2}
"""Sixteen ids; the node n4 has 4. Lists of two."""

THREE = {"bits": 2, "ids": "number", "r": 1, "fingers": False}


def member(predecessor: str | None, *successors: str, **others: Any) -> State:
    """The state of a member that knows those."""
    return {**ALONE, "predecessor": predecessor, "successors": list(successors), **others}


def start(parameters: dict[str, Any], states: dict[str, State], *messages: tuple[str, Any]) -> Header:
    """The start of a system with those states, and with those messages in flight, each with its target."""
    return header("chord", parameters, dict.fromkeys(states, "node"), states, messages)


def watching(states: dict[str, State]) -> dict[str, State]:
    """The states in which each node but the crashed ones watches two keys."""
    return {
        name: state if state["status"] == "crashed" else {**state, "watched": ["5", "f"]}
        for name, state in states.items()
    }


N0, N2, N4, N6, N8, N12 = "n0", "n2", "n4", "n6", "n8", "n12"

RING = {
    N0: member(N12, N4, N8, fingers=[[3, N8]]),
    N4: member(N0, N8, N12, fingers=[[3, N12]]),
    N8: member(N4, N12, N0, fingers=[[3, N0]]),
    N12: member(N8, N0, N4, fingers=[[3, N4]]),
}
"""The ideal ring of 0, 4, 8 and 12."""

IDEAL = start(SIXTEEN, watching(RING))

BUSY = start(
    SIXTEEN,
    watching({**RING, N2: OUTSIDE, N6: OUTSIDE}),
    (N2, {"kind": "StabilizeRequest", "sender": N0}),
    (N4, {"kind": "JoinReply", "sender": N0, "successors": [N4, N8]}),
)
"""The same with two nodes outside; one is asked, though no node knows it, and a member is given a place."""

DISARRAY = start(
    SIXTEEN,
    watching(
        {
            N0: member(N4, N2, N4, fingers=[[3, N12]], next=3),
            N2: CRASHED,
            N4: member(N12, N8, N12),
            N8: member(None, N12, fingers=[[2, N4], [3, N2]], next=2),
            N12: member(N2, N0, N2, fingers=[[3, N8]]),
        }
    ),
    (N8, {"kind": "Notify", "sender": N0}),
    (N12, {"kind": "JoinRequest", "joiner": N4, "sender": N0}),
    (N0, {"kind": "Dead", "node": N2}),
    (N4, {"kind": "FixFingerReply", "finger": 3, "owner": N8}),
    (N4, {"kind": "RouteRequest", "key": "5", "asker": N8, "sender": N0}),
)
"""A ring that has the invariant, and else nothing: its head, its predecessors and its fingers are false."""

NOBODY_YET = start(SIXTEEN, watching(dict.fromkeys((N0, N4, N8, N12), OUTSIDE)))
"""All nodes are outside."""

HASHED = start(
    {"r": 2},
    {
        "a": member(None, "d", "c"),
        "b": member("d", "a"),
        "c": member(None, "b", "a"),
        "d": member("b", "c", "b"),
    },
)
"""Four nodes that stand, by their hashes, in the order d, c, b, a, and know their heads."""

BACKWARDS = {
    "n0": member("n1", "n2"),
    "n1": member("n2", "n0"),
    "n2": member("n0", "n1"),
}
"""A ring of three nodes that goes the wrong way around: right for each of them, and never ideal."""

PEERS = {"n0": ["n1", "n2"], "n1": ["n0", "n2"], "n2": ["n0", "n1"]}
BACKWARDS_WITH_PEERS = start(
    {**THREE, "meet": True}, {name: {**state, "peers": PEERS[name]} for name, state in BACKWARDS.items()}
)

WINDS_TWICE = start(THREE, BACKWARDS)
TWO_RINGS = start(
    THREE,
    {
        "n0": member("n2", "n2"),
        "n1": member("n3", "n3"),
        "n2": member("n0", "n0"),
        "n3": member("n1", "n1"),
    },
)
NO_RING = start(THREE, {"n0": member("n1", "n3"), "n1": member("n0", "n3"), "n3": OUTSIDE})
APPENDAGE_ASTRAY = start(
    THREE, {"n0": member("n1", "n1"), "n1": member("n0", "n0"), "n2": member("n1", "n3"), "n3": OUTSIDE}
)
PRINCIPAL_ASTRAY = start(
    THREE, {"n0": member("n2", "n1"), "n1": member("n0", "n2"), "n2": member("n1", "n3"), "n3": OUTSIDE}
)
