"""Peers that lie, shout, or cannot write: refused by name, counted, and the ring forms around them."""

from collections import Counter
from functools import cache
from random import Random

import msgspec
import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.impl.api.overlays import overlay
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.publishing.validity import key_of
from tests.impl.system import System, assert_holds

BITS, KEEP, LIMIT = 24, 6, 100
PARAMETERS = {"key_bits": BITS, "keep": KEEP, "payload_limit": LIMIT}
HONEST = ["ann", "ben", "cai", "dan"]
AGREED = b'{"agreement":"%b","topic":' % overlay("skip_ring", PARAMETERS).agreement.encode()
GARBAGE = [
    b"",
    b"\xff\xfe\x00",
    b"null",
    b'{"topic":"news"}',
    AGREED + b'"*","message":{"kind":"Probe","sender":"eve","flag":"LIN"}}',
    AGREED + b'"news","message":{"kind":"Shout"}}',
    AGREED + b'"news","message":{"kind":"Linearize","claim":["10","eve"]}}',
    AGREED + b'"news","message":{"kind":"Linearize","claim":["1","\xff"]}}',
    AGREED + b'"news","message":{"kind":"PublishNew","sender":"eve","publication":["01","eve",1,"short key","eve"]}}',
    AGREED + b'"news","message":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
]


def publication(publisher="eve", number=7, payload="x", *, key=None, signer=None):
    right = key_of(publisher, number, payload, BITS)
    return [right if key is None else key, publisher, number, payload, publisher if signer is None else signer]


LIES = {
    Reason.TOO_LARGE: publication(payload="x" * (LIMIT + 1)),
    Reason.KEY_MISMATCH: publication(key="01" * (BITS // 2)),
    Reason.FORGED: publication("ann", signer="eve"),
    Reason.EXPIRED: publication("ann", 0, "older than what is kept"),
}
REQUESTS = [
    {"kind": "CheckTrie", "sender": "mallory", "tuples": [["0" * BITS, "ab" * 16], ["", "cd" * 16]]},
    {"kind": "CheckAndPublish", "sender": "mallory", "tuples": [], "prefix": "1" * BITS},
]


def written(message):
    return msgspec.json.encode(message)


def told(negative, *, flooded):
    """A publication as a peer tells it."""
    if flooded:
        return written({"kind": "PublishNew", "sender": "eve", "publication": negative})
    return written({"kind": "Publish", "publications": [negative, publication(number=99, payload="true"), negative]})


def everybody(*, seed=3):
    """The honest nodes and eve subscribe, and fill the retention of each."""
    there = System(overlay("skip_ring", PARAMETERS), [*HONEST, "eve"], seed=seed)
    there.subscribe("news", *HONEST, "eve")
    there.run(5)
    for name in HONEST:
        for number in range(KEEP):
            there[name].publish("news", f"{name} {number}")
    there.run(25)
    return there


@cache
def attacked():
    """Eve is in the ring and lies, mallory is outside and shouts, while the ring is being formed and afterwards."""
    there = System(overlay("skip_ring", PARAMETERS), [*HONEST, "eve"], seed=7)
    there.subscribe("news", *HONEST, "eve")
    random, told_to = Random(5), Counter()
    for turn in range(30):
        there.run(1)
        if turn < 4 * KEEP:
            there[HONEST[turn % 4]].publish("news", f"{turn}")
        victim = HONEST[turn % 4]
        for reason, negative in LIES.items():
            if reason is not Reason.EXPIRED:
                there.say("news", victim, told(negative, flooded=bool(turn % 2)), sender="eve")
                # What was refused as forged is refused of the same peer no second time.
                if reason is not Reason.FORGED or turn < len(HONEST):
                    told_to[victim, reason] += 1 if turn % 2 else 2
        there.send(victim, GARBAGE[turn % len(GARBAGE)])
        there.send("supervisor", random.randbytes(20))
        there.say(f"unknown{turn}", victim, written(REQUESTS[0]))
        there.say(f"unknown{turn}", "supervisor", written({"kind": "GetConfiguration", "subscriber": "mallory"}))
        there.say("news", victim, written(REQUESTS[turn % 2]))
    there.run(40)
    return there, told_to


def test_every_lie_is_refused_by_its_name_and_counted():
    there, told_to = attacked()
    for name in HONEST:
        refused = there[name].counters("news").refused
        assert {reason: refused.get(reason, 0) for reason in LIES if reason is not Reason.EXPIRED} == {
            reason: told_to[name, reason] for reason in LIES if reason is not Reason.EXPIRED
        }


def test_what_cannot_be_read_and_topics_that_no_node_knows_are_counted():
    there, _ = attacked()
    refused = sum((Counter(there[name].counters().refused) for name in HONEST), Counter())
    assert refused[Reason.BAD_MESSAGE] == refused[Reason.UNKNOWN_TOPIC] == 30
    assert there.supervisor.refused == {Reason.UNKNOWN_TOPIC: 30, Reason.BAD_MESSAGE: 30}
    assert there.supervisor.topics == ("news",)
    assert all(there[name].instances == ("news",) for name in HONEST)


def test_nothing_is_lost_and_nothing_that_was_refused_is_held():
    there, _ = attacked()
    honest = sorted(f"{turn}" for turn in range(4 * KEEP))
    for name in HONEST:
        assert there.payloads(name, "news") == sorted([*honest, "true"])


def test_the_ring_forms_around_them_and_its_trace_holds(tmp_path):
    paths = {path.stem: path for path in attacked()[0].recording.write(tmp_path)}
    assert_holds(judge_file(paths["news"]))


@pytest.mark.parametrize("flooded", [True, False])
@pytest.mark.parametrize("reason", LIES)
def test_each_lie_is_refused_by_its_name_and_the_truth_beside_it_is_taken(reason, flooded):
    there = everybody()
    before = there["ben"].counters("news").refused
    there.say("news", "ben", told(LIES[reason], flooded=flooded), sender="eve")
    there.run(20)
    after = there["ben"].counters("news").refused
    assert Counter(after) - Counter(before) == {reason: 1 if flooded else 2}
    held = there.payloads("ben", "news")
    assert LIES[reason][3] not in held
    assert len(held) == len(HONEST) * KEEP + (not flooded)


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
def test_bytes_that_are_no_message_are_refused_and_change_nothing(garbage):
    there = everybody()
    before = there.payloads("ben", "news")
    steps = len(list(there.recording.steps("news")))
    number = there.send("ben", garbage)
    there.run(20)
    assert there["ben"].counters().refused == {Reason.BAD_MESSAGE: 1}
    assert there.payloads("ben", "news") == before
    assert number not in [step.took for step in list(there.recording.steps("news"))[steps:]]


def test_a_topic_that_no_node_knows_leaves_nothing_behind():
    there = everybody()
    configuration = {"kind": "SetData", "pred": None, "label": "0", "succ": ["1", "mallory"]}
    for message in (*REQUESTS, configuration, {"kind": "Linearize", "claim": ["1", "mallory"]}):
        there.say("secret", "ben", written(message))
    for kind in ("Unsubscribe", "GetConfiguration"):
        there.say("secret", "supervisor", written({"kind": kind, "subscriber": "mallory"}))
    there.run(20)
    assert there["ben"].instances == ("news",)
    assert there["ben"].counters().refused == {Reason.UNKNOWN_TOPIC: 3, Reason.NOT_YOURS: 1}
    assert there["ben"].refused_peers() == {
        ("mallory", None, Reason.UNKNOWN_TOPIC): 3,
        ("mallory", None, Reason.NOT_YOURS): 1,
    }
    assert there.supervisor.refused == {Reason.UNKNOWN_TOPIC: 2}


def test_requests_for_what_is_not_there_are_answered_and_lose_nothing():
    there = everybody()
    before = there.payloads("ben", "news")
    for message in REQUESTS:
        there.say("news", "ben", written(message))
    there.run(20)
    assert there.payloads("ben", "news") == before
    assert there["ben"].counters("news").refused == {}


def test_more_history_than_exists_is_refused_by_its_name():
    there = everybody()
    with pytest.raises(RefusedError) as refused:
        there["ben"].history("news", publisher="ann", last=KEEP + 1)
    assert refused.value.reason is Reason.BEYOND_HISTORY
    assert there["ben"].counters("news").refused == {Reason.BEYOND_HISTORY: 1}


def test_only_so_many_publications_of_a_publisher_are_kept_by_every_node():
    there = everybody()
    for number in range(KEEP):
        there["ann"].publish("news", f"ann later {number}")
        there.run(1)
    there.run(20)
    for name in HONEST:
        held = [publication.payload for publication in there[name].history("news", publisher="ann")]
        assert held == [f"ann later {number}" for number in range(KEEP)]


def test_a_name_that_no_node_can_have_is_suspected_by_no_topic_that_a_peer_begins():
    there = System(overlay("skip_ring"), ["ann"])
    with pytest.raises(UsageError):
        there.supervisor.suspect("a b")
    there.subscribe("news", "ann")
    there.run(5)
    assert there.supervisor.topics == ("news",)
