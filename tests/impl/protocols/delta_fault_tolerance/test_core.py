"""Single steps of a broker."""

import msgspec

from gomboc.impl.core.automaton import Commanded, Delivered, Received, Send
from gomboc.impl.core.vocabulary import Crash, Restart
from gomboc.impl.protocols.delta_fault_tolerance import IMPLEMENTATION
from gomboc.impl.protocols.delta_fault_tolerance.commands import Down, Publish, Subscribe, Unsubscribe
from gomboc.impl.protocols.delta_fault_tolerance.contents import Publication, Row, Subscription
from gomboc.impl.protocols.delta_fault_tolerance.deliveries import (
    Published,
    Status,
    Subscribed,
    Unsubscribed,
    Unsubscribing,
)
from gomboc.impl.protocols.delta_fault_tolerance.messages import (
    Close,
    Confirm,
    Connect,
    Forward,
    Recover,
    Stamps,
    Table,
)
from gomboc.impl.protocols.delta_fault_tolerance.messages import Status as Told
from tests.impl.protocols.delta_fault_tolerance.systems import ANY, EVEN, blank

LINE = ["a", "a.b", "a.b.c", "a.b.c.d"]


def broker(name, delta=1, **variables):
    state = blank(name, LINE, delta) | msgspec.to_builtins(variables)
    return IMPLEMENTATION.configured({"delta": delta}).make("broker", name, state, None)


def taken(core, event):
    """The messages that a step sends, and its deliveries."""
    outputs = core.handle(0.0, event)
    sent = [(output.to, output.message) for output in outputs if isinstance(output, Send)]
    return sent, [output.content for output in outputs if isinstance(output, Delivered)]


def received(core, message):
    return taken(core, Received(message))


def obeyed(core, command):
    return taken(core, Commanded(command))


def forward(sender, content, stamp=(0, 1), stream=(0, 1), guide=None, source=None):
    source = source or sender
    return Forward(sender, stream, (source, *stamp), content, ((sender, stamp),), guide)


def test_a_publication_goes_away_from_the_hop_that_it_came_from():
    core = broker("a.b", rows=[Row("a", ANY, "a"), Row("a.b.c", ANY, "a.b.c")])
    sent, _ = received(core, forward("a", Publication(())))
    assert [to for to, _ in sent] == ["a.b.c"]
    assert [entry.waiting for entry in core.at.entries.values()] == [{"a.b.c"}]
    assert received(core, Confirm("a.b.c", (0, 1), ("a", 0, 1))) == ([("a", Confirm("a.b", (0, 1), ("a", 0, 1)))], [])


def test_any_stamp_that_is_not_newer_makes_a_duplicate():
    core = broker("a.b.c", seen=[["a", [0, 5]]])
    old = Forward("a.b", (0, 1), ("a", 0, 5), Publication(()), (("a", (0, 5)), ("a.b", (0, 9))), None)
    assert received(core, old) == ([("a.b", Confirm("a.b.c", (0, 1), ("a", 0, 5)))], [])
    assert core.at.seen == {"a": (0, 5)}


def test_a_duplicate_of_what_is_not_confirmed_yet_is_confirmed_later():
    core = broker("a.b.c", rows=[Row("a.b.c.d", ANY, "a.b.c.d")])
    first = Forward("a.b", (0, 1), ("a", 0, 1), Publication(()), (("a", (0, 1)), ("a.b", (0, 1))), None)
    received(core, first)
    received(core, Connect("a", (0, 2), None, "operational"))
    sent, _ = received(core, Forward("a", (0, 2), ("a", 0, 1), Publication(()), (("a", (0, 1)), ("a.b", None)), None))
    assert sent == []
    sent, _ = received(core, Confirm("a.b.c.d", (0, 1), ("a", 0, 1)))
    assert sorted(to for to, _ in sent) == ["a", "a.b"]


def test_a_message_of_an_old_stream_is_refused():
    core = broker("a.b")
    before = core.snapshot()
    assert received(core, forward("a", Publication(()), stream=(0, 2))) == ([], [])
    assert core.snapshot() is before


def test_a_subscription_leads_at_most_delta_and_one_links_back():
    core = broker("a.b.c")
    content = Subscription("a", ANY, "a")
    ((to, sent),), _ = received(core, forward("a.b", content, source="a"))
    assert (to, sent.content) == ("a.b.c.d", Subscription("a", ANY, "a.b"))
    assert core.at.table.rows() == (Row("a", ANY, "a"),)


def test_a_copy_past_a_failed_broker_names_it_without_a_stamp_and_guides_any_node_that_is_not_known_to_be_operational():
    core = broker("a", rows=[Row("a.b.c", ANY, "a.b.c")])
    obeyed(core, Publish(()))
    sent, _ = obeyed(core, Down("a.b"))
    assert sent == [
        ("a.b.c", Connect("a", (0, 2), None, "operational")),
        ("a.b.c", Forward("a", (0, 2), ("a", 0, 1), Publication(()), (("a", (0, 1)), ("a.b", None)), ("a.b.c",))),
    ]


def test_the_detectors_word_on_some_node_one_is_not_connected_to_means_nothing():
    assert obeyed(broker("a"), Down("a.b.c")) == ([], [])


def test_a_crash_keeps_the_incarnation_the_tree_and_the_subscriptions():
    core = broker("a.b")
    obeyed(core, Subscribe(EVEN))
    assert obeyed(core, Crash()) == ([], [Status("failed")])
    assert core.at.known == ("a", "a.b.c", "a.b.c.d")
    assert [(own.phase, own.id) for own in core.at.own.values()] == [("subscribing", None)]
    assert obeyed(core, Publish(())) == ([], [])
    sent, delivered = obeyed(core, Restart())
    assert sent == [("a", Recover("a.b", (1, 1))), ("a.b.c", Recover("a.b", (1, 2)))]
    assert delivered == [Status("recovering")]


def test_stamps_come_last_in_an_answer():
    core = broker("a.b", rows=[Row("a.b.c.d", ANY, "a.b.c.d")], seen=[["a.b.c", [0, 3]]])
    received(core, forward("a", Publication(())))
    sent, _ = received(core, Recover("a.b.c", (1, 1)))
    assert [type(message) for _, message in sent] == [Connect, Table, Forward, Stamps]
    assert sent[1][1].rows == (Row("a.b.c.d", ANY, "a.b.c.d"),)
    assert sent[3][1].stamps == (("a", (0, 1)), ("a.b", (0, 1)))


def test_a_node_that_is_asking_says_so_and_asks_past_a_node_that_asks_it():
    core = broker("a.b")
    obeyed(core, Crash())
    obeyed(core, Restart())
    sent, _ = received(core, Recover("a.b.c", (2, 1)))
    assert sent[0] == ("a.b.c", Connect("a.b", (1, 2), (2, 1), "recovering"))
    assert sent[1] == ("a.b.c", Told("a.b", (1, 2), "recovering"))
    assert sent[2] == ("a.b.c.d", Recover("a.b", (1, 3)))
    assert core.at.recovery.asking == {"a", "a.b.c.d"}


def test_a_question_is_answered_and_a_late_answer_is_told_of_the_closing():
    core = broker("a.b.c")
    sent, _ = received(core, Connect("a", (0, 7), None, "operational"))
    assert sent == [("a", Connect("a.b.c", (0, 3), (0, 7), "operational"))]
    assert received(broker("a.b.c"), Connect("a", (0, 7), (0, 2), "operational")) == (
        [("a", Close("a.b.c", (0, 2)))],
        [],
    )


def test_a_client_hears_of_its_subscription_and_of_its_end():
    core = broker("a")
    ((_, said),), _ = obeyed(core, Subscribe(ANY))
    assert received(core, Confirm("a.b", (0, 1), said.id)) == ([], [Subscribed(ANY)])
    ((_, said),), delivered = obeyed(core, Unsubscribe(ANY))
    assert delivered == [Unsubscribing(ANY)]
    assert received(core, Confirm("a.b", (0, 1), said.id)) == ([], [Unsubscribed(ANY)])
    assert obeyed(core, Unsubscribe(ANY)) == ([], [])


def test_a_publication_waits_while_the_broker_recovers():
    core = broker("a")
    obeyed(core, Crash())
    obeyed(core, Restart())
    assert obeyed(core, Publish(())) == ([], [])
    assert core.at.queue == [()]
    received(core, Connect("a.b", (0, 2), (1, 1), "operational"))
    received(core, Table("a.b", (0, 2), ()))
    ((_, rejoin),), _ = received(core, Stamps("a.b", (0, 2), ()))
    _, delivered = received(core, Confirm("a.b", (0, 2), rejoin.id))
    assert delivered[:2] == [Status("operational"), Published(("a", 1, 2), ())]


def test_a_closing_by_a_node_that_is_asked_has_it_asked_again():
    core = broker("a")
    obeyed(core, Crash())
    obeyed(core, Restart())
    received(core, Connect("a.b", (0, 2), (1, 1), "operational"))
    assert received(core, Close("a.b", (0, 2))) == ([("a.b", Recover("a", (1, 2)))], [])
    assert core.at.recovery.asking == {"a.b"}


def test_a_name_that_is_of_no_node_means_nothing():
    core = broker("a")
    assert received(core, Connect("z", (0, 1), None, "operational")) == ([], [])


def test_a_node_that_asks_for_a_connection_anew_has_everything_again_that_waits_for_it():
    core = broker("a", rows=[Row("a.b", ANY, "a.b")])
    ((_, first),), _ = obeyed(core, Publish(()))
    sent, _ = received(core, Connect("a.b", (0, 2), None, "operational"))
    begun = Connect("a", (0, 2), (0, 2), "operational")
    assert sent == [("a.b", begun), ("a.b", msgspec.structs.replace(first, stream=(0, 2)))]


def test_a_closing_of_what_is_past_a_neighbour_is_answered_with_ones_own():
    core = broker("a")
    ((_, answer),), _ = received(core, Connect("a.b.c", (0, 7), None, "operational"))
    assert received(core, Close("a.b.c", (0, 7))) == ([("a.b.c", Close("a", answer.stream))], [])
    assert set(core.at.links) == {"a.b"}


def test_a_corrupted_row_that_leads_to_the_broker_itself_leads_nowhere():
    core = broker("a.b", rows=[Row("a", ANY, "a.b"), Row("a.b.c", ANY, "a.b.c")])
    sent, _ = obeyed(core, Publish((("x", 1),)))
    assert [to for to, _ in sent] == ["a.b.c"]
    sent, _ = received(core, Recover("a", (1, 1)))
    assert sent[1][1].rows == (Row("a.b.c", ANY, "a.b.c"),)
