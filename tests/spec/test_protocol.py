from spec.model import Fault
from spec.protocol import Start, legitimacy_faults
from tests.spec.toy import UNORDERED, start


def test_a_state_without_faults_is_legitimate():
    assert legitimacy_faults(UNORDERED, {"a": ("heads",), "b": ()}, (("a", "heads"),)) == ()


def test_faults_are_those_of_the_authority_then_of_the_nodes_by_name_then_of_the_messages():
    states = {"b": ("tails",), "a": ("tails",)}
    assert legitimacy_faults(UNORDERED, states, (("b", "tails"),)) == (
        Fault("no_tails", "a", "heads", "tails", "nowhere"),
        Fault("no_tails", "b", "heads", "tails", "nowhere"),
        Fault("no_tails_sent", "b", "heads", "tails", "nowhere"),
    )


def test_a_start_is_a_value():
    assert start(("a", "heads")) == Start(start().roles, start().locals, (("a", "heads"),))
    assert hash(start()) == hash(start())
