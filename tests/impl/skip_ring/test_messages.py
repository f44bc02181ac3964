import pytest

from impl.errors import PeerError, UsageError
from impl.skip_ring import commands, messages

WRITTEN = [
    b'{"kind":"Subscribe","subscriber":"a"}',
    b'{"kind":"Unsubscribe","subscriber":"a"}',
    b'{"kind":"GetConfiguration","subscriber":"a"}',
    b'{"kind":"SetData","pred":["0","a"],"label":"01","succ":null}',
    b'{"kind":"SetData","pred":null,"label":null,"succ":null}',
    b'{"kind":"Check","sender":["0","a"],"label":"11","flag":"CYC"}',
    b'{"kind":"Introduce","claim":["0","a"],"flag":"LIN"}',
    b'{"kind":"Present","claim":["0","a"],"flag":"CYC"}',
    b'{"kind":"Probe","sender":"a","flag":"LIN"}',
    b'{"kind":"Linearize","claim":["0","a"]}',
    b'{"kind":"RemoveConnections","node":"a"}',
    b'{"kind":"IntroduceShortcut","claim":["0","a"]}',
]


@pytest.mark.parametrize("written", WRITTEN)
def test_a_message_is_written_as_the_trace_format_says(written):
    assert messages.encode(messages.decode(written)) == written


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"{}",
        b'{"kind":"Gossip"}',
        b'{"kind":"Linearize"}',
        b'{"kind":"Linearize","claim":["10","a"]}',
        b'{"kind":"Linearize","claim":["1\\n","a"]}',
        b'{"kind":"Linearize","claim":["1","a b"]}',
        b'{"kind":"Linearize","claim":["1",""]}',
        b'{"kind":"Linearize","claim":["1","a","b"]}',
        b'{"kind":"Linearize","claim":["1","a"],"flag":"LIN"}',
        b'{"kind":"Probe","sender":"a","flag":"lin"}',
    ],
)
def test_what_is_not_a_message_is_the_fault_of_the_peer(written):
    with pytest.raises(PeerError, match=r"^This is not a message of the skip ring: .*\.$"):
        messages.decode(written)


def test_the_refusal_says_where_the_fault_is():
    with pytest.raises(PeerError) as error:
        messages.decode(b'{"kind":"Probe","sender":"a","flag":"lin"}')
    assert str(error.value) == "This is not a message of the skip ring: Invalid enum value 'lin' - at `$.flag`."


def test_there_are_two_commands():
    assert commands.decode(b'{"kind":"subscribe"}') == commands.Join()
    assert commands.decode(b'{"kind":"unsubscribe"}') == commands.Leave()


def test_another_command_is_the_fault_of_the_user():
    with pytest.raises(UsageError) as error:
        commands.decode(b'{"kind":"dance"}')
    assert str(error.value) == "This is not a command of the skip ring: Invalid value 'dance' - at `$.kind`."
