"""Specification and implementation of brokers, side by side, also where a message makes no sense.

In each run, brokers crash and come back, and leaves join. In some, links are first in, first out, and brokers are given
changed copies of messages that were sent before, as coming from a connected peer; in others, messages overtake one
another, and live brokers are suspected. Both sides must do the same.
"""

from collections import defaultdict
from itertools import product
from random import Random

import msgspec
import pytest

from gomboc.impl.protocols.delta_fault_tolerance import IMPLEMENTATION
from gomboc.spec.core.domain import sample
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.delta_fault_tolerance import PROTOCOL
from tests.lockstep.side_by_side import BothSides
from tests.lockstep.test_malformed import changed
from tests.sampling import share

CLIENT = (
    '{"kind":"Publish","attributes":[["x",1]]}',
    '{"kind":"Subscribe","filter":[["x","=",1]]}',
    '{"kind":"Subscribe","filter":[]}',
    '{"kind":"Unsubscribe","filter":[["x","=",1]]}',
)
WAKING = {"detached": '{"kind":"Join"}', "failed": '{"kind":"Restart"}'}
STEPS, FORGED = 80, 3


class Run:
    """A run of both sides from one start."""

    def __init__(self, delta, audit, seed, **parameters):
        self.sides = BothSides(PROTOCOL, IMPLEMENTATION, {"delta": delta, "audit": audit, **parameters}, {})
        self.delta, self.random = delta, Random(seed)
        size = Size(self.random.randint(2, 6), outside=self.random.randint(0, 2))
        self.locals = dict(sample(self.sides.protocol.starts.space(size), self.random).locals)
        self.names = sorted(self.locals)
        self.links = defaultdict(list)
        self.sent, self.away, self.differences, self.forged = [], set(), [], 0

    def both(self, name, what):
        """The outcome of the specification; where the implementation's is another, both are kept."""
        local, coin = self.locals[name], self.sides.tossed()
        core = self.sides.core_of(name, "broker", local, coin)
        outcome = self.sides.protocol.actor.react(name, local, self.sides.as_inputs(*what)[0], self.choice(name, what))
        _, spec, impl = self.sides.both_steps(name, local, core, coin, what, 0)
        if spec != impl:
            self.differences.append((name, what, local, spec, impl))
        return outcome

    def choice(self, name, what):
        return self.sides.protocol.actor.choices(name, self.locals[name], self.sides.as_inputs(*what)[0])[0]

    def take(self, name, what):
        outcome = self.both(name, what)
        self.locals[name] = outcome.local
        for send in outcome.sends:
            written = msgspec.json.encode(send.message).decode()
            self.links[name, send.target].append(("message", written))
            self.sent.append(written)

    def step(self):
        open_links = [link for link, waiting in self.links.items() if waiting and link[1] in self.locals]
        if open_links and self.random.random() < 0.75:
            link = self.random.choice(open_links)
            self.take(link[1], self.links[link].pop(self.next_on(link)))
            return
        name = self.random.choice(self.names)
        if self.random.random() < 0.6:
            self.take(name, self.random.choice([("timeout", ""), *(("command", command) for command in CLIENT)]))
        elif self.locals[name].status in WAKING:
            self.take(name, ("command", WAKING[self.locals[name].status]))
        else:
            self.crash(name)

    def next_on(self, link):
        return 0

    def crash(self, name):
        """Crash a broker if few enough are away; what was on the way from it is lost from some point on."""
        self.away = {other for other in self.away if self.locals[other].status != "operational"}
        if len(self.away) >= self.delta:
            return
        self.away.add(name)
        self.take(name, ("command", '{"kind":"Crash"}'))
        for sender, target in list(self.links):
            if target == name:
                self.links[sender, target].clear()
        for other in self.names:
            kept = self.links[name, other][: self.random.randint(0, len(self.links[name, other]))]
            self.links[name, other] = [*kept, ("command", f'{{"kind":"Suspect","node":"{name}"}}')]

    def forge(self):
        """Give a broker a changed copy of a message, often as if it came from a peer in its current stream."""
        name = self.random.choice(self.names)
        local, message = (
            self.locals[name],
            changed(msgspec.json.decode(self.random.choice(self.sent)), self.names, self.random),
        )
        known = [connection for connection in local.connections if connection.theirs is not None]
        if known and self.random.random() < 0.8:
            peer = self.random.choice(known)
            message |= {"sender": peer.peer, "stream": list(peer.theirs)}
        try:
            value = msgspec.convert(message, self.sides.protocol.vocabulary.message)
        except msgspec.ValidationError:
            return
        if not self.sides.protocol.naming.malformed(value):
            self.forged += 1
            self.both(name, ("message", msgspec.json.encode(value).decode()))


class Disordered(Run):
    """A run in which messages overtake one another on a link, and brokers are suspected that have not failed."""

    def next_on(self, link):
        return self.random.randrange(len(self.links[link]))

    def step(self):
        name = self.random.choice(self.names)
        peers = [connection.peer for connection in self.locals[name].connections]
        if peers and self.random.random() < 0.04:
            self.take(name, ("command", f'{{"kind":"Suspect","node":"{self.random.choice(peers)}"}}'))
        else:
            super().step()


BOUNDS = (
    (1, True, {"most_rows": 1}),
    (1, True, {"most_rows": 1, "most_bytes": 700}),
    (2, False, {"most_rows": 2, "most_bytes": 512, "most_filters": 2}),
)
PARAMETERS = ("delta", "audit", "bounds"), [*product((0, 1, 2), (False, True), ({},)), *BOUNDS]


@pytest.mark.parametrize(*PARAMETERS)
def test_brokers_take_the_same_steps_in_any_order_and_whatever_they_suspect(delta, audit, bounds):
    for seed in range(share(180, 15)):
        run = Disordered(delta, audit, seed, **bounds)
        for _ in range(STEPS):
            run.step()
        assert run.differences == []


@pytest.mark.parametrize(*PARAMETERS)
def test_brokers_take_the_same_steps_whatever_they_receive(delta, audit, bounds):
    forged = 0
    for seed in range(share(60, 12, least=5)):
        run = Run(delta, audit, seed, **bounds)
        for _ in range(STEPS):
            run.step()
            for _ in range(FORGED * bool(run.sent)):
                run.forge()
        assert run.differences == []
        forged += run.forged
    assert forged > 300
