"""Recipients, stamps, and the tables of a broker that recovers. Whole steps are scenarios.

Source: Algorithm 1; Sections 4.7, 4.8 and 5
"""

from msgspec.structs import replace

from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker
from gomboc.spec.protocols.delta_fault_tolerance.forwarding import updated, widened
from gomboc.spec.protocols.delta_fault_tolerance.models import ANY, ONE
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.recovery import try_to_finish, united
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
from gomboc.spec.protocols.delta_fault_tolerance.state import (
    Node,
    Row,
    Subscription,
    Unsubscription,
)
from gomboc.spec.protocols.delta_fault_tolerance.variables import applied

LINE = A, B, C, D = "0", "0.0", "0.0.0", "0.0.0.0"


def test_an_older_stamp_leaves_the_newer_one():
    assert updated(((A, (0, 5)),), ((A, (0, 3)), (B, (0, 1)), (C, None))) == ((A, (0, 5)), (B, (0, 1)))


def test_a_recipient_that_recovers_gives_its_place_to_those_beyond_as_well():
    here, local = Broker(B, Parameters(1)), dict(right_start(Parameters(1), LINE, {}).locals)[B]
    assert widened(local, here, (C,)) == (C,)
    connections = tuple(replace(connection, status="recovering") for connection in local.connections)
    assert widened(replace(local, connections=connections), here, (C,)) == (C, D)


def test_operations_that_have_waited_are_applied_after_the_tables():
    said = (Subscription(A, ONE, A), Unsubscription(A, ANY))
    local = Node("recovering", 1, (A,), answers=((A, (Row(A, ANY, A),)),), later=said)
    assert try_to_finish(local, Broker(B, Parameters(1))).local.rows == (Row(A, ONE, A),)


def test_a_second_subscription_of_a_source_leaves_the_first():
    assert applied((Row(A, ANY, A),), Subscription(A, ONE, A)) == (Row(A, ONE, A), Row(A, ANY, A))
    assert applied((Row(A, ANY, A),), Unsubscription(A, ONE)) == (Row(A, ANY, A),)


def test_the_word_of_a_node_that_is_on_the_way_to_a_source_counts_alone():
    answers = ((A, (Row(C, ONE, C),)), (C, (Row(C, ANY, C),)))
    local = Node("recovering", 1, (A, C), answers=answers)
    assert united(local, B) == (Row(C, ANY, C),)
    assert united(replace(local, answers=answers[:1]), B) == (Row(C, ONE, C),)
