import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.spec.core.domain import OneOf, Table, count, enumerate_values, optional
from gomboc.spec.protocols.skip_ring.labels import index_of, label_of
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Entry
from gomboc.spec.protocols.skip_ring.supervisor import (
    configuration,
    get_configuration,
    repair,
    subscribe,
    timeout,
    unsubscribe,
)
from tests.spec.protocols.skip_ring.starts import EXAMPLES, members, supervisors

DATABASES = Table(Entry, tuple(sorted(label_of(index) for index in range(6))), optional(OneOf(("a", "b", "c"))), 4)


def recorded(database):
    """The nodes that a database knows."""
    return {entry.node for entry in database if entry.node} - {SUPERVISOR}


def is_right(database):
    """Whether a database holds the labels l(0) to l(n-1), each for another node, in order."""
    nodes = [entry.node for entry in database]
    right = sorted(label_of(index) for index in range(len(database)))
    return [entry.label for entry in database] == right and None not in nodes and len(set(nodes)) == len(nodes)


def test_repair_makes_every_small_database_right_and_loses_no_node():
    assert count(DATABASES) == 1 + 6 * 4 + 15 * 16 + 20 * 64 + 15 * 256
    for database in enumerate_values(DATABASES):
        repaired = repair(database)
        assert is_right(repaired), database
        assert recorded(repaired) == recorded(database), database
        assert repair(repaired) == repaired, database


@pytest.mark.parametrize(
    ("database", "repaired"),
    [
        ((Entry("0", "a"), Entry("001", "b"), Entry("01", "a")), (Entry("0", "a"), Entry("1", "b"))),
        ((Entry("001", "a"), Entry("01", "b"), Entry("1", "a")), (Entry("0", "b"), Entry("1", "a"))),
        ((Entry("001", "a"), Entry("01", "b")), (Entry("0", "a"), Entry("1", "b"))),
        ((Entry("0", "a"), Entry("1", None)), (Entry("0", "a"),)),
        ((Entry("0", "a"), Entry("1", "a")), (Entry("0", "a"),)),
        ((Entry("01", "b"), Entry("1", "a")), (Entry("0", "b"), Entry("1", "a"))),
        ((Entry("001", "c"), Entry("01", "b"), Entry("1", "a")), (Entry("0", "c"), Entry("01", "b"), Entry("1", "a"))),
        ((Entry("11", "a"),), (Entry("0", "a"),)),
        ((), ()),
    ],
)
def test_repair_keeps_the_lowest_label_of_a_node_and_moves_the_highest_into_the_first_gap(database, repaired):
    """Source: Section 3.1; Algorithm 3"""
    assert repair(database) == repaired


@given(supervisors)
@EXAMPLES
def test_repair_moves_no_node_that_stands_right(local):
    repaired = repair(local.database)
    lowest = {}
    for entry in local.database:
        lowest[entry.node] = min(index_of(entry.label), lowest.get(entry.node, index_of(entry.label)))
    kept = {Entry(label_of(lowest[node]), node) for node in recorded(repaired) if lowest[node] < len(repaired)}
    assert kept <= set(repaired)


@given(supervisors, members, st.sampled_from([subscribe, unsubscribe, get_configuration]))
@EXAMPLES
def test_every_request_leaves_a_right_database_and_is_answered(local, node, request):
    outcome = request(local, node)
    assert is_right(outcome.local.database)
    assert node in [send.target for send in outcome.sends]
    assert all(send.message == configuration(outcome.local.database, send.target) for send in outcome.sends)


@given(supervisors, members)
@EXAMPLES
def test_a_request_changes_the_membership_as_it_says(local, node):
    before = recorded(local.database)
    assert recorded(subscribe(local, node).local.database) == before | {node}
    assert recorded(unsubscribe(local, node).local.database) == before - {node}
    assert recorded(get_configuration(local, node).local.database) == before
    assert recorded(timeout(local).local.database) == before


@given(supervisors)
@EXAMPLES
def test_the_timeout_sends_one_configuration_at_most(local):
    outcome = timeout(local)
    assert len(outcome.sends) == min(1, len(recorded(local.database)))
    assert all(send.message == configuration(outcome.local.database, send.target) for send in outcome.sends)
