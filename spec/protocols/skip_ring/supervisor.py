"""The supervisor's rules (Algorithm 3), with those for its failure detector and its restart."""

from functools import lru_cache

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.skip_ring.labels import index_of, label_of
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Claim, Entry, RemoveConnections, SetData, Supervisor

Database = tuple[Entry, ...]
"""Entries ordered by label, each label once."""

NOBODY = SetData(None, None, None)
"""The configuration of a node that is not recorded."""


@lru_cache(maxsize=256)
def repair(database: Database, suspects: tuple[str, ...] = ()) -> Database:
    """Remove empty tuples, keep the lowest label of each subscriber, and move the highest labels into the gaps.

    A tuple that names the supervisor, which is no subscriber, counts as empty. Lowest and highest refer to the order
    l(0), l(1), ... in which labels are assigned. Suspected nodes are removed too.

    Source: Section 3.1 (i) to (iv); Algorithm 3, lines 31-45; Section 3.3
    """
    lowest: dict[str, int] = {}
    for entry in database:
        if entry.node is not None and entry.node not in (SUPERVISOR, *suspects):
            index = index_of(entry.label)
            lowest[entry.node] = min(index, lowest.get(entry.node, index))
    order = sorted(lowest, key=lowest.__getitem__)
    taken = set(lowest.values())
    gaps = [index for index in range(len(order)) if index not in taken]
    # Labels below n stay where they are: each move costs the node that moves and its neighbours their edges.
    kept = [node for node in order if lowest[node] < len(order)]
    # The last ones move first, so that the labels left are l(0) to l(n-1) after as few moves as there are gaps.
    moved = [node for node in reversed(order) if lowest[node] >= len(order)]
    entries = [Entry(label_of(lowest[node]), node) for node in kept]
    entries += [Entry(label_of(gap), node) for gap, node in zip(gaps, moved, strict=True)]
    return tuple(sorted(entries))


def configuration(database: Database, subscriber: str) -> SetData:
    """The configuration of `subscriber` by a repaired database; the empty one if it is not recorded.

    A ring of one has no neighbours; in a ring of two, predecessor and successor are the other.

    Source: Section 3.1; Algorithm 3, lines 24-30
    """
    for index, entry in enumerate(database):
        if entry.node == subscriber:
            if len(database) == 1:
                return SetData(None, entry.label, None)
            before, after = database[index - 1], database[(index + 1) % len(database)]
            return SetData(_claim(before), entry.label, _claim(after))
    return NOBODY


def _claim(entry: Entry) -> Claim:
    assert entry.node is not None, "a repaired database has no empty tuple"
    return Claim(entry.label, entry.node)


def configure(database: Database, subscriber: str) -> Send:
    """The message with the configuration of `subscriber`. Source: Algorithm 3, lines 24-30."""
    return Send(subscriber, configuration(database, subscriber))


def repaired(local: Supervisor) -> Database:
    """The supervisor's database, repaired. Source: Section 3.1; Section 3.3."""
    return repair(local.database, local.suspects)


def timeout(local: Supervisor) -> Outcome:
    """Repair the database, and send the next subscriber in turn its configuration. Source: Algorithm 3, lines 1-5."""
    database = repaired(local)
    if not database:
        return Outcome(replace(local, database=()))
    turn = (local.next + 1) % len(database)
    (subscriber,) = (entry.node for entry in database if entry.label == label_of(turn))
    assert subscriber is not None, "a repaired database has no empty tuple"
    return Outcome(replace(local, database=database, next=turn), (configure(database, subscriber),))


def subscribe(local: Supervisor, subscriber: str) -> Outcome:
    """Give an unknown subscriber the next label; send it its configuration in any case.

    A suspected subscriber is not recorded, and its configuration is empty.

    Source: Algorithm 3, lines 6-12; Section 3.3
    """
    database = repaired(local)
    if subscriber in local.suspects:
        return Outcome(replace(local, database=database), (configure(database, subscriber),))
    if all(entry.node != subscriber for entry in database):
        database = tuple(sorted((*database, Entry(label_of(len(database)), subscriber))))
    return Outcome(replace(local, database=database), (configure(database, subscriber),))


def unsubscribe(local: Supervisor, subscriber: str) -> Outcome:
    """Remove a subscriber, give its label to the last one, and permit the leaver to forget all nodes.

    Source: Algorithm 3, lines 13-23; Section 4.1
    """
    before = repaired(local)
    database = repair(tuple(entry for entry in before if entry.node != subscriber))
    moved = [entry.node for entry in database if entry not in before and entry.node is not None]
    sends = tuple(configure(database, node) for node in (*moved, subscriber))
    return Outcome(replace(local, database=database), sends)


def get_configuration(local: Supervisor, subscriber: str) -> Outcome:
    """Send `subscriber` its configuration; the empty one if it is not recorded.

    A node that asks about a suspect may still refer to it, and no other node would ever answer: all members are told to
    forget it.

    Source: Algorithm 3, lines 24-30; Section 3.3 (Deviation: a reference to a crashed node vanishes)
    """
    database = repaired(local)
    nodes = [entry.node for entry in database if entry.node is not None] if subscriber in local.suspects else []
    sends = (configure(database, subscriber), *(Send(node, RemoveConnections(subscriber)) for node in nodes))
    return Outcome(replace(local, database=database), sends)


def suspect(local: Supervisor, node: str) -> Outcome:
    """Suspect `node` of having crashed, and remove it as if it had unsubscribed. Source: Section 3.3; Section 4.1."""
    removed = unsubscribe(local, node)
    suspects = tuple(sorted({*local.suspects, node}))
    return Outcome(replace(removed.local, suspects=suspects), removed.sends)


def trust(local: Supervisor, node: str) -> Outcome:
    """Stop suspecting `node`; it comes back by subscribing.

    Source: Section 3.3, an eventually correct failure detector
    """
    return Outcome(replace(local, suspects=tuple(suspected for suspected in local.suspects if suspected != node)))


def restore(local: Supervisor, database: Database) -> Outcome:
    """Restart the supervisor with that database, empty or stale; its failure detector keeps its suspicions.

    Source: Section 1.1, any system state
    """
    return Outcome(Supervisor(database=database, next=0, suspects=local.suspects))
