"""Topics that share a key: each has its tree, and its trace every route towards the key, also where it has no part."""

import json
from pathlib import Path

import pytest
from msgspec import Raw

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds
from gomboc.checker.stacks.judge import join_files
from gomboc.checker.stacks.recorded import read_run
from gomboc.impl.api.handed_routes import with_routes
from gomboc.impl.api.layers.everywhere import EVERYWHERE
from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.recording import SystemRecording
from gomboc.impl.core.routing import Routed, StillRouted
from gomboc.impl.core.trace import Step
from gomboc.impl.publishing.validity import key_of
from gomboc.impl.runtime.topics import sealed
from tests.impl.in_memory import InMemory
from tests.impl.system import assert_holds

SPACE = {"bits": 4, "ids": "number"}
"""Sixteen keys, one for each node up to n15."""

ONE_KEY = "t0", "t1"
LIKE_THE_ROUTES = "topic0"
"""It has the key of the topic of the layer below."""


class System(InMemory):
    """Six nodes without topics, each with its recording."""

    def __init__(self, **parameters):
        own = overlay("scribe", {"key_bits": 32, **SPACE, **parameters})
        super().__init__(own, 1, SystemRecording(own, {"seed": 1}))
        for number in range(6):
            self.start(f"n{number}", contact=self.another(f"n{number}"))
            self.clock.advance(2)
        self.clock.advance(6)


def subscribed(there, topic, *names):
    for name in names:
        there.nodes[name].subscribe(topic)
    there.clock.advance(5)


def payloads(there, name, topic):
    return [one.payload for one in there.nodes[name].history(topic)]


def assert_joined(there, folder: Path):
    judged = {path.relative_to(folder).as_posix(): judge_file(path) for path in there.recording.write(folder)}
    for judgement in judged.values():
        assert_holds(judgement)
    joined = join_files(*read_run(folder))
    assert isinstance(joined.verdict, Holds), joined


@pytest.mark.parametrize("parameters", [{}, {"low": 1, "high": 2}], ids=str)
def test_two_topics_with_one_key_each_have_their_tree(parameters, tmp_path):
    there = System(**parameters)
    one, other = ONE_KEY
    subscribed(there, one, "n0", "n1", "n2")
    subscribed(there, other, "n3", "n4", "n5")
    there.nodes["n0"].publish(one, "x")
    there.nodes["n4"].publish(other, "y")
    there.clock.advance(8)
    assert [payloads(there, name, one) for name in ("n0", "n1", "n2")] == [["x"]] * 3
    assert [payloads(there, name, other) for name in ("n3", "n4", "n5")] == [["y"]] * 3
    for name in ("n1", "n2"):
        there.nodes[name].unsubscribe(one)
    there.clock.advance(8)
    assert one not in there.nodes["n5"].instances
    subscribed(there, one, "n1", "n5")
    there.nodes.pop("n2").stop()
    there.nodes["n5"].publish(one, "z")
    there.clock.advance(8)
    assert [sorted(payloads(there, name, one)) for name in ("n0", "n1", "n5")] == [["x", "z"]] * 3
    assert_joined(there, tmp_path)


def test_one_node_takes_part_in_both(tmp_path):
    there = System()
    for topic in ONE_KEY:
        subscribed(there, topic, "n0", "n3")
        there.nodes["n3"].publish(topic, topic)
    there.clock.advance(8)
    assert [payloads(there, "n0", topic) for topic in ONE_KEY] == [["t0"], ["t1"]]
    assert_joined(there, tmp_path)


def test_a_topic_with_the_key_of_the_layer_below_ends_and_periods_go_on(tmp_path):
    there = System()
    subscribed(there, LIKE_THE_ROUTES, "n0", "n1")
    for name in ("n0", "n1"):
        there.nodes[name].unsubscribe(LIKE_THE_ROUTES)
    there.clock.advance(8)
    assert not any(node.instances for node in there.nodes.values())
    subscribed(there, "other", "n1")
    there.nodes["n1"].unsubscribe("other")
    there.clock.advance(8)
    assert not any(node.instances for node in there.nodes.values())
    assert_joined(there, tmp_path)


def test_a_message_of_the_topic_of_the_layer_below_ends_no_periods():
    there = System()
    message = b'{"kind":"Subscribe","sender":"n1","count":1,"keys":[]}'
    there.network.send("n1", "n0", sealed(":routes:", there.overlay.agreement, message))
    there.clock.advance(8)
    there.nodes["n0"].subscribe("other")
    there.nodes["n0"].unsubscribe("other")
    there.clock.advance(8)
    assert "other" not in there.nodes["n0"].instances


def test_an_owner_without_an_instance_takes_in_what_is_broadcast(tmp_path):
    """Its way may have led elsewhere when the publisher asked for the method."""
    there = System(low=1, high=2)
    topic, other = ONE_KEY
    subscribed(there, topic, "n0")
    subscribed(there, other, "n2")
    there.nodes["n0"].unsubscribe(topic, forget=True)
    there.clock.advance(8)
    assert topic not in there.nodes["n2"].instances
    publication = [key_of("n5", 7, "late", 32), "n5", 7, "late", "n5"]
    beside = there.overlay.beneath.beside
    broadcast = {"kind": "Broadcast", "sender": "n1", "item": [topic, publication]}
    there.network.send("n1", "n2", sealed(EVERYWHERE, beside.agreement, json.dumps(broadcast).encode()))
    there.clock.advance(5)
    subscribed(there, topic, "n3")
    assert payloads(there, "n3", topic) == ["late"]
    assert_joined(there, tmp_path)


BLANK, AT_A, BUSY = (Raw(text) for text in (b'"blank"', b'"a"', b'"busy"'))


def route_steps(*steps, due):
    """What of the steps of a node stands in its trace: what it took, and its state."""
    taken = [Step("n", took, state, [], at=at) for at, took, state in steps]
    routed = {None: BLANK, "a": AT_A}
    there = with_routes(taken, {"n": due}, BLANK, lambda route: routed[route.next])
    return [(step.at, step.took, bytes(step.state).decode()) for step in there]


def test_a_node_with_no_part_takes_the_routes_and_keeps_them_in_its_timeouts():
    due = [(1.0, Routed("a")), (2.0, StillRouted("a")), (3.0, Routed(None))]
    assert route_steps((1.5, "timeout", BLANK), (2.5, "timeout", BLANK), due=due) == [
        (1.0, Routed("a"), '"a"'),
        (1.5, "timeout", '"a"'),
        (2.0, StillRouted("a"), '"a"'),
        (2.0, "timeout", '"a"'),
        (2.5, "timeout", '"a"'),
        (3.0, Routed(None), '"blank"'),
    ]


def test_what_an_instance_is_told_as_it_begins_and_ends_is_no_step():
    steps = (2.0, Routed("a"), AT_A), (2.0, 7, BUSY), (3.0, Routed(None), BLANK), (4.0, "timeout", BLANK)
    assert route_steps(*steps, due=[(1.0, Routed("a"))]) == [
        (1.0, Routed("a"), '"a"'),
        (2.0, 7, '"busy"'),
        (4.0, "timeout", '"a"'),
    ]


def test_a_route_that_an_instance_does_not_take_is_not_made_up():
    steps = (1.0, Routed("a"), AT_A), (1.5, 7, BUSY), (3.0, StillRouted("a"), BUSY)
    due = [(1.0, Routed("a")), (2.0, StillRouted("a"))]
    assert route_steps(*steps, due=due) == [(at, took, bytes(state).decode()) for at, took, state in steps]
