"""What a request of few bytes brings its sender, however much is held, and however often it is repeated."""

from random import Random

import msgspec
import pytest

from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import Received, Send, Timeout
from gomboc.impl.publishing.publication import Publication
from tests.impl.publications import made

SKIP_RING = {"label": "1", "left": ["0", "l"], "right": None, "ring": None, "shortcuts": [], "wants": True}
DISSEMINATION = {"live": True, "neighbours": ["l"]}
HELD: list[Publication] = sorted(
    (made(number, payload="x" * 200, bits=64) for number in range(2_000)), key=lambda publication: publication.key
)


def holder(name, state):
    loaded = {**state, "publications": msgspec.to_builtins(HELD)}
    configured = implementation(name).configured({"key_bits": 64})
    role = next(role for role in configured.blank if role != "supervisor")
    return configured, configured.make(role, "u", loaded, Random(1))


@pytest.mark.parametrize(("name", "state"), [("skip_ring", SKIP_RING), ("dissemination", DISSEMINATION)])
def test_each_request_brings_64_kib_at_most_and_in_time_all(name, state):
    configured, core = holder(name, state)
    asked = configured.decode(b'{"kind":"CheckAndPublish","sender":"victim","tuples":[],"prefix":""}')
    brought = set()
    for _ in range(400):
        sent = [output for output in core.handle(0.0, Received(asked)) if isinstance(output, Send)]
        assert sum(len(configured.encode(output.message)) for output in sent) <= 64 * 1024
        (publications,) = (output.message.publications for output in sent)
        assert len(publications) <= 64
        brought.update(publication.key for publication in publications)
    assert len(brought) == len(HELD)


NEWS = [["news", one] for one in msgspec.to_builtins(HELD)]


@pytest.mark.parametrize(
    ("name", "state", "kind", "field"),
    [
        ("hyparview", {"status": "inside", "active": ["a", "b"], "held": NEWS}, "Digest", "ids"),
        (
            "scribe",
            {"wants": False, "next": "u", "children": [["a", 1], ["b", 0]], "publications": [one for _, one in NEWS]},
            "Heartbeat",
            "keys",
        ),
    ],
)
def test_of_many_publications_64_are_named_and_brought_at_a_time_and_in_time_all(name, state, kind, field):
    configured = implementation(name).configured({"key_bits": 64})
    core = configured.make("node", "u", state, Random(1))
    brought = set()
    for _ in range(len(HELD) // 64 + 1):
        sent = [output for output in core.handle(0.0, Timeout()) if isinstance(output, Send)]
        named = [output for output in sent if type(output.message).__name__ == kind]
        assert [output.to for output in named] == ["a", "b"]
        names = getattr(named[0].message, field)
        assert len(names) in (64, len(HELD) % 64)
        asked = configured.decode(msgspec.json.encode({"kind": "Request", "sender": "a", field: names}))
        (answer,) = core.handle(0.0, Received(asked))
        assert len(configured.encode(answer.message)) <= 64 * 1024
        brought.update(str(one) for one in msgspec.structs.astuple(answer.message)[-1])
    assert len(brought) == len(HELD)


KEYS = [one.key for one in HELD]
IDS = sorted([topic, one[1], one[2]] for topic, one in NEWS)


@pytest.mark.parametrize(
    ("name", "noun", "message", "field", "entries"),
    [
        ("skip_ring", "publications", {"kind": "Publish"}, "publications", HELD),
        ("dissemination", "publications", {"kind": "Publish"}, "publications", HELD),
        ("scribe", "publications", {"kind": "Publish", "sender": "peer"}, "publications", HELD),
        ("hyparview", "publications", {"kind": "Publish", "sender": "peer"}, "items", NEWS),
        ("scribe", "keys", {"kind": "Heartbeat", "sender": "peer"}, "keys", KEYS),
        ("scribe", "keys", {"kind": "Request", "sender": "peer"}, "keys", KEYS),
        ("hyparview", "ids", {"kind": "Digest", "sender": "peer"}, "ids", IDS),
        ("hyparview", "ids", {"kind": "Request", "sender": "peer"}, "ids", IDS),
    ],
    ids=["ring", "dissemination", "scribe", "hyparview", "heartbeat", "question", "digest", "request"],
)
def test_a_message_with_more_entries_than_a_chunk_is_refused(name, noun, message, field, entries):
    configured = implementation(name).configured({"key_bits": 64})
    configured.decode(msgspec.json.encode({**message, field: entries[:64]}))
    with pytest.raises(Exception, match=rf": it carries 65 {noun}, and 64 are allowed\.$"):
        configured.decode(msgspec.json.encode({**message, field: entries[:65]}))
