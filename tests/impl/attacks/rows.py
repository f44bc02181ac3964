"""The attacks, each the messages that one peer sends in a period, and the overlay that it is for."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.impl.attacks.members import invented
from tests.impl.attacks.system import TOPIC, Attack, Attacked, Said
from tests.impl.attacks.turns import FIRST, IN_DIRECTORY, IN_EVERYWHERE, IN_SKIP_PLUS, Into, Turn, said

INVENTED = 2_000
MOST_INSERTED = 64


@dataclass(frozen=True)
class Row:
    """An attack on an overlay; the peer is a member of it, or none, and speaks in its own name if it `is_hearsay`."""

    overlay: str
    attack: Attack | None
    member: bool = False
    is_hearsay: bool = False


def _message(to: str, kind: str, into: Into = FIRST, /, **fields: object) -> Said:
    return to, {"kind": kind, **fields}, into


def _names(first: int, number: int, digits: int) -> list[str]:
    """Names of nodes of Skip+ that do not exist."""
    return sorted(f"g{name:0{digits}}:111" for name in range(first, first + number))


def _forward(source: str, visited: Any) -> Attack:
    """A copy, once, with that source and a stamp of that broker which is later than all that it will ever give."""
    content = {"kind": "Publication", "attributes": [["x", 1]]}
    copy: dict[str, Any] = {
        "id": [source, 9, 9],
        "content": content,
        "visited": lambda turn: [[visited(turn), [9, 9]]],
        "guide": None,
    }
    return said("Forward", "a", once=True, sender=Turn.peer, stream=[0, 1], **copy)


def joins(there: Attacked, period: int) -> Iterator[Said]:
    """The peer joins by the rules, answers the first question of its predecessor, and falls silent."""
    if period == 0:
        yield _message(there.honest[0], "JoinRequest", joiner=there.peer, sender=there.peer)
    kinds = {type(message).__name__: message for message in there.heard}
    if "JoinReply" in kinds and period < 10:
        yield _message(kinds["JoinReply"].successors[0], "Notify", sender=there.peer)
    if "StabilizeRequest" in kinds and period < 20:
        asker = kinds["StabilizeRequest"].sender
        yield _message(asker, "StabilizeReply", sender=there.peer, predecessor=None, successors=["ghost"])


def invented_topics(there: Attacked, period: int) -> Iterator[Said]:
    """Answers that were not asked for, with publications in topics that no node has; an honest node publishes, too."""
    if period % 10 == 0:
        there.nodes[there.honest[period // 10 % 8]].publish(TOPIC, f"honest {period}")
    for offset in range(2):
        items = invented(64 * (3 * period + offset))
        yield _message(there.honest[offset], "Publish", IN_EVERYWHERE, sender=there.peer, items=items)
    item = invented(64 * (3 * period + 2))[0]
    yield _message(there.honest[2], "Broadcast", IN_EVERYWHERE, sender=there.peer, item=item)


def _answer(to: Any, sender: Any) -> Attack:
    return said("StabilizeReply", to, sender=sender, predecessor=None, successors=["ghost"])


RANGES = [[None, None]] * 3
LACKS_ALL = said(
    "CheckAndPublish",
    lambda turn: turn.honest(1 + turn.offset),
    sender=lambda turn: turn.honest(0),
    tuples=[],
    prefix="",
)
"""A victim lacks everything, as it seems."""

ROWS: dict[str, Row] = {
    **{f"{name}: none": Row(name, None) for name in ("skip_ring", "skip_plus", "chord", "scribe", "hyparview")},
    "delta: none": Row("delta_fault_tolerance", None),
    "delta: none, with the peer": Row("delta_fault_tolerance", None, member=True),
    # In the supervisor's name.
    "skip_ring: SetData": Row(
        "skip_ring", said("SetData", lambda turn: turn.honest(turn.offset), pred=None, label="0", succ=None)
    ),
    # In the members' names.
    "skip_ring: Unsubscribe": Row("skip_ring", said("Unsubscribe", "supervisor", subscriber=Turn.next)),
    "skip_ring: RemoveConnections": Row(
        "skip_ring",
        said("RemoveConnections", Turn.later, node=lambda turn: turn.honest(turn.period + turn.offset + 1)),
    ),
    "skip_ring: Subscribe of invented names": Row("skip_ring", said("Subscribe", "supervisor", subscriber=Turn.ghost)),
    "skip_ring: Linearize of an invented node": Row(
        "skip_ring",
        said("Linearize", Turn.next, claim=lambda turn: ["0001", turn.ghost_of_period()]),
        is_hearsay=True,
    ),
    "skip_ring: CheckAndPublish for a victim": Row("skip_ring", LACKS_ALL),
    "skip_plus: Gone": Row(
        "skip_plus",
        said(
            "Gone",
            lambda turn: turn.honest((2, 4, 5)[turn.offset]),
            IN_SKIP_PLUS,
            node=lambda turn: turn.honest(3),
            inserts=[],
        ),
    ),
    "skip_plus: Update with 2,000 names": Row(
        "skip_plus",
        said(
            "Update",
            lambda turn: turn.honest(3),
            IN_SKIP_PLUS,
            once=True,
            sender=Turn.peer,
            ranges=RANGES,
            inserts=_names(0, INVENTED, 4),
        ),
        is_hearsay=True,
    ),
    "skip_plus: Updates with 64 names": Row(
        "skip_plus",
        said(
            "Update",
            Turn.next,
            IN_SKIP_PLUS,
            sender=Turn.peer,
            ranges=RANGES,
            inserts=lambda turn: _names(turn.number * MOST_INSERTED, MOST_INSERTED, 5),
        ),
        is_hearsay=True,
    ),
    "skip_plus: CheckAndPublish for a victim": Row("skip_plus", LACKS_ALL),
    "directory: Say of an invented contact": Row(
        "skip_plus", said("Say", Turn.next, IN_DIRECTORY, topic=TOPIC, contact="a0:000"), is_hearsay=True
    ),
    # No node of Skip+ can have this name.
    "directory: Say of no name": Row(
        "skip_plus", said("Say", Turn.next, IN_DIRECTORY, topic=TOPIC, contact="a0"), is_hearsay=True
    ),
    "directory: Meet of an invented contact": Row(
        "skip_plus", said("Meet", Turn.next, IN_DIRECTORY, topic=TOPIC, contact="a0:000"), is_hearsay=True
    ),
    "directory: many topics": Row(
        "skip_plus",
        said(
            "Affirm",
            lambda turn: turn.honest(0),
            IN_DIRECTORY,
            topic=lambda turn: f"t{turn.number}",
            node=Turn.peer,
        ),
        is_hearsay=True,
    ),
    # Answers that were not asked for.
    "chord: Answer of an invented node": Row("chord", _answer(Turn.later, Turn.ghost_of_period)),
    "chord: Answer in one's own name": Row("chord", _answer(Turn.next, Turn.peer), is_hearsay=True),
    "chord: joins, and is silent": Row("chord", joins, is_hearsay=True),
    "chord: Notify": Row("chord", said("Notify", Turn.later, sender=Turn.ghost)),
    "chord: Dead": Row(
        "chord",
        said("Dead", Turn.later, node=lambda turn: turn.honest(turn.period + turn.offset + 1 + turn.period % 7)),
    ),
    "chord: Found": Row(
        "chord", said("FixFingerReply", Turn.later, finger=lambda turn: 255 - turn.offset, owner="ghost")
    ),
    "hyparview: Publish and Broadcast in invented topics": Row("hyparview", invented_topics, is_hearsay=True),
    # The stream of a neighbour begins, as it seems.
    "delta: Connect": Row(
        "delta_fault_tolerance",
        said("Connect", "a", once=True, sender="a.b", stream=[9, 9], heard=None, status="operational"),
        member=True,
    ),
    "delta: Forward with a late stamp": Row("delta_fault_tolerance", _forward("a.b", lambda _: "a.b"), member=True),
    "delta: Forward with the receiver's id": Row("delta_fault_tolerance", _forward("a", Turn.peer), member=True),
}
