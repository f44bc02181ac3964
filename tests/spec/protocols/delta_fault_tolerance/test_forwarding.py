"""Recipients, copies, duplicates and entries, step by step.

Source: Algorithm 1; Sections 4.7, 4.8 and 5
"""

import pytest
from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Commanded, Received
from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker
from gomboc.spec.protocols.delta_fault_tolerance.forwarding import updated, widened
from gomboc.spec.protocols.delta_fault_tolerance.models import ANY, ONE, protocol
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.recovery import try_to_finish, united
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
from gomboc.spec.protocols.delta_fault_tolerance.state import (
    FIELDS,
    Confirm,
    Connect,
    Connection,
    Down,
    Forward,
    Node,
    Own,
    Publication,
    Publish,
    Published,
    Row,
    Subscribe,
    Subscription,
    Unreachable,
    Unsubscribe,
    Unsubscription,
)
from gomboc.spec.protocols.delta_fault_tolerance.variables import applied
from gomboc.spec.types.kinds import Crash, Restart

LINE = A, B, C, D, E = "0", "0.0", "0.0.0", "0.0.0.0", "0.0.0.0.0"
X = (("x", 1),)


def broker(name, delta=1, names=LINE, wanted=None, **variables):
    local = dict(right_start(Parameters(delta), names, wanted or {}).locals)[name]
    return replace(local, **variables)


def received(name, local, message, delta=1):
    return protocol(delta).actor.react(name, local, Received(message), CERTAIN[0])


def obeyed(name, local, command, delta=1):
    return protocol(delta).actor.react(name, local, Commanded(command), CERTAIN[0])


def stream(local, peer):
    return next(connection.theirs for connection in local.connections if connection.peer == peer)


def forward(local, sender, content, visited, guide=None, source=A):
    return Forward(sender, stream(local, sender), (source, 0, 1), content, visited, guide)


def linked(local, peer, status="operational"):
    """The broker with one more connection."""
    connections = (*local.connections, Connection(peer, status, (0, 9), (0, 9)))
    return replace(local, connections=tuple(sorted(connections, key=lambda connection: connection.peer)))


def test_what_came_past_a_broker_does_not_go_back_to_it():
    names = (A, B, "0.1", C)
    local = linked(broker(A, 1, names, {B: (ANY,), "0.1": (ANY,)}), C)
    message = Forward(C, (0, 9), (C, 0, 1), Publication(X), ((C, (0, 1)), (B, None)), None)
    sent = received(A, local, message).sends
    assert [send.target for send in sent] == ["0.1"]


def test_a_message_with_the_last_stamp_again_is_a_duplicate():
    local = broker(B, seen=((A, (0, 5)),))
    outcome = received(B, local, forward(local, A, Publication(X), ((A, (0, 5)),)))
    assert [type(send.message) for send in outcome.sends] == [Confirm]
    assert not outcome.local.entries


def test_an_older_stamp_leaves_the_newer_one():
    assert updated(((A, (0, 5)),), ((A, (0, 3)), (B, (0, 1)), (C, None))) == ((A, (0, 5)), (B, (0, 1)))


@pytest.mark.parametrize(("status", "guide"), [("operational", None), ("recovering", (C, D)), (None, (C, D))])
def test_a_node_that_is_not_known_to_be_operational_is_guided(status, guide):
    local = broker(B, 2, (A, B, C, D), {C: (ANY,), D: (ANY,)})
    connections = tuple(
        replace(connection, status=status) if connection.peer == C else connection for connection in local.connections
    )
    outcome = obeyed(B, replace(local, connections=connections), Publish(X), 2)
    (sent,) = (send.message for send in outcome.sends)
    assert sent.guide == guide


def test_a_row_names_the_broker_delta_and_one_away_on_the_way():
    local = broker(C, 1)
    outcome = received(C, local, forward(local, B, Subscription(A, ONE, A), ((A, (0, 1)), (B, (0, 1)))))
    (sent,) = (send.message for send in outcome.sends)
    assert sent.content.via == B
    local = broker(D, 1)
    assert received(D, local, forward(local, C, sent.content, sent.visited)).local.rows == (Row(A, ONE, B),)


def test_a_recipient_that_recovers_gives_its_place_to_those_beyond_as_well():
    here = Broker(B, Parameters(1))
    assert widened(broker(B), here, (C,)) == (C,)
    local = broker(B)
    connections = tuple(replace(connection, status="recovering") for connection in local.connections)
    assert widened(replace(local, connections=connections), here, (C,)) == (C, D)


def test_a_copy_names_a_node_that_is_bypassed_and_the_last_delta_and_one_that_it_has_visited():
    outcome = obeyed(A, broker(A, 2, LINE, {C: (ANY,)}), Publish(X), 2)
    sent = obeyed(A, outcome.local, Down(B), 2).sends
    assert sent[-1].message.visited == ((A, (0, 1)), (B, None))
    local = broker(C, 1, LINE, {D: (ANY,)})
    visited = ((A, (0, 1)), (B, (0, 1)))
    (sent,) = received(C, local, forward(local, B, Publication(X), visited)).sends
    assert sent.message.visited == ((B, (0, 1)), (C, (0, 1)))
    assert not FIELDS.malformed(Parameters(1), sent.message)


def test_a_recipient_that_no_node_leads_to_is_told_and_waited_for():
    local = replace(broker(A, 1, LINE, {C: (ANY,)}), connections=())
    outcome = obeyed(A, local, Publish(X))
    assert [delivery for delivery in outcome.delivered if isinstance(delivery, Unreachable)] == [
        Unreachable((A, 0, 1), C)
    ]
    assert outcome.local.entries[0].waiting == (C,)


def test_operations_wait_for_the_tables_that_are_asked_for():
    asking = obeyed(B, obeyed(B, broker(B), Crash()).local, Restart()).local
    asking = received(B, asking, Connect(A, (0, 9), asking.connections[0].mine, "operational")).local
    said = Subscription(A, ONE, A)
    outcome = received(B, asking, Forward(A, (0, 9), (A, 0, 1), said, ((A, (0, 1)),), None))
    assert (outcome.local.later, outcome.local.rows) == ((said,), ())


def test_operations_that_have_waited_are_applied_after_the_tables():
    said = (Subscription(A, ONE, A), Unsubscription(A, ANY))
    local = Node("recovering", 1, (A,), answers=((A, (Row(A, ANY, A),)),), later=said)
    assert try_to_finish(local, Broker(B, Parameters(1))).local.rows == (Row(A, ONE, A),)


def test_each_sender_of_a_duplicate_is_confirmed_in_the_end():
    local = linked(broker(C, 1, LINE, {D: (ANY,)}), A)
    visited = ((A, (0, 1)), (B, (0, 1)))
    local = received(C, local, forward(local, B, Publication(X), visited)).local
    local = received(C, local, forward(local, A, Publication(X), ((A, (0, 1)), (B, None)))).local
    assert local.entries[0].senders == (A, B)
    confirmed = received(C, local, Confirm(D, stream(local, D), (A, 0, 1)))
    assert [send.target for send in confirmed.sends] == [A, B]


def test_a_publication_of_a_node_that_recovers_waits():
    outcome = obeyed(B, broker(B, status="recovering"), Publish(X))
    assert (outcome.local.queue, outcome.delivered, outcome.sends) == ((X,), (), ())
    assert Published in map(type, obeyed(B, broker(B), Publish(X)).delivered)


def test_a_subscription_that_ends_is_served_no_more():
    ending = broker(B, own=(Own(ANY, "unsubscribing", None),))
    assert received(B, ending, forward(ending, A, Publication(X), ((A, (0, 1)),))).delivered == ()


def test_a_second_subscription_of_a_source_leaves_the_first():
    assert applied((Row(A, ANY, A),), Subscription(A, ONE, A)) == (Row(A, ONE, A), Row(A, ANY, A))
    assert applied((Row(A, ANY, A),), Unsubscription(A, ONE)) == (Row(A, ANY, A),)


def test_rejoin_does_not_say_what_its_client_has_begun_to_end():
    local = obeyed(B, obeyed(B, broker(B, wanted={B: (ONE,)}), Unsubscribe(ONE)).local, Subscribe(ANY)).local
    failed = obeyed(B, local, Crash()).local
    assert [(own.filter, own.phase) for own in failed.own] == [(ONE, "unsubscribing"), (ANY, "subscribing")]
    back = obeyed(B, failed, Restart()).local
    rejoined = try_to_finish(replace(back, asking=()), Broker(B, Parameters(1)))
    (said,) = {send.message.content for send in rejoined.sends}
    assert (said.filters, said.via) == ((ANY,), B)


def test_the_word_of_a_node_that_is_on_the_way_to_a_source_counts_alone():
    answers = ((A, (Row(C, ONE, C),)), (C, (Row(C, ANY, C),)))
    local = Node("recovering", 1, (A, C), answers=answers)
    assert united(local, B) == (Row(C, ANY, C),)
    assert united(replace(local, answers=answers[:1]), B) == (Row(C, ONE, C),)
