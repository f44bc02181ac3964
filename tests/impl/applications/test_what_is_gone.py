"""Recordings of applications in which nodes crash, leave, and come back: by public calls, and judged to hold."""

import msgspec
import pytest

from gomboc.checker.judge.verdict import Holds
from gomboc.impl.core.reasons import Reason, RefusedError
from tests.impl.applications.campaigns import Application
from tests.impl.system import System
from tests.toys.members.impl import OVERLAY


def started(name, nodes=4, seed=1):
    there = Application(nodes, seed, name)
    for item in there.names:
        there.join(item, there.names if item != there.names[0] else None)
    for node in there.nodes.values():
        node.subscribe("news")
    there.clock.advance(12)
    return there


def assert_all_hold(there, folder):
    for name, judgement in there.judged(folder).items():
        for verdict in (judgement.conformance, judgement.convergence, judgement.closure):
            assert isinstance(verdict, Holds), (name, verdict)


def test_a_node_that_stops_has_crashed_in_each_trace_of_each_layer(tmp_path):
    there = started("skip_plus")
    there.stop(there.names[1])
    there.clock.advance(20)
    assert_all_hold(there, tmp_path)
    for layer in there.recording.layers.values():
        for topic in layer.topics:
            kinds = [
                msgspec.to_builtins(step.took)["kind"]
                for step in layer.steps(topic)
                if step.node == there.names[1] and isinstance(step.took, msgspec.Struct)
            ]
            assert kinds.count("Crash") == 1, (topic, kinds)


def test_a_node_that_stops_and_starts_anew_holds_in_each_trace(tmp_path):
    there = started("skip_plus")
    there.stop(there.names[0])
    there.clock.advance(0.5)
    there.join(there.names[0], there.names).subscribe("news")
    there.clock.advance(20)
    assert_all_hold(there, tmp_path)


def test_two_that_crash_together_are_not_waited_for(tmp_path):
    there = started("skip_plus", 6)
    there.stop(there.names[1])
    there.stop(there.names[4])
    there.clock.advance(20)
    assert_all_hold(there, tmp_path)


def test_a_node_of_the_ring_that_stops_has_crashed_and_comes_back_with_nothing(tmp_path):
    there = started("skip_ring")
    there.nodes[there.names[2]].publish("news", "x")
    there.clock.advance(10)
    there.stop(there.names[1])
    there.clock.advance(20)
    there.join(there.names[1]).subscribe("news")
    there.clock.advance(20)
    assert [publication.payload for publication in there.nodes[there.names[1]].history("news")] == ["x"]
    assert_all_hold(there, tmp_path)


def test_a_node_of_the_ring_that_stops_for_good_is_not_waited_for(tmp_path):
    there = started("skip_ring")
    there.stop(there.names[1])
    there.clock.advance(20)
    assert_all_hold(there, tmp_path)


@pytest.mark.parametrize("name", ["skip_plus", "skip_ring"])
@pytest.mark.parametrize("forget", [True, False])
def test_rounds_do_not_wait_for_a_node_that_has_left(name, forget, tmp_path):
    there = started(name)
    there.nodes[there.names[1]].unsubscribe("news", forget=forget)
    there.clock.advance(20)
    assert_all_hold(there, tmp_path)


@pytest.mark.parametrize("name", ["skip_plus", "skip_ring"])
def test_a_topic_that_all_have_left_holds(name, tmp_path):
    there = started(name)
    there.clock.advance(18)
    for node in there.nodes.values():
        node.unsubscribe("news", forget=True)
    there.clock.advance(40)
    assert_all_hold(there, tmp_path)


def test_later_subscribers_find_each_other_though_the_contact_of_their_topic_has_crashed(tmp_path):
    there = started("skip_plus", 6)
    least = there.names.index(min(there.names))
    contact, *others = (there.names[(least + offset) % 6] for offset in range(6))
    for name in others:
        there.nodes[name].unsubscribe("news")
    there.clock.advance(10)
    there.stop(contact)
    for name in others[:3]:
        there.nodes[name].subscribe("news")
    there.nodes[others[0]].publish("news", "x")
    there.clock.advance(15)
    assert [len(there.nodes[name].history("news")) for name in others[:3]] == [1, 1, 1]
    assert_all_hold(there, tmp_path)


def test_no_node_is_told_of_a_crash_by_a_recording_of_an_overlay_whose_nodes_stay_blank(tmp_path):
    there = System(OVERLAY, ["ann"])
    there["ann"].stop()
    assert there.recording.topics == ()


def test_a_contact_that_does_not_exist_is_counted_and_the_node_says_that_it_is_alone():
    there = Application(1, 1)
    node = there.join(there.names[0], "ffff:00000000")
    node.subscribe("news")
    there.clock.advance(10)
    assert (node.ready, node.alone) == (False, True)
    assert node.counters().refused[Reason.CONTACT_GONE] > 3
    there.names.append("ffff:00000000")
    other = there.join("ffff:00000000")
    there.clock.advance(20)
    assert (node.ready, node.alone, other.ready, other.alone) == (True, False, True, False)


@pytest.mark.parametrize("contact", ["x", "a:0", "a:00000001x"])
def test_a_contact_that_cannot_be_one_is_refused_and_counted(contact):
    there = Application(1, 1)
    node = there.join(there.names[0])
    with pytest.raises(RefusedError) as refused:
        node.add_peer(contact)
    assert refused.value.reason is Reason.BAD_CONTACT
    assert node.counters().refused == {Reason.BAD_CONTACT: 1}


def test_a_node_that_has_stopped_meets_no_node():
    there = started("skip_plus", 2)
    node = there.nodes[there.names[0]]
    node.stop()
    with pytest.raises(RefusedError) as refused:
        node.add_peer(there.names[1])
    assert refused.value.reason is Reason.STOPPED


def test_a_nodes_own_name_among_its_contacts_is_left_out():
    there = started("skip_plus", 3)
    assert all(node.ready for node in there.nodes.values())


def test_a_recording_of_a_system_has_one_folder_for_each_layer(tmp_path):
    paths = started("skip_plus").recording.write(tmp_path / "traces")
    assert sorted(str(path.relative_to(tmp_path)) for path in paths) == [
        "traces/dissemination/news.jsonl",
        "traces/skip_plus/:directory:.jsonl",
        "traces/skip_plus/news.jsonl",
        "traces/topic_directory/:directory:.jsonl",
    ]
