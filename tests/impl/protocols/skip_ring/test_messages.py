import pytest

from gomboc.impl.core.errors import PeerError, UsageError
from gomboc.impl.protocols.skip_ring import commands, messages
from tests.impl.publications import configured

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
    b'{"kind":"CheckTrie","sender":"a","tuples":[["","03030303030303030303030303030303"]]}',
    b'{"kind":"CheckTrie","sender":"a","tuples":[["0","%b"],["10","%b"]]}' % (b"a" * 32, b"b" * 32),
    b'{"kind":"CheckAndPublish","sender":"a","tuples":[],"prefix":""}',
    b'{"kind":"CheckAndPublish","sender":"a","tuples":[["100","%b"]],"prefix":"101"}' % (b"c" * 32),
    b'{"kind":"Publish","publications":[["010","a",7,"p","a"],["011","b",0,"","c"]]}',
    b'{"kind":"PublishNew","sender":"a","publication":["010","a",9007199254740991,"p","a"]}',
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
        b'{"kind":"CheckTrie","sender":"a","tuples":[["2","%b"]]}' % (b"a" * 32),
        b'{"kind":"CheckTrie","sender":"a","tuples":[["0","%b"]]}' % (b"A" * 32),
        b'{"kind":"CheckTrie","sender":"a","tuples":[["0","%b"]]}' % (b"a" * 31),
        b'{"kind":"CheckTrie","sender":"a","tuples":[%b]}' % b",".join([b'["0","%b"]' % (b"a" * 32)] * 3),
        b'{"kind":"Publish","publications":[["","a",7,"p","a"]]}',
        b'{"kind":"Publish","publications":[["0","a",-1,"p","a"]]}',
        b'{"kind":"Publish","publications":[["0","a",9007199254740992,"p","a"]]}',
        b'{"kind":"Publish","publications":[["0","a",7,"p"]]}',
        b'{"kind":"Publish","publications":[["0","a",7,"p","a","b"]]}',
        b'{"kind":"Publish","publications":[["0","a",7,null,"a"]]}',
        b'{"kind":"PublishNew","sender":"a","publication":["0","a b",7,"p","a"]}',
    ],
)
def test_what_is_not_a_message_is_the_fault_of_the_peer(written):
    with pytest.raises(PeerError, match=r"^This is not a message of the skip ring: .*\.$"):
        messages.decode(written)


def test_the_refusal_says_where_the_fault_is():
    with pytest.raises(PeerError) as error:
        messages.decode(b'{"kind":"Probe","sender":"a","flag":"lin"}')
    assert str(error.value) == "This is not a message of the skip ring: Invalid enum value 'lin' - at `$.flag`."


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (b'{"kind":"Publish","publications":[["01","a",7,"p","a"]]}', "its key '01' has not 3 bits."),
        (b'{"kind":"PublishNew","sender":"a","publication":["0101","a",7,"p","a"]}', "its key '0101' has not 3 bits."),
        (
            b'{"kind":"CheckAndPublish","sender":"a","tuples":[],"prefix":"0101"}',
            "its prefix '0101' has more than 3 bits.",
        ),
        (
            b'{"kind":"CheckAndPublish","sender":"a","tuples":[["0101","%b"]],"prefix":""}' % (b"a" * 32),
            "its prefix '0101' has more than 3 bits.",
        ),
        (
            b'{"kind":"CheckTrie","sender":"a","tuples":[["","%b"],["0101","%b"]]}' % (b"a" * 32, b"a" * 32),
            "its prefix '0101' has more than 3 bits.",
        ),
    ],
)
def test_keys_and_prefixes_are_as_long_as_the_parameter_says(written, message):
    with pytest.raises(PeerError) as error:
        configured().decode(written)
    assert str(error.value) == f"This is not a message of the skip ring: {message}"


@pytest.mark.parametrize("written", WRITTEN)
def test_a_message_with_keys_of_the_right_length_is_read_alike(written):
    assert configured().decode(written) == messages.decode(written)


@pytest.mark.parametrize(
    ("written", "command"),
    [
        (b'{"kind":"subscribe"}', commands.Join()),
        (b'{"kind":"unsubscribe"}', commands.Leave()),
        (b'{"kind":"unsubscribe","forget":true}', commands.Leave(True)),
        (b'{"kind":"publish","number":7,"payload":"p"}', commands.Issue(7, "p")),
        (b'{"kind":"crash"}', commands.Crash()),
        (b'{"kind":"restart","keep":false}', commands.Restart(False)),
        (b'{"kind":"suspect","node":"a"}', commands.Suspect("a")),
        (b'{"kind":"trust","node":"a"}', commands.Trust("a")),
        (b'{"kind":"restore","database":[["0",null],["1","a"]]}', commands.Restore((("0", None), ("1", "a")))),
    ],
)
def test_a_command_is_written_as_the_trace_format_says(written, command):
    assert commands.decode(written) == command
    assert messages.encode(command) == written


@pytest.mark.parametrize(
    "written",
    [
        b'{"kind":"publish","number":-1,"payload":"p"}',
        b'{"kind":"publish","number":7}',
        b'{"kind":"restart"}',
        b'{"kind":"restore","database":[["10","a"]]}',
        b'{"kind":"restore","database":[["1","a"],["0","b"]]}',
        b'{"kind":"suspect","node":""}',
    ],
)
def test_what_no_trace_could_command_is_refused(written):
    with pytest.raises(UsageError, match=r"^This is not a (command|state) of the skip ring: .*\.$"):
        commands.decode(written)


def test_another_command_is_the_fault_of_the_user():
    with pytest.raises(UsageError) as error:
        commands.decode(b'{"kind":"dance"}')
    assert str(error.value) == "This is not a command of the skip ring: Invalid value 'dance' - at `$.kind`."
