"""The supervisor's repair of its database: its result, that no subscriber is lost, and that others have room."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from random import Random
from typing import Any

import z3

from gomboc.checker.evidence.skip_ring.encodings.database import (
    NOBODY,
    Row,
    count,
    database_in,
    each_once,
    is_database,
    is_first_labels,
    moved_into_gaps,
    name,
    read,
    relabelled,
    repaired,
    rows,
    without_copies,
    without_empty,
)
from gomboc.checker.evidence.skip_ring.experiments import printed_supervisor
from gomboc.checker.prove.evaluate import evaluator, value
from gomboc.checker.prove.lemma import Model, Obligation, Replayed, Sample, Term, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.core.model import CERTAIN, Received
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.labels import LONGEST, index_of, label_of
from gomboc.spec.protocols.skip_ring.legitimacy import anchor_faults
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Entry, Subscribe, Supervisor
from gomboc.spec.protocols.skip_ring.supervisor import Database, repair, subscribe

MOST = 6
"""The number of tuples that a database has at most; their contents are any."""

Repair = Callable[[tuple[Row, ...]], tuple[Row, ...]]


def _of_databases(said: Callable[[tuple[Row, ...]], Term]) -> Iterator[Obligation]:
    """The obligations that something holds of any database of each size."""
    for size in range(MOST + 1):
        database = rows(size)
        yield Obligation(f"{size} tuples", said(database), is_database(database), partial(read, database=database))


def _repairs(repair: Repair, database: tuple[Row, ...]) -> Term:
    after = repair(database)
    return z3.And(is_first_labels(after), each_once(after, database))


def _no_node_twice(database: tuple[Row, ...]) -> tuple[Row, ...]:
    return moved_into_gaps(without_empty(database))


def _same_as_printed(database: tuple[Row, ...]) -> Term:
    """Both fill the same gaps from the same tuples, in the same order."""
    cleaned = without_empty(database)
    pairs = zip(relabelled(cleaned), moved_into_gaps(cleaned), strict=True)
    return z3.And(*(z3.Implies(row.there, row.index == also.index) for row, also in pairs))


BELOW, ABOVE, SIZE, TURN = z3.Ints("below above n i")


def _loop(*distinct: Term) -> Iterator[Obligation]:
    """Before turn i, l(0) to l(i - 1) are there: in `BELOW` tuples, while `ABOVE` ones have labels beyond l(i)."""
    premises = TURN >= 0, TURN < SIZE, BELOW >= TURN, ABOVE >= 0, SIZE == BELOW + ABOVE, *distinct

    def counts(model: Model) -> Values:
        size, turn = (value(model, term) for term in (SIZE, TURN))
        return {"labels": [label_of(0)] * (size - turn + 1) + [label_of(index) for index in range(1, turn)]}

    yield Obligation("a tuple beyond l(i) is there for a gap at l(i)", ABOVE >= 1, premises, counts)
    measure, after = SIZE - TURN, SIZE - (TURN + 1)
    one_more = z3.And(after < measure, after >= 0, BELOW + 1 == TURN + 1, ABOVE - 1 >= 0)
    yield Obligation("the next turn has one label more, and one turn less is left", one_more, (*premises, ABOVE >= 1))


def _terminates() -> Iterator[Obligation]:
    yield from _loop(BELOW == TURN)
    yield from _of_databases(_same_as_printed)


def _replay_loop(values: Values) -> Replayed:
    held = [index_of(label) for label in values["labels"]]
    gap = next(index for index in range(len(held)) if index not in held)
    beyond = [index for index in held if index > gap]
    return Replayed(f"a tuple beyond {label_of(gap)}", f"a tuple beyond {label_of(gap)}" if beyond else "none")


def _subscribes(prepare: Repair, database: tuple[Row, ...]) -> Term:
    after = prepare(database)
    index = count([row.there for row in after])
    return z3.And(*(z3.Not(z3.And(row.there, row.index == index)) for row in after))


def _as_printed(database: tuple[Row, ...]) -> tuple[Row, ...]:
    """A timeout's CheckLabels, and after it CheckMultipleCopies for every subscriber, which leaves gaps behind.

    Source: Algorithm 3, lines 2, 25 and 31-45
    """
    return without_copies(relabelled(without_empty(database)))


def _checked(values: Values) -> printed_supervisor.Table:
    """The database of a counterexample after CheckLabels as printed, which meets its tuples by their labels."""
    rows = sorted(database_in(values), key=lambda entry: index_of(entry.label))
    return printed_supervisor.check_labels({entry.label: entry.node for entry in rows})


def _replay_copies(values: Values) -> Replayed:
    after = tuple(sorted(Entry(*row) for row in _checked(values).items()))
    return Replayed([], [fault.rule for fault in anchor_faults(after)])


def _replay_subscribe(values: Values) -> Replayed:
    table = _checked(values)
    for node in set(table.values()):
        table = printed_supervisor.check_multiple_copies(table, node)
    following = label_of(len(table))
    return Replayed([], [table[following]] if following in table else [])


@cache
def _encoded(size: int) -> Callable[[Sequence[int]], tuple[Any, ...]]:
    """The contents of so many tuples after `repair`, and after the published loop."""
    database = rows(size)
    looped = relabelled(without_copies(without_empty(database)))
    parts = [part for after in (repaired(database), looped) for row in after for part in row]
    return evaluator(parts, [part for row in database for part in row[:2]])


def _agrees(random: Random) -> Sample:
    table = random_table(random)
    database = tuple(sorted(Entry(label_of(index), name(node)) for index, node in table))
    results = _encoded(len(table))([number for row in table for number in row])
    encoded, looped = (_entries(half) for half in (results[: len(results) // 2], results[len(results) // 2 :]))
    newcomer = Entry(label_of(len(encoded)), "newcomer")
    joined = PROTOCOL.actor.react(
        SUPERVISOR, Supervisor(database), Received(Subscribe("newcomer")), *CERTAIN
    ).local.database
    specified = repair(database)
    return Sample(table, (encoded, looped, {*encoded, newcomer}), (specified, specified, set(joined)))


def random_table(random: Random) -> list[tuple[int, int]]:
    """Rows of an index, of a label of up to 64 bits, and a subscriber or none; nearby and far ones.

    A fifth of the tables has as many rows as there may be, and another subscriber in each.
    """
    if random.random() < 0.2:
        return [(index, index + 1) for index in range(MOST)]
    most = 1 << random.randint(3, LONGEST)
    indices = {random.randrange(random.choice((MOST, most))) for _ in range(random.randint(0, MOST))}
    return [(index, random.randint(NOBODY, 3)) for index in sorted(indices)]


def _entries(parts: tuple[Any, ...]) -> Database:
    rows = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return tuple(sorted(Entry(label_of(index), name(node)) for index, node, there in rows if there))


def _attempt(
    said: Callable[[Repair, tuple[Row, ...]], Term], repair: Repair, replay: Callable[[Values], Replayed] | None = None
) -> Attempt:
    return Attempt(partial(_of_databases, partial(said, repair)), replay)


FIGURES = {"most": MOST}
PROOFS = {
    "repair_yields_the_first_labels": Proof(
        (_attempt(_repairs, repaired), _attempt(_repairs, _no_node_twice, _replay_copies)), _agrees, (repair,), FIGURES
    ),
    "relabelling_terminates": Proof((Attempt(_terminates), Attempt(_loop, _replay_loop)), _agrees, (repair,), FIGURES),
    "subscribe_overwrites_no_node": Proof(
        (_attempt(_subscribes, repaired), _attempt(_subscribes, _as_printed, _replay_subscribe)),
        _agrees,
        (repair, subscribe),
        FIGURES,
    ),
}
