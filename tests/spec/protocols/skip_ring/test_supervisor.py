import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.spec.core.domain import OneOf, Table, count, enumerate_values, optional
from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.skip_ring.labels import index_of, label_of
from gomboc.spec.protocols.skip_ring.state import (
    SUPERVISOR,
    Claim,
    Entry,
    RemoveConnections,
    SetData,
    Supervisor,
)
from gomboc.spec.protocols.skip_ring.supervisor import (
    NOBODY,
    configuration,
    get_configuration,
    repair,
    restore,
    subscribe,
    suspect,
    timeout,
    trust,
    unsubscribe,
)
from tests.spec.protocols.skip_ring.starts import EXAMPLES, database_of, members, supervisors

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
    ],
)
def test_repair_keeps_the_lowest_label_of_a_node_and_moves_the_highest_into_the_first_gap(database, repaired):
    """Source: Section 3.1; Algorithm 3"""
    assert repair(database) == repaired


def test_a_tuple_that_names_the_supervisor_is_removed_like_an_empty_one():
    database = (Entry("0", SUPERVISOR), Entry("1", "a"))
    assert repair(database) == (Entry("0", "a"),)
    assert subscribe(Supervisor(database), "b").local.database == (Entry("0", "a"), Entry("1", "b"))


@given(supervisors)
@EXAMPLES
def test_repair_moves_no_node_that_stands_right(local):
    repaired = repair(local.database)
    lowest = {}
    for entry in local.database:
        lowest[entry.node] = min(index_of(entry.label), lowest.get(entry.node, index_of(entry.label)))
    kept = {Entry(label_of(lowest[node]), node) for node in recorded(repaired) if lowest[node] < len(repaired)}
    assert kept <= set(repaired)


@pytest.mark.parametrize(
    ("corrupted", "repaired"),
    [
        ((Entry("0", "a"), Entry("1", None)), (Entry("0", "a"),)),
        ((Entry("0", "a"), Entry("1", "a")), (Entry("0", "a"),)),
        ((Entry("01", "b"), Entry("1", "a")), (Entry("0", "b"), Entry("1", "a"))),
        ((Entry("001", "c"), Entry("01", "b"), Entry("1", "a")), (Entry("0", "c"), Entry("01", "b"), Entry("1", "a"))),
        ((Entry("11", "a"),), (Entry("0", "a"),)),
        ((), ()),
    ],
)
def test_each_corruption_is_repaired_in_its_way(corrupted, repaired):
    assert repair(corrupted) == repaired


@pytest.mark.parametrize(
    ("nodes", "node", "said"),
    [
        (1, "v1", SetData(None, "0", None)),
        (2, "v1", SetData(Claim("1", "v2"), "0", Claim("1", "v2"))),
        (3, "v1", SetData(Claim("1", "v2"), "0", Claim("01", "v3"))),
        (3, "v3", SetData(Claim("0", "v1"), "01", Claim("1", "v2"))),
        (3, "v9", NOBODY),
    ],
)
def test_a_configuration_names_the_neighbours_on_the_ring(nodes, node, said):
    assert configuration(database_of(nodes), node) == said


def test_the_timeout_tells_every_node_in_turn():
    local, targets = Supervisor(database_of(3)), []
    for _ in range(6):
        outcome = timeout(local)
        local = outcome.local
        targets += [send.target for send in outcome.sends]
    assert targets == ["v2", "v3", "v1", "v2", "v3", "v1"]


def test_the_timeout_of_a_supervisor_that_knows_no_node_sends_nothing():
    assert timeout(Supervisor((Entry("1", None),), 3)) == Outcome(Supervisor((), 3))


def test_a_newcomer_gets_the_next_label_and_its_configuration():
    outcome = subscribe(Supervisor(database_of(2)), "v3")
    assert outcome.local == Supervisor(database_of(3))
    assert outcome.sends == (Send("v3", SetData(Claim("0", "v1"), "01", Claim("1", "v2"))),)


def test_a_second_subscription_changes_nothing_and_is_answered_with_the_configuration():
    local = Supervisor(database_of(3))
    assert subscribe(local, "v2") == get_configuration(local, "v2")


def test_one_that_is_not_recorded_is_answered_with_nothing():
    local = Supervisor(database_of(2))
    assert get_configuration(local, "v9") == Outcome(local, (Send("v9", NOBODY),))


def test_the_last_one_takes_the_label_of_a_leaver_and_both_are_told():
    outcome = unsubscribe(Supervisor(database_of(4)), "v1")
    assert outcome.local.database == (Entry("0", "v4"), Entry("01", "v3"), Entry("1", "v2"))
    assert outcome.sends == (
        Send("v4", SetData(Claim("1", "v2"), "0", Claim("01", "v3"))),
        Send("v1", NOBODY),
    )


def test_when_the_last_one_leaves_no_node_moves():
    assert unsubscribe(Supervisor(database_of(3)), "v3") == Outcome(Supervisor(database_of(2)), (Send("v3", NOBODY),))


def test_a_leaver_that_is_not_recorded_may_forget_every_node():
    local = Supervisor(database_of(3))
    assert unsubscribe(local, "v9") == Outcome(local, (Send("v9", NOBODY),))


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


# Section 3.3: the failure detector


def test_a_suspect_is_removed_as_if_it_had_unsubscribed_and_remembered():
    local = Supervisor(database_of(4), 2)
    removed = unsubscribe(local, "v2")
    assert suspect(local, "v2") == Outcome(replace(removed.local, suspects=("v2",)), removed.sends)
    assert suspect(replace(local, suspects=("v9",)), "v2").local.suspects == ("v2", "v9")


def test_suspecting_twice_changes_nothing_more_and_tells_no_node_but_the_suspect():
    once = suspect(Supervisor(database_of(4)), "v2").local
    assert suspect(once, "v2") == Outcome(once, (Send("v2", NOBODY),))


def test_a_suspect_that_is_recorded_all_the_same_goes_whatever_is_asked_first():
    local = Supervisor(database_of(3), 0, ("v2",))
    right = suspect(Supervisor(database_of(3)), "v2").local.database
    for outcome in (
        timeout(local),
        subscribe(local, "v1"),
        unsubscribe(local, "v2"),
        get_configuration(local, "v1"),
        suspect(local, "v2"),
    ):
        assert outcome.local.database == right
        assert outcome.local.suspects == ("v2",)


def test_a_suspect_that_subscribes_is_not_recorded_and_learns_that_it_is_no_node():
    local = Supervisor(database_of(2), 0, ("v3",))
    assert subscribe(local, "v3") == Outcome(local, (Send("v3", NOBODY),))
    assert subscribe(trust(local, "v3").local, "v3").local.database == database_of(3)


def test_any_node_that_asks_about_a_suspect_has_every_member_forget_it():
    local = Supervisor(database_of(3), 0, ("v9",))
    sends = tuple(Send(entry.node, RemoveConnections("v9")) for entry in local.database)
    assert get_configuration(local, "v9") == Outcome(local, (Send("v9", NOBODY), *sends))
    assert get_configuration(replace(local, suspects=()), "v9").sends == (Send("v9", NOBODY),)


def test_to_trust_a_node_changes_nothing_but_that_it_is_not_suspected():
    local = Supervisor((Entry("11", "v1"),), 7, ("v1", "v2"))
    assert trust(local, "v2") == Outcome(replace(local, suspects=("v1",)))
    assert trust(local, "v3") == Outcome(local)


def test_a_restored_supervisor_has_that_database_and_keeps_what_its_failure_detector_says():
    local = Supervisor(database_of(3), 7, ("v2",))
    assert restore(local, database_of(2)) == Outcome(Supervisor(database_of(2), 0, ("v2",)))
    assert restore(local, ()) == Outcome(Supervisor((), 0, ("v2",)))
    assert timeout(restore(local, database_of(2)).local).local.database == (Entry("0", "v1"),)
