"""From any state of the right types, however corrupted, every step of a broker has an outcome.

Source: Section 4.1; the paper promises nothing of corrupted states, and a trace may begin in one
"""

from random import Random

import pytest
from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Commanded, Received, Timeout
from gomboc.spec.protocols.delta_fault_tolerance import PROTOCOL, configured
from gomboc.spec.protocols.delta_fault_tolerance.contents import (
    Joined,
    Publication,
    Rejoin,
    Row,
    Subscription,
    Unsubscription,
)
from gomboc.spec.protocols.delta_fault_tolerance.messages import Confirm, Forward, Message
from gomboc.spec.protocols.delta_fault_tolerance.names import within
from gomboc.spec.protocols.delta_fault_tolerance.state import Connection, Entry, Node
from gomboc.spec.types.kinds import Suspect
from tests.spec.test_any_values import Drawing

NAMES = ("a", "a.b", "a.b.c", "a.b.c.d", "a.e")
ME = "a.b"
ONES = ((0, 1), (1, 1))


def test_a_node_that_is_not_connected_is_sent_no_confirmation():
    entry = Entry(("a", 0, 1), Publication((("x", 1),)), (0, 1), (), ("a.b.c",), ("a",), ("a",))
    local = Node(
        known=("a", "a.b.c"), count=1, connections=(Connection("a", "operational", (0, 1), (0, 1)),), entries=(entry,)
    )
    (choice,) = CERTAIN
    outcome = PROTOCOL.actor.react(ME, local, Received(Confirm("a", (0, 1), entry.id)), choice)
    assert outcome.sends == ()
    assert outcome.local == replace(local, entries=())


class Corrupted:
    """Inconsistent states of one broker, and messages that are current in them."""

    def __init__(self, delta, seed):
        self.random, self.delta = Random(seed), delta
        self.drawing = Drawing(NAMES, seed)

    def some(self, among, most=3):
        return tuple(sorted(self.random.sample(among, self.random.randint(0, min(most, len(among))))))

    def id(self):
        return (self.random.choice(NAMES), *self.random.choice(ONES))

    def content(self):
        name, via = self.random.choice(NAMES), self.random.choice(NAMES)
        return self.random.choice(
            (
                Publication((("x", 1),)),
                Subscription(name, (), via),
                Unsubscription(name, ()),
                Rejoin(name, ((),), via),
                Joined(name),
            )
        )

    def visited(self):
        return tuple((self.random.choice(NAMES), self.random.choice((None, *ONES))) for _ in range(self.delta + 1))

    def entry(self):
        senders, recipients, waiting = self.some(NAMES, 2), self.some(NAMES), self.some(NAMES, 2)
        return Entry(self.id(), self.content(), self.random.choice(ONES), self.visited(), senders, recipients, waiting)

    def connection(self, peer):
        status = self.random.choice((None, "operational", "recovering", "failed"))
        return Connection(peer, status, self.random.choice(ONES), self.random.choice((None, *ONES)))

    def node(self):
        entries = {entry.id: entry for entry in (self.entry() for _ in range(self.random.randint(0, 3)))}
        rows = (Row(name, (), self.random.choice(NAMES)) for name in self.some(NAMES))
        asking = self.some(NAMES, 2)
        return Node(
            self.random.choice(("operational", "operational", "recovering", "failed")),
            incarnation=self.random.randint(0, 1),
            known=self.some(within(NAMES, ME, self.delta + 1), 5),
            count=1,
            streams=1,
            rows=tuple(rows),
            connections=tuple(map(self.connection, self.some(NAMES, 5))),
            seen=tuple((name, self.random.choice(ONES)) for name in self.some(NAMES)),
            entries=tuple(entries.values()),
            asking=asking,
            asked=self.some(NAMES, 1),
            answers=tuple((name, ()) for name in self.some(asking)),
        )

    def taken(self, local):
        known = [connection for connection in local.connections if connection.theirs is not None]
        kind = self.random.randrange(8)
        if kind == 0 or not known:
            return Timeout()
        link = self.random.choice(known)
        if kind == 1:
            return Commanded(Suspect(link.peer))
        if kind == 2 and local.entries:
            entry = self.random.choice(local.entries)
            return Received(Confirm(self.random.choice((link.peer, *entry.waiting)), link.theirs, entry.id))
        if kind == 3:
            guide = self.random.choice((None, self.some(NAMES)))
            return Received(Forward(link.peer, link.theirs, self.id(), self.content(), self.visited(), guide))
        return Received(replace(self.drawing.value(Message), sender=link.peer, stream=link.theirs))


@pytest.mark.parametrize("parameters", [{"delta": 0}, {"delta": 1}, {"delta": 2, "audit": True}], ids=str)
def test_every_step_from_a_corrupted_state_has_an_outcome_or_a_reason_why_not(parameters):
    ours, delta = configured(parameters), parameters["delta"]
    outcomes, (choice,) = 0, CERTAIN
    for seed in range(3_000):
        corrupted = Corrupted(delta, seed)
        local = corrupted.node()
        if local.status == "failed":
            local = Node("failed", known=local.known)
        taken = corrupted.taken(local)
        for protocol in (ours, *(erratum.protocol for erratum in ours.variants.errata)) if seed % 10 == 0 else (ours,):
            protocol.actor.rule(local, taken)
            try:
                protocol.actor.react(ME, local, taken, choice)
            except ValueError:
                continue  # Something is said to come from the broker itself.
            outcomes += 1
    assert outcomes > 1_000
