"""The supervisor's rules (Algorithm 3)."""

from msgspec.structs import replace

from spec.model import Outcome, Send
from spec.skip_ring.labels import index_of, label_of
from spec.skip_ring.state import Claim, Entry, SetData, Supervisor

Database = tuple[Entry, ...]
"""Entries ordered by label, each label once."""

NOBODY = SetData(None, None, None)
"""The configuration of a node that is not recorded."""


def repair(database: Database) -> Database:
    """Remove empty tuples, keep the lowest label of each subscriber, and move the highest labels into the gaps.

    Lowest and highest are meant in the order l(0), l(1), ... in which labels are given out.

    Source: Section 3.1 (i) to (iv); Algorithm 3, lines 31-45
    """
    lowest: dict[str, int] = {}
    for entry in database:
        if entry.node is not None:
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


def timeout(local: Supervisor) -> Outcome:
    """Repair the database, and send the next subscriber in turn its configuration.

    Source: Algorithm 3, lines 1-5
    """
    database = repair(local.database)
    if not database:
        return Outcome(Supervisor((), local.next))
    turn = (local.next + 1) % len(database)
    (subscriber,) = (entry.node for entry in database if entry.label == label_of(turn))
    assert subscriber is not None, "a repaired database has no empty tuple"
    return Outcome(Supervisor(database, turn), (configure(database, subscriber),))


def subscribe(local: Supervisor, subscriber: str) -> Outcome:
    """Give an unknown subscriber the next label; send it its configuration in any case.

    Source: Algorithm 3, lines 6-12
    """
    database = repair(local.database)
    if all(entry.node != subscriber for entry in database):
        database = tuple(sorted((*database, Entry(label_of(len(database)), subscriber))))
    return Outcome(replace(local, database=database), (configure(database, subscriber),))


def unsubscribe(local: Supervisor, subscriber: str) -> Outcome:
    """Remove a subscriber, let the last one take its label, and give the leaver permission to forget everybody.

    Source: Algorithm 3, lines 13-23; Section 4.1
    """
    before = repair(local.database)
    database = repair(tuple(entry for entry in before if entry.node != subscriber))
    moved = [entry.node for entry in database if entry not in before and entry.node is not None]
    sends = tuple(configure(database, node) for node in (*moved, subscriber))
    return Outcome(replace(local, database=database), sends)


def get_configuration(local: Supervisor, subscriber: str) -> Outcome:
    """Send `subscriber` its configuration; to one that is not recorded, that of nobody.

    Source: Algorithm 3, lines 24-30
    """
    database = repair(local.database)
    return Outcome(replace(local, database=database), (configure(database, subscriber),))
