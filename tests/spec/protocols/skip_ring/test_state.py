"""The vocabulary of traces/skip_ring/README.md: values are read back as they were written."""

import msgspec
import pytest

from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.state import (
    FIELDS,
    Check,
    Claim,
    Command,
    Entry,
    GetConfiguration,
    Introduce,
    IntroduceShortcut,
    Linearize,
    Message,
    Present,
    Probe,
    PublishNew,
    PublishRequest,
    RemoveConnections,
    Restart,
    Restore,
    SetData,
    Subscribe,
    Subscriber,
    Supervisor,
    Unsubscribe,
    WantIn,
    WantOut,
)
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish
from gomboc.spec.publishing.publications import Publication
from gomboc.spec.publishing.trie import Summary
from gomboc.spec.types.kinds import Crash, Suspect, Trust

X = Claim("01", "x")
P = Publication("0110", "x", 7, "hello", "y")
HASH = "0123456789abcdef" * 2
SUMMARY = Summary("01", HASH)

WRITTEN = [
    (Supervisor((Entry("0", "x"), Entry("1", None)), 3), '{"database":[["0","x"],["1",null]],"next":3}'),
    (
        Subscriber("01", None, X, None, (Entry("11", None),), False),
        '{"label":"01","left":null,"right":["01","x"],"ring":null,"shortcuts":[["11",null]],"wants":false}',
    ),
    (Subscribe("x"), '{"kind":"Subscribe","subscriber":"x"}'),
    (Unsubscribe("x"), '{"kind":"Unsubscribe","subscriber":"x"}'),
    (GetConfiguration("x"), '{"kind":"GetConfiguration","subscriber":"x"}'),
    (SetData(None, "01", X), '{"kind":"SetData","pred":null,"label":"01","succ":["01","x"]}'),
    (Check(X, "1", "LIN"), '{"kind":"Check","sender":["01","x"],"label":"1","flag":"LIN"}'),
    (Introduce(X, "CYC"), '{"kind":"Introduce","claim":["01","x"],"flag":"CYC"}'),
    (Present(X, "LIN"), '{"kind":"Present","claim":["01","x"],"flag":"LIN"}'),
    (Probe("x", "CYC"), '{"kind":"Probe","sender":"x","flag":"CYC"}'),
    (Linearize(X), '{"kind":"Linearize","claim":["01","x"]}'),
    (RemoveConnections("x"), '{"kind":"RemoveConnections","node":"x"}'),
    (IntroduceShortcut(X), '{"kind":"IntroduceShortcut","claim":["01","x"]}'),
    (WantIn(), '{"kind":"Subscribe"}'),
    (WantOut(), '{"kind":"Unsubscribe"}'),
    (CheckTrie("x", (SUMMARY,)), f'{{"kind":"CheckTrie","sender":"x","tuples":[["01","{HASH}"]]}}'),
    (
        CheckAndPublish("x", (), "011"),
        '{"kind":"CheckAndPublish","sender":"x","tuples":[],"prefix":"011"}',
    ),
    (Publish((P,)), '{"kind":"Publish","publications":[["0110","x",7,"hello","y"]]}'),
    (PublishNew("x", P), '{"kind":"PublishNew","sender":"x","publication":["0110","x",7,"hello","y"]}'),
    (PublishRequest(7, "hello"), '{"kind":"Publish","number":7,"payload":"hello"}'),
    (Crash(), '{"kind":"Crash"}'),
    (Restart(False), '{"kind":"Restart","keep":false}'),
    (Suspect("x"), '{"kind":"Suspect","node":"x"}'),
    (Trust("x"), '{"kind":"Trust","node":"x"}'),
    (Restore((Entry("0", "x"),)), '{"kind":"Restore","database":[["0","x"]]}'),
]

FURTHER = [
    (WantOut(True), '{"kind":"Unsubscribe","forget":true}'),
    (Supervisor((), 0, ("x",)), '{"database":[],"next":0,"suspects":["x"]}'),
    (
        Subscriber(crashed=True, forgets=True, publications=(P,), hashes=(SUMMARY,)),
        '{"label":null,"left":null,"right":null,"ring":null,"shortcuts":[],"wants":true,"crashed":true,'
        f'"forgets":true,"publications":[["0110","x",7,"hello","y"]],"hashes":[["01","{HASH}"]]}}',
    ),
    (Supervisor(), '{"database":[],"next":0}'),
    (Subscriber(), '{"label":null,"left":null,"right":null,"ring":null,"shortcuts":[],"wants":true}'),
]
"""The fields that are left out where they have their first value."""


def kind_of(value):
    """The type that a reader expects where `value` is written."""
    if isinstance(value, (Supervisor, Subscriber)):
        return type(value)
    return Command if isinstance(value, Command) else Message


@pytest.mark.parametrize(("value", "text"), WRITTEN, ids=lambda written: type(written).__name__)
def test_a_value_is_written_as_the_trace_format_says(value, text):
    assert msgspec.json.encode(value).decode() == text
    assert msgspec.json.decode(text, type=kind_of(value)) == value


@pytest.mark.parametrize(("value", "text"), FURTHER, ids=lambda written: type(written).__name__)
def test_what_concerns_publications_and_crashes_is_written_only_where_it_says_something(value, text):
    assert msgspec.json.encode(value).decode() == text
    assert msgspec.json.decode(text, type=kind_of(value)) == value


def test_every_kind_of_message_and_command_is_written_down_here():
    assert {type(value) for value, _ in WRITTEN} == {Supervisor, Subscriber, *Message.__args__, *Command.__args__}


@pytest.mark.parametrize(
    "text",
    [
        '{"kind":"Introduce","claim":["01","x"],"flag":"OTHER"}',
        '{"kind":"Nonsense"}',
        '{"kind":"Linearize","claim":"x"}',
        '{"kind":"Publish","publications":[["0110","x",-1,"hello","y"]]}',
        '{"kind":"Publish","publications":[["0110","x",9007199254740992,"hello","y"]]}',
    ],
)
def test_what_is_no_message_is_an_error(text):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Message)


A, B = Claim("0", "a"), Claim("1", "b")
OF_SOMEBODY_ELSE = Publication("0", "gone", 0, "", "gone")
NAMED = (
    (Supervisor((Entry("0", "a"), Entry("1", None)), suspects=("b",)), {"a", "b"}),
    (Subscriber("0", left=A, right=B, ring=Claim("01", "c"), shortcuts=(Entry("11", "d"),)), {"a", "b", "c", "d"}),
    (Subscriber("0", shortcuts=(Entry("11", None),), publications=(OF_SOMEBODY_ELSE,)), set()),
    (SetData(A, "01", B), {"a", "b"}),
    (SetData(None, None, None), set()),
    (Check(A, "1", "LIN"), {"a"}),
    (Introduce(A, "LIN"), {"a"}),
    (Present(A, "LIN"), {"a"}),
    (Linearize(A), {"a"}),
    (IntroduceShortcut(A), {"a"}),
    (Probe("a", "CYC"), {"a"}),
    (Subscribe("a"), {"a"}),
    (Unsubscribe("a"), {"a"}),
    (GetConfiguration("a"), {"a"}),
    (RemoveConnections("a"), {"a"}),
    (CheckTrie("a", ()), {"a"}),
    (CheckAndPublish("a", (), "0"), {"a"}),
    (Publish((OF_SOMEBODY_ELSE,)), set()),
    (PublishNew("a", OF_SOMEBODY_ELSE), {"a"}),
    (WantIn(), set()),
    (WantOut(), set()),
    (PublishRequest(0, ""), set()),
    (Crash(), set()),
    (Restart(True), set()),
    (Suspect("a"), {"a"}),
    (Trust("a"), {"a"}),
    (Restore((Entry("0", "a"),)), {"a"}),
)


@pytest.mark.parametrize(("value", "nodes"), NAMED, ids=lambda value: type(value).__name__)
def test_every_node_to_whom_a_value_refers_is_named(value, nodes):
    assert set(FIELDS.named(value)) == nodes


def test_the_table_above_has_every_kind():
    kinds = {*Message.__args__, *Command.__args__, *PROTOCOL.vocabulary.roles.values()}
    assert {type(value) for value, _ in NAMED} == kinds


def test_every_text_but_a_payload_declares_its_meaning():
    kinds = (*Message.__args__, *Command.__args__, Claim, Entry, Supervisor, Subscriber)
    fields = {field.name for kind in kinds for field in msgspec.structs.fields(kind) if field.type in (str, str | None)}
    assert fields == {"payload"}
