"""Whole runs of nodes in memory, topic by topic, as the judge sees them."""

from functools import cache

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.impl.api.overlays import overlay
from gomboc.impl.publishing.deliveries import Policy, Queueing
from gomboc.impl.runtime.topics import sealed
from tests.impl.system import System, assert_holds

KEY_BITS = {"key_bits": 24}
TOPICS = {
    "news": ["ann", "ben", "cai", "dan", "eve"],
    "sport:local": ["ben", "cai", "fay"],
    "weather.v2": ["ann", "cai", "fay", "gus"],
}
NAMES = sorted({name for names in TOPICS.values() for name in names})


@cache
def ran():
    """Three topics, some nodes in several: they join, publish, leave with and without history, and come back."""
    there = System(overlay("skip_ring", KEY_BITS), NAMES, seed=11)
    published = {topic: [] for topic in TOPICS}

    def publish(name, topic, payload):
        published[topic].append((there[name].publish(topic, payload), payload))

    for topic, names in TOPICS.items():
        there.subscribe(topic, *names[:-1])
    there.run(3)
    for topic, names in TOPICS.items():
        for number, name in enumerate(names[:-1]):
            publish(name, topic, f"{topic} {number}")
        there.run(2)
    for topic, names in TOPICS.items():
        there.subscribe(topic, names[-1])
    there.run(10)
    there["ben"].unsubscribe("news")
    there["cai"].unsubscribe("sport:local", forget=True)
    there.run(20)
    publish("ann", "news", "ben is away")
    there.run(5)
    there["ben"].subscribe("news")
    there.run(5)
    for topic, names in TOPICS.items():
        publish(names[0], topic, "last")
    there.run(40)
    return there, published


@cache
def judgements(folder):
    return {path.stem: judge_file(path) for path in ran()[0].recording.write(folder)}


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    return judgements(tmp_path_factory.mktemp("traces"))


@pytest.mark.parametrize("topic", TOPICS)
def test_the_trace_of_every_topic_holds(judged, topic):
    assert_holds(judged[topic])


@pytest.mark.parametrize("topic", TOPICS)
def test_every_subscriber_holds_what_was_published_in_its_topic_and_nothing_else(topic):
    there, published = ran()
    left = {"sport:local": "cai"}.get(topic)
    for name in TOPICS[topic]:
        if name != left:
            held = [(publication.id, publication.payload) for publication in there[name].history(topic)]
            assert held == sorted(
                published[topic], key=lambda publication: (publication[0].number, publication[0].publisher)
            )


def test_a_node_has_instances_of_its_own_topics_only():
    there, _ = ran()
    for name in NAMES:
        mine = {topic for topic, names in TOPICS.items() if name in names}
        assert set(there[name].instances) == mine - ({"sport:local"} if name == "cai" else set())


def test_nothing_was_refused_and_nothing_was_sent_to_no_node():
    there, _ = ran()
    assert there.supervisor.refused == {}
    assert {name: there[name].counters().refused for name in NAMES} == {name: {} for name in NAMES}
    assert there.network.undeliverable == 0


def test_a_message_that_leaks_into_another_topic_is_seen_by_the_judge(tmp_path, monkeypatch):
    there = System(overlay("skip_ring", KEY_BITS), ["ann", "ben", "cai"])
    for topic in ("a", "b"):
        there.subscribe(topic, "ann", "ben", "cai")
    there.run(5)
    monkeypatch.setattr("gomboc.impl.runtime.outlet.sealed", lambda _, *inside: sealed("a", *inside))
    there.run(2)
    violated = {path.stem: judge_file(path).conformance for path in there.recording.write(tmp_path)}
    assert violated["a"].rule == "known_message"


@pytest.mark.parametrize("policy", Policy)
def test_an_application_that_takes_nothing_does_not_keep_its_ring_from_forming(policy, tmp_path):
    there = System(overlay("skip_ring", KEY_BITS), ["ann", "ben", "cai", "dan"], queueing=Queueing(policy, 1))
    there.subscribe("news", "ann", "ben", "cai", "dan")
    idle = there["ben"].deliveries("news")
    for number in range(20):
        there[there.names[number % 4]].publish("news", f"{number:02}")
        there.run(1)
    there.run(20)
    everything = [f"{number:02}" for number in range(20)]
    assert all(there.payloads(name, "news") == everything for name in there.names)
    assert idle.counted.queued == 1
    assert_holds(judge_file(there.recording.write(tmp_path)[0]))
    if policy is Policy.BLOCK:
        assert sorted(publication.payload for publication in iter(idle.take, None)) == everything


def test_a_node_that_restarts_with_nothing_gets_everything_back_and_gives_out_new_numbers(tmp_path):
    there = System(overlay("skip_ring", KEY_BITS), ["ann", "ben", "cai"])
    there.subscribe("news", "ann", "ben", "cai")
    there.run(10)
    first = [there["ann"].publish("news", f"{number}") for number in range(3)]
    there.run(10)
    ann = there.start("ann", incarnation=2)
    there.run(3)
    ann.subscribe("news")
    deliveries = ann.deliveries("news")
    second = [ann.publish("news", f"{number}") for number in range(3)]
    there.run(30)
    assert sorted({*first, *second}) == first + second
    assert sorted(publication.id for publication in iter(deliveries.take, None)) == first + second
    assert all(there.payloads(name, "news") == ["0", "0", "1", "1", "2", "2"] for name in there.names)
    assert_holds(judge_file(there.recording.write(tmp_path)[0]))


def test_a_node_that_restarts_with_nothing_and_does_not_subscribe_leaves_the_ring(tmp_path):
    there = System(overlay("skip_ring", KEY_BITS), ["ann", "ben", "cai"])
    there.subscribe("news", "ann", "ben", "cai")
    there.run(10)
    ann = there.start("ann", incarnation=2)
    there.run(40)
    assert ann.instances == ()
    assert b'"ann"' not in bytes(there.supervisor._host.instances.snapshot("news"))
    assert_holds(judge_file(there.recording.write(tmp_path)[0]))


def test_a_ring_does_without_a_suspect_which_comes_back_when_it_is_trusted_again(tmp_path):
    there = System(overlay("skip_ring", KEY_BITS), ["ann", "ben", "cai"])
    there.subscribe("news", "ann", "ben", "cai")
    there.run(10)
    there.supervisor.suspect("ben")
    there.run(10)
    assert b'"ben"' not in bytes(there["ann"]._host.instances.snapshot("news"))
    there["ann"].publish("news", "meanwhile")
    there.supervisor.trust("ben")
    there.run(30)
    assert there.payloads("ben", "news") == ["meanwhile"]
    assert_holds(judge_file(there.recording.write(tmp_path)[0]))


def test_a_suspect_is_kept_out_of_a_topic_that_begins_later(tmp_path):
    there = System(overlay("skip_ring", KEY_BITS), ["ann", "ben"])
    there.supervisor.suspect("ben")
    there.subscribe("news", "ann", "ben")
    there.run(10)
    database = bytes(there.supervisor._host.instances.snapshot("news"))
    assert database == b'{"database":[["0","ann"]],"next":0,"suspects":["ben"]}'
    there.supervisor.trust("ben")
    there["ann"].publish("news", "x")
    there.run(30)
    assert there.payloads("ben", "news") == ["x"]
    assert_holds(judge_file(there.recording.write(tmp_path)[0]))
    there.subscribe("later", "ben")
    there.run(10)
    assert b'["0","ben"]' in bytes(there.supervisor._host.instances.snapshot("later"))


def test_a_run_is_the_same_whenever_it_is_run():
    def run():
        there = System(overlay("skip_ring", KEY_BITS), ["ann", "ben", "cai"], seed=5)
        there.subscribe("a", "ann", "ben", "cai")
        there.run(5)
        there["ann"].publish("a", "x")
        there.run(5)
        return list(there.recording.steps("a"))

    assert run() == run()
