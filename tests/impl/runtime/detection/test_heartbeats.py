"""A connection with a detector: what it watches, probes and answers, and nodes that find crashes out by themselves."""

import pytest

from gomboc.impl.api.content import ContentNode
from gomboc.impl.api.overlays import overlay
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.detection.detector import Timing
from gomboc.impl.runtime.detection.heartbeats import ANSWER, MOST_WATCHED, PROBE, Heartbeats, detecting
from gomboc.impl.runtime.transport import Parcel
from tests.impl.in_memory import InMemory
from tests.impl.runtime.detection.test_suspicions import OVERLAYS, PARAMETERS

QUICK = Timing(patience=2.0, growth=2.0, most=6.0, returns=2, rest=1.0, lasting=5.0)


class Line:
    """A transport that remembers what is sent, and lets the test hand over."""

    def __init__(self):
        self.sent, self.is_closed = [], False

    def listen(self, receive, returned):
        self.receive, self.returned = receive, returned

    def send(self, to, written):
        self.sent.append((to, written))
        return len(self.sent)

    def close(self):
        self.is_closed = True

    def hear(self, sender, written=b"{}"):
        self.receive(Parcel(0, sender, written))

    def take(self):
        taken, self.sent = self.sent, []
        return taken


class Alone:
    """The connection of ann, and what it tells."""

    def __init__(self, needed=tuple, line=None):
        self.line, self.clock, self.told, self.passed = line or Line(), ManualClock(), [], []
        self.beats = Heartbeats(
            self.line,
            "ann",
            self.clock,
            QUICK,
            lambda node: self.told.append(("suspect", node, self.clock.now())),
            lambda node: self.told.append(("trust", node, self.clock.now())),
            needed,
        )
        self.beats.listen(self.passed.append, lambda to, parcel: self.passed.append(to))


def test_a_node_that_was_sent_to_is_probed_when_it_is_silent_and_then_suspected():
    alone = Alone()
    alone.beats.send("ben", b"{}")
    alone.clock.advance(2.5)
    assert alone.line.take() == [("ben", b"{}"), ("ben", PROBE), ("ben", PROBE)]
    assert alone.told == [("suspect", "ben", 2.0)]
    assert alone.beats.suspects == ("ben",)


def test_a_node_that_is_heard_is_neither_probed_nor_suspected_and_neither_is_one_that_was_never_sent_to():
    alone = Alone()
    alone.beats.send("ben", b"{}")
    for _ in range(8):
        alone.clock.advance(0.5)
        alone.line.hear("ben")
        alone.line.hear("cai")
    assert alone.line.take() == [("ben", b"{}")]
    assert (alone.told, len(alone.passed)) == ([], 16)


def test_probes_are_answered_and_neither_they_nor_answers_get_any_further_with_or_without_a_detector():
    alone, without = Alone(), Line()
    detecting(without, "ann", alone.clock, None, print, print).listen(alone.passed.append, print)
    for line in (alone.line, without):
        line.hear("ben", PROBE)
        line.hear("ben", ANSWER)
        assert line.take() == [("ben", ANSWER)]
        line.returned("ben", Parcel(0, "ann", PROBE))
    assert alone.passed == []


def test_a_node_that_the_transport_does_not_find_is_suspected_at_the_next_look():
    alone = Alone()
    alone.beats.send("ben", b"{}")
    alone.line.returned("ben", Parcel(0, "ann", b"{}"))
    alone.clock.advance(1.25)
    assert (alone.told, alone.passed) == ([("suspect", "ben", 1.0)], ["ben"])


def test_a_suspect_is_probed_on_and_trusted_when_it_answers():
    alone = Alone()
    for _ in range(4):
        alone.beats.send("ben", b"{}")
        alone.clock.advance(5.125)
    alone.line.hear("ben", ANSWER)
    alone.line.hear("ben", ANSWER)
    alone.clock.advance(1)
    assert alone.told == [("suspect", "ben", 2.0), ("trust", "ben", 21.0)]


def test_a_node_that_nothing_is_sent_to_any_more_is_watched_no_longer():
    alone = Alone()
    alone.beats.send("ben", b"{}")
    for _ in range(10):
        alone.clock.advance(1)
        alone.line.hear("ben")
    alone.line.take()
    alone.clock.advance(20)
    assert (alone.line.take(), alone.told) == ([], [])


def test_a_suspect_that_nothing_is_sent_to_any_more_is_watched_and_suspected_no_longer():
    alone = Alone()
    alone.beats.send("ben", b"{}")
    alone.clock.advance(20)
    assert alone.told == [("suspect", "ben", 2.0), ("trust", "ben", 7.0)]
    assert [to for to, written in alone.line.take() if written == PROBE] == ["ben"] * 5


def test_names_that_have_crashed_leave_room_for_others():
    alone = Alone()
    for number in range(MOST_WATCHED):
        alone.beats.send(f"n{number}", b"{}")
        alone.line.hear(f"n{number}")
    alone.clock.advance(10)
    alone.beats.send("ben", b"{}")
    alone.clock.advance(3)
    assert alone.beats.suspects == ("ben",)


def test_a_suspect_that_is_needed_is_reported_in_each_period():
    alone = Alone(lambda: ("ben",))
    alone.clock.advance(5.5)
    assert alone.told == [("suspect", "ben", at) for at in (3.0, 4.0, 5.0)]


def test_a_suspect_that_is_needed_and_was_heard_since_is_not_reported_again():
    alone = Alone(lambda: ("ben",))
    alone.clock.advance(3.5)
    alone.line.hear("ben")
    alone.clock.advance(1)
    assert alone.told == [("suspect", "ben", 3.0)]


def test_a_suspect_that_is_needed_anew_is_reported_when_it_has_had_its_time_to_be_heard():
    needed = ["ben"]
    alone = Alone(lambda: needed)
    alone.clock.advance(3.5)
    needed.clear()
    alone.clock.advance(2)
    needed.append("ben")
    alone.clock.advance(3)
    assert alone.told == [("suspect", "ben", at) for at in (3.0, 8.0)]


def test_names_that_never_answer_keep_no_node_from_being_watched_and_are_suspected_no_more():
    alone = Alone()
    alone.beats.send("ann2", b"{}")
    alone.line.hear("ann2")
    for number in range(MOST_WATCHED + 9):
        alone.beats.send(f"ghost{number}", b"{}")
    alone.clock.advance(3.5)
    for node in ("ann2", "ben"):
        alone.beats.send(node, b"{}")
    alone.clock.advance(3)
    assert {"ann2", "ben"} <= {*alone.beats.suspects}
    assert [node for told, node, _ in alone.told if told == "trust"] == ["ghost10"]


class Cut(Line):
    """A transport that takes no probe to ben."""

    def send(self, to, written):
        if (to, written) == ("ben", PROBE):
            raise OSError("the wire is cut")
        return super().send(to, written)


def test_an_exception_of_the_transport_ends_no_detection():
    alone = Alone(line=Cut())
    alone.beats.send("ben", b"{}")
    alone.beats.send("cai", b"{}")
    for _ in range(3):
        with pytest.raises(OSError, match=r"^the wire is cut$"):
            alone.clock.advance(1)
    assert alone.told == [("suspect", "ben", 2.0), ("suspect", "cai", 2.0)]


def test_a_node_that_has_stopped_and_a_message_to_oneself_are_watched_by_none():
    alone = Alone()
    alone.beats.send("ann", b"{}")
    alone.beats.send("ben", b"{}")
    alone.clock.advance(0.5)
    alone.beats.close()
    alone.clock.advance(20)
    assert alone.line.is_closed
    assert alone.told == []
    assert alone.line.take() == [("ann", b"{}"), ("ben", b"{}")]


class System(InMemory):
    """Eight nodes in one topic over this overlay, each with a detector; one crashes without a sign."""

    def __init__(self, name):
        timing = Timing(patience=3.0, most=8.0)
        super().__init__(overlay(name, PARAMETERS.get(name)), 5, detector=timing)
        for node in OVERLAYS[name]:
            contact = None if self.contacts or not self.nodes else OVERLAYS[name][0]
            self.start(node, contact=contact, topics=["news"], detector=timing)

    def publish(self, publisher, payload, periods):
        self.nodes[publisher].publish("news", payload)
        self.clock.advance(periods)
        return sum(any(one.payload == payload for one in node.history("news")) for node in self.nodes.values())


@pytest.mark.parametrize("name", OVERLAYS)
def test_nodes_find_a_silent_crash_out_by_themselves_on_each_overlay(name):
    there = System(name)
    there.clock.advance(15)
    assert there.publish(OVERLAYS[name][6], "all", 8) == 8
    there.nodes.pop(OVERLAYS[name][3]).stop()
    there.network.disconnect(OVERLAYS[name][3])
    there.clock.advance(20)
    assert there.publish(OVERLAYS[name][6], "the others", 8) == 7


def test_brokers_go_past_one_that_has_crashed_and_take_it_back_by_their_own_detectors():
    there = InMemory(overlay("delta_fault_tolerance", {"delta": 1}), 7)
    names = ["a", "a.b", "a.b.c"]
    perfect = Timing(patience=6.0, growth=0.0, most=6.0)

    def started(name, **begin):
        return ContentNode(name, there.overlay, there.around(name), detector=perfect, **begin)

    nodes = {name: started(name, names=names) for name in names}
    reader, writer = nodes["a.b.c"].attach(), nodes["a"].attach()
    deliveries = reader.deliveries()
    reader.subscribe([("x", "=", 1)])
    there.run(10)
    kept = nodes["a.b"].kept
    nodes["a.b"].stop()
    writer.publish({"x": 1})
    there.run(15)
    assert deliveries.take().attributes == {"x": 1}
    back = started("a.b", kept=kept)
    there.run(20)
    writer.publish({"x": 1, "y": 2})
    there.run(5)
    assert deliveries.take().attributes == {"x": 1, "y": 2}
    assert back.ready
