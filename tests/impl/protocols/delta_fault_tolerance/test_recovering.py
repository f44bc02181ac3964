"""Recovering brokers, and operations that go past them: single steps of a broker, and one whole run."""

import pytest

from gomboc.impl.core.vocabulary import Crash, Restart
from gomboc.impl.protocols.delta_fault_tolerance.commands import Unsubscribe
from gomboc.impl.protocols.delta_fault_tolerance.contents import Publication, Rejoin, Row, Subscription, Unsubscription
from gomboc.impl.protocols.delta_fault_tolerance.messages import Connect, Forward, Recover, Stamps, Status, Table
from gomboc.impl.protocols.delta_fault_tolerance.states import Entry, Link, Own
from tests.impl.protocols.delta_fault_tolerance.systems import ANY, EVEN, System
from tests.impl.protocols.delta_fault_tolerance.test_core import broker, obeyed, received


def back(name, delta=1, **variables):
    """A broker that has crashed and is back."""
    core = broker(name, delta, **variables)
    obeyed(core, Crash())
    obeyed(core, Restart())
    return core


def answered(core, peer, rows=()):
    """The messages after the complete answer of a peer, with streams from 7 on."""
    mine = core.at.links[peer].mine
    received(core, Connect(peer, (0, 7), mine, "operational"))
    received(core, Table(peer, (0, 7), tuple(rows)))
    return received(core, Stamps(peer, (0, 7), ()))[0]


def test_a_rejoining_says_all_that_the_client_wants():
    core = back("a", own=[Own(EVEN, "subscribed", None), Own(ANY, "unsubscribing", None)])
    ((to, sent),) = answered(core, "a.b")
    assert (to, sent.content) == ("a.b", Rejoin("a", (EVEN,), "a"))


def test_a_rejoining_takes_the_place_of_what_was_known_of_its_source():
    core = broker("a.b", rows=[Row("a", ANY, "a"), Row("a.b.c", ANY, "a.b.c")])
    sent, _ = received(core, Forward("a", (0, 1), ("a", 1, 1), Rejoin("a", (EVEN,), "a"), (("a", (0, 1)),), None))
    assert core.at.table.rows() == (Row("a", EVEN, "a"), Row("a.b.c", ANY, "a.b.c"))
    assert [to for to, _ in sent] == ["a.b.c"]


def test_what_comes_while_one_asks_is_applied_to_what_is_answered():
    core = back("a")
    received(core, Connect("a.b", (0, 7), (1, 1), "operational"))
    said = Subscription("a.b.c", EVEN, "a.b.c")
    received(core, Forward("a.b", (0, 7), ("a.b.c", 0, 1), said, (("a.b", (0, 1)),), None))
    assert core.at.table.rows() == ()
    received(core, Table("a.b", (0, 7), (Row("a.b", ANY, "a.b"),)))
    received(core, Stamps("a.b", (0, 7), ()))
    assert core.at.table.rows() == (Row("a.b", ANY, "a.b"), Row("a.b.c", EVEN, "a.b.c"))


@pytest.mark.parametrize(
    ("rows", "content", "kept"),
    [
        ((), Subscription("a.b", EVEN, "a.b"), False),
        ((Row("a.b", EVEN, "a.b"),), Subscription("a.b", EVEN, "a.b"), True),
        ((Row("a.b", EVEN, "a.b"),), Unsubscription("a.b", EVEN), False),
        ((), Unsubscription("a.b", EVEN), True),
        ((Row("a.b", EVEN, "a.b"),), Rejoin("a.b", (ANY,), "a.b"), False),
        ((Row("a.b", EVEN, "a.b"),), Rejoin("a.b", (EVEN,), "a.b"), True),
    ],
)
def test_a_change_that_the_table_of_its_sender_contradicts_is_older_than_that(rows, content, kept):
    core = back("a")
    received(core, Connect("a.b", (0, 7), (1, 1), "operational"))
    received(core, Table("a.b", (0, 7), rows))
    received(core, Forward("a.b", (0, 7), ("a.b", 0, 1), content, (("a.b", (0, 1)),), None))
    assert core.at.recovery.later == ([content] if kept else [])


def test_a_node_that_has_its_table_answers_before_its_rejoining_is_confirmed():
    core = back("a.b", own=[Own(EVEN, "subscribed", None)])
    for peer in ("a", "a.b.c"):
        answered(core, peer)
    assert core.at.status == "recovering"
    sent = [message for to, message in received(core, Recover("a", (1, 1)))[0] if to == "a"]
    assert [type(message) for message in sent] == [Connect, Table, Forward, Stamps]
    assert (sent[0].status, sent[1].rows) == ("recovering", (Row("a.b", EVEN, "a.b"),))


def test_the_word_of_a_node_that_is_on_the_way_to_a_source_counts_alone():
    core = back("a.b", 2)
    answered(core, "a", [Row("a.b.c", ANY, "a.b.c")])
    answered(core, "a.b.c", [Row("a.b.c", EVEN, "a.b.c")])
    assert core.at.table.rows() == (Row("a.b.c", EVEN, "a.b.c"),)


def test_questions_that_cross_are_answered_in_the_stream_of_the_question():
    core = back("a")
    assert received(core, Recover("a.b", (3, 1)))[0][:2] == [
        ("a.b", Connect("a", (1, 1), (3, 1), "recovering")),
        ("a.b", Status("a", (1, 1), "recovering")),
    ]
    assert received(core, Recover("a.b", (4, 1)))[0][0] == ("a.b", Connect("a", (1, 3), (4, 1), "recovering"))


def test_a_stamp_of_a_later_incarnation_ends_a_connection_and_what_is_older_is_refused():
    links = [Link("a.b", "operational", (0, 1), (0, 1)), Link("a.b.c", "operational", (0, 2), (0, 9))]
    core = broker("a", 2, connections=links)
    visited = (("a.b.c", (1, 1)), ("a.b", (0, 1)))
    received(core, Forward("a.b", (0, 1), ("a.b.c", 1, 1), Rejoin("a.b.c", (), "a.b.c"), visited, None))
    assert [*core.at.links] == ["a.b"]
    assert received(core, Recover("a.b.c", (0, 10))) == ([], [])


@pytest.mark.parametrize(("core", "copies"), [(broker("a", 2), 1), (back("a", 2), 0)])
def test_what_waits_before_the_other_is_copied_to_a_node_that_is_told_stamps_only(core, copies):
    said, stamp = ("a", 0, 1), (0, 1)
    recipients = {"a.b", "a.b.c"}
    core.at.entries[said] = Entry(said, Publication(()), stamp, (), set(), recipients, {"a.b"})
    sent = [message for to, message in received(core, Recover("a.b.c", (1, 1)))[0] if to == "a.b.c"]
    assert sum(isinstance(message, Forward) for message in sent) == copies


def test_what_came_past_a_broker_does_not_go_back_to_it():
    core = broker("a.b", 2, rows=[Row("a", ANY, "a"), Row("a.b.c", ANY, "a.b.c")])
    received(core, Connect("a.b.c.d", (0, 3), None, "operational"))
    visited = (("a.b.c.d", (0, 1)), ("a.b.c", None))
    sent, _ = received(core, Forward("a.b.c.d", (0, 3), ("a.b.c.d", 0, 1), Publication(()), visited, None))
    assert [to for to, _ in sent] == ["a"]


def test_all_are_down_at_once_and_know_everything_again():
    names = ["a", "a.b", "a.b.c"]
    system = System(names, 3, 0)
    for name in names:
        system.command(name, "Subscribe", filter=ANY)
    system.run_until(5)
    system.command("a.b.c", "Unsubscribe", filter=ANY)
    for name in names:
        system.command(name, "Crash")
    system.run_until(6)
    for name in names:
        system.command(name, "Restart")
    system.end()
    assert [*system.unsettled(), *system.watched.faults] == []


def test_an_end_that_is_not_confirmed_is_said_again():
    core = broker("a", own=[Own(ANY, "subscribed", None)])
    obeyed(core, Unsubscribe(ANY))
    obeyed(core, Crash())
    assert [own.phase for own in core.at.own.values()] == ["unsubscribing"]
