import asyncio
from random import Random

import pytest

from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import overlay
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.publishing.deliveries import Counted, Counters, Policy, Queueing
from gomboc.impl.publishing.publication import PublicationId
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.memory import MemoryNetwork
from gomboc.impl.runtime.topics import sealed
from gomboc.impl.runtime.transport import Parcel
from tests.impl.refusing import refused
from tests.impl.system import System
from tests.toys.members.impl import LONGEST, OVERLAY

LONE = "\ud800"


def system(*names, **options):
    there = System(OVERLAY, names, **options)
    there.subscribe("news", *names)
    there.run()
    return there


def take_all(deliveries):
    return [publication.payload for publication in iter(deliveries.take, None)]


def test_what_is_published_reaches_every_subscriber_and_the_publisher():
    there = system("ann", "ben", "cai")
    deliveries = [there[name].deliveries("news") for name in ("ann", "ben", "cai")]
    published = there["ann"].publish("news", "hello")
    there.run()
    for queue in deliveries:
        publication = queue.take()
        assert (publication.id, publication.payload) == (published, "hello")
        assert queue.take() is None


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


def test_the_supervisor_makes_an_instance_when_some_node_subscribes():
    there = System(OVERLAY, ["ann"])
    there.run()
    assert there.supervisor.topics == ()
    there.subscribe("news", "ann")
    there.run()
    assert there.supervisor.topics == ("news",)
    assert there.supervisor.refused == {}


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


def test_what_a_subscriber_holds_already_comes_first():
    there = system("ann", "ben")
    for number in range(3):
        there["ann"].publish("news", f"old {number}")
    there.run()
    deliveries = there["ben"].deliveries("news")
    there["ann"].publish("news", "new")
    there.run()
    assert take_all(deliveries) == ["old 0", "old 1", "old 2", "new"]


def test_any_node_that_joins_late_gets_the_history():
    there = system("ann")
    there["ann"].publish("news", "old")
    late = there.start("zoe")
    late.subscribe("news")
    deliveries = late.deliveries("news")
    there.run()
    assert take_all(deliveries) == ["old"]


def test_every_iterator_gets_everything():
    there = system("ann")
    first, second = there["ann"].deliveries("news"), there["ann"].deliveries("news")
    there["ann"].publish("news", "x")
    assert take_all(first) == take_all(second) == ["x"]


def test_an_application_iterates_while_the_protocol_goes_on():
    async def main():
        there = system("ann", "ben")
        deliveries, got = there["ben"].deliveries("news"), []
        for number in range(5):
            waiting = asyncio.create_task(anext(deliveries))
            await there.clock.pass_by(2)
            assert not waiting.done()
            there["ann"].publish("news", f"{number}")
            await there.clock.pass_by(5)
            got.append(await waiting)
        assert [publication.payload for publication in got] == ["0", "1", "2", "3", "4"]

    asyncio.run(main())


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


def test_deliveries_end_when_the_topic_is_left():
    there = system("ann")
    deliveries = there["ann"].deliveries("news")
    there["ann"].publish("news", "x")
    there["ann"].unsubscribe("news")

    async def read():
        return [publication.payload async for publication in deliveries]

    assert asyncio.run(read()) == ["x"]


def test_deliveries_that_wait_are_dropped_when_the_history_is_forgotten():
    there = system("ann", queueing=Queueing(Policy.BLOCK, 1))
    deliveries = there["ann"].deliveries("news")
    for number in range(3):
        there["ann"].publish("news", f"{number}")
    there["ann"].unsubscribe("news", forget=True)
    there.run()
    assert take_all(deliveries) == ["0"]
    assert there["ann"].counters("news").deliveries == Counted(delivered=1, dropped=2)


def test_any_node_that_comes_back_gets_what_it_kept_and_what_it_missed():
    there = system("ann", "ben")
    there["ann"].publish("news", "before")
    there.run()
    there["ben"].unsubscribe("news")
    there.run()
    there["ann"].publish("news", "meanwhile")
    there.run()
    assert there.payloads("ben", "news") == ["before"]
    there["ben"].subscribe("news")
    there.run()
    assert take_all(there["ben"].deliveries("news")) == ["before", "meanwhile"]


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


def test_numbers_are_never_given_out_twice_not_even_after_a_restart_with_nothing():
    there = system("ann", "ben")
    first = [there["ann"].publish("news", "same") for _ in range(2)]
    there.run()
    again = there.start("ann", incarnation=2)
    again.subscribe("news")
    there.run()
    second = [again.publish("news", "same") for _ in range(2)]
    there.run()
    assert sorted({*first, *second}) == first + second
    assert there.payloads("ben", "news") == there.payloads("ann", "news") == ["same"] * 4


def test_what_one_step_adds_is_delivered_by_publisher_and_number():
    there = System(overlay("skip_ring", {"key_bits": 16}), ["ann", "ben", "cai"])
    there.subscribe("news", "ann", "ben")
    for number in range(20):
        there[("ann", "ben")[number % 2]].publish("news", f"{number}")
    there.run(10)
    there.subscribe("news", "cai")
    deliveries = there["cai"].deliveries("news")
    there.run(20)
    batches = [step.delivered for step in there.recording.steps("news") if step.node == "cai" and step.delivered]
    assert max(map(len, batches)) > 1
    came = [publication.id for publication in iter(deliveries.take, None)]
    assert len(came) == 20
    for batch in batches:
        first, came = came[: len(batch)], came[len(batch) :]
        assert first == sorted(first)
        assert {publication.number for publication in first} == {publication.number for publication in batch}


def test_numbers_are_dense_in_each_topic():
    there = System(OVERLAY, ["ann"])
    there.subscribe("a", "ann")
    there.subscribe("b", "ann")
    ids = [there["ann"].publish(topic, "x") for topic in "abab"]
    assert ids == [PublicationId("ann", 2**21 + number) for number in (0, 0, 1, 1)]


@pytest.mark.parametrize("policy", Policy)
def test_an_application_that_takes_nothing_stops_no_node(policy):
    there = system("ann", "ben", "cai", queueing=Queueing(policy, 1))
    idle = there["ben"].deliveries("news")
    busy = there["cai"].deliveries("news")
    got = []
    for number in range(30):
        there["ann"].publish("news", f"{number:02}")
        there.run(3)
        got += take_all(busy)
    everything = [f"{number:02}" for number in range(30)]
    assert got == everything
    assert there.payloads("ben", "news") == everything
    counted = there["ben"].counters("news").deliveries
    if policy is Policy.BLOCK:
        assert counted == Counted(queued=1, waiting=29)
        assert take_all(idle) == everything
    elif policy is Policy.DROP_OLDEST:
        assert counted == Counted(queued=1, dropped=29)
        assert take_all(idle) == ["29"]
    else:
        assert counted == Counted(queued=1, dropped=1)
        assert take_all(idle) == ["00"]
        assert take_all(there["ben"].deliveries("news")) == everything


def test_counters_outlive_the_deliveries_that_they_count():
    there = system("ann")
    for _ in range(3):
        deliveries = there["ann"].deliveries("news")
        there["ann"].publish("news", "x")
        take_all(deliveries)
        deliveries.close()
    assert there["ann"].counters("news") == Counters(Counted(delivered=1 + 2 + 3), {})


def test_counters_of_a_node_are_the_sums_over_its_topics():
    there = System(OVERLAY, ["ann"])
    for topic in ("a", "b"):
        there["ann"].subscribe(topic)
        there["ann"].deliveries(topic)
        there["ann"].publish(topic, "x")
        refused(there["ann"].publish, topic, "y" * (LONGEST + 1))
    refused(there["ann"].subscribe, "no topic")
    assert there["ann"].counters("a") == Counters(Counted(queued=1), {Reason.TOO_LARGE: 1})
    assert there["ann"].counters() == Counters(Counted(queued=2), {Reason.BAD_TOPIC: 1, Reason.TOO_LARGE: 2})


def test_history_is_read_from_its_end():
    there = system("ann", "ben")
    for number in range(4):
        there["ann"].publish("news", f"a{number}")
    there["ben"].publish("news", "b0")
    there.run()
    history = there["ann"].history
    assert [publication.payload for publication in history("news")] == ["a0", "b0", "a1", "a2", "a3"]
    assert [publication.payload for publication in history("news", last=2)] == ["a2", "a3"]
    assert [publication.payload for publication in history("news", publisher="ben", last=1)] == ["b0"]
    assert history("news", last=0) == ()
    assert history("news", publisher="nobody") == ()


def test_more_history_than_there_is_is_refused():
    there = system("ann")
    there["ann"].publish("news", "x")
    assert refused(there["ann"].history, "news", last=2) == (
        Reason.BEYOND_HISTORY,
        "The last 2 publications were asked for, and 1 are held.",
    )
    assert refused(there["ann"].history, "news", last=-1)[0] is Reason.BEYOND_HISTORY
    assert refused(there["ann"].history, "news", publisher="ben", last=1)[0] is Reason.BEYOND_HISTORY
    assert there["ann"].counters("news").refused == {Reason.BEYOND_HISTORY: 3}


def test_a_topic_that_cannot_be_one_is_refused():
    ann = system("ann")["ann"]
    says = "A topic's name is 1 to 64 characters out of letters, digits and _ . : -; 'news.*' is not."
    for call in (ann.subscribe, ann.unsubscribe, ann.deliveries, ann.history):
        assert refused(call, "news.*") == (Reason.BAD_TOPIC, says)
    assert refused(ann.publish, "news.*", "x") == (Reason.BAD_TOPIC, says)
    assert ann.counters().refused == {Reason.BAD_TOPIC: 5}


def test_what_is_asked_of_a_topic_without_subscription_is_refused():
    ann = system("ann")["ann"]
    says = "ann is not subscribed to sport; subscribe to it first."
    for call in (ann.unsubscribe, ann.deliveries, ann.history):
        assert refused(call, "sport") == (Reason.NOT_SUBSCRIBED, says)
    assert refused(ann.publish, "sport", "x") == (Reason.NOT_SUBSCRIBED, says)
    assert ann.counters("sport").refused == {Reason.NOT_SUBSCRIBED: 4}


def test_a_payload_that_is_no_text_is_refused():
    ann = system("ann")["ann"]
    reason, says = refused(ann.publish, "news", LONE)
    assert reason is Reason.BAD_PAYLOAD
    assert says.startswith("A payload has to be text that UTF-8 can write, and this is not: ")
    assert ann.history("news") == ()


def test_a_payload_above_the_limit_is_refused_as_the_protocol_says():
    ann = system("ann")["ann"]
    assert refused(ann.publish, "news", "x" * (LONGEST + 1)) == (
        Reason.TOO_LARGE,
        "The protocol refuses the publication: too_large.",
    )
    assert ann.counters("news").refused == {Reason.TOO_LARGE: 1}


def test_an_incarnation_without_numbers_publishes_nothing_more():
    ann = system("ann")["ann"]
    ann._publisher.numbers._given["news"] = 2**21
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


def test_where_no_node_joins_through_a_member_none_is_named():
    there = System(OVERLAY, ["ann"])
    says = "Nodes do not join through a member here: name none."
    assert refused(there["ann"].subscribe, "news", via="ben") == (Reason.BAD_CONTACT, says)


def test_where_no_key_has_an_owner_none_is_looked_up():
    there = system("ann")
    says = "No key has an owner on this overlay."
    assert refused(there["ann"].look_up, "news", "song", print) == (Reason.CANNOT_LOOK_UP, says)


def test_a_ring_without_key_bits_refuses_publications():
    there = System(overlay("skip_ring"), ["ann", "ben"])
    there.subscribe("news", "ann", "ben")
    node = there["ann"]
    for call in (lambda: node.publish("news", "hello"), lambda: node.history("news"), lambda: node.deliveries("news")):
        reason, says = refused(call)
        assert reason is Reason.CANNOT_PUBLISH
        assert says == "Nothing is published on this overlay without the parameter key_bits: give the overlay one."


@pytest.mark.parametrize("name", ["dissemination", "topic_directory"])
def test_a_layer_is_no_overlay_of_its_own(name):
    with pytest.raises(UsageError, match=f"{name} is a layer over another overlay: use overlay"):
        overlay(name, {"key_bits": 32} if name == "dissemination" else None)


@pytest.mark.parametrize("name", ["an na", "", "a" * 65, "supervisor"])
def test_a_name_that_no_node_can_have_is_refused(name):
    reason, says = refused(lambda: System(overlay("skip_ring", {"key_bits": 8}), [name]))
    assert reason is Reason.BAD_NAME
    assert ("choose another name" if name == "supervisor" else "letters, digits and _ . : -") in says


@pytest.mark.parametrize("payload", [{"a": 1}, 3, None])
def test_a_payload_of_another_type_than_text_or_bytes_is_refused(payload):
    reason, says = refused(system("ann")["ann"].publish, "news", payload)
    assert reason is Reason.BAD_PAYLOAD
    assert says == f"A payload has to be text or bytes, and this is of the type {type(payload).__name__}."


def test_a_topic_that_is_no_text_is_refused():
    assert refused(system("ann")["ann"].subscribe, 3)[0] is Reason.BAD_TOPIC


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
    chord, clock, random = overlay("chord"), ManualClock(), Random(1)
    network = MemoryNetwork(clock, random)
    contexts = {name: NodeContext(network.transport(name), clock, random) for name in ("ann", "ben")}
    ann, ben = (Node(name, chord, around, incarnation=1, topics={"ring": "ann"}) for name, around in contexts.items())
    clock.advance(10)
    owners = []
    ben.look_up("ring", "a song", lambda key, owner: owners.append(owner))
    clock.advance(5)
    assert ann.topics == ben.topics == ("ring",)
    assert len(owners) == 1
