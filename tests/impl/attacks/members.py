"""Members that lie in their own name, three messages in a period; afterwards they are honest again."""

from typing import Any

from gomboc.impl.publishing.validity import key_of
from tests.impl.attacks.system import TOPIC, Attack
from tests.impl.attacks.turns import IN_DIRECTORY, IN_EVERYWHERE, IN_SKIP_PLUS, Into, Turn, in_turn, said


def _claim(turn: Turn) -> list[str]:
    label = ("1", "01", "0011", "111")[turn.period % 4]
    return [label, turn.peer() if turn.offset < 2 else turn.honest(turn.period)]


def _flag(turn: Turn) -> str:
    return ("LIN", "CYC")[turn.period % 2]


# A member of a ring has other labels, and names other nodes for it.
false_labels = in_turn(
    {"kind": "Present", "flag": _flag, "claim": _claim},
    {"kind": "Check", "flag": _flag, "sender": _claim, "label": "0"},
    {"kind": "Introduce", "flag": _flag, "claim": _claim},
)

_insert = said(
    "Update",
    Turn.next,
    IN_SKIP_PLUS,
    sender=Turn.peer,
    ranges=lambda turn: [[turn.honest(0), None], [None, None], [None, None]],
    inserts=lambda turn: [f"g{turn.period:03}:{turn.offset:03b}"],
)
_be_gone = said("Gone", Turn.next, IN_SKIP_PLUS, node=Turn.peer, inserts=[])


def false_ranges(there: Any, period: int) -> Any:
    """A member of a skip graph inserts nodes that do not exist, and says now and then that it is gone."""
    return (_insert if period % 5 else _be_gone)(there, period)


# A member of the directory affirms and denies by turns, and names contacts that do not exist.
false_topics = in_turn(
    {"kind": "Affirm", "topic": TOPIC, "node": Turn.peer},
    {"kind": "Deny", "topic": TOPIC, "node": Turn.peer},
    {"kind": "Meet", "topic": TOPIC, "contact": "a0:000"},
    into=IN_DIRECTORY,
)


def _in_chord(turn: Turn) -> Into:
    return {} if turn.there.name == "chord" else {"layer": "chord", "topic": ":routes:"}


# A member of Chord lists nodes that do not exist, is the predecessor of all nodes, and owns all fingers.
false_answers = in_turn(
    {"kind": "StabilizeReply", "sender": Turn.peer, "predecessor": None, "successors": ["ghost"]},
    {"kind": "Notify", "sender": Turn.peer},
    {"kind": "FixFingerReply", "finger": lambda turn: 255 - turn.period % 8, "owner": Turn.peer},
    into=_in_chord,
)

# A member of HyParView fills passive views with names, and is in and out of active views.
false_views = in_turn(
    {"kind": "ShuffleReply", "nodes": lambda turn: [turn.ghost_of_period()]},
    {"kind": "Disconnect", "sender": Turn.peer},
    {"kind": "Neighbor", "sender": Turn.peer, "priority": "high"},
    into=IN_EVERYWHERE,
)


def invented(first: int) -> list[Any]:
    """As many publications as a message may have, numbered from the first on, each in a topic of its own."""
    numbers = range(first, first + 64)
    items = ((f"t{number:06}", key_of("ghost", number, "", 32), number) for number in numbers)
    return [[topic, [key, "ghost", number, "", "ghost"]] for topic, key, number in items]


# A member of HyParView answers requests that were not made, with as much as fits, of topics that it makes up.
invented_topics = said(
    "Publish", Turn.next, IN_EVERYWHERE, sender=Turn.peer, items=lambda turn: invented(64 * turn.number)
)

# A member of a tree is child and parent of all nodes.
false_trees = in_turn(
    {"kind": "Subscribe", "sender": Turn.peer, "count": 1000, "keys": []},
    {"kind": "Heartbeat", "sender": Turn.peer, "keys": []},
    {"kind": "Leave", "sender": Turn.peer},
)


def _subscription(turn: Turn) -> dict[str, Any]:
    wanted = [["y", "=", turn.period]]
    return {"kind": "Subscription", "source": turn.peer(), "filter": wanted, "via": turn.peer()}


_STREAM = {"sender": Turn.peer, "stream": [0, 1]}

# A leaf subscribes to what its client does not want, with stamps that it never gave, and has failed by turns.
false_filters = in_turn(
    {
        "kind": "Forward",
        "id": lambda turn: [turn.peer(), 0, 1000 + turn.period],
        "content": _subscription,
        "visited": lambda turn: [[turn.peer(), [0, 1000 + turn.period]]],
        "guide": None,
        **_STREAM,
    },
    {"kind": "Status", "status": lambda turn: ("failed", "recovering", "operational")[turn.period % 3], **_STREAM},
    {"kind": "Rows", "rows": lambda turn: [[turn.peer(), [["z", "=", turn.period]], turn.peer()]], **_STREAM},
    to=lambda turn: turn.honest(0),
)

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
