"""Invalid input is refused in a sentence that names the party at fault."""

from random import Random

import msgspec
import pytest

from gomboc.impl.core.automaton import SetTimer, Timeout
from gomboc.impl.core.errors import PeerError, UsageError
from gomboc.impl.protocols.delta_fault_tolerance import IMPLEMENTATION
from tests.impl.protocols.delta_fault_tolerance.systems import blank

NAMES = ["a", "a.b", "a.b.c"]


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (
            {"kind": "Subscribe", "filter": [["x", "<", 1], ["x", "prefix", "a"]]},
            "'x' would have to be a number and a text.",
        ),
        ({"kind": "Subscribe", "filter": [["x", "~", 1]]}, "Invalid enum value '~' - at `$.filter[0][1]`."),
        ({"kind": "Subscribe", "filter": [["x", "prefix", 1]]}, "a prefix of 'x' is a text, and 1 is not."),
        ({"kind": "Subscribe", "filter": [["x", "exists", 1]]}, "'exists' of 'x' has a value."),
        ({"kind": "Unsubscribe", "filter": [["x", "=", None]]}, "'=' of 'x' has no value."),
        (
            {"kind": "Subscribe", "filter": [["y", "=", 1], ["x", "=", 1]]},
            'its predicate [["x","=",1]] comes after [["y","=",1]].',
        ),
        ({"kind": "Publish", "attributes": [["x", 1], ["x", 2]]}, "its attribute x comes after x."),
        (
            {"kind": "Publish", "attributes": [["x", True]]},
            "Expected `int | float | str | array`, got `bool` - at `$.attributes[0][1]`.",
        ),
        ({"kind": "Down", "node": "a..b"}, None),
    ],
)
def test_a_command_that_makes_no_sense_is_the_applications_fault(command, sentence):
    with pytest.raises(UsageError) as refused:
        IMPLEMENTATION.decode_command(msgspec.json.encode(command))
    assert str(refused.value).startswith("This is not a command of delta-fault-tolerance: ")
    if sentence is not None:
        assert str(refused.value) == f"This is not a command of delta-fault-tolerance: {sentence}"


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"delta": -1}, "Expected `int` >= 0 - at `$.delta`."),
        ({"delta": "1"}, "Expected `int`, got `str` - at `$.delta`."),
        ({"gamma": 1}, "Object contains unknown field `gamma`."),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters, sentence):
    with pytest.raises(UsageError) as refused:
        IMPLEMENTATION.configured(parameters)
    assert str(refused.value) == f"These are not parameters of delta-fault-tolerance: {sentence}"


@pytest.mark.parametrize(
    ("role", "name", "sentence"),
    [
        ("broker", "a..b", "'a..b' is no name of a broker: write a path in the tree, such as 'a.b.c'."),
        ("broker", ".a", "'.a' is no name of a broker: write a path in the tree, such as 'a.b.c'."),
        ("node", "a", "Delta-fault-tolerance has no role 'node'; it has: broker."),
    ],
)
def test_a_name_that_is_none_or_another_role_is_refused(role, name, sentence):
    with pytest.raises(UsageError) as refused:
        IMPLEMENTATION.make(role, name, blank("a", NAMES, 1), None)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"known": ["a.b", "a.b.c.d", "a.b.c"]}, "it knows 'a.b.c.d', which is farther than 2 links"),
        ({"known": ["a.b.c"], "connections": []}, "it knows 'a.b.c', and not the brokers on the path to it"),
        ({"known": ["a", "a.b"]}, "it knows itself"),
        ({"known": ["a.b.c", "a.b"]}, "its name 'a.b' comes after 'a.b.c'"),
        ({"connections": [["a.z", None, [0, 1], None]]}, "it is connected to 'a.z', which it does not know"),
        (
            {"status": "failed"},
            "a broker that has failed keeps only its incarnation, the brokers that it knows, and its subscriptions",
        ),
        ({"queue": [[["y", 1], ["x", 1]]]}, "its attribute x comes after y"),
        ({"rows": [["b", [], "a.b"], ["a.b", [], "a.b"]]}, "its rows are not in order"),
    ],
)
def test_a_state_that_no_trace_could_hold_is_refused(changed, sentence):
    with pytest.raises(UsageError) as refused:
        IMPLEMENTATION.make("broker", "a", blank("a", NAMES, 1) | changed, None)
    assert str(refused.value) == f"This is not a state of delta-fault-tolerance for 'a': {sentence}."


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (
            {"kind": "Confirm", "sender": "a", "stream": [0, 0], "id": ["a", 0, 1]},
            "Expected `int` >= 1 - at `$.stream[1]`.",
        ),
        (
            {"kind": "Stamps", "sender": "a", "stream": [0, 1], "stamps": [["b", [0, 1]], ["a", [0, 1]]]},
            "its stamps are not in order.",
        ),
        (
            {"kind": "Table", "sender": "a", "stream": [0, 1], "rows": [["b", [], "b"], ["a", [], "a"]]},
            "its rows are not in order.",
        ),
    ],
)
def test_a_message_that_makes_no_sense_is_the_peers_fault(message, sentence):
    with pytest.raises(PeerError) as refused:
        IMPLEMENTATION.decode(msgspec.json.encode(message))
    assert str(refused.value) == f"This is not a message of delta-fault-tolerance: {sentence}"


def test_a_leaf_that_joins_by_its_state_and_has_asked_no_node_asks_no_node_again():
    state = {**blank("a.b", NAMES, 1), "status": "recovering", "known": [], "connections": [], "asking": ["a"]}
    broker = IMPLEMENTATION.make("broker", "a.b", state, Random(1))
    assert [type(output) for output in broker.handle(0.0, Timeout())] == [SetTimer]
