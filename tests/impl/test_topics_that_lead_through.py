"""Topics that lead through nodes of Scribe: an instance is there as long as something needs it, and no longer."""

import msgspec
import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Violated
from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.recording import SystemRecording
from gomboc.impl.core.reasons import Reason
from gomboc.impl.runtime.topics import sealed
from tests.impl.in_memory import InMemory

MANY = 40


class Ways(InMemory):
    """Four nodes over Scribe, a peer that is no node, and a recording of all layers."""

    def __init__(self, **parameters):
        own = overlay("scribe", {"key_bits": 32, **parameters})
        super().__init__(own, 1, SystemRecording(own, {"seed": 1}))
        self.peer = self.network.transport("peer")
        self.peer.listen(lambda parcel: None, lambda to, parcel: None)
        for number in range(4):
            self.started(f"n{number}")
        self.clock.advance(15)

    def started(self, name):
        return self.start(name, contact=self.another(name))

    def say(self, topic, kind, **fields):
        message = msgspec.json.encode({"kind": kind, "sender": "peer", **fields})
        self.peer.send("n1", sealed(topic, self.overlay.agreement, message))

    def __getitem__(self, number):
        return self.nodes[f"n{number}"]

    def instances(self):
        return [len(node.instances) for node in self.nodes.values()]


def test_topics_that_a_peer_begins_are_dropped_when_it_has_left_them_and_count_for_no_node():
    there = Ways()
    for number in range(MANY):
        there.say(f"t{number}", "Subscribe", count=1, keys=[])
    there.clock.advance(5)
    assert there.instances()[1] == MANY
    assert sum(there.instances()) > MANY
    assert there[1]._host.instances.opened_by("peer") == MANY
    for number in range(MANY):
        there.say(f"t{number}", "Leave")
    there.clock.advance(8)
    assert there.instances() == [0, 0, 0, 0]
    peers = ("peer", *there.nodes)
    assert {node._host.instances.opened_by(peer) for node in there.nodes.values() for peer in peers} == {0}


def test_a_bound_that_was_reached_by_topics_of_a_peer_is_no_bound_for_later_ones(monkeypatch):
    monkeypatch.setattr("gomboc.impl.api.topics.memberships.MOST_BY_PEER", 5)
    there = Ways()
    for number in range(8):
        there.say(f"t{number}", "Subscribe", count=1, keys=[])
    there.clock.advance(1)
    assert there[1].counters().refused == {Reason.TOO_MANY_TOPICS: 3}
    for topic in there[1].instances:
        there.say(topic, "Leave")
    there.clock.advance(8)
    there.say("another", "Subscribe", count=1, keys=[])
    there.clock.advance(1)
    assert there[1].instances == ("another",)


@pytest.mark.parametrize("parameters", [{}, {"high": 2, "low": 1}], ids=str)
def test_what_is_published_from_outside_is_kept_by_the_owner_alone_and_found_by_later_subscribers(parameters, tmp_path):
    there = Ways(**parameters)
    for number in range(MANY // 4):
        there[number % 4].publish(f"t{number}", f"says {number}")
    there.clock.advance(10)
    assert sum(there.instances()) == MANY // 4
    for node in there.nodes.values():
        for number in range(MANY // 4):
            node.subscribe(f"t{number}")
    there.clock.advance(15)
    for node in there.nodes.values():
        for number in range(MANY // 4):
            assert [one.payload for one in node.history(f"t{number}")] == [f"says {number}"]
            node.unsubscribe(f"t{number}", forget=True)
    there.clock.advance(30)
    assert sum(there.instances()) == MANY // 4
    for path in there.recording.write(tmp_path):
        if path.suffix == ".jsonl":
            judgement = judge_file(path)
            assert not isinstance(judgement.conformance, Violated), (path, judgement.conformance)
            assert not isinstance(judgement.convergence, Violated), (path, judgement.convergence)


def test_a_topic_that_was_dropped_is_there_again_as_soon_as_it_is_wanted():
    there = Ways()
    for turn in range(3):
        there[turn].publish("news", f"turn {turn}")
        there.clock.advance(8)
    there[3].subscribe("news")
    there.clock.advance(8)
    assert [one.payload for one in there[3].history("news")] == ["turn 0", "turn 1", "turn 2"]


def test_what_is_held_moves_to_the_new_owner_of_its_key_and_its_instance_with_it():
    there = Ways()
    topics = [f"t{number}" for number in range(12)]
    for topic in topics:
        there[0].publish(topic, f"says {topic}")
    there.clock.advance(10)
    for number in range(4, 8):
        there.started(f"n{number}")
        there.clock.advance(3)
    there.clock.advance(15)
    held = [(topic, node.history(topic)[0].payload) for node in there.nodes.values() for topic in node.instances]
    assert sorted(held) == sorted((topic, f"says {topic}") for topic in topics)
    assert any(node.instances for node in (there[number] for number in range(4, 8)))
