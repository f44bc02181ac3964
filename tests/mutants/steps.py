"""Steps of one subscriber from arbitrary states, the same ones in every run, for the killers of rules."""

from functools import cache
from random import Random

import msgspec

from gomboc.spec.core.domain import sample
from gomboc.spec.core.model import Choice, Outcome, Received, Timeout
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, GetConfiguration, Subscribe, Subscriber, Unsubscribe
from tests.mutants import reference_model

ME = "v1"
FOR_SUPERVISOR = (Subscribe, Unsubscribe, GetConfiguration)


class Taken(msgspec.Struct, frozen=True):
    """One step of the subscriber `ME`: from `before`, by `message` (None: its timeout), as its coins fell."""

    before: Subscriber
    message: object
    choice: Choice
    outcome: Outcome

    @property
    def after(self):
        return self.outcome.local

    @property
    def sent(self):
        """The sent messages, as pairs of target and message."""
        return [(send.target, send.message) for send in self.outcome.sends]

    def told(self):
        """Every node that was sent something, or that something which was sent names."""
        return {target for target, _ in self.sent}.union(
            *(reference_model.nodes_in(message) for _, message in self.sent)
        )

    def __str__(self):
        return f"{self.before} at {'its timeout' if self.message is None else self.message}"


def outcomes(node, local, taken):
    """The outcome of a step for each fall of its coins, with that fall."""
    return [(choice, PROTOCOL.react(node, local, taken, choice)) for choice in PROTOCOL.choices(node, local, taken)]


def take(u, message=None):
    """The steps of `ME` from one state, by a message or by its timeout."""
    taken = Timeout() if message is None else Received(message)
    return [Taken(u, message, *fallen) for fallen in outcomes(ME, u, taken)]


@cache
def starts():
    """Arbitrary starts of three subscribers, each with up to two messages in flight."""
    random, domain = Random(11), PROTOCOL.space(Size(3, 2))
    return tuple(sample(domain, random) for _ in range(1000))


@cache
def sampled():
    """The steps in which no node takes the supervisor for a subscriber."""
    return tuple(step for step in _every_step() if not _names_the_supervisor(step))


@cache
def naming_the_supervisor():
    """The other ones: a slot, a shortcut or a message names it."""
    return tuple(step for step in _every_step() if _names_the_supervisor(step))


def _names_the_supervisor(step):
    return SUPERVISOR in reference_model.known_to(step.before) | reference_model.nodes_in(step.message)


@cache
def _every_step():
    """Each state of a start's subscribers as that of `ME`: its timeout, and the messages in flight to it."""
    steps = []
    for start in starts():
        for name, u in start.locals:
            if name != SUPERVISOR:
                steps += take(u)
                for _, message in start.in_flight:
                    steps += take(u, message)
    return tuple(steps)


@cache
def received():
    """The sampled steps by a message that is meant for subscribers."""
    return tuple(step for step in sampled() if step.message and not isinstance(step.message, FOR_SUPERVISOR))


@cache
def timeouts():
    """The sampled steps by a timeout."""
    return tuple(step for step in sampled() if step.message is None)
