"""The supervisor's rules (Algorithm 3), and what its failure detector and its restart do to it."""

from functools import lru_cache

from msgspec.structs import replace

from gomboc.spec.model import Outcome, Send
from gomboc.spec.skip_ring.labels import index_of, label_of
from gomboc.spec.skip_ring.state import SUPERVISOR, Claim, Entry, RemoveConnections, SetData, Supervisor

Database = tuple[Entry, ...]
"""Entries ordered by label, each label once."""

NOBODY = SetData(None, None, None)
"""The configuration of a node that is not recorded."""


@lru_cache(maxsize=256)
def repair(database: Database, suspects: tuple[str, ...] = ()) -> Database:
    """Remove empty tuples, keep the lowest label of each subscriber, and move the highest labels into the gaps.

    A tuple that names the supervisor, which is no subscriber, is as good as empty. Lowest and highest are meant in the
    order l(0), l(1), ... in which labels are given out. Whoever is suspected of having crashed is removed too.

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
    kept = [node for node in order if lowest[node] < len(order)]
    moved = [node for node in reversed(order) if lowest[node] >= len(order)]
    entries = [Entry(label_of(lowest[node]), node) for node in kept]
    entries += [Entry(label_of(gap), node) for gap, node in zip(gaps, moved, strict=True)]
    return tuple(sorted(entries))


def configuration(database: Database, subscriber: str) -> SetData:
    """The configuration of `subscriber` according to a repaired database, or that of nobody.

    A ring of one has no neighbours; in a ring of two, predecessor and successor are the other.

    Source: Section 3.1; Algorithm 3, lines 24-30
    """
    for place, entry in enumerate(database):
        if entry.node == subscriber:
            if len(database) == 1:
                return SetData(None, entry.label, None)
            before, after = database[place - 1], database[(place + 1) % len(database)]
            return SetData(_claim(before), entry.label, _claim(after))
    return NOBODY


def _claim(entry: Entry) -> Claim:
    assert entry.node is not None, "a repaired database has no empty tuple"
    return Claim(entry.label, entry.node)


def configure(database: Database, subscriber: str) -> Send:
    """The message that tells `subscriber` its configuration.

    Source: Algorithm 3, lines 24-30
    """
    return Send(subscriber, configuration(database, subscriber))


def repaired(local: Supervisor) -> Database:
    """The supervisor's database, repaired.

    Source: Section 3.1; Section 3.3
    """
    return repair(local.database, local.suspects)


def timeout(local: Supervisor) -> Outcome:
    """Repair the database, and send the next subscriber in turn its configuration.

    Source: Algorithm 3, lines 1-5
    """
    database = repaired(local)
    if not database:
        return Outcome(replace(local, database=()))
    turn = (local.next + 1) % len(database)
    (subscriber,) = (entry.node for entry in database if entry.label == label_of(turn))
    assert subscriber is not None, "a repaired database has no empty tuple"
    return Outcome(replace(local, database=database, next=turn), (configure(database, subscriber),))


def subscribe(local: Supervisor, subscriber: str) -> Outcome:
    """Give an unknown subscriber the next label; send it its configuration in any case.

    One that is suspected is not recorded, and its configuration is that of nobody.

    Source: Algorithm 3, lines 6-12; Section 3.3
    """
    database = repaired(local)
    if subscriber in local.suspects:
        return Outcome(replace(local, database=database), (configure(database, subscriber),))
    if all(entry.node != subscriber for entry in database):
        database = tuple(sorted((*database, Entry(label_of(len(database)), subscriber))))
    return Outcome(replace(local, database=database), (configure(database, subscriber),))


def unsubscribe(local: Supervisor, subscriber: str) -> Outcome:
    """Remove a subscriber, let the last one take its label, and give the leaver permission to forget everybody.

    Source: Algorithm 3, lines 13-23; Section 4.1
    """
    before = repaired(local)
    database = repair(tuple(entry for entry in before if entry.node != subscriber))
    moved = [entry.node for entry in database if entry not in before and entry.node is not None]
    sends = tuple(configure(database, node) for node in (*moved, subscriber))
    return Outcome(replace(local, database=database), sends)


def get_configuration(local: Supervisor, subscriber: str) -> Outcome:
    """Send `subscriber` its configuration; to one that is not recorded, that of nobody.

    Whoever asks about a suspect may still refer to it, and nobody else would ever answer: every member is told.

    Source: Algorithm 3, lines 24-30; Section 3.3 (Deviation: a reference to a crashed node vanishes)
    """
    database = repaired(local)
    told = [entry.node for entry in database if entry.node is not None] if subscriber in local.suspects else []
    sends = (configure(database, subscriber), *(Send(node, RemoveConnections(subscriber)) for node in told))
    return Outcome(replace(local, database=database), sends)


def suspect(local: Supervisor, node: str) -> Outcome:
    """From now on `node` is held to be crashed; it is removed as if it had asked for it.

    Source: Section 3.3; Section 4.1
    """
    removed = unsubscribe(local, node)
    suspects = tuple(sorted({*local.suspects, node}))
    return Outcome(replace(removed.local, suspects=suspects), removed.sends)


def trust(local: Supervisor, node: str) -> Outcome:
    """From now on `node` is not held to be crashed; it comes back by subscribing.

    Source: Section 3.3, an eventually correct failure detector
    """
    return Outcome(replace(local, suspects=tuple(each for each in local.suspects if each != node)))


def restore(local: Supervisor, database: Database) -> Outcome:
    """The supervisor starts again with that database, empty or stale; what its failure detector says stays.

    Source: Section 1.1, any system state
    """
    return Outcome(Supervisor(database=database, next=0, suspects=local.suspects))
