"""Small skip rings, explored plainly and by tables: the same counts, the same findings."""

from functools import cache
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.graph import examine as plain
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.explore.symmetry import quotient
from gomboc.checker.explore.table.examine import examine
from gomboc.spec.core.domain import OneOf, Record, Table, optional, pair
from gomboc.spec.core.instance import Instance, bounded_model
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Claim, Entry, Subscribe, Subscriber, Supervisor
from tests.checker.explore.alike import AT_ONCE, assert_alike, assert_same_extent


def ring(members, in_flight=0, most=2, labels=("0",), **more):
    """A ring of one or two, with any labels, claims on the left and databases that those labels and nodes allow."""
    names = tuple(f"v{number}" for number in range(1, members + 1))

    def subscriber(me):
        others = OneOf(tuple(name for name in names if name != me))
        claim = optional(pair(Claim, OneOf(labels), others))
        return Record(lambda label, left: Subscriber(label=label, left=left), (optional(OneOf(labels)), claim))

    database = Table(Entry, labels, optional(OneOf(names)), members)
    supervisor = Record(lambda entries: Supervisor(database=entries), (database,))
    every = ((SUPERVISOR, "supervisor", supervisor), *((name, "subscriber", subscriber(name)) for name in names))
    sent = OneOf(tuple((SUPERVISOR, Subscribe(name)) for name in names))
    return Instance(PROTOCOL, every, sent, in_flight, copies=1, most=most, **more)


RINGS = {
    "one, at most one message": ring(1, most=1),
    "one, a request in flight": ring(1, in_flight=1, most=3),
    "one, a further copy is left out": ring(1, in_flight=1, most=3, coalesce=False),
    "two, of one label": ring(2, most=1),
    "two, at most one message": ring(2, most=1, labels=("0", "1")),
}


@cache
def graph_of(name):
    return explore(bounded_model(RINGS[name]))


def plainly(name, question=AT_ONCE):
    """The plain explorer's findings on a ring; its graph is searched once for all questions."""
    with patch.object(plain, "search", lambda model, watch: graph_of(name)):
        return plain.examine(bounded_model(RINGS[name]), question)


@pytest.mark.parametrize("name", [*[*RINGS][:-1], pytest.param([*RINGS][-1], marks=pytest.mark.dear)])
@pytest.mark.parametrize("fairness", Fairness)
def test_tables_say_of_a_ring_what_the_plain_explorer_says(name, fairness):
    instance, question = RINGS[name], Question(fairness=fairness)
    one, other = plainly(name, question), examine(instance, question)
    assert one.extent.states > one.legitimate > 0
    assert_alike(one, other, bounded_model(instance), question)


def test_a_ring_whose_subscribers_change_names_is_the_same_ring():
    name = "two, of one label"
    instance = replace(RINGS[name], alike=("v1", "v2"))
    whole, reduced, by_tables = plainly(name), plain.examine(quotient(instance)), examine(instance)
    assert_same_extent(reduced, by_tables)
    assert whole.extent.states / 2 <= reduced.extent.states < whole.extent.states
    for one, other in zip(whole.findings, by_tables.findings, strict=True):
        if "fair" not in one.of:
            assert isinstance(other.verdict, type(one.verdict))
