"""Exceptions of the transport, of observers and of the application change nothing that a node does."""

from contextlib import suppress
from functools import cache

import pytest

from gomboc.impl.api.content import ContentNode
from gomboc.impl.api.overlays import overlay
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.detection.detector import Timing
from gomboc.impl.runtime.transport import Through
from tests.impl.attacks.system import Watch
from tests.impl.in_memory import InMemory
from tests.impl.members import NAMES, OVERLAYS


class RaisedError(Exception):
    """What is raised here."""


class RaisingTransport(Through):
    """Sends, and raises."""

    def send(self, to, written):
        super().send(to, written)
        raise RaisedError


class RaisingObserver(Watch):
    """Observes, and raises."""

    def began(self, topic, node, role, state):
        super().began(topic, node, role, state)
        raise RaisedError

    def took(self, topic, step, message):
        super().took(topic, step, message)
        raise RaisedError

    def crashed(self, node):
        raise RaisedError

    def gone(self, topic, node):
        raise RaisedError

    def missed(self, topic, node, number, message):
        raise RaisedError


class Run(InMemory):
    """Nodes on an overlay, whose surroundings raise or not; all else is the same."""

    def __init__(self, name, parameters, through, observer):
        own = overlay(name, parameters)
        self.through, self.raised = through, 0
        self.observers = {layer.implementation.name: observer() for layer in own.layers}
        super().__init__(own, 5)

    def around(self, name):
        publishing, *_ = self.observers.values()
        transport = self.through(self.network.transport(name))
        return NodeContext(transport, self.clock, self.random, publishing, beneath=self.observers)

    def quietly(self, call):
        with suppress(RaisedError):
            call()

    def advance(self, periods):
        end = self.clock.now() + periods
        while self.clock.now() < end:
            try:
                self.clock.advance(end - self.clock.now())
            except RaisedError:
                self.raised += 1

    def states(self):
        return {
            (layer, topic, node): bytes(state)
            for layer, observer in self.observers.items()
            for topic, of in observer.states.items()
            for node, (_, state) in of.items()
        }


def raised(*_):
    raise RaisedError


class Topics(Run):
    """Four nodes, of which one publishes, one crashes and one leaves; they call back an application."""

    def __init__(self, name, parameters, through=Through, observer=Watch, call_back=None):
        super().__init__(name, {"key_bits": 32, **parameters}, through, observer)
        self.heard = []
        for node in NAMES:
            self.start(node, contact=self.another(node), detector=Timing() if node == NAMES[0] else None)
            self.quietly(lambda node=node: self.nodes[node].subscribe("news"))
        # No look of a detector falls on the end of a part, whose time is not exact where something was raised.
        self.advance(12.5)
        confirmed = call_back or self.heard.append
        self.quietly(lambda: self.nodes[NAMES[1]].publish("news", "one", confirmed))
        self.advance(2)
        self.quietly(self.nodes[NAMES[3]].stop)
        for node in NAMES[1:3]:
            self.quietly(lambda node=node: self.nodes[node].suspect(NAMES[3]))
        for known in self.contacts:
            self.quietly(lambda known=known: known.suspect(NAMES[3]))
        self.advance(8)
        self.quietly(lambda: self.nodes[NAMES[2]].unsubscribe("news", left=confirmed))
        self.advance(8)

    def seen(self):
        return self.states(), [
            [one.payload for one in node.history("news")] if "news" in node.instances else None
            for node in self.nodes.values()
        ]


class Filters(Run):
    """Four brokers, of which one crashes and comes back, and one joins; they call back an application."""

    def __init__(self, through=Through, observer=Watch, call_back=None):
        super().__init__("delta_fault_tolerance", {"delta": 1}, through, observer)
        self.heard = []
        hear = call_back or self.heard.append
        names = ("a", "a.b", "a.b.c", "a.d")
        for node in names:
            self.nodes[node] = ContentNode(node, self.overlay, self.around(node), names=names)
        clients = {name: node.attach() for name, node in self.nodes.items()}
        self.deliveries = clients["a.b.c"].deliveries()
        for name in ("a.b.c", "a.d"):
            self.quietly(lambda name=name: clients[name].subscribe([("x", ">=", 0)], hear))
        self.advance(5)
        kept = self.nodes["a.b"].kept
        self.quietly(self.nodes["a.b"].stop)
        for name in ("a", "a.b.c"):
            self.quietly(lambda name=name: self.nodes[name].suspect("a.b"))
        self.quietly(lambda: clients["a.d"].publish({"x": 1}, hear))
        self.advance(5)
        self.nodes["a.b"] = ContentNode("a.b", self.overlay, self.around("a.b"), kept=kept)
        self.nodes["a.e"] = ContentNode("a.e", self.overlay, self.around("a.e"))
        self.advance(10)

    def seen(self):
        return self.states(), [one.attributes["x"] for one in iter(self.deliveries.take, None)]


WAYS = [(RaisingTransport, Watch, None), (Through, RaisingObserver, raised)]
"""What raises: the transport, or observers and the application."""


@cache
def quiet(index):
    return Topics(*OVERLAYS[index])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("index", range(len(OVERLAYS)))
def test_nodes_do_the_same_whatever_raises(index, way):
    raising, node = Topics(*OVERLAYS[index], *way), NAMES[0]
    assert raising.seen() == quiet(index).seen()
    assert len(raising.heard) == (0 if way[2] else 2)
    failed = raising.nodes[node].failed
    assert failed.keys() == raising.observers.keys()
    assert raising.nodes[node].status("news").failed == sum(failed.values()) > 0
    assert quiet(index).nodes[node].status("news").failed == 0 == quiet(index).raised


@pytest.mark.parametrize("way", WAYS)
def test_brokers_do_the_same_whatever_raises(way):
    raising, undisturbed = Filters(*way), Filters()
    assert raising.seen() == undisturbed.seen() == (undisturbed.states(), [1])
    assert raising.heard == ([] if way[2] else undisturbed.heard)
    assert raising.nodes["a"].failed > 0 == undisturbed.nodes["a"].failed
