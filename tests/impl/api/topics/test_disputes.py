"""Members that know different keys of one publisher: one refusal for each neighbour and publication, and no traffic."""

from functools import cache
from random import Random

import pytest
from msgspec.json import decode

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Violated
from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.topics import disputes
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.vocabulary import encode
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.trie import Trie
from gomboc.impl.publishing.validity import key_of
from gomboc.impl.runtime.topics import note, sealed
from tests.impl.api.topics.disagreeing import NAMES, OVERLAYS, Disagreeing
from tests.impl.system import System, assert_holds

ANN, BEN, CAI = NAMES


@cache
def sent_without(name):
    """The bytes in a period of members that agree."""
    return Disagreeing(name).sent(20)


@pytest.mark.parametrize("wrong", [(BEN,), (ANN, BEN)])
@pytest.mark.parametrize("name", OVERLAYS)
def test_disagreement_ends_in_one_refusal_for_each_neighbour_and_publication(name, wrong):
    there = Disagreeing(name, *wrong)
    refused = {node: there.refused(node) for node in NAMES}
    assert refused[BEN][ANN, Reason.FORGED] == 12 == refused[ANN][BEN, Reason.DISPUTED]
    assert refused[ANN].get((BEN, Reason.FORGED), 0) == (12 if ANN in wrong else 0)
    assert {count for of in refused.values() for count in of.values()} == {12}
    assert there.sent(20) <= 1.25 * sent_without(name)
    assert {node: there.refused(node) for node in NAMES} == refused
    held = {node: len(there.nodes[node].history("news")) for node in NAMES}
    assert held == {ANN: 24 if ANN in wrong else 36, BEN: 24, CAI: held[CAI]}


@pytest.mark.parametrize("name", OVERLAYS)
def test_in_spite_of_a_disagreement_all_else_arrives_and_is_known_to_be_held(name):
    there, confirmed = Disagreeing(name, ANN, BEN), []
    there.nodes[BEN].unsubscribe("news", patience=0)
    there.clock.advance(5)
    late = there.nodes[CAI].publish("news", "late", confirmed.append)
    there.clock.advance(20)
    there.nodes[BEN].subscribe("news")
    there.clock.advance(30)
    for node in (ANN, BEN):
        assert "late" in [one.payload for one in there.nodes[node].history("news")]
    assert confirmed == [late]


@pytest.mark.parametrize("name", ["skip_ring", "scribe"])
def test_the_trace_of_members_that_disagree_is_violated_at_the_first_refusal(name, tmp_path):
    """A trace has one signer for each publication, so no comparison is dropped in one that conforms."""
    there = Disagreeing(name, BEN, number=1, is_recorded=True)
    there.recording.write(tmp_path)
    path = tmp_path / name / "news.jsonl"
    judged = judge_file(path)
    assert isinstance(judged.conformance, Violated)
    assert judged.conformance.node == BEN
    steps = [decode(line) for line in path.read_bytes().splitlines()[1:]][: judged.conformance.step]
    sent = {sent["id"]: str(sent["message"]) for step in steps for sent in step["sent"]}
    took = [sent[step["took"]] for step in steps if step["node"] == BEN and isinstance(step["took"], int)]
    assert [ANN + " 0" in message for message in took if "publication" in message] == [True]


def test_what_would_be_held_with_changes_is_what_a_trie_with_these_changes_holds():
    random = Random(1)
    for _ in range(400):
        bits = random.randrange(1, 9)
        keys = [f"{number:0{bits}b}" for number in random.sample(range(2**bits), random.randrange(2**bits))]
        mine, added, removed = ({key for key in keys if random.random() < 0.6} for _ in range(3))
        trie, changed = Trie(), Trie()
        for key in mine:
            trie.insert(key, key)
        for key in (mine | added) - removed | (added - mine):
            changed.insert(key, key)
        prefix = "".join(random.choices("01", k=random.randrange(bits + 1)))
        node = changed.beneath(prefix)
        told, stay = trie.altered(prefix, added, removed)
        assert told == (("", Trie().root()[1]) if node is None else changed.told(node))
        assert {key for key in mine if any(key.startswith(block) for block in stay)} == {
            key for key in mine - removed if key.startswith(prefix)
        }


def ring(*names, key_bits=8):
    there = System(overlay("skip_ring", {"key_bits": key_bits}), names)
    there.subscribe("news", *names)
    there.run()
    return there


def forged(number, there):
    """A publication in ann's name that a stranger has signed."""
    key = key_of("ann", number, "false", there.overlay.limits.key_bits)
    return Publication(key, "ann", number, "false", "mallory")


def test_a_stranger_with_forged_publications_is_told_once_and_leaves_the_run_right(tmp_path):
    there = ring("ann", "ben")
    there["ann"].publish("news", "one")
    there.run()
    heard = []
    there.network.transport("mallory").listen(heard.append, print)
    false, trie = forged(7, there), Trie()
    for publication in (*there["ben"].history("news"), false):
        trie.insert(publication.key, publication)
    for _ in range(3):
        there.say("news", "ben", encode({"kind": "Publish", "publications": [false]}))
        there.run(2)
    assert [parcel.written for parcel in heard] == [note("news", there.overlay.agreement, [false.key])]
    assert there["ben"].refused_peers() == {("mallory", "news", Reason.FORGED): 1}
    there.say("news", "ben", encode({"kind": "CheckTrie", "sender": "mallory", "tuples": [trie.root()]}))
    there.run()
    assert len(heard) == 1, "what differs is known to both"
    there.say("news", "ben", encode({"kind": "CheckTrie", "sender": "mallory", "tuples": [["", "0" * 32]]}))
    there.run()
    assert len(heard) == 2
    [trace] = there.recording.write(tmp_path)
    assert_holds(judge_file(trace))


def test_a_note_counts_once_for_each_key_and_only_in_a_topic_of_this_node():
    there = ring("ann")
    for payload in ("one", "two"):
        there["ann"].publish("news", payload)
    one, two = (publication.key for publication in there["ann"].history("news"))
    not_held = next(key for key in (f"{number:08b}" for number in range(8)) if key not in (one, two))
    for topic, keys in (("news", [one, two, not_held]), ("news", [one]), ("sport", [one])):
        there.send("ann", note(topic, there.overlay.agreement, keys))
    for written in (note("news", there.overlay.agreement, ["x"]), b'{"topic":"news","agreement":"x"}'):
        there.send("ann", written)
    both = sealed("news", there.overlay.agreement, b"7")[:-1] + b',"refused":["1"]}'
    there.send("ann", both)
    there.send("ben", note("news", there.overlay.agreement, [one]), sender="ann")
    there.run()
    assert there["ann"].refused_peers() == {
        ("mallory", "news", Reason.DISPUTED): 2,
        ("mallory", None, Reason.BAD_MESSAGE): 3,
    }


def test_no_more_is_remembered_than_is_bounded(monkeypatch):
    monkeypatch.setattr(disputes, "MOST", 3)
    monkeypatch.setattr(disputes, "MOST_NEIGHBOURS", 2)
    there = ring("ann", key_bits=32)
    for sender in ("mallory", "eve", "trudy"):
        for number in range(5):
            there.say("news", "ann", encode({"kind": "Publish", "publications": [forged(number, there)]}), sender)
        there.run(5)
    known = there["ann"]._host._conduct.disputes._disputed
    assert len(known) == 2
    assert [len(of.here) for of in known.values()] == [3, 3]
