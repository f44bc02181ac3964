"""Applications that subscribe by filters: clients at the nodes of a tree in memory."""

import asyncio
from random import Random

import msgspec
import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.impl.api.content import ContentNode
from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.recording import Recording
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.refusals import Refusals
from gomboc.impl.publishing.deliveries import Counted, Policy, Queueing
from gomboc.impl.publishing.publication import PublicationId
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.detection.heartbeats import PROBE
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.memory import MemoryNetwork
from gomboc.impl.runtime.topics import sealed
from tests.impl.applications import run
from tests.impl.refusing import refused, refusing
from tests.impl.system import assert_holds

NAMES = ("a", "a.b", "a.b.c", "a.d")
CHEAP = [("price", "<", 10)]
FRUIT = [("kind", "=", "fruit")]
AGREED = overlay("delta_fault_tolerance", {"delta": 1}).agreement


def kept_of_a(left):
    return {"node": "a", "agreement": AGREED, "start": 0, "peers": {}, "left": left}


class System:
    """Nodes with these names, and a detector that knows the stopped nodes."""

    def __init__(self, names=NAMES, delta=1, queueing=None, seed=1):
        self.overlay, self.queueing = overlay("delta_fault_tolerance", {"delta": delta}), queueing
        self.clock, self.random = ManualClock(), Random(seed)
        self.network = MemoryNetwork(self.clock, self.random, discipline=Discipline.FIFO)
        self.recording = Recording(self.overlay, {"seed": seed})
        self.down = set()
        self.nodes = {name: self.node(name, names=names) for name in names}

    def node(self, name, **begin):
        around = NodeContext(self.network.transport(name), self.clock, self.random, self.recording)
        return ContentNode(name, self.overlay, around, queueing=self.queueing, **begin)

    def __getitem__(self, name):
        return self.nodes[name]

    def run(self, periods=6):
        for _ in range(4 * periods):
            for node in self.nodes.values():
                for node_name in self.down.intersection(node.watched):
                    node.suspect(node_name)
            self.clock.advance(0.25)

    def crash(self, name):
        kept = self.nodes[name].kept
        self.nodes[name].stop()
        self.down.add(name)
        return kept

    def come_back(self, name, kept):
        self.down.remove(name)
        self.nodes[name] = self.node(name, kept=kept)
        return self.nodes[name]

    def judged(self, folder):
        (path,) = self.recording.write(folder)
        return judge_file(path)


def taken(deliveries):
    return [publication.attributes for publication in iter(deliveries.take, None)]


def test_what_matches_comes_once_and_in_its_publishers_order(tmp_path):
    there, known, confirmed = System(), [], []
    reader, writer = there["a.b.c"].attach(), there["a.d"].attach()
    deliveries = reader.deliveries()
    wanted = reader.subscribe([*FRUIT, *CHEAP, *CHEAP], known.append)
    assert wanted == (("kind", "=", "fruit"), ("price", "<", 10))
    there.run()
    assert known == [wanted]
    ids = [writer.publish({"price": number, "kind": "fruit"}, confirmed.append) for number in range(8, 12)]
    writer.publish({"price": 1})
    there.run()
    assert [(delivery.id, delivery.filters) for delivery in iter(deliveries.take, None)] == [
        (delivery, (wanted,)) for delivery in ids[:2]
    ]
    assert sorted(ids) == ids == sorted(confirmed)
    assert_holds(there.judged(tmp_path))


def test_numbers_are_compared_as_such_and_a_boolean_is_none(tmp_path):
    there, known = System(), []
    writer, got = there["a.d"].attach(), {}
    for name, predicates in (
        ("one", [("x", "=", 1.0)]),
        ("true", [("x", "=", True)]),
        ("less", [("x", "<", 1.5)]),
        ("false or true", [("x", ">=", False)]),
    ):
        reader = there["a.b.c"].attach()
        got[name] = reader.deliveries()
        known.append(reader.subscribe(predicates))
    there.run()
    assert len(set(known)) == 4, "equal as Python's own values, and yet two filters"
    for value in (1, 1.0, True, 1.25, 2, False):
        writer.publish({"x": value})
    there.run()
    values = {name: [attributes["x"] for attributes in taken(deliveries)] for name, deliveries in got.items()}
    assert values == {"one": [1, 1], "true": [True], "less": [1, 1, 1.25], "false or true": [True, False]}
    assert [type(value) for name in ("one", "true") for value in values[name]] == [int, int, bool]
    assert_holds(there.judged(tmp_path))


def test_an_application_iterates_over_its_deliveries():
    async def main():
        there = System(("a", "a.b"))
        reader = there["a.b"].attach()
        deliveries = reader.deliveries()
        reader.subscribe([])
        there.run()
        there["a"].attach().publish({"x": 1})
        there.run()
        there["a.b"].stop()
        return [publication.attributes async for publication in deliveries]

    assert asyncio.run(main()) == [{"x": 1}]


def test_each_client_of_a_node_is_delivered_what_it_wants_itself():
    there, known = System(), []
    cheap, fruit = there["a"].attach(), there["a"].attach()
    for_cheap, for_fruit = cheap.deliveries(), fruit.deliveries()
    cheap.subscribe(CHEAP, known.append)
    there.run()
    for predicates in (CHEAP, FRUIT):
        fruit.subscribe(predicates, known.append)
    assert len(known) == 2, "what the node is subscribed to already is confirmed at once"
    there.run()
    assert len(known) == 3
    apple, stone = {"kind": "fruit", "price": 3}, {"kind": "stone", "price": 2}
    for predicates in (apple, stone):
        there["a.d"].attach().publish(predicates)
    there.run()
    assert (taken(for_cheap), taken(for_fruit)) == ([apple, stone], [apple, stone])
    cheap.unsubscribe(CHEAP)
    fruit.unsubscribe(FRUIT)
    there["a"].attach().publish(stone)
    assert (taken(for_cheap), taken(for_fruit)) == ([], [stone])
    fruit.detach()
    there["a.d"].attach().publish(apple)
    there.run()
    assert for_fruit.over
    assert there["a"].kept["left"]["own"] == []
    assert there["a"].counters().deliveries == Counted(delivered=5)


def test_any_node_that_wants_a_filter_once_more_is_not_told_again_that_it_is_known():
    there, known = System(), []
    client = there["a"].attach()
    client.subscribe(CHEAP, known.append)
    there.run()
    client.subscribe(CHEAP)
    assert len(known) == 1


def test_publications_that_waited_are_confirmed_each_with_its_own_id():
    there, confirmed = System(), []
    back = there.come_back("a.b", there.crash("a.b"))
    writer = back.attach()
    for price in (1, 2):
        assert writer.publish({"price": price}, lambda id_, price=price: confirmed.append((price, id_))) is None
    there.run()
    assert [price for price, _ in sorted(confirmed, key=lambda item: item[1])] == [1, 2]


@pytest.mark.parametrize(
    ("policy", "expected", "counted"),
    [
        (Policy.BLOCK, list(range(9)), Counted(queued=2, waiting=7)),
        (Policy.DROP_OLDEST, [7, 8], Counted(queued=2, dropped=7)),
        (Policy.DISCONNECT, [0, 1], Counted(queued=2, dropped=1)),
    ],
)
def test_a_client_that_takes_nothing_stops_no_node(policy, expected, counted):
    there = System(queueing=Queueing(policy, 2))
    idle, busy = there["a.b"].attach(), there["a.b.c"].attach()
    for_idle, for_busy, got = idle.deliveries(), busy.deliveries(), []
    for attributes in (idle, busy):
        attributes.subscribe([])
    there.run()
    for number in range(9):
        there["a"].attach().publish({"number": number})
        there.run(2)
        got += taken(for_busy)
    assert [attributes["number"] for attributes in got] == list(range(9))
    assert idle.counted == counted
    assert [attributes["number"] for attributes in taken(for_idle)] == expected


def test_a_node_that_has_crashed_is_gone_past_and_comes_back_with_what_was_kept(tmp_path):
    there = System()
    reader, writer = there["a.b.c"].attach(), there["a"].attach()
    deliveries = reader.deliveries()
    reader.subscribe(CHEAP)
    there["a.b"].attach().subscribe(FRUIT)
    there.run()
    kept = there.crash("a.b")
    writer.publish({"price": 1})
    there.run()
    assert taken(deliveries) == [{"price": 1}]
    again, confirmed = there.come_back("a.b", kept), []
    assert not again.ready
    assert again.restored.filters == (tuple(FRUIT),)
    assert again.restored.publish({"price": 2}, confirmed.append) is None, "it waits until the node is ready"
    for_again = again.restored.deliveries()
    there.run()
    assert again.ready
    assert confirmed[0].publisher == "a.b"
    writer.publish({"kind": "fruit", "price": 3})
    there.run()
    assert taken(deliveries) == [{"price": 2}, {"kind": "fruit", "price": 3}]
    assert taken(for_again) == [{"kind": "fruit", "price": 3}]
    assert there["a.b.c"].watched == ("a.b",), "connections past it are closed"
    assert_holds(there.judged(tmp_path))


def test_whose_filters_were_kept_is_subscribed_to_them_once_it_is_ready_and_leaves_the_rest():
    there, known = System(), []
    client = there["a.b"].attach()
    for predicates in (CHEAP, FRUIT):
        client.subscribe(predicates)
    there.run()
    again = there.come_back("a.b", there.crash("a.b"))
    wanted = again.attach().subscribe(CHEAP, lambda filter_: known.append((filter_, again.ready)))
    assert known == [], "publications may still go past it"
    again.restored.detach()
    there.run(10)
    assert known == [(wanted, True)]
    assert [predicates[0] for predicates in again.kept["left"]["own"]] == [[list(CHEAP[0])]]


def test_a_node_that_is_made_without_names_joins_as_a_leaf(tmp_path):
    there = System(("a", "a.b"))
    there["a.b"].attach().subscribe(FRUIT)
    there.nodes["a.b.c"] = there.node("a.b.c")
    reader = there["a.b.c"].attach()
    deliveries = reader.deliveries()
    reader.subscribe(CHEAP)
    assert not there["a.b.c"].ready
    there.run()
    assert there["a.b.c"].ready
    there["a"].attach().publish({"price": 1})
    there.run()
    assert taken(deliveries) == [{"price": 1}]
    assert there["a"].kept["left"]["known"] == ["a.b", "a.b.c"]
    assert_holds(there.judged(tmp_path))


def test_a_publication_that_gets_no_further_is_counted():
    there = System(("a", "a.b", "a.b.c"), delta=0)
    there["a.b.c"].attach().subscribe([])
    there.run()
    there.crash("a.b")
    there.run()
    there["a"].attach().publish({"x": 1})
    assert there["a"].unreachable == 1


@pytest.mark.parametrize(
    ("predicates", "sentence"),
    [
        ([("x", "~", 1)], "Invalid enum value '~' - at `$[0][1]`."),
        ([("x", "<", 1), ("x", "prefix", "a")], "'x' would have to be a number and a text."),
        ([("x", "exists", 1)], "'exists' of 'x' has a value."),
        ([("x", "<", 1), ("x", "=", True)], "'x' would have to be a boolean and a number."),
        ([("x", "=", float("nan"))], "a number is finite, and 'x' would be nan."),
        ([("x", "=")], "Expected `array` of at least length 3, got 2 - at `$[0]`."),
        (7, "Expected `array`, got `int`."),
    ],
)
def test_a_filter_that_is_none_is_refused(predicates, sentence):
    node = System()["a"]
    client = node.attach()
    for call in (client.subscribe, client.unsubscribe):
        assert refused(call, predicates) == (Reason.BAD_FILTER, f"This is not a filter: {sentence}")
    assert node.counters().refused == {Reason.BAD_FILTER: 2}
    assert client.filters == ()


@pytest.mark.parametrize(
    ("attributes", "sentence"),
    [
        ({}, "A publication has at least one attribute: give a mapping from names to numbers, texts or booleans."),
        (
            [("x", 1)],
            "A publication has at least one attribute: give a mapping from names to numbers, texts or booleans.",
        ),
        ({"x": float("nan")}, "These are not attributes: a number is finite, and 'x' would be nan."),
        ({"x": -float("inf")}, "These are not attributes: a number is finite, and 'x' would be -inf."),
        ({"x": None}, "These are not attributes: Expected `int | float | str | array`, got `null` - at `$[0][1]`."),
        ({"x": 2**53}, "These are not attributes: Expected `int` <= 9007199254740991 - at `$[0][1]`."),
        ({1: 2}, "These are not attributes: Expected `str`, got `int` - at `$[0][0]`."),
    ],
)
def test_a_publication_without_attributes_that_make_sense_is_refused(attributes, sentence):
    client = System()["a"].attach()
    assert refused(client.publish, attributes) == (Reason.BAD_ATTRIBUTES, sentence)


def test_what_a_client_does_not_want_it_cannot_give_up():
    client = System()["a"].attach()
    says = "This client is not subscribed to [('price', '<', 10)]; subscribe to it first."
    assert refused(client.unsubscribe, CHEAP) == (Reason.NOT_SUBSCRIBED, says)


def test_a_node_that_has_stopped_is_asked_for_nothing():
    node = System()["a"]
    client = node.attach()
    node.stop()
    node.stop()
    stopped = Reason.STOPPED, "a has stopped; start it anew."
    for call in (node.attach, client.deliveries, client.detach):
        assert refused(call) == stopped
    for call in (client.subscribe, client.unsubscribe, client.publish):
        assert refused(call, CHEAP) == stopped
    assert refused(node.suspect, "a.b") == stopped
    assert not node.ready
    assert node.watched == ()


@pytest.mark.parametrize("begin", [{}, {"keep": lambda kept: None}], ids=["plain", "with a value to keep"])
def test_to_the_network_a_node_that_has_stopped_is_not_there(begin):
    there = System()
    there.nodes["a.d"] = node = there.node("a.d", names=NAMES, **begin)
    node.stop()
    sent, returned = there.network.transport("other"), []
    sent.listen(returned.append, lambda to, parcel: returned.append(to))
    sent.send("a.d", b"{}")
    there.clock.advance(9)
    assert returned == ["a.d"]


def test_only_a_node_can_be_suspected():
    assert refused(System()["a"].suspect, "a..b") == (Reason.BAD_NAME, "No node is called 'a..b'.")


def test_a_message_of_another_topic_is_refused():
    there = System()
    there.network.send(
        "a.b", "a", sealed("news", there.overlay.agreement, b'{"kind":"Close","sender":"a.b","stream":[0,1]}')
    )
    there.run()
    assert there["a"].counters().refused == {Reason.UNKNOWN_TOPIC: 1}


@pytest.mark.parametrize(
    ("name", "begin", "sentence"),
    [
        ("a", {"names": ["a", "b"]}, "A tree has one root, a name without a dot, and not 2: a, b."),
        ("a", {"names": ["a", "a.b.c"]}, "'a.b.c' has the parent 'a.b', which is not in the tree."),
        ("a", {"names": ["a", "a..b"]}, "'a..b' is no name of a broker: write a path in the tree, such as 'a.b.c'."),
        ("a.z", {"names": ["a", "a.b"]}, "'a.z' is not in the tree; its brokers are: a, a.b."),
        (
            "a",
            {"kept": kept_of_a({"status": "operational", "incarnation": 0})},
            "A crash leaves no broker that is operational: give the value that was kept of it.",
        ),
    ],
)
def test_a_node_that_cannot_begin_like_that_is_refused(name, begin, sentence):
    with refusing(sentence):
        System().node(name, **begin)


def test_an_overlay_with_topics_has_no_filters_and_the_other_way_round():
    there = System()
    around = NodeContext(there.network.transport("a"), there.clock, there.random)
    with refusing("delta_fault_tolerance has filters and no topics: make a ContentNode."):
        Node("a", there.overlay, around, incarnation=1)
    with refusing("skip_ring has topics and no filters: make a Node."):
        ContentNode("a", overlay("skip_ring"), around)


def test_nodes_that_mask_different_numbers_of_failures_are_strangers():
    agreements = [
        overlay("delta_fault_tolerance", parameters).agreement for parameters in (None, {"delta": 1}, {"delta": 2})
    ]
    assert agreements[0] == agreements[1] != agreements[2]


def test_ids_ascend_over_incarnations():
    there = System()
    first = there["a"].attach().publish({"x": 1})
    again = there.come_back("a", there.crash("a"))
    there.run()
    assert first < again.attach().publish({"x": 1})
    assert first == PublicationId("a", 1)


@pytest.mark.parametrize(("seed", "delta"), [(seed, 1 + seed % 2) for seed in range(12)])
def test_a_node_that_was_told_that_a_filter_is_known_misses_nothing_though_nodes_come_and_go(seed, delta):
    outcome = run(seed, delta)
    assert outcome.owed > 50
    assert outcome.restarts > 3
    assert (outcome.missed, outcome.doubled, outcome.unwanted, outcome.unconfirmed) == (0, 0, 0, 0)


def test_what_is_kept_is_told_when_it_changes_and_before_anything_is_sent():
    there, kept_values = System(), []
    kept, sent = there.crash("a.b"), []
    there.down.remove("a.b")

    class Watched:
        def __getattr__(self, name):
            return getattr(transport, name)

        def send(self, to, payload):
            sent.append(len(kept_values))
            return transport.send(to, payload)

    transport = there.network.transport("a.b")
    around = NodeContext(Watched(), there.clock, there.random)
    there.nodes["a.b"] = node = ContentNode("a.b", there.overlay, around, kept=kept, keep=kept_values.append)
    assert [state["left"]["incarnation"] for state in kept_values] == [1]
    assert sent
    assert min(sent) == 1
    there.run()
    client = node.attach()
    client.subscribe(CHEAP)
    there.run()
    client.unsubscribe(CHEAP)
    there.run()
    assert [[own[1] for own in state["left"]["own"]] for state in kept_values] == [
        [],
        [],
        ["subscribing"],
        ["subscribed"],
        ["unsubscribing"],
        [],
    ]
    assert [sorted(kept_value["peers"]) for kept_value in kept_values[:2]] == [[], ["a", "a.b.c"]]
    assert kept_values[-1] == node.kept


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"node": "a.d"}, "This was kept of 'a.d', and not of 'a.b': give the value that was kept of 'a.b'."),
        ({"agreement": "x"}, f"This was kept under x, and a.b has {AGREED}: give it the same."),
        ({"more": 1}, "This was not kept of a node: give the `kept` value of a.b."),
        ({"start": -1}, "This was not kept of a node: give the `kept` value of a.b."),
        ({"left": 7}, "No crash leaves this state: Expected `object`, got `int`; give the value that was kept."),
    ],
)
def test_what_was_kept_of_another_node_or_version_is_refused_and_counted(changed, sentence):
    there, refusals = System(), Refusals(Reason)
    kept = {**there.crash("a.b"), **changed}
    assert refused(lambda: there.node("a.b", kept=kept, refusals=refusals)) == (Reason.BAD_KEPT, sentence)
    assert refusals.of_all() == {Reason.BAD_KEPT: 1}


@pytest.mark.parametrize("starts", [1, 2])
def test_a_node_that_comes_back_with_something_old_is_ended_before_it_is_ready(starts):
    there, got = System(), []
    there["a"].attach().subscribe([])
    there.run()
    old = there.crash("a.b")
    for _ in range(starts):
        there.come_back("a.b", [old, *got][-1])
        there.run()
        got.append(there.crash("a.b"))
    reader = there["a"].attach()
    reader.subscribe([])
    deliveries = reader.deliveries()
    again, confirmed = there.come_back("a.b", old), []
    client = again.restored
    over, ready = client.deliveries(), []
    client.publish({"x": 1}, confirmed.append)
    for _ in range(24):
        there.run(1)
        ready.append(again.ready)
    assert (taken(deliveries), confirmed, any(ready), over.over) == ([], [], False, True)
    others = "another" if starts == 1 else "a later"
    says = [
        f"a.b came back as its start 1, and {peer!r} knows of {others} start {starts}: "
        "start it with the last that was kept of it."
        for peer in ("a", "a.b.c")
    ]
    reason, sentence = refused(again.attach)
    assert (reason, sentence in says) == (Reason.BAD_KEPT, True)
    assert refused(client.publish, {"x": 2}) == (Reason.BAD_KEPT, sentence)
    assert again.counters().refused == {Reason.BAD_KEPT: 3}
    assert there["a"].counters().refused.keys() <= {Reason.OUTDATED}
    there.down.add("a.b")
    last = there.come_back("a.b", got[-1])
    there.run()
    assert last.ready
    last.restored.publish({"x": 3}, confirmed.append)
    there.run()
    assert (taken(deliveries), len(confirmed)) == ([{"x": 3}], 1)


def test_peers_that_have_crashed_as_well_still_know_of_the_last_start():
    there = System(("a", "a.b"))
    old = there.crash("a.b")
    there.run()
    there.come_back("a.b", old)
    there.run()
    there.crash("a.b")
    there.come_back("a", there.crash("a"))
    again = there.come_back("a.b", old)
    there.run(10)
    assert refused(again.attach)[0] == Reason.BAD_KEPT
    assert there["a"].counters().refused[Reason.OUTDATED] >= 1


def test_a_node_that_begins_again_with_nothing_is_ended_too():
    there = System()
    there["a"].attach().subscribe([])
    there.run()
    there["a.d"].attach().publish({"x": 1})
    there.run()
    there["a.d"].stop()
    there.nodes["a.d"] = there.node("a.d", names=NAMES)
    there["a.d"].attach().subscribe(CHEAP)
    there.run()
    assert refused(there["a.d"].attach)[0] == Reason.BAD_KEPT


def test_a_notice_to_an_earlier_start_ends_no_later_one():
    there = System()
    kept = there.crash("a.b")
    there.come_back("a.b", kept)
    there.run()
    there.crash("a.b")
    again = there.come_back("a.b", kept)
    there.clock.advance(0.01)
    last = again.kept | {"start": 7}
    again.stop()
    back = there.node("a.b", kept=last)
    there.nodes["a.b"] = back
    there.run()
    assert back.ready
    assert back.counters().refused == {}


def test_no_stranger_ends_a_node_by_what_it_says_of_starts_nor_has_its_own_kept():
    there, heard, told = System(("a", "a.b")), [], []
    there["a"].stop()
    there.nodes["a"] = there.node("a", names=("a", "a.b"), keep=told.append)
    stranger = there.network.transport("zed")
    stranger.listen(lambda parcel: heard.append(parcel.written), lambda to, parcel: None)
    stranger.send("a", PROBE)
    there.run()
    written = len(told)
    number, token = msgspec.json.decode(heard[0].partition(b"\n")[0])[0]
    stranger.send("a", msgspec.json.encode([[0, token], [[number, token], number + 1]]) + b"\n")
    for start in range(9):
        stranger.send("a", msgspec.json.encode([[start, token], None]) + b"\n" + PROBE)
    there.run()
    assert (there["a"].ready, dict(there["a"].counters().refused), len(told)) == (True, {}, written)


def test_joining_through_a_node_that_does_not_exist_is_counted_at_each_attempt():
    there = System()
    there.nodes["a.x.y"] = node = there.node("a.x.y")
    there.run()
    assert not node.ready
    assert node.counters().refused.keys() == {Reason.CONTACT_GONE}
    assert node.counters().refused[Reason.CONTACT_GONE] >= 5


def test_a_name_with_no_node_in_front_of_it_joins_nothing():
    there, refusals = System(), Refusals(Reason)
    says = "'z' has no node in front of it to join through: give the names that the system begins with."
    assert refused(lambda: there.node("z", refusals=refusals)) == (Reason.BAD_CONTACT, says)
    assert refusals.of_all() == {Reason.BAD_CONTACT: 1}


def test_a_whole_number_above_what_integers_may_be_stays_a_number_with_a_fraction():
    (((_, _, value),),) = [System()["a"].attach().subscribe([("x", "=", 2.0**53)])]
    assert (value, type(value)) == (2.0**53, float)
