"""The attacks, each the messages that one peer sends in a period, and the overlay that it is for."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.impl.attacks.members import invented
from tests.impl.attacks.system import TOPIC, Attack, Attacked, Said

DIRECTORY = ":directory:"
EVERYWHERE = ":everywhere:"
INVENTED = 2_000
MOST_INSERTED = 64


@dataclass(frozen=True)
class Row:
    """An attack on an overlay; the peer is a member of it, or none, and speaks in its own name if it `is_hearsay`."""

    overlay: str
    attack: Attack | None
    member: bool = False
    is_hearsay: bool = False


def _said(to: str, kind: str, **fields: object) -> Said:
    return to, {"kind": kind, **fields}, {}


def _in(said: Said, **options: Any) -> Said:
    return said[0], said[1], options


def set_data(there: Attacked, period: int) -> Iterator[Said]:
    """Configurations in the supervisor's name."""
    for name in there.honest[:3]:
        yield _said(name, "SetData", pred=None, label="0", succ=None)


def unsubscribe(there: Attacked, period: int) -> Iterator[Said]:
    """Requests to leave in the members' names."""
    for offset in range(3):
        yield _said("supervisor", "Unsubscribe", subscriber=there.honest[(3 * period + offset) % 8])


def remove_connections(there: Attacked, period: int) -> Iterator[Said]:
    """Members say, as it seems, that they have no label."""
    for offset in range(3):
        victim = (period + offset) % 8
        yield _said(there.honest[victim], "RemoveConnections", node=there.honest[(victim + 1) % 8])


def subscribe_invented(there: Attacked, period: int) -> Iterator[Said]:
    """Names that the peer makes up subscribe."""
    for offset in range(3):
        yield _said("supervisor", "Subscribe", subscriber=f"ghost{3 * period + offset}")


def gone(there: Attacked, period: int) -> Iterator[Said]:
    """A victim says, as it seems, that it is not live."""
    for name in (there.honest[2], there.honest[4], there.honest[5]):
        yield _said_below(name, "Gone", TOPIC, node=there.honest[3], inserts=[])


def _said_below(to: str, kind: str, topic: str, **fields: object) -> Said:
    return to, {"kind": kind, **fields}, {"layer": "skip_plus", "topic": topic}


def insert_many(there: Attacked, period: int) -> Iterator[Said]:
    """The peer's own ranges, with the names of many nodes that do not exist; once."""
    if period == 0:
        inserts = sorted(f"g{number:04}:111" for number in range(INVENTED))
        ranges = [[None, None]] * 3
        yield _said_below(there.honest[3], "Update", TOPIC, sender=there.peer, ranges=ranges, inserts=inserts)


def insert_some(there: Attacked, period: int) -> Iterator[Said]:
    """The same with as many names as are allowed; in each period, to three nodes, other names."""
    for offset in range(3):
        first = (3 * period + offset) * MOST_INSERTED
        inserts = sorted(f"g{number:05}:111" for number in range(first, first + MOST_INSERTED))
        to, ranges = there.honest[(3 * period + offset) % 8], [[None, None]] * 3
        yield _said_below(to, "Update", TOPIC, sender=there.peer, ranges=ranges, inserts=inserts)


def say_invented(there: Attacked, period: int) -> Iterator[Said]:
    """A contact that does not exist takes part in the topic, as it seems; the peer tells all in turn."""
    for offset in range(3):
        name = there.honest[(3 * period + offset) % 8]
        said = _said(name, "Say", topic=TOPIC, contact="a0:000")
        yield _in(said, layer="topic_directory", topic=DIRECTORY)


def say_no_name(there: Attacked, period: int) -> Iterator[Said]:
    """The same with a name that no node of Skip+ can have."""
    for to, message, options in say_invented(there, period):
        yield to, {**message, "contact": "a0"}, options


def meet_invented(there: Attacked, period: int) -> Iterator[Said]:
    """Members are told of a contact that does not exist, as if by the node in charge of the topic."""
    for offset in range(3):
        said = _said(there.honest[(3 * period + offset) % 8], "Meet", topic=TOPIC, contact="a0:000")
        yield _in(said, layer="topic_directory", topic=DIRECTORY)


def many_topics(there: Attacked, period: int) -> Iterator[Said]:
    """The peer takes part in topics that no member has, three in a period, as it says itself."""
    for offset in range(3):
        said = _said(there.honest[0], "Affirm", topic=f"t{3 * period + offset}", node=there.peer)
        yield _in(said, layer="topic_directory", topic=DIRECTORY)


def answer(there: Attacked, period: int) -> Iterator[Said]:
    """Answers that were not asked for, of a node that does not exist."""
    for offset in range(3):
        name = there.honest[(period + offset) % 8]
        yield _said(name, "StabilizeReply", sender=f"ghost{period}", predecessor=None, successors=["ghost"])


def own_answer(there: Attacked, period: int) -> Iterator[Said]:
    """Answers that were not asked for, in the peer's own name."""
    for offset in range(3):
        name = there.honest[(3 * period + offset) % 8]
        yield _said(name, "StabilizeReply", sender=there.peer, predecessor=None, successors=["ghost"])


def joins(there: Attacked, period: int) -> Iterator[Said]:
    """The peer joins by the rules, answers the first question of its predecessor, and falls silent."""
    if period == 0:
        yield _said(there.honest[0], "JoinRequest", joiner=there.peer, sender=there.peer)
    kinds = {type(message).__name__: message for message in there.heard}
    if "JoinReply" in kinds and period < 10:
        yield _said(kinds["JoinReply"].successors[0], "Notify", sender=there.peer)
    if "StabilizeRequest" in kinds and period < 20:
        asker = kinds["StabilizeRequest"].sender
        yield _said(asker, "StabilizeReply", sender=there.peer, predecessor=None, successors=["ghost"])


def notify(there: Attacked, period: int) -> Iterator[Said]:
    """Nodes that do not exist hold themselves to be predecessors."""
    for offset in range(3):
        yield _said(there.honest[(period + offset) % 8], "Notify", sender=f"ghost{3 * period + offset}")


def dead(there: Attacked, period: int) -> Iterator[Said]:
    """Members have crashed, as it seems."""
    for offset in range(3):
        victim = (period + offset) % 8
        yield _said(there.honest[victim], "Dead", node=there.honest[(victim + 1 + period % 7) % 8])


def found(there: Attacked, period: int) -> Iterator[Said]:
    """Owners of fingers that do not exist."""
    for offset in range(3):
        name = there.honest[(period + offset) % 8]
        yield _said(name, "FixFingerReply", finger=255 - offset, owner="ghost")


def connect(there: Attacked, period: int) -> Iterator[Said]:
    """A stream of a neighbour begins, as it seems."""
    if period == 0:
        yield _said("a", "Connect", sender="a.b", stream=[9, 9], heard=None, status="operational")


def _forward(to: str, source: str, visited: str, sender: str) -> Said:
    content = {"kind": "Publication", "attributes": [["x", 1]]}
    return _said(
        to,
        "Forward",
        sender=sender,
        stream=[0, 1],
        id=[source, 9, 9],
        content=content,
        visited=[[visited, [9, 9]]],
        guide=None,
    )


def late_stamp(there: Attacked, period: int) -> Iterator[Said]:
    """A copy with a stamp of another broker that is later than all that it will ever give."""
    if period == 0:
        yield _forward("a", "a.b", "a.b", there.peer)


def own_id(there: Attacked, period: int) -> Iterator[Said]:
    """A copy of a message of the receiver itself, which it never sent."""
    if period == 0:
        yield _forward("a", "a", there.peer, there.peer)


def linearize_invented(there: Attacked, period: int) -> Iterator[Said]:
    """Hearsay of a subscriber that does not exist."""
    for offset in range(3):
        name = there.honest[(3 * period + offset) % 8]
        yield _said(name, "Linearize", claim=["0001", f"ghost{period}"])


def check_and_publish(there: Attacked, period: int) -> Iterator[Said]:
    """A victim lacks everything, as it seems."""
    for offset in range(3):
        victim = there.honest[0]
        yield _said(there.honest[1 + offset], "CheckAndPublish", sender=victim, tuples=[], prefix="")


def invented_topics(there: Attacked, period: int) -> Iterator[Said]:
    """Answers that were not asked for, with publications in topics that no node has; an honest node publishes, too."""
    if period % 10 == 0:
        there.nodes[there.honest[period // 10 % 8]].publish(TOPIC, f"honest {period}")
    for offset in range(2):
        items = invented(64 * (3 * period + offset))
        said = _said(there.honest[offset], "Publish", sender=there.peer, items=items)
        yield _in(said, topic=EVERYWHERE)
    said = _said(there.honest[2], "Broadcast", sender=there.peer, item=invented(64 * (3 * period + 2))[0])
    yield _in(said, topic=EVERYWHERE)


ROWS: dict[str, Row] = {
    **{f"{name}: none": Row(name, None) for name in ("skip_ring", "skip_plus", "chord", "scribe", "hyparview")},
    "delta: none": Row("delta_fault_tolerance", None),
    "delta: none, with the peer": Row("delta_fault_tolerance", None, member=True),
    "skip_ring: SetData": Row("skip_ring", set_data),
    "skip_ring: Unsubscribe": Row("skip_ring", unsubscribe),
    "skip_ring: RemoveConnections": Row("skip_ring", remove_connections),
    "skip_ring: Subscribe of invented names": Row("skip_ring", subscribe_invented),
    "skip_ring: Linearize of an invented node": Row("skip_ring", linearize_invented, is_hearsay=True),
    "skip_ring: CheckAndPublish for a victim": Row("skip_ring", check_and_publish),
    "skip_plus: Gone": Row("skip_plus", gone),
    "skip_plus: Update with 2,000 names": Row("skip_plus", insert_many, is_hearsay=True),
    "skip_plus: Updates with 64 names": Row("skip_plus", insert_some, is_hearsay=True),
    "skip_plus: CheckAndPublish for a victim": Row("skip_plus", check_and_publish),
    "directory: Say of an invented contact": Row("skip_plus", say_invented, is_hearsay=True),
    "directory: Say of no name": Row("skip_plus", say_no_name, is_hearsay=True),
    "directory: Meet of an invented contact": Row("skip_plus", meet_invented, is_hearsay=True),
    "directory: many topics": Row("skip_plus", many_topics, is_hearsay=True),
    "chord: Answer of an invented node": Row("chord", answer),
    "chord: Answer in one's own name": Row("chord", own_answer, is_hearsay=True),
    "chord: joins, and is silent": Row("chord", joins, is_hearsay=True),
    "chord: Notify": Row("chord", notify),
    "chord: Dead": Row("chord", dead),
    "chord: Found": Row("chord", found),
    "hyparview: Publish and Broadcast in invented topics": Row("hyparview", invented_topics, is_hearsay=True),
    "delta: Connect": Row("delta_fault_tolerance", connect, member=True),
    "delta: Forward with a late stamp": Row("delta_fault_tolerance", late_stamp, member=True),
    "delta: Forward with the receiver's id": Row("delta_fault_tolerance", own_id, member=True),
}
