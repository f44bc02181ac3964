"""States, messages and systems of Skip+ as JSON values. Where golden traces begin is in `starts.jsonl`."""

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


V, W, X, Y, Z = ("a:0", "b:1", "c:0", "d:0", "e:1")
"""The nodes of the start ABOUT."""
