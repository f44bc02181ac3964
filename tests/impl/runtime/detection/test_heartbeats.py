"""A connection with a detector: what it watches, probes and answers, and nodes that find crashes out by themselves."""

import pytest

from gomboc.impl.api.content import ContentNode
from gomboc.impl.api.overlays import overlay
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.detection.detector import Timing
from gomboc.impl.runtime.detection.heartbeats import ANSWER, MOST_WATCHED, PROBE, Heartbeats, detecting
from gomboc.impl.runtime.transport import Parcel
from tests.impl.in_memory import InMemory
from tests.impl.runtime.detection.test_suspicions import OVERLAYS, System

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


@pytest.mark.parametrize(
    ("events", "told", "probes"),
    [
        pytest.param(["send", 2.5], [("suspect", 2.0)], 2, id="a silent node is probed and then suspected"),
        pytest.param(["send", "gone", 1.25], [("suspect", 1.0)], None, id="one that is not found at the next look"),
        pytest.param(["send", *[1, "hear"] * 10, "take", 20], [], 0, id="one that nothing is sent to is not watched"),
        pytest.param(["send", 20], [("suspect", 2.0), ("trust", 7.0)], 5, id="and if it is a suspect, it is trusted"),
        pytest.param(
            [*["send", 5.125] * 4, "hear", "hear", 1],
            [("suspect", 2.0), ("trust", 21.0)],
            None,
            id="a suspect is probed on and trusted when it answers",
        ),
        pytest.param(
            ["need", 5.5], [("suspect", at) for at in (3.0, 4.0, 5.0)], None, id="a needed suspect in each period"
        ),
        pytest.param(["need", 3.5, "hear", 1], [("suspect", 3.0)], None, id="and not again after it was heard"),
        pytest.param(
            ["need", 3.5, "need", 2, "need", 3],
            [("suspect", at) for at in (3.0, 8.0)],
            None,
            id="one that is needed anew when it has had its time to be heard",
        ),
    ],
)
def test_what_is_told_of_a_node_and_how_often_it_is_probed(events, told, probes):
    needed = []
    alone = Alone(lambda: needed)
    for event in events:
        match event:
            case "send":
                alone.beats.send("ben", b"{}")
            case "gone":
                alone.line.returned("ben", Parcel(0, "ann", b"{}"))
                assert alone.passed == ["ben"]
            case "hear":
                alone.line.hear("ben", ANSWER)
            case "take":
                alone.line.take()
            case "need":
                needed[:] = [] if needed else ["ben"]
            case periods:
                alone.clock.advance(periods)
    assert alone.told == [(word, "ben", at) for word, at in told]
    assert alone.beats.suspects == (("ben",) if told and told[-1][0] == "suspect" else ())
    probed = [(to, written) for to, written in alone.line.take() if written != b"{}"]
    assert probed == [("ben", PROBE)] * (len(probed) if probes is None else probes)


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


def test_names_that_have_crashed_leave_room_for_others():
    alone = Alone()
    for number in range(MOST_WATCHED):
        alone.beats.send(f"n{number}", b"{}")
        alone.line.hear(f"n{number}")
    alone.clock.advance(10)
    alone.beats.send("ben", b"{}")
    alone.clock.advance(3)
    assert alone.beats.suspects == ("ben",)


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


@pytest.mark.parametrize("name", OVERLAYS)
def test_nodes_find_a_silent_crash_out_by_themselves_on_each_overlay(name):
    there = System(name, 5, detector=Timing(patience=3.0, most=8.0))
    assert there.reached(OVERLAYS[name][6], 8, "all") == 8
    there.crash(OVERLAYS[name][3])
    there.clock.advance(20)
    assert there.reached(OVERLAYS[name][6], 8, "the others") == 7


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
