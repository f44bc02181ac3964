"""Applications that subscribe by filters: clients at the nodes of a tree in memory."""

import pytest

from gomboc.impl.api.content import ContentNode
from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import overlay
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.refusals import Refusals
from gomboc.impl.publishing.publication import PublicationId
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.topics import sealed
from tests.impl.applications.filters import run
from tests.impl.brokers import AGREED, CHEAP, FRUIT, NAMES, Brokers, taken
from tests.impl.refusing import refused, refusing
from tests.impl.system import assert_holds
from tests.sampling import share


def kept_of_a(left):
    return {"node": "a", "agreement": AGREED, "start": 0, "peers": {}, "left": left}


def test_a_node_that_has_crashed_is_gone_past_and_comes_back_with_what_was_kept(tmp_path):
    there = Brokers()
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
    there, known = Brokers(), []
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
    there = Brokers(("a", "a.b"))
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
    there = Brokers(("a", "a.b", "a.b.c"), delta=0)
    there["a.b.c"].attach().subscribe([])
    there.run()
    there.crash("a.b")
    there.run()
    there["a"].attach().publish({"x": 1})
    assert there["a"].unreachable == 1


def test_a_node_that_has_stopped_is_asked_for_nothing():
    node = Brokers()["a"]
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
    there = Brokers()
    there.nodes["a.d"] = node = there.node("a.d", names=NAMES, **begin)
    node.stop()
    sent, returned = there.network.transport("other"), []
    sent.listen(returned.append, lambda to, parcel: returned.append(to))
    sent.send("a.d", b"{}")
    there.clock.advance(9)
    assert returned == ["a.d"]


def test_only_a_node_can_be_suspected():
    assert refused(Brokers()["a"].suspect, "a..b") == (Reason.BAD_NAME, "No node is called 'a..b'.")


def test_a_message_of_another_topic_is_refused():
    there = Brokers()
    message = b'{"kind":"Close","sender":"a.b","stream":[0,1]}'
    there.network.send("a.b", "a", sealed("news", there.overlay.agreement, message))
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
        Brokers().node(name, **begin)


def test_an_overlay_with_topics_has_no_filters_and_the_other_way_round():
    there = Brokers()
    around = NodeContext(there.network.transport("a"), there.clock, there.random)
    with refusing("delta_fault_tolerance has filters and no topics: make a ContentNode."):
        Node("a", there.overlay, around, incarnation=1)
    with refusing("skip_ring has topics and no filters: make a Node."):
        ContentNode("a", overlay("skip_ring"), around)


@pytest.mark.parametrize(
    ("filters", "wrong"),
    [
        ([[["x", "=", "y" * 487]]], "it takes 501 bytes, and 500 are allowed"),
        ([[["x", "=", one]] for one in range(10_000, 11_001)], "its client has 1001 filters, and 1000 are allowed"),
    ],
    ids=["too long", "too many"],
)
def test_kept_filters_above_the_bounds_that_an_application_has_are_refused(filters, wrong):
    own = [[wanted, "subscribed", None] for wanted in filters]
    kept = kept_of_a({"status": "failed", "incarnation": 0, "known": ["a.b"], "own": own})
    says = f"This is not a state of delta-fault-tolerance for 'a': {wrong}."
    assert refused(Brokers().node, "a", kept=kept) == (Reason.BAD_KEPT, says)


def test_an_application_has_bounds_unless_it_gives_others_and_its_recording_names_them():
    bounds = {"most_rows": 64, "most_bytes": 64_000, "most_filters": 1_000}
    assert Brokers(delta=2).recording.header("system")["parameters"] == {**bounds, "delta": 2}
    others = {"most_rows": 4, "most_bytes": None, "most_filters": None, "audit": True}
    assert overlay("delta_fault_tolerance", others).parameters == others


def test_nodes_that_mask_different_numbers_of_failures_are_strangers():
    usual, one, two = (overlay("delta_fault_tolerance", values) for values in (None, {"delta": 1}, {"delta": 2}))
    assert usual.agreement == one.agreement != two.agreement


def test_ids_ascend_over_incarnations():
    there = Brokers()
    first = there["a"].attach().publish({"x": 1})
    again = there.come_back("a", there.crash("a"))
    there.run()
    assert first < again.attach().publish({"x": 1})
    assert first == PublicationId("a", 1)


@pytest.mark.parametrize(("seed", "delta"), [(seed, 1 + seed % 2) for seed in range(share(12, 2, least=1))])
def test_a_node_that_was_told_that_a_filter_is_known_misses_nothing_though_nodes_come_and_go(seed, delta):
    outcome = run(seed, delta)
    assert outcome.owed > 50
    assert outcome.restarts > 3
    assert (outcome.missed, outcome.doubled, outcome.unwanted, outcome.unconfirmed) == (0, 0, 0, 0)


def test_joining_through_a_node_that_does_not_exist_is_counted_at_each_attempt():
    there = Brokers()
    there.nodes["a.x.y"] = node = there.node("a.x.y")
    there.run()
    assert not node.ready
    assert node.counters().refused.keys() == {Reason.CONTACT_GONE}
    assert node.counters().refused[Reason.CONTACT_GONE] >= 5


def test_a_name_with_no_node_in_front_of_it_joins_nothing():
    there, refusals = Brokers(), Refusals(Reason)
    says = "'z' has no node in front of it to join through: give the names that the system begins with."
    assert refused(lambda: there.node("z", refusals=refusals)) == (Reason.BAD_CONTACT, says)
    assert refusals.of_all() == {Reason.BAD_CONTACT: 1}


@pytest.mark.parametrize(("seed", "leaf", "wish"), [(4, 0.41, 0.94), (32, 0.85, 0.31), (114, 0.39, 0.96)])
def test_a_subscription_made_while_a_leaf_joins_through_a_leaf_that_joins_reaches_it_without_delta(seed, leaf, wish):
    there, confirmed = Brokers(("a", "a.b"), delta=0, seed=seed), []
    reader = there["a.b"].attach()
    deliveries = reader.deliveries()
    there.clock.advance(3)
    there.nodes["a.z"] = there.node("a.z")
    for moment in sorted((leaf, wish)):
        there.clock.advance(3 + moment - there.clock.now())
        if moment == leaf:
            there.nodes["a.z.y"] = there.node("a.z.y")
        else:
            reader.subscribe(CHEAP)
    there.run()
    there["a.z.y"].attach().publish({"price": 1}, confirmed.append)
    there.run()
    assert taken(deliveries) == [{"price": 1}]
    assert len(confirmed) == 1
