"""A whole system in memory: a supervisor, nodes by name, one seed for all chance, and optionally a recording."""

from random import Random

from gomboc.checker.judge.unknown import NO_FURTHER_ROUND
from gomboc.checker.judge.verdict import Holds, Unknown
from gomboc.impl.api.contact import Contact
from gomboc.impl.api.node import Node
from gomboc.impl.api.recording import Recording
from gomboc.impl.runtime.clock import ManualClock
from gomboc.impl.runtime.host import NodeContext
from gomboc.impl.runtime.memory import MemoryNetwork
from gomboc.impl.runtime.topics import sealed


def assert_holds(judgement):
    """Closure may be unknown: a node that has left takes no timeout, so that no round ends any more."""
    for verdict in (judgement.conformance, judgement.convergence):
        assert isinstance(verdict, Holds), verdict
    assert isinstance(judgement.closure, Holds) or judgement.closure == Unknown(NO_FURTHER_ROUND), judgement.closure


class System:
    def __init__(self, overlay, names=(), seed=1, queueing=None, most_topics=1000, signer=None):
        self.overlay, self.queueing = overlay, queueing
        self.clock = ManualClock()
        self.random = Random(seed)
        self.network = MemoryNetwork(self.clock, self.random)
        self.recording = Recording(overlay, {"implementation": overlay.implementation.name, "seed": seed}, signer)
        self.supervisor = Contact("supervisor", overlay, self.around("supervisor"), most_topics=most_topics)
        self.nodes = {}
        self.names = tuple(names)
        for name in names:
            self.start(name)

    def around(self, name):
        return NodeContext(self.network.transport(name), self.clock, self.random, self.recording)

    def start(self, name, incarnation=1):
        if name in self.nodes:
            self.nodes[name].stop()
        around = self.around(name)
        self.nodes[name] = Node(name, self.overlay, around, incarnation=incarnation, queueing=self.queueing)
        return self.nodes[name]

    def __getitem__(self, name):
        return self.nodes[name]

    def run(self, periods=20.0):
        self.clock.advance(periods)

    def subscribe(self, topic, *names):
        for name in names:
            self[name].subscribe(topic)

    def payloads(self, name, topic):
        return sorted(publication.payload for publication in self[name].history(topic))

    def say(self, topic, to, message, sender="mallory"):
        """A stranger's message, as JSON."""
        return self.send(to, sealed(topic, self.overlay.agreement, message), sender)

    def send(self, to, written, sender="mallory"):
        number = self.network.send(sender, to, written)
        self.recording.strange(number)
        return number
