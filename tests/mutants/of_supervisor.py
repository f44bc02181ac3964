"""Killers that look at the supervisor: its repair, its answers, and the nodes that it tells."""

from random import Random

from gomboc.spec.core.domain import OneOf, Table, enumerate_values, optional
from gomboc.spec.protocols.skip_ring.state import Entry, SetData, Supervisor
from gomboc.spec.protocols.skip_ring.supervisor import get_configuration, repair, subscribe, timeout, unsubscribe
from tests.mutants import reference_model

NODES = ("a", "b", "c")


def databases():
    """Every database of up to three tuples over six labels, and some with four."""
    labels = tuple(sorted(map(reference_model.label, range(6))))
    yield from enumerate_values(Table(Entry, labels, optional(OneOf(NODES)), 3))
    random = Random(3)
    for _ in range(300):
        chosen = sorted(random.sample(labels, random.randint(4, 6)))
        yield tuple(Entry(label, random.choice((None, *NODES, "d"))) for label in chosen)


def recorded(database):
    """The nodes that a database knows."""
    return {entry.node for entry in database if entry.node}


def as_printed(database):
    """CheckMultipleCopies and CheckLabels as Algorithm 3 prints them, without a subscriber's higher labels."""
    index = {reference_model.label(position): position for position in range(64)}
    held = {}
    for entry in sorted(database, key=lambda entry: index[entry.label]):
        if entry.node is not None and entry.node not in held.values():
            held[index[entry.label]] = entry.node
    for position in range(len(held)):
        if position not in held:
            held[position] = held.pop(max(held))
    return {Entry(reference_model.label(position), node) for position, node in held.items()}


def repair_is_that_of_section_3_1():
    """Repair yields l(0) to l(n-1), loses no node, keeps lowest labels, and moves the highest into the gaps."""
    for database in databases():
        repaired = repair(database)
        if not reference_model.is_right(repaired):
            yield f"{database} is repaired to {repaired}, which is not right"
        if recorded(repaired) != recorded(database):
            yield f"the repair of {database} knows {sorted(recorded(repaired))}"
        if set(repaired) != as_printed(database):
            yield f"{database} is repaired to {repaired}: others move than those with the highest labels"


def every_request_is_answered_and_leaves_a_right_database():
    """On any request the supervisor repairs first, changes the membership as asked, and tells the asker.

    Source: Section 3.1; Section 4.1; Algorithm 3
    """
    for database in databases():
        known = recorded(database)
        for request, after in (
            (subscribe, known | {"a"}),
            (unsubscribe, known - {"a"}),
            (get_configuration, known),
        ):
            outcome = request(Supervisor(database), "a")
            result = outcome.local.database
            if not reference_model.is_right(result) or recorded(result) != after:
                yield f"{request.__name__}(a) makes {result} of {database}"
                continue
            if "a" not in {send.target for send in outcome.sends}:
                yield f"{request.__name__}(a) is not answered"
            yield from _false_configurations(result, outcome.sends)


def _false_configurations(database, sends):
    right = reference_model.configurations(database)
    for send in sends:
        if send.message != right.get(send.target, SetData(None, None, None)):
            yield f"{send.target} is told {send.message} by a supervisor that knows {database}"


def a_leaver_and_the_one_that_takes_its_label_are_told():
    """The last one takes the label of the leaver; both are told, and no other node. Source: Section 4.1; Theorem 7."""
    for nodes in range(1, 9):
        names = [f"v{number}" for number in range(nodes)]
        for leaver in names:
            outcome = unsubscribe(Supervisor(reference_model.database_of(names)), leaver)
            left = [names[-1] if name == leaver else name for name in names[:-1]]
            targets = sorted(send.target for send in outcome.sends)
            if outcome.local.database != reference_model.database_of(left):
                yield f"after {leaver} of {nodes} has left, the database is {outcome.local.database}"
            if targets != sorted({leaver, names[-1]}):
                yield f"when {leaver} of {nodes} leaves, {targets} are told"


def the_newcomer_gets_the_next_label():
    """A subscription gives l(n), and one message. Source: Section 4.1; Theorem 7."""
    for nodes in range(9):
        names = [f"v{number}" for number in range(nodes)]
        outcome = subscribe(Supervisor(reference_model.database_of(names)), "new")
        if outcome.local.database != reference_model.database_of([*names, "new"]) or len(outcome.sends) != 1:
            yield f"the newcomer to {nodes} makes the database {outcome.local.database}"


def every_node_is_told_in_turn():
    """In n timeouts each node is sent its configuration once, from any database. Source: Lemmas 9 and 11."""
    for database in databases():
        nodes = recorded(database)
        local, targets = Supervisor(database, 5), []
        for _ in nodes:
            outcome = timeout(local)
            local = outcome.local
            if not reference_model.is_right(local.database):
                yield f"a timeout leaves {local.database} of {database}"
                return
            targets += [send.target for send in outcome.sends]
            yield from _false_configurations(local.database, outcome.sends)
        if sorted(targets) != sorted(nodes):
            yield f"in {len(nodes)} timeouts {targets} are told, of {sorted(nodes)}"
