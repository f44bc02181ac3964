from random import Random

import pytest

from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import overlay
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.publishing.publication import PublicationId
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.topics import sealed
from gomboc.impl.runtime.transport import Parcel
from tests.impl.in_memory import InMemory
from tests.impl.news import system
from tests.impl.refusing import refused
from tests.impl.system import System
from tests.toys.members.impl import OVERLAY


def test_nothing_leaks_from_one_topic_into_another():
    there = System(OVERLAY, ["ann", "ben", "cai"])
    there.subscribe("news", "ann", "ben")
    there.subscribe("sport", "ben", "cai")
    there.run()
    there["ben"].publish("news", "n")
    there["ben"].publish("sport", "s")
    there.run()
    assert [there.payloads(name, "news") for name in ("ann", "ben")] == [["n"], ["n"]]
    assert [there.payloads(name, "sport") for name in ("ben", "cai")] == [["s"], ["s"]]
    assert there["ann"].topics == ("news",)
    assert there["ben"].topics == ("news", "sport")
    assert there.supervisor.topics == ("news", "sport")


def test_the_supervisor_has_the_name_that_the_overlay_says_and_no_application():
    supervisor = System(OVERLAY).supervisor
    assert supervisor.name == "supervisor"
    with pytest.raises(AssertionError, match="A contact has no application, and topic news hands it 'x'"):
        supervisor._host._conduct.hand_over("news", "x")


def test_the_supervisor_has_no_more_topics_than_it_may_have():
    there = System(OVERLAY, ["ann"], most_topics=2)
    for topic in ("a", "b", "c"):
        there.subscribe(topic, "ann")
        there.run(5)
    assert there.supervisor.topics == ("a", "b")
    assert set(there.supervisor.refused) == {Reason.TOO_MANY_TOPICS}


def test_a_node_that_has_left_has_no_instance_unless_it_has_history():
    there = system("ann", "ben")
    there["ann"].unsubscribe("news")
    there.run()
    assert there["ann"].instances == ()
    there["ben"].publish("news", "x")
    there["ben"].unsubscribe("news")
    there.run()
    assert there["ben"].instances == ("news",)
    assert there["ben"].topics == ()
    assert there.payloads("ben", "news") == ["x"]


def test_a_node_that_forgets_has_no_instance_left():
    there = system("ann", "ben")
    there["ann"].publish("news", "x")
    there.run()
    there["ben"].unsubscribe("news", forget=True)
    there.run()
    assert there["ben"].instances == ()
    assert refused(there["ben"].history, "news")[0] is Reason.NOT_SUBSCRIBED


def test_a_node_that_has_stopped_is_silent_and_its_deliveries_end():
    there = system("ann", "ben")
    deliveries = there["ann"].deliveries("news")
    there["ann"].stop()
    before = len(list(there.recording.steps("news")))
    there["ben"].publish("news", "x")
    there.run()
    assert {step.node for step in list(there.recording.steps("news"))[before:]} == {"ben", "supervisor"}
    assert deliveries.over
    ann = there["ann"]
    for call in (ann.subscribe, ann.unsubscribe, ann.deliveries):
        assert refused(call, "news") == (Reason.STOPPED, "ann has stopped; start it anew.")
    assert refused(ann.publish, "news", "y")[0] is Reason.STOPPED
    assert ann.history("news") == ()


def test_to_subscribe_twice_is_to_subscribe_once():
    there = system("ann")
    before = list(there.recording.steps("news"))
    there["ann"].subscribe("news")
    assert list(there.recording.steps("news")) == before


def test_numbers_are_dense_in_each_topic():
    there = System(OVERLAY, ["ann"])
    there.subscribe("a", "ann")
    there.subscribe("b", "ann")
    ids = [there["ann"].publish(topic, "x") for topic in "abab"]
    assert ids == [PublicationId("ann", 2**21 + number) for number in (0, 0, 1, 1)]


def test_an_incarnation_without_numbers_publishes_nothing_more():
    ann = system("ann")["ann"]
    ann._memberships.publisher.numbers._given["news"] = 2**21
    assert refused(ann.publish, "news", "x") == (
        Reason.OUT_OF_NUMBERS,
        "This incarnation has given out all its numbers; start the node anew with a greater one.",
    )


def test_only_the_supervisor_can_say_that_a_node_belongs_to_a_topic_of_which_it_knows_nothing():
    there = System(OVERLAY, ["ann"])
    there.say("sport", "ann", b'{"kind":"Members","names":["ann","eve"]}', sender="eve")
    there.run()
    assert there["ann"].instances == ()
    assert there["ann"].counters().refused == {Reason.UNKNOWN_TOPIC: 1}


def test_any_node_that_has_forgotten_that_it_belongs_to_a_topic_leaves_it():
    there = system("ann", "ben")
    again = there.start("ann", incarnation=2)
    there.run()
    assert again.instances == ()
    there.say("news", "ann", b'{"kind":"Members","names":["ann","ben"]}', sender="supervisor")
    there.run()
    assert again.instances == ()
    assert bytes(there.supervisor._host.instances.snapshot("news")) == b'{"members":["ben"]}'


@pytest.mark.parametrize("name", ["dissemination", "topic_directory"])
def test_a_layer_is_no_overlay_of_its_own(name):
    with pytest.raises(UsageError, match=f"{name} is a layer over another overlay: use overlay"):
        overlay(name, {"key_bits": 32} if name == "dissemination" else None)


@pytest.mark.parametrize("name", ["an na", "", "a" * 65, "supervisor"])
def test_a_name_that_no_node_can_have_is_refused(name):
    reason, says = refused(lambda: System(overlay("skip_ring", {"key_bits": 8}), [name]))
    assert reason is Reason.BAD_NAME
    assert ("choose another name" if name == "supervisor" else "letters, digits and _ . : -") in says


class AtOnce:
    """A transport on which parcels wait for a node, and are handed over as soon as it listens; it sends nowhere."""

    def __init__(self, *parcels):
        self.parcels, self.sent = parcels, []

    def listen(self, receive, returned):
        for parcel in self.parcels:
            receive(parcel)

    def send(self, to, written):
        self.sent.append((to, written))
        return len(self.sent)

    def close(self):
        self.parcels = ()


def recorded_before(**options):
    """A node that comes back, with what it sends within five periods; the supervisor's word about it waits for it."""
    ring, clock = overlay("skip_ring"), ManualClock()
    word = b'{"kind":"SetData","pred":["01","ben"],"label":"0","succ":["01","ben"]}'
    transport = AtOnce(Parcel(0, "supervisor", sealed("news", ring.agreement, word)))
    node = Node("ann", ring, NodeContext(transport, clock, Random(1)), incarnation=2, **options)
    first = list(transport.sent)
    clock.advance(5)
    return node, first, b" ".join(written for _, written in transport.sent)


def test_a_node_that_is_made_with_its_topics_has_its_wishes_before_anything_arrives():
    node, first, sent = recorded_before(topics=["news"])
    assert node.topics == ("news",)
    assert first == []
    assert b"Check" in sent
    assert b"Unsubscribe" not in sent


def test_without_topics_a_word_that_comes_at_once_finds_a_whole_node_that_wants_nothing():
    node, first, sent = recorded_before()
    assert (node.topics, node.instances, first) == ((), ("news",), [])
    assert b"Unsubscribe" in sent


def test_topics_that_are_no_topics_are_refused_and_nothing_is_left_of_the_node():
    with pytest.raises(UsageError, match=r"^The topics of a node are a sequence or a mapping: write \['news'\]\.$"):
        recorded_before(topics="news")
    transport = AtOnce()
    around = NodeContext(transport, ManualClock(), Random(1))
    with pytest.raises(RefusedError, match=r"^A topic's name is 1 to 64 characters"):
        Node("ann", overlay("skip_ring"), around, incarnation=1, topics=["news", "no topic"])
    around.clock.advance(5)
    assert transport.sent == []


def test_a_mapping_gives_each_topic_the_member_through_which_it_is_joined():
    there = InMemory(overlay("chord"))
    ann, ben = (there.start(name, topics={"ring": "ann"}) for name in ("ann", "ben"))
    there.run()
    owners = []
    ben.look_up("ring", "a song", lambda key, owner: owners.append(owner))
    there.run(5)
    assert ann.topics == ben.topics == ("ring",)
    assert len(owners) == 1
