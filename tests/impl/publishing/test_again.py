"""What a peer sends that has expired, or was here already, goes no further, on any overlay."""

from collections import Counter
from random import Random

import pytest

from gomboc.impl.api.content import ContentNode
from gomboc.impl.api.overlays import overlay
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.reasons import Reason
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.compression import expanded
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.memory import MemoryNetwork
from gomboc.impl.runtime.transport import Through
from tests.impl.members import NAMES, OVERLAYS, Members

each_overlay = pytest.mark.parametrize(("name", "parameters"), OVERLAYS)
LATE, PUBLISHER = NAMES[0], NAMES[3]


class Wire(Through):
    """A transport that notes what a node sends, and loses what `lost` says."""

    def __init__(self, transport, name, common, sent, lost):
        super().__init__(transport)
        self.name, self.common, self.sent, self.lost = name, common, sent, lost

    def send(self, to, written):
        try:
            text = expanded(written, self.common)
        except PeerError:
            text = written
        if any(word in text and to == node for node, word in self.lost):
            return -1
        self.sent.append((self.name, to, text, written))
        return super().send(to, written)


class Wired(Members):
    """Members whose parcels are noted in `sent`."""

    def __init__(self, name, number, **parameters):
        self.sent, self.lost = [], set()
        super().__init__(name, number, **parameters)

    def around(self, name):
        below = self.overlay.beneath
        common = b"" if below is None else below.common
        wire = Wire(self.network.transport(name), name, common, self.sent, self.lost)
        return NodeContext(wire, self.clock, self.random)

    def senders(self, word):
        """The nodes that have sent parcels with this word since the last time, with the number of these."""
        counted = Counter(sender for sender, _, text, _ in self.sent if word in text)
        self.sent.clear()
        return counted

    def payloads(self):
        return [[one.payload for one in node.history("news")] for node in self.nodes.values()]


@each_overlay
def test_an_expired_publication_goes_no_further_and_its_sender_drops_it(name, parameters):
    there = Wired(name, 4, keep=2, **parameters)
    for number in range(2):
        there[3].publish("news", f"old {number}")
    there.run()
    assert there.payloads() == [["old 0", "old 1"]] * 4
    there.lost.add((LATE, b"fresh"))
    for number in range(2):
        there[3].publish("news", f"fresh {number}")
    there.run(5)
    there.sent.clear()
    there.run(10)
    assert there[0].history("news")[0].payload == "old 0"
    assert {*there.senders(b'"old ')} <= {LATE}
    there.lost.clear()
    there.run()
    assert {*there.senders(b'"old ')} <= {LATE}
    there.run()
    assert there.senders(b'"old ') == {}
    assert there.payloads() == [["fresh 0", "fresh 1"]] * 4


@each_overlay
@pytest.mark.parametrize("later", [0, 2], ids=["held", "expired"])
def test_what_comes_again_is_not_passed_on_again(name, parameters, later):
    there = Wired(name, 4, keep=2, **parameters)
    there.sent.clear()
    there[3].publish("news", "once")
    there.run()
    carrying = [(sender, to, written) for sender, to, text, written in there.sent if b'"once"' in text]
    assert {sender for sender, _, _ in carrying} >= {PUBLISHER}
    for number in range(later):
        there[3].publish("news", f"later {number}")
    there.run()
    there.sent.clear()
    for sender, to, written in carrying:
        for _ in range(3):
            there.network.send(sender, to, written)
    there.run(10)
    assert there.senders(b'"once"') == {}
    refused = Counter(reason for node in there.nodes.values() for _, _, reason in node.refused_peers())
    assert {*refused} == ({Reason.EXPIRED} if later else set())
    assert there.payloads() == [["later 0", "later 1"] if later else ["once"]] * 4


def test_a_copy_that_comes_to_a_broker_again_is_not_passed_on_again():
    of, clock, random, sent = overlay("delta_fault_tolerance", {"delta": 1}), ManualClock(), Random(1), []
    network = MemoryNetwork(clock, random, discipline=Discipline.FIFO)
    names = ("a", "a.b", "a.b.c", "a.d")
    nodes = {}
    for name in names:
        wire = Wire(network.transport(name), name, b"", sent, ())
        nodes[name] = ContentNode(name, of, NodeContext(wire, clock, random), names=names)
    clients = [node.attach() for node in nodes.values()]
    deliveries = [client.deliveries() for client in clients]
    for client in clients:
        client.subscribe([("x", "exists", None)])
    clock.advance(10)
    sent.clear()
    clients[2].publish({"x": "once"})
    clock.advance(10)
    assert [one.take().attributes for one in deliveries] == [{"x": "once"}] * 4
    carrying = [(sender, to, written) for sender, to, text, written in sent if b'"once"' in text]
    sent.clear()
    for sender, to, written in carrying:
        network.send(sender, to, written)
    clock.advance(10)
    assert [text for _, _, text, _ in sent if b'"once"' in text] == []
    assert [one.take() for one in deliveries] == [None] * 4
