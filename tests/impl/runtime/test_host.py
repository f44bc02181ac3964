from functools import partial
from itertools import pairwise
from random import Random

import pytest

from gomboc.impl.api.contact import Contact
from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.recording import Recording
from gomboc.impl.core.automaton import Refused
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.refusals import Refusals
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.configuration import HostConfig, NodeContext
from gomboc.impl.runtime.host import Host
from gomboc.impl.runtime.topics import sealed
from gomboc.impl.runtime.transport import Parcel
from tests.toys.members.impl import OVERLAY


class Silent:
    """A transport that sends nothing, and remembers its arguments."""

    def __init__(self):
        self.sent = []

    def listen(self, receive, returned):
        self.receive, self.returned = receive, returned

    def close(self):
        self.closed = True

    def send(self, to, written):
        self.sent.append((to, written))
        return len(self.sent)


class Alone:
    """A host without other nodes."""

    def __init__(self, role="subscriber", refused=None, witness=None, seed=1):
        self.transport, self.clock, self.began = Silent(), ManualClock(), []
        around = NodeContext(self.transport, self.clock, Random(seed), witness)
        make = partial(OVERLAY.blank, role, "ann", around.random)
        how = HostConfig(
            role, make, print, Refusals(Reason), role == "subscriber", self.began.append, lambda *_: refused
        )
        self.host = Host("ann", how, OVERLAY.implementation, OVERLAY.agreement, around)

    def hear(self, topic, message, sender="ben"):
        self.transport.receive(Parcel(0, sender, sealed(topic, OVERLAY.agreement, message)))


@pytest.mark.parametrize("written", [b"", b"\xff", b"{}", sealed("news", OVERLAY.agreement, b'{"kind":"Shout"}')])
def test_bytes_that_cannot_be_read_are_refused_and_counted(written):
    alone = Alone()
    alone.transport.receive(Parcel(0, "ben", written))
    assert alone.host.refusals.of_all() == {Reason.BAD_MESSAGE: 1}


@pytest.mark.parametrize(
    ("kind", "may_not", "answer", "counted"),
    [
        pytest.param("Hello", None, '["ben"]', {}, id="an answer that changes something is kept"),
        pytest.param("Bye", None, "null", {Reason.UNKNOWN_TOPIC: 1}, id="one that does not is counted, and not kept"),
        pytest.param("Hello", Reason.TOO_MANY_TOPICS, None, {Reason.TOO_MANY_TOPICS: 1}, id="or may not be given"),
    ],
)
def test_an_unknown_topic_is_answered_under_its_name_and_begins_or_is_counted_alone(kind, may_not, answer, counted):
    alone = Alone("supervisor", may_not)
    alone.hear("news", f'{{"kind":"{kind}","node":"ben"}}'.encode())
    message = f'{{"kind":"Members","names":{answer}}}'.encode()
    assert alone.transport.sent == [("ben", sealed("news", OVERLAY.agreement, message))] * (answer is not None)
    assert alone.began == [*alone.host.instances] == ([] if counted else ["news"])
    assert (alone.host.refusals.of_all(), alone.host.refusals.of("news")) == (counted, {})


def test_what_comes_from_nodes_with_other_parameters_is_refused_and_counted_before_it_is_read():
    alone = Alone("supervisor")
    for agreement, message in (("", b'{"kind":"Hello","node":"ben"}'), ("0" * 16, b"7")):
        alone.transport.receive(Parcel(0, "ben", sealed("news", agreement, message)))
    assert "news" not in alone.host.instances
    assert alone.host.refusals.of_all() == {Reason.OTHER_PARAMETERS: 2}


def test_what_is_refused_in_a_topic_is_counted_there():
    alone = Alone()
    alone.host.want("news")
    alone.hear("news", b'{"kind":"Say","publication":["k","ben",1,"x","eve"]}')
    assert alone.host.refusals.of("news") == {Reason.FORGED: 1}


def test_a_reason_that_has_no_name_is_a_mistake_of_the_core_and_not_passed_over(monkeypatch):
    alone = Alone()
    alone.host.want("news")
    monkeypatch.setattr("tests.toys.members.impl.LONGEST", -1)
    monkeypatch.setattr("tests.toys.members.impl.Refused", lambda reason: Refused("why"))
    with pytest.raises(ValueError, match="'why' is not a valid Reason"):
        alone.hear("news", b'{"kind":"Say","publication":["k","ben",1,"x","ben"]}')


def test_each_instance_has_one_timer_that_comes_about_once_a_period():
    alone = Alone()
    for topic in ("news", "sport"):
        alone.host.want(topic)
        alone.host.want(topic)
        alone.host.command(topic, {"kind": "subscribe"})
    alone.clock.advance(100)
    for topic in ("news", "sport"):
        hellos = [written for _, written in alone.transport.sent if f'"{topic}"'.encode() in written]
        assert 95 <= len(hellos) <= 105


def hello_times(alone, periods):
    """When an instance that wants in says so, which it does in each timeout, to a hundredth of a period."""
    times = []
    for _ in range(100 * periods):
        before = len(alone.transport.sent)
        alone.clock.advance(0.01)
        times += [alone.clock.now()] * (len(alone.transport.sent) - before)
    return times


def test_a_period_is_a_little_longer_or_shorter_each_time():
    alone = Alone()
    alone.host.want("news")
    alone.host.command("news", {"kind": "subscribe"})
    times = hello_times(alone, 100)
    lengths = [later - earlier for earlier, later in pairwise(times)]
    assert 0.79 < min(lengths) < 0.85
    assert 1.15 < max(lengths) < 1.21


def test_any_node_that_asks_for_an_instance_again_and_again_does_not_put_off_its_timeouts():
    alone = Alone()
    for _ in range(500):
        alone.host.want("news")
        alone.host.command("news", {"kind": "subscribe"})
        alone.clock.advance(0.1)
    assert 45 <= len(alone.transport.sent) <= 55


def test_the_timer_of_an_instance_that_is_gone_stops():
    alone = Alone()
    alone.host.want("news")
    alone.host.instances.release("news")
    alone.clock.advance(3)
    assert "news" not in alone.host.instances
    alone.host.want("news")
    alone.host.command("news", {"kind": "subscribe"})
    alone.clock.advance(100)
    assert 95 <= len(alone.transport.sent) <= 105


def test_time_and_chance_are_those_it_is_given():
    def sent(seed):
        alone = Alone(seed=seed)
        alone.host.want("news")
        alone.host.command("news", {"kind": "subscribe"})
        return hello_times(alone, 10)

    assert sent(1) == sent(1) != sent(2)


class Answering(Alone):
    """A host that answers for nodes that do not exist, as blank ones, and is seen by a recording."""

    def __init__(self):
        self.transport, self.recording, self.missed = Silent(), Recording(OVERLAY, {}), []
        around = NodeContext(self.transport, ManualClock(), Random(1), self.recording)
        make = partial(OVERLAY.blank, "subscriber", "ann", around.random)
        how = HostConfig(
            *("subscriber", make, print, Refusals(Reason)),
            crashed_responder=lambda name, topic: OVERLAY.blank("subscriber", name, around.random, topic),
            missing=self.missed.append,
        )
        self.host = Host("ann", how, OVERLAY.implementation, OVERLAY.agreement, around)

    def find_no_node(self, message, topic="news"):
        self.transport.returned("ben", Parcel(7, "ann", sealed(topic, OVERLAY.agreement, message)))


def test_a_host_answers_for_a_node_that_does_not_exist_and_a_trace_has_it_as_a_step_of_that_node():
    there = Answering()
    there.find_no_node(b'{"kind":"Members","names":["cai"]}')
    (step,) = there.recording.steps("news")
    assert (step.node, step.took) == ("ben", 7)
    assert there.missed == ["ben"]
    assert [to for to, _ in there.transport.sent] == [sent.to for sent in step.sent]


def test_a_host_that_has_stopped_answers_and_minds_nothing_else():
    there = Answering()
    there.host.stop()
    there.find_no_node(b'{"kind":"Members","names":["cai"]}')
    assert len([*there.recording.steps("news")]) == 1
    assert there.missed == []
    assert there.transport.closed


def test_a_host_whose_overlay_answers_nothing_for_others_sends_nothing():
    alone = Alone()
    alone.transport.returned("ben", Parcel(7, "ann", sealed("news", OVERLAY.agreement, b'{"kind":"Bye","node":"ben"}')))
    assert alone.transport.sent == []


class Failing(Silent):
    """A transport that takes no message."""

    def send(self, to, written):
        super().send(to, written)
        raise OSError("the wire is cut")


def test_what_a_transport_does_not_take_is_counted_and_stops_no_timer():
    ring, transport, clock = overlay("skip_ring"), Failing(), ManualClock()
    Contact("supervisor", ring, NodeContext(transport, clock, Random(1)))
    written = sealed("news", ring.agreement, b'{"kind":"Subscribe","subscriber":"ben"}')
    with pytest.raises(OSError, match=r"^the wire is cut$"):
        transport.receive(Parcel(0, "ben", written))
    for period in range(2, 5):
        with pytest.raises(OSError, match=r"^the wire is cut$"):
            clock.advance(1.5)
        assert len(transport.sent) >= period


def test_what_a_transport_does_not_take_keeps_no_suspicion_from_other_topics():
    ring, transport, clock = overlay("skip_ring"), Silent(), ManualClock()
    around = NodeContext(transport, clock, Random(1), seen := Broken("nothing"))
    supervisor = Contact("supervisor", ring, around)
    for topic in ("news", "sport"):
        transport.receive(Parcel(0, "ben", sealed(topic, ring.agreement, b'{"kind":"Subscribe","subscriber":"ben"}')))
    seen.fails = "took"
    with pytest.raises(ValueError, match=r"^no room for a trace$"):
        supervisor.suspect("ben")
    seen.fails = "nothing"
    supervisor.trust("ben")
    assert supervisor.topics == ()


class Broken:
    """An observer that fails at each step: before it, or after it."""

    def __init__(self, fails):
        self.fails = fails

    def __getattr__(self, name):
        return self.fail if name == self.fails else lambda *_: None

    def fail(self, *_):
        raise ValueError("no room for a trace")


@pytest.mark.parametrize("fails", ["began", "took"])
def test_an_observer_that_fails_stops_no_timer(fails):
    alone = Alone(witness=Broken(fails))
    alone.host.want("news")
    for period in range(1, 4):
        with pytest.raises(ValueError, match=r"^no room for a trace$"):
            alone.clock.advance(1.5)
        assert alone.host.failed >= period


class Beginnings:
    """An observer that keeps what it is told of beginnings."""

    def __init__(self):
        self.began_so = []

    def __getattr__(self, name):
        return (lambda *told: self.began_so.append(told)) if name == "began" else lambda *_: None


def test_an_observer_is_told_of_each_instance_once_before_its_first_step():
    alone = Alone(witness=(seen := Beginnings()))
    host, clock = alone.host, alone.clock
    for topic in ("news", "sport"):
        host.want(topic)
    assert seen.began_so == []
    blank = OVERLAY.blank("subscriber", "ann", Random(1), "news").snapshot()
    clock.advance(5.0)
    once = [(topic, "ann", "subscriber", blank) for topic in ("news", "sport")]
    assert sorted(seen.began_so) == once
    host.instances.release("sport")
    clock.advance(2.0)
    assert "sport" not in host.instances
    assert sorted(seen.began_so) == once
    host.want("sport")
    clock.advance(2.0)
    assert sorted(seen.began_so) == [*once, once[1]]
