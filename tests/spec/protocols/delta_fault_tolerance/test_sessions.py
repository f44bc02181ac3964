"""Connections: opening, answering, closing, and handing messages over to other peers, step by step.

Source: Algorithms 3, 4 and 7
"""

from msgspec.structs import replace

from gomboc.spec.protocols.delta_fault_tolerance.models import ANY
from gomboc.spec.protocols.delta_fault_tolerance.state import (
    Close,
    Connect,
    Down,
    Entry,
    Publication,
    Publish,
    Recover,
    StampsMessage,
    StatusMessage,
)
from gomboc.spec.types.kinds import Crash, Restart
from tests.spec.protocols.delta_fault_tolerance.test_forwarding import (
    LINE,
    A,
    B,
    C,
    D,
    X,
    broker,
    linked,
    obeyed,
    received,
    stream,
)


def connections(local):
    return [connection.peer for connection in local.connections]


def test_past_a_failure_no_node_is_connected_to_past_a_peer():
    names = (A, B, C, D)
    local = linked(broker(A, 3, names), C)
    assert connections(obeyed(A, local, Down(B), 3).local) == [C]
    local = linked(broker(A, 3, names), D)
    assert connections(obeyed(A, local, Down(B), 3).local) == [C, D]
    local = linked(broker(A, 3, names), C)
    assert connections(obeyed(A, local, Down(C), 3).local) == [B]


def test_an_answer_to_a_connection_that_is_over_is_told_so():
    outcome = received(A, broker(A, 2), Connect(C, (0, 4), (0, 7), "operational"), 2)
    assert [(send.target, send.message) for send in outcome.sends] == [(C, Close(A, (0, 7)))]
    assert outcome.local == broker(A, 2)


def test_an_answer_to_another_stream_is_refused():
    local = linked(broker(A, 2), C)
    assert received(A, local, Connect(C, (0, 4), (0, 7), "operational"), 2).local == local
    assert received(A, local, Connect(C, (0, 4), (0, 9), "operational"), 2).local != local


def test_a_node_that_is_operational_again_has_connections_past_it_closed():
    local = linked(broker(A, 2), C)
    outcome = received(A, local, StatusMessage(B, stream(local, B), "operational"), 2)
    assert [(send.target, send.message) for send in outcome.sends] == [(C, Close(A, (0, 9)))]
    assert connections(outcome.local) == [B]


def test_what_waits_past_a_broker_is_entrusted_to_it_alone():
    local = linked(broker(A, 2, LINE, {C: (ANY,)}), C)
    said = Entry((A, 0, 1), Publication(X), (0, 1), (), (), (C,), (C,))
    local = replace(local, count=1, entries=(said,))
    outcome = received(A, local, StatusMessage(B, stream(local, B), "operational"), 2)
    assert outcome.local.entries[0].waiting == (B,)
    assert [send.target for send in outcome.sends] == [B, C]


def test_a_node_that_is_asked_and_closes_is_asked_again():
    local = obeyed(A, obeyed(A, broker(A), Crash()).local, Restart()).local
    local = received(A, local, Connect(B, (0, 4), local.connections[0].mine, "operational")).local
    outcome = received(A, local, Close(B, (0, 4)))
    assert [(send.target, send.message) for send in outcome.sends] == [(B, Recover(A, (1, 2)))]
    assert outcome.local.asking == (B,)


def test_a_node_that_closes_what_is_older_than_a_question_hears_that_this_is_over_too():
    """Two short failures between: the peer still takes up the question, and no broker would close that connection."""
    local = replace(linked(broker(A, 2), C), streams=11)
    (mine,) = (connection.mine for connection in local.connections if connection.peer == C)
    outcome = received(A, local, Close(C, stream(local, C)), 2)
    assert [(send.target, send.message) for send in outcome.sends] == [(C, Close(A, mine))]
    assert connections(outcome.local) == [B]


def test_a_node_that_comes_back_is_in_a_later_incarnation():
    assert obeyed(A, obeyed(A, broker(A), Crash()).local, Restart()).local.incarnation == 1


def test_stamps_are_those_of_this_side_and_ones_own():
    local = broker(B, 2, LINE, seen=((A, (0, 3)), (C, (0, 4)), (D, (0, 5))))
    local = obeyed(B, local, Publish(X), 2).local
    messages = [sent.message for sent in received(B, local, Recover(C, (1, 1)), 2).sends]
    assert messages[-1] == StampsMessage(B, messages[0].stream, ((A, (0, 3)), (B, (0, 1))))
