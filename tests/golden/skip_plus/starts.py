"""Where the golden traces of Skip+ begin, written by hand: headers as JSON values, still without `origin`."""

from typing import Any

from tests.golden.drive import Header, State, header

ANYWHERE = [None, None]
"""The range that is unbounded on both sides."""

ABSENT: State = {"live": False, "neighbours": [], "stable": [], "told": [], "gone": []}


def node(*neighbours: str, **variables: Any) -> State:
    """The state of a node that takes part, knows those, and has those variables besides."""
    return {**ABSENT, "live": True, "neighbours": sorted(neighbours), **variables}


def update(sender: str, *inserts: str, ranges: list[Any]) -> Any:
    """An Update of that sender, which says so of its ranges."""
    return {"kind": "Update", "sender": sender, "ranges": ranges, "inserts": sorted(inserts)}


def start(states: dict[str, State], *messages: tuple[str, Any]) -> Header:
    """The start of a system of nodes with those states, and with those messages in flight, each with its target."""
    return header("skip_plus", {}, dict.fromkeys(states, "node"), states, messages)


A0, B1 = "a:0", "b:1"
TWO = start({A0: node(B1), B1: node()})
"""Two nodes, of which one knows the other."""

EQUAL = start({name: node("b:0") for name in ("a:0", "c:0", "d:0", "e:0")} | {"b:0": node()})
"""Five nodes with the same string, of which four know the fifth."""

SIX = ("a:010", "b:111", "c:001", "d:100", "e:011", "f:110")

LINE = start(
    {
        "a:010": node("d:100"),
        "b:111": node("e:011"),
        "c:001": node("f:110"),
        "d:100": node("b:111"),
        "e:011": node(),
        "f:110": node("a:010", "c:001"),
    }
)
"""Six nodes in a line that has nothing to do with their order: c, f, a, d, b, e."""

STAR = start({name: node() for name in SIX} | {"e:011": node(*(name for name in SIX if name != "e:011"))})
"""Six nodes, of which one knows all others."""

A, B, C, D, E = FIVE = ("a:00", "b:11", "c:01", "d:10", "e:00")


CORRUPTED = start(
    {
        A: node(A, B, stable=[C, E], told=[[B, [[C, B], [A, None]]], [E, [[E, A], ANYWHERE]]]),
        B: node(stable=[A], told=[[B, [ANYWHERE, ANYWHERE]]]),
        C: node(D, told=[[A, [[A, A], [A, A]]]]),
        D: node(A, stable=[D]),
        E: node(stable=[A, B, C, D], told=[[A, [[B, D], ANYWHERE]]]),
    },
    (A, update(D, E, ranges=[ANYWHERE, ANYWHERE])),
    (A, update(D, ranges=[[B, B], [C, C]])),
    (C, update(C, B, D, ranges=[[A, E], [None, E]])),
    (E, update(B, ranges=[[E, A], [E, A]])),
)
"""Five nodes with false flags, false ranges of others, and Updates in flight that no node has sent.

Two of these say different things in one node's name, so that the belief of `a` depends on the last one.
"""

DEPARTED = start(
    {A: node(B, D, E), B: node(D), C: node(A, E, stable=[A, E]), D: ABSENT, E: ABSENT},
    (E, update(A, B, ranges=[ANYWHERE, ANYWHERE])),
    (C, {"kind": "Gone", "node": E, "inserts": [B, D]}),
)
"""Three nodes, all of which know others that do not take part; one of them is found out already."""

V, W, X, Y, Z = ("a:0", "b:1", "c:0", "d:0", "e:1")


ABOUT = start({V: node(W, Y, Z), W: node(X), X: node(), Y: node(X), Z: ABSENT})
"""Four nodes that hardly know each other; one knows a fifth, which does not take part. Strings have one bit."""

TO_C, FROM_B, FROM_A = [[None, "c:0"]], [["b:1", None]], [["a:0", None]]

RIGHT = start(
    {
        V: node(W, X, stable=[W, X], told=[[W, [ANYWHERE]], [X, FROM_A]]),
        W: node(V, X, Y, stable=[V, X, Y], told=[[V, TO_C], [X, FROM_A], [Y, FROM_B]]),
        X: node(V, W, Y, stable=[V, W, Y], told=[[V, TO_C], [W, [ANYWHERE]], [Y, FROM_B]]),
        Y: node(W, X, stable=[W, X], told=[[W, [ANYWHERE]], [X, FROM_A]]),
        Z: ABSENT,
    }
)
"""Four nodes that know the right neighbours, and are told the truth; the first and the last are no neighbours."""
