"""Bounds on what brokers send and hold, by the calls and the transport that applications have."""

from collections import Counter

import msgspec
import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.impl.core.reasons import Reason
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.topics import sealed
from gomboc.impl.runtime.transport import Through
from tests.impl.attacks.system import Watch
from tests.impl.brokers import Brokers
from tests.impl.refusing import refused
from tests.impl.system import assert_holds

LAST = "a.b.c"


class PerStep(Through):
    """A transport that counts the bytes sent to each node at each moment: no two steps of a run are at one moment."""

    def __init__(self, transport, clock, sent):
        super().__init__(transport)
        self.clock, self.counted = clock, sent

    def send(self, to, written):
        self.counted[to, self.clock.now()] += len(written)
        return super().send(to, written)


class InARow(Brokers):
    """Three nodes in a row, of which the last one may be a liar: it sends its neighbour what the test has it send."""

    def __init__(self, lies=False, **parameters):
        self.sent, self.watch, self.lies = Counter(), Watch(), lies
        super().__init__(("a", "a.b", LAST), absent=(LAST,) if lies else (), **parameters)
        if lies:
            self.liar = self.network.transport(LAST)
            self.liar.listen(lambda parcel: None, lambda to, parcel: None)

    def around(self, name):
        transport = PerStep(self.network.transport(name), self.clock, self.sent)
        return NodeContext(transport, self.clock, self.random, self.watch if self.lies else self.recording)

    def lie(self, kind, **fields):
        message = msgspec.json.encode({"kind": kind, "sender": LAST, "stream": [0, 1], **fields})
        self.liar.send("a.b", sealed("system", self.overlay.agreement, message))
        self.clock.advance(1)

    def subscribe_falsely(self, attribute, times):
        """The last one says so many times that its client has subscribed, each time to another filter."""
        for number in range(1, times + 1):
            content = {"kind": "Subscription", "source": LAST, "filter": [[attribute, "=", number]], "via": LAST}
            self.lie("Forward", id=[LAST, 0, number], content=content, visited=[[LAST, [0, number]]], guide=None)

    def state(self, name):
        """The state that a node has shown to its observer."""
        return msgspec.json.decode(self.watch.states["system"][name][1])

    def bypassed(self):
        """The middle one stops, and is back after much has happened; the bytes of the largest step since then."""
        reader, writer = (self.nodes[name].attach() for name in ("a", LAST))
        deliveries = reader.deliveries()
        for number in range(16):
            reader.subscribe([("n", ">=", number)])
        self.clock.advance(20)
        kept = self.nodes["a.b"].kept
        self.nodes["a.b"].stop()
        for number in range(16):
            writer.publish({"n": number, "text": "x" * 100})
        self.clock.advance(0.5)
        self.sent.clear()
        self.nodes["a.b"] = self.node("a.b", kept=kept)
        self.clock.advance(25)
        taken = [matched.attributes["n"] for matched in iter(deliveries.take, None)]
        assert taken == list(range(16))
        assert all(node.ready for node in self.nodes.values())
        return max(self.sent.values())


def test_a_step_sends_a_peer_no_more_bytes_than_most_bytes_with_envelopes(tmp_path):
    system = InARow(most_rows=4, most_bytes=2048)
    assert system.bypassed() <= 2048
    (written,) = system.recording.write(tmp_path)
    assert b'"kind":"Pause"' in written.read_bytes()
    assert_holds(judge_file(written))


def test_without_a_bound_one_step_sends_all_that_waits():
    assert InARow(most_rows=4, most_bytes=None).bypassed() > 4096


@pytest.mark.parametrize(
    ("call", "argument", "says"),
    [
        (
            "subscribe",
            [("x", "prefix", "a" * 100)],
            "This filter is too large: it takes 119 bytes, and 64 are allowed.",
        ),
        ("publish", {"x": "a" * 300}, "This publication is too large: it takes 310 bytes, and 256 are allowed."),
    ],
)
def test_what_does_not_fit_into_a_message_is_refused_where_it_is_given(call, argument, says):
    system = InARow(most_rows=4, most_bytes=512)
    client = system.nodes["a"].attach()
    assert refused(getattr(client, call), argument) == (Reason.TOO_LARGE, says)
    assert client.filters == ()
    assert system.nodes["a"].counters().refused == {"too_large": 1}


def test_a_filter_that_fits_exactly_is_taken():
    system, fitting = InARow(most_rows=4, most_bytes=512), (("x", "prefix", "a" * 45),)
    client = system.nodes["a"].attach()
    assert client.subscribe(fitting) == fitting
    assert client.filters == (fitting,)
    assert system.nodes["a"].counters().refused == {}


def test_a_client_has_no_more_filters_than_most_filters_until_an_end_is_confirmed():
    system = InARow(most_filters=2)
    client, other = system.nodes["a"].attach(), system.nodes["a"].attach()
    client.subscribe([("x", "=", 1)])
    other.subscribe([("x", "=", 2)])
    client.subscribe([("x", "=", 2)])
    says = "a has 2 filters, and no room for one more until an end is confirmed."
    assert refused(client.subscribe, [("x", "=", 3)]) == (Reason.TOO_MANY_FILTERS, says)
    client.unsubscribe([("x", "=", 1)])
    assert refused(client.subscribe, [("x", "=", 3)]) == (Reason.TOO_MANY_FILTERS, says)
    system.clock.advance(5)
    client.subscribe([("x", "=", 3)])
    assert system.nodes["a"].counters().refused == {"too_many_filters": 2}


def test_rows_without_an_end_are_held_nowhere_but_in_the_table():
    system = InARow(lies=True, audit=True, most_rows=2, most_filters=10)
    for number in range(100, 160, 2):
        rows = [[LAST, [["x", "=", number + more]], LAST] for more in (0, 1)]
        after = {"after": [LAST, [["x", "=", number - 1]]]} if number > 100 else {}
        system.lie("Rows", rows=rows, **after)
    state = system.state("a.b")
    assert (state["answers"], len(state["rows"])) == ([], 10)
    assert system.nodes["a.b"].refused_peers() == {(LAST, "system", Reason.TOO_MANY_FILTERS): 25}


def test_a_table_that_never_ends_has_no_more_rows_of_one_client_than_it_may():
    system = InARow(lies=True, most_rows=2, most_filters=10)
    kept = system.nodes["a.b"].kept
    system.nodes["a.b"].stop()
    system.nodes["a.b"] = system.node("a.b", kept=kept)
    system.clock.advance(1)
    system.lie("Connect", heard=[1, 2], status="operational")
    for number in range(100, 160, 2):
        rows = [[LAST, [["x", "=", number + more]], LAST] for more in (0, 1)]
        system.lie("Table", rows=rows)
    state = system.state("a.b")
    assert state["status"] == "recovering"
    assert len(dict(state["answers"])[LAST]) == 10


def test_subscriptions_of_one_client_fill_no_more_of_a_table_than_it_may_have():
    system = InARow(lies=True, most_filters=10)
    system.subscribe_falsely("x", 39)
    system.clock.advance(5)
    assert [len(system.state(name)["rows"]) for name in ("a", "a.b")] == [10, 10]
    assert system.nodes["a"].refused_peers() == {("a.b", "system", Reason.TOO_MANY_FILTERS): 29}


def test_a_peer_that_doubts_and_asks_for_nothing_makes_a_node_hold_one_answer():
    system = InARow(lies=True, audit=True, most_rows=2, most_bytes=1024)
    client = system.nodes["a.b"].attach()
    for number in range(20):
        client.subscribe([("x", "=", number)])
    for _ in range(12):
        system.lie("Doubt")
    held = len(dict(system.state("a.b")["held"])[LAST])
    assert held < 12
    for _ in range(12):
        system.lie("Doubt")
    assert len(dict(system.state("a.b")["held"])[LAST]) == held


def test_honest_subscriptions_and_publications_are_right_beside_a_client_that_has_too_many():
    system = InARow(lies=True, most_filters=3)
    reader = system.nodes["a"].attach()
    deliveries = reader.deliveries()
    system.subscribe_falsely("y", 19)
    for number in range(3):
        reader.subscribe([("x", "=", number)])
    system.clock.advance(5)
    for number in range(3):
        system.nodes["a.b"].attach().publish({"x": number})
    system.clock.advance(5)
    assert [matched.attributes["x"] for matched in iter(deliveries.take, None)] == [0, 1, 2]
