import msgspec
import pytest

from gomboc.impl.errors import PeerError, UsageError
from tests.impl.chord.systems import CHORD, numbered

SMALL = numbered()
KEY = "2a"

MESSAGES = [
    {"kind": "StabilizeRequest", "sender": "n1"},
    {"kind": "StabilizeReply", "sender": "n1", "predecessor": None, "successors": []},
    {"kind": "StabilizeReply", "sender": "n1", "predecessor": "n9", "successors": ["n9", "n2"]},
    {"kind": "Ping", "sender": "n1"},
    {"kind": "Notify", "sender": "n1"},
    {"kind": "JoinRequest", "joiner": "n1", "sender": "n2"},
    {"kind": "JoinReply", "sender": "n1", "successors": ["n1"]},
    {"kind": "RouteRequest", "key": KEY, "asker": "n1", "sender": "n2"},
    {"kind": "RouteReply", "key": KEY, "owner": "n1"},
    {"kind": "FixFingerRequest", "finger": 5, "asker": "n1", "sender": "n2"},
    {"kind": "FixFingerReply", "finger": 0, "owner": "n1"},
    {"kind": "Dead", "node": "n1"},
]
COMMANDS = [
    {"kind": "Join", "contact": "n1"},
    {"kind": "Leave"},
    {"kind": "Crash"},
    {"kind": "Suspect", "node": "n1"},
    {"kind": "Peers", "nodes": ["n1", "n2"]},
    {"kind": "Lookup", "key": KEY},
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda case: case["kind"])
def test_a_message_is_written_as_it_was_read(message):
    assert SMALL.encode(SMALL.decode(msgspec.json.encode(message))) == msgspec.json.encode(message)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda case: case["kind"])
def test_a_command_is_written_as_it_was_read(command):
    assert SMALL.encode(SMALL.decode_command(msgspec.json.encode(command))) == msgspec.json.encode(command)


def renamed(value, names=None):
    """The same with names that have no number, the first of them `ann`, wherever a node is named."""
    names = names or iter(["ann", "ben", "cat", "dan"])
    match value:
        case dict():
            return {key: part if key in ("kind", "key") else renamed(part, names) for key, part in value.items()}
        case list():
            return [renamed(part, names) for part in value]
        case str():
            return next(names)
        case _:
            return value


@pytest.mark.parametrize("message", MESSAGES, ids=lambda case: case["kind"])
def test_every_name_in_a_message_needs_a_number_where_numbers_are_ids(message):
    with pytest.raises(PeerError) as error:
        SMALL.decode(msgspec.json.encode(renamed(message)))
    assert str(error.value) == "This is not a message of Chord: the name 'ann' does not end in a number."


@pytest.mark.parametrize("command", [COMMANDS[0], *COMMANDS[3:5]], ids=lambda case: case["kind"])
def test_every_name_in_a_command_needs_a_number_where_numbers_are_ids(command):
    with pytest.raises(UsageError) as error:
        SMALL.decode_command(msgspec.json.encode(renamed(command)))
    assert str(error.value) == "This is not a command of Chord: the name 'ann' does not end in a number."


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({**MESSAGES[7], "key": "40"}, "the key '40' is not one of 2 hexadecimal digits below 2^6"),
        ({**MESSAGES[8], "key": "A0"}, "the key 'A0' is not one of 2 hexadecimal digits below 2^6"),
        ({**MESSAGES[9], "finger": 6}, "there is no finger 6, since ids have 6 bits"),
        ({**MESSAGES[10], "finger": 6}, "there is no finger 6, since ids have 6 bits"),
    ],
)
def test_keys_and_fingers_outside_of_the_space_are_refused(message, reason):
    with pytest.raises(PeerError) as error:
        SMALL.decode(msgspec.json.encode(message))
    assert str(error.value) == f"This is not a message of Chord: {reason}."


@pytest.mark.parametrize(
    "message",
    [7, {}, {"kind": "StabilizeRequest"}, {"kind": "StabilizeRequest", "sender": "a b"}, {**MESSAGES[9], "finger": -1}],
)
def test_what_is_no_message_is_refused(message):
    with pytest.raises(PeerError, match=r"^This is not a message of Chord: "):
        CHORD.decode(msgspec.json.encode(message))


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ({"kind": "Lookup", "key": "40"}, "the key '40' is not one of 2 hexadecimal digits below 2^6"),
        ({"kind": "Peers", "nodes": ["n2", "n1"]}, "its node 'n1' comes after 'n2'"),
        ({"kind": "Peers", "nodes": ["n2", "n2"]}, "its node 'n2' comes after 'n2'"),
        ({"kind": "Join", "contact": None}, "Expected `str`, got `null` - at `$.contact`"),
        ({"kind": "Restart"}, "Invalid value 'Restart' - at `$.kind`"),
    ],
)
def test_what_is_no_command_is_refused(command, reason):
    with pytest.raises(UsageError) as error:
        SMALL.decode_command(msgspec.json.encode(command))
    assert str(error.value) == f"This is not a command of Chord: {reason}."
