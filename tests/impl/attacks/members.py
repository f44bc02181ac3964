"""Members that lie in their own name, three messages in a period; afterwards they are honest again."""

from collections.abc import Iterator, Mapping
from typing import Any

from gomboc.impl.publishing.validity import key_of
from tests.impl.attacks.system import TOPIC, Attack, Attacked, Said

DIRECTORY = ":directory:"


def _to_three(there: Attacked, period: int) -> Iterator[str]:
    for offset in range(3):
        yield there.honest[(3 * period + offset) % len(there.honest)]


def false_labels(there: Attacked, period: int) -> Iterator[Said]:
    """A member of a ring has other labels, and names other nodes for it."""
    label = ("1", "01", "0011", "111")[period % 4]
    for number, to in enumerate(_to_three(there, period)):
        claim = [label, there.peer if number < 2 else there.honest[period % 8]]
        kind = ("Present", "Check", "Introduce")[number]
        fields: dict[str, Any] = {"sender": claim, "label": "0"} if kind == "Check" else {"claim": claim}
        yield to, {"kind": kind, "flag": ("LIN", "CYC")[period % 2], **fields}, {}


def false_ranges(there: Attacked, period: int) -> Iterator[Said]:
    """A member of a skip graph inserts nodes that do not exist, and says now and then that it is gone."""
    for number, to in enumerate(_to_three(there, period)):
        inserts = [f"g{period:03}:{number:03b}"]
        ranges = [[there.honest[0], None], [None, None], [None, None]]
        update = {"kind": "Update", "sender": there.peer, "ranges": ranges, "inserts": inserts}
        gone = {"kind": "Gone", "node": there.peer, "inserts": []}
        yield to, gone if period % 5 == 0 else update, {"layer": "skip_plus"}


def false_topics(there: Attacked, period: int) -> Iterator[Said]:
    """A member of the directory affirms and denies by turns, and names contacts that do not exist."""
    for number, to in enumerate(_to_three(there, period)):
        message: Mapping[str, object] = (
            {"kind": "Affirm", "topic": TOPIC, "node": there.peer},
            {"kind": "Deny", "topic": TOPIC, "node": there.peer},
            {"kind": "Meet", "topic": TOPIC, "contact": "a0:000"},
        )[number]
        yield to, message, {"layer": "topic_directory", "topic": DIRECTORY}


def false_answers(there: Attacked, period: int) -> Iterator[Said]:
    """A member of Chord lists nodes that do not exist, is everybody's predecessor, and owns all fingers."""
    for number, to in enumerate(_to_three(there, period)):
        message = (
            {"kind": "StabilizeReply", "sender": there.peer, "predecessor": None, "successors": ["ghost"]},
            {"kind": "Notify", "sender": there.peer},
            {"kind": "FixFingerReply", "finger": 255 - period % 8, "owner": there.peer},
        )[number]
        yield to, message, {} if there.name == "chord" else {"layer": "chord", "topic": ":routes:"}


def false_views(there: Attacked, period: int) -> Iterator[Said]:
    """A member of HyParView fills passive views with names, and is in and out of active views."""
    for number, to in enumerate(_to_three(there, period)):
        message: Mapping[str, object] = (
            {"kind": "ShuffleReply", "nodes": [f"ghost{period}"]},
            {"kind": "Disconnect", "sender": there.peer},
            {"kind": "Neighbor", "sender": there.peer, "priority": "high"},
        )[number]
        yield to, message, {"topic": ":everywhere:"}


def invented_topics(there: Attacked, period: int) -> Iterator[Said]:
    """A member of HyParView answers requests that were not made, with as much as fits, of topics that it makes up."""
    for number, to in enumerate(_to_three(there, period)):
        said: Mapping[str, object] = {
            "kind": "Publish",
            "sender": there.peer,
            "items": invented(64 * (3 * period + number)),
        }
        yield to, said, {"topic": ":everywhere:"}


def invented(first: int) -> list[Any]:
    """As many publications as a message may have, numbered from the first on, each in a topic of its own."""
    numbers = range(first, first + 64)
    items = ((f"t{number:06}", key_of("ghost", number, "", 32), number) for number in numbers)
    return [[topic, [key, "ghost", number, "", "ghost"]] for topic, key, number in items]


def false_trees(there: Attacked, period: int) -> Iterator[Said]:
    """A member of a tree is everybody's child and parent."""
    for number, to in enumerate(_to_three(there, period)):
        message: Mapping[str, object] = (
            {"kind": "Subscribe", "sender": there.peer, "count": 1000, "keys": []},
            {"kind": "Heartbeat", "sender": there.peer, "keys": []},
            {"kind": "Leave", "sender": there.peer},
        )[number]
        yield to, message, {}


def false_filters(there: Attacked, period: int) -> Iterator[Said]:
    """A leaf subscribes to what its client does not want, with stamps that it never gave, and has failed by turns."""
    stamp = [0, 1000 + period]
    wanted = {"kind": "Subscription", "source": there.peer, "filter": [["y", "=", period]], "via": there.peer}
    copy = {"id": [there.peer, *stamp], "content": wanted, "visited": [[there.peer, stamp]], "guide": None}
    said: tuple[Mapping[str, object], ...] = (
        {"kind": "Forward", **copy},
        {"kind": "Status", "status": ("failed", "recovering", "operational")[period % 3]},
        {"kind": "Rows", "rows": [[there.peer, [["z", "=", period]], there.peer]]},
    )
    for message in said:
        yield there.honest[0], {**message, "sender": there.peer, "stream": [0, 1]}, {}


MEMBERS: dict[str, tuple[str, Attack]] = {
    "skip_ring": ("skip_ring", false_labels),
    "skip_plus": ("skip_plus", false_ranges),
    "directory": ("skip_plus", false_topics),
    "chord": ("chord", false_answers),
    "hyparview": ("hyparview", false_views),
    "hyparview, in invented topics": ("hyparview", invented_topics),
    "delta": ("delta_fault_tolerance", false_filters),
    "scribe": ("scribe", false_trees),
    "chord under scribe": ("scribe", false_answers),
}
