from functools import cache
from random import Random

import msgspec
import pytest
from msgspec import Raw

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds, Unknown
from gomboc.impl.api.contact import Contact
from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.recording import Recording
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.trace import InFlight, Step
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.memory import MemoryNetwork
from gomboc.impl.runtime.topics import sealed
from tests.impl.in_memory import InMemory
from tests.impl.system import System
from tests.toys.members.impl import OVERLAY


@cache
def recorded():
    """Three topics, four nodes, some in several topics; joins, leaves and publications; and a stranger."""
    there = System(OVERLAY, ["ann", "ben", "cai", "dan"])
    there.subscribe("a", "ann", "ben", "cai")
    there.subscribe("b", "ben", "cai")
    there.say("a", "ann", b'{"kind":"Say","publication":["0","eve",1,"strange","eve"]}')
    there.run(5)
    there["cai"].publish("a", "x")
    there["cai"].publish("b", "y")
    there.subscribe("c", "cai", "dan")
    there.run(5)
    there["ben"].unsubscribe("a", forget=True)
    there.run(5)
    return there


def trace(topic):
    header = msgspec.json.decode(msgspec.json.encode(recorded().recording.header(topic)))
    steps = [msgspec.json.decode(msgspec.json.encode(step)) for step in recorded().recording.steps(topic)]
    return header, steps


@pytest.mark.parametrize(
    ("topic", "nodes"), [("a", ["ann", "ben", "cai"]), ("b", ["ben", "cai"]), ("c", ["cai", "dan"])]
)
def test_the_trace_of_a_topic_holds_only_its_instances_and_what_is_taken_was_sent_there_or_is_a_strangers(topic, nodes):
    header, steps = trace(topic)
    assert sorted(header["roles"]) == [*nodes, "supervisor"]
    assert {step["node"] for step in steps} == {*nodes, "supervisor"}
    assert header["origin"] == {"implementation": "toy", "seed": 1, "topic": topic}
    in_flight = {entry["id"]: entry for entry in header["messages"]}
    for step in steps:
        if isinstance(step["took"], int):
            assert in_flight.pop(step["took"])["to"] == step["node"]
        in_flight |= {sent["id"]: sent for sent in step["sent"]}


def test_before_the_first_step_nodes_are_as_their_instances_began_and_what_a_stranger_sends_is_in_flight():
    header, _ = trace("a")
    assert [entry["message"] for entry in header["messages"]] == [
        {"kind": "Say", "publication": ["0", "eve", 1, "strange", "eve"]}
    ]
    assert trace("b")[0]["messages"] == []
    assert header["states"]["ann"] == {"others": None, "wants": False}
    assert header["states"]["supervisor"] == {"members": []}


def test_commands_coins_and_deliveries_are_recorded():
    _, steps = trace("b")
    assert {"kind": "publish", "number": 2**21, "payload": "y"} in [step["took"] for step in steps]
    assert {step.get("coin") for step in steps if step["took"] == "timeout" and step["node"] == "ben"} == {
        "heads",
        "tails",
    }
    delivered = [(step["node"], entry[3]) for step in steps for entry in step.get("delivered", [])]
    assert sorted(delivered) == [("ben", "y"), ("cai", "y")]


def test_the_traces_are_written_one_file_for_each_topic(tmp_path):
    paths = recorded().recording.write(tmp_path)
    assert [path.name for path in paths] == ["a.jsonl", "b.jsonl", "c.jsonl"]
    lines = paths[1].read_bytes().splitlines()
    assert [msgspec.json.decode(line) for line in lines] == [trace("b")[0], *trace("b")[1]]


def test_a_place_that_cannot_be_written_to_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be written: No such file or directory"):
        recorded().recording.write(tmp_path / "nowhere")


def test_a_contact_that_has_taken_no_step_has_the_role_of_a_contact():
    recording = Recording(OVERLAY, {})
    recording.began("a", "ann", "subscriber", Raw(b"{}"))
    recording.took("a", Step("ann", "timeout", Raw(b"{}"), [InFlight(0, "supervisor", {})]), None)
    assert recording.header("a")["roles"] == {"supervisor": "supervisor", "ann": "subscriber"}


def test_a_contact_that_has_taken_no_step_takes_no_timeout_as_a_blank_member_does():
    """Other nodes that only hear of the topic do, so that rounds end."""
    around = overlay("skip_ring")
    recording = Recording(around, {})
    state = around.blank("subscriber", "ann", Random(1), "a").snapshot()
    recording.began("a", "ann", "subscriber", state)
    recording.took("a", Step("ann", "timeout", state, [InFlight(0, "supervisor", {}), InFlight(1, "ben", {})]), None)
    for _ in range(3):
        recording.took("a", Step("ann", "timeout", state, []), None)
    taken = [step.node for step in recording.steps("a")]
    assert "ben" in taken
    assert "supervisor" not in taken


@pytest.mark.parametrize("called", ["supervisor", "east"])
@pytest.mark.parametrize("comes", [False, True])
def test_what_is_sent_to_a_contact_that_is_not_there_stays_in_flight(comes, called, tmp_path):
    """No specification has it crash: without it nothing is claimed, and no round ends if it comes later."""
    ring, clock, random = overlay("skip_ring", {"key_bits": 32}, contacts={"news": called}), ManualClock(), Random(7)
    network, recording = MemoryNetwork(clock, random), Recording(ring, {"seed": 7})

    def around(name):
        return NodeContext(network.transport(name), clock, random, recording)

    for name in ("ann", "ben"):
        Node(name, ring, around(name), incarnation=1).subscribe("news")
    clock.advance(6)
    if comes:
        Contact(called, ring, around(called))
        clock.advance(20)
    [trace] = recording.write(tmp_path)
    assert recording.header("news")["roles"] == {called: "supervisor", "ann": "subscriber", "ben": "subscriber"}
    judged = judge_file(trace)
    assert isinstance(judged.conformance, Holds)
    assert isinstance(judged.convergence, Holds if comes else Unknown)
    assert isinstance(judged.closure, Unknown)


def test_a_run_with_a_stranger_is_recorded_without_help_and_names_whom_it_names(tmp_path):
    """The nodes that its answer lists are sent nothing, and others still write their names down."""
    ring = overlay("chord")
    recording = Recording(ring, {})
    there = InMemory(ring, 1, recording)
    for name in ("ann", "ben", "cai"):
        there.start(name).subscribe("ring", via="ann")
        there.run(5)
    answer = {"kind": "StabilizeReply", "sender": "mallory", "predecessor": None, "successors": ["eve", "mia"]}
    for name in there.nodes:
        there.network.send("mallory", name, sealed("ring", ring.agreement, msgspec.json.encode(answer)))
    there.run(3)
    header = recording.header("ring")
    assert {"eve", "mallory", "mia"} <= header["roles"].keys()
    assert {message.message.sender for message in header["messages"]} == {"mallory"}
    (path,) = recording.write(tmp_path)
    judgement = judge_file(path)
    assert isinstance(judgement.conformance, Holds)
    # Chord promises its invariant where nodes tell the truth.
    assert {violated.rule for violated in judgement.violations()} == {"invariant"}


def test_what_a_stranger_sends_without_effect_is_no_part_of_the_trace():
    there = System(overlay("skip_ring"), ["ann"])
    there.subscribe("a", "ann")
    there.run(5)
    steps = len([*there.recording.steps("a")])
    there.say("a", "ann", b'{"kind":"RemoveConnections","node":"mallory"}')
    there.clock.advance(0.0)
    there.network.send("mallory", "ann", b"")
    there.run(0.01)
    assert len([*there.recording.steps("a")]) == steps
    assert there.recording.header("a")["messages"] == []
