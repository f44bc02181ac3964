"""Applications whose nodes crash and are replaced: in the end all members of a topic hold the same, delivered once."""

from collections import Counter

import msgspec
import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds
from gomboc.checker.stacks.judge import join_files
from gomboc.checker.stacks.recorded import read_run
from gomboc.impl.api.layers.everywhere import EVERYWHERE
from gomboc.impl.api.node import Node
from gomboc.impl.core.reasons import Reason
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.topics import sealed
from tests.impl.applications.turnover import Outcome, Turnover
from tests.impl.members import Members
from tests.impl.refusing import refused, refusing
from tests.impl.system import assert_holds

OVERLAYS = ("scribe", "hyparview")


@pytest.mark.parametrize("seed", [2, pytest.param(3, marks=pytest.mark.dear)])
@pytest.mark.parametrize(
    ("name", "parameters"), [*((name, {}) for name in OVERLAYS), ("scribe", {"low": 4, "high": 6})]
)
def test_every_member_holds_the_same_and_every_publication_is_delivered_once(name, parameters, seed):
    there = Turnover(name, 12, 3, seed, parameters, settling=6).lived(120, quiet=10)
    assert there.outcome() == Outcome(3, 12, 0, 0, 0, 0, 0)
    assert all(len(there.members(topic)) > 1 and there.published[topic] for topic in there.topics)


@pytest.mark.parametrize("parameters", [{}, {"low": 2, "high": 4}], ids=str)
def test_the_traces_of_the_trees_and_of_the_ring_below_hold_and_are_joined(parameters, tmp_path):
    there = Turnover("scribe", 8, 2, 1, parameters, settling=6).lived(40, quiet=10)
    assert there.outcome() == Outcome(2, 8, 0, 0, 0, 0, 0)
    judged = {path.relative_to(tmp_path).as_posix(): judge_file(path) for path in there.recording.write(tmp_path)}
    beside = {"hyparview.jsonl"} if parameters else set()
    assert judged.keys() == {"chord.jsonl", "scribe/topic0.jsonl", "scribe/topic1.jsonl"} | beside
    for judgement in judged.values():
        assert_holds(judgement)
    joined = join_files(*read_run(tmp_path))
    assert isinstance(joined.verdict, Holds), joined


def test_the_one_trace_of_an_overlay_without_layers_holds_and_has_what_is_delivered(tmp_path):
    there = Turnover("hyparview", 8, 2, 1, settling=6).lived(40, quiet=8)
    (path,) = there.recording.write(tmp_path)
    assert_holds(judge_file(path))
    heard = Counter()
    for step in map(msgspec.json.decode, path.read_bytes().splitlines()[1:]):
        for delivered in step.get("delivered", ()):
            if delivered["kind"] == "Heard" and (step["node"], delivered["topic"]) in there.got:
                _, publisher, number, *_ = delivered["publication"]
                heard[step["node"], delivered["topic"], publisher, number] += 1
    got = {(*at, one.publisher, one.number): times for at, of in there.got.items() for (one, _), times in of.items()}
    assert heard == got
    assert len(got) > 100


def test_nodes_without_a_part_in_a_topic_stand_in_its_trace_and_crash_there_too(tmp_path):
    """They are nodes of the layer below, and a crash is one of all layers, also for topics that begin after it."""
    there = Turnover("scribe", 6, 1, 1, settling=8)
    there.nodes["n0"].subscribe("early")
    there.clock.advance(5)
    outside = [name for name, node in there.nodes.items() if "early" not in node.instances]
    there.nodes.pop(outside[-1]).stop()
    there.clock.advance(5)
    there.nodes["n0"].subscribe("late")
    there.clock.advance(10)
    for path in there.recording.write(tmp_path):
        assert_holds(judge_file(path))
    joined = join_files(*read_run(tmp_path))
    assert isinstance(joined.verdict, Holds), joined


def test_the_tree_of_a_topic_is_right_where_a_node_that_left_has_a_way_that_nothing_needs(tmp_path):
    there = Turnover("scribe", 8, 2, 1, {"low": 2, "high": 4}, settling=8)
    for number in range(30):
        there.publish(number)
        there.clock.advance(0.4)
        at = there.random.choice(sorted(there.deliveries)) if number % 6 == 3 else None
        if at and len(there.members(at[1])) > 1:
            there.nodes[at[0]].unsubscribe(at[1])
            del there.deliveries[at]
    there.clock.advance(10)
    for path in there.recording.write(tmp_path):
        if path.parent.name == "scribe":
            assert_holds(judge_file(path))


@pytest.mark.dear
@pytest.mark.parametrize("name", OVERLAYS)
def test_so_it_is_with_32_nodes_5_topics_and_1000_publications(name):
    assert Turnover(name, 32, 5, 1).lived(1_000).outcome() == Outcome(8, 32, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("name", OVERLAYS)
def test_a_node_that_has_unsubscribed_is_delivered_nothing_and_may_come_back(name):
    there = Turnover(name, 6, 1, 3)
    node = there.nodes["n4"]
    node.unsubscribe("topic0")
    there.nodes["n1"].publish("topic0", "topic0 meanwhile")
    there.clock.advance(10)
    there.take()
    assert not there.got["n4", "topic0"]
    node.subscribe("topic0")
    there.clock.advance(10)
    assert [one.payload for one in node.history("topic0")] == ["topic0 meanwhile"]


def test_where_publications_find_their_way_a_node_outside_a_topic_publishes_in_it():
    there = Turnover("scribe", 8, 1, 1)
    there.join()
    stranger = there.nodes["n8"]
    there.clock.advance(10)
    stranger.unsubscribe("topic0")
    there.clock.advance(10)
    for topic in ("topic0", "other"):
        stranger.publish(topic, f"{topic} from outside")
    there.clock.advance(10)
    assert {len(there.held(name, "topic0")) for name in there.nodes if name != "n8"} == {1}
    assert refused(stranger.history, "topic1")[0] is Reason.NOT_SUBSCRIBED


def test_the_overlays_own_topic_is_refused():
    own = "The topic :routes: belongs to the overlay itself; choose another name."
    assert refused(Turnover("scribe", 1, 1, 1).nodes["n0"].subscribe, ":routes:") == (Reason.BAD_TOPIC, own)


def test_a_contact_that_is_not_there_is_counted_and_another_helps():
    for name in OVERLAYS:
        there = Turnover(name, 1, 1, 1)
        there.nodes.clear()
        there.random.sample = lambda live, count: live[:count]
        there.nodes["nobody"] = None
        there.join()
        node = there.nodes["n1"]
        there.clock.advance(10)
        assert not node.ready
        assert node.counters().refused[Reason.CONTACT_GONE] > 2
        node.add_peer("n0")
        there.clock.advance(20)
        assert node.ready


def test_layers_that_do_not_fit_are_refused():
    with refusing("These are not parameters of Scribe: low has to be below high, and 3 is not below 3."):
        Turnover("scribe", 1, 1, 1, {"high": 3, "low": 3})


def test_nodes_outside_a_topic_that_hear_its_broadcast_take_no_part():
    there = Members("scribe", 3, high=2, low=1)
    others = [there.start(f"n{number}") for number in range(5)]
    there.run()
    assert any(not node.instances for node in others)
    there[0].publish("news", "x")
    there.run()
    assert [len(there[number].history("news")) for number in range(3)] == [1, 1, 1]
    assert {node.topics for node in others} == {()}


@pytest.mark.parametrize("parameters", [{}, {"high": 3, "low": 2}], ids=str)
def test_a_contact_with_the_identifier_of_the_node_is_counted_and_another_helps(parameters):
    there = Turnover("scribe", 1, 1, 1, {"bits": 4, **parameters})
    there.random.sample = lambda live, count: live[:count]
    twins = "n0", next(name for name in map("m{}".format, range(99)) if id_of(there, name) == id_of(there, "n0"))
    there.join()
    around = NodeContext(there.network.transport(twins[1]), there.clock, there.random)
    assert refused(Node, twins[1], there.overlay, around, incarnation=1, contact=twins[0])[0] is Reason.BAD_CONTACT
    other = Node(twins[1], there.overlay, around, incarnation=1, contact=["n1", twins[0]])
    there.clock.advance(20)
    assert other.counters().refused[Reason.BAD_CONTACT] > 2
    assert (other.failed, other.ready) == ({}, False)
    assert there.nodes["n1"].ready


def id_of(there, name):
    return there.overlay.beneath.values(name)["key"]


def test_a_name_that_no_node_can_have_keeps_no_ring_from_the_others():
    there = Turnover("scribe", 4, 1, 1, {"bits": 8, "ids": "number", "high": 3, "low": 2})
    neighbour = b'{"kind":"Neighbor","sender":"nobody","priority":"high"}'
    there.network.transport("nobody").listen(lambda _: None, lambda *_: None)
    for node in there.nodes:
        there.network.send("nobody", node, sealed(EVERYWHERE, there.overlay.beneath.beside.agreement, neighbour))
    there.clock.advance(3)
    assert all(node.counters().refused[Reason.BAD_MESSAGE] and not node.failed for node in there.nodes.values())
    peers = {node._beneath._host.instances.core(":routes:").state.peers for node in there.nodes.values()}
    assert all(1 < len(known) < 4 for known in peers)
