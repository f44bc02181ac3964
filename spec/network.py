"""The network, written once: what is in flight, what may be taken from it next, and the world that steps through it."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from spec.model import Choice, Commanded, Input, Kind, Model, Promise, Received, Send, Timeout
from spec.protocol import Discipline, Protocol, Start, legitimacy_faults


class Envelope(msgspec.Struct, frozen=True):
    """A message in flight. `source` matters under FIFO only, `deferred` (sent in this very round) under ROUNDS only."""

    target: str
    message: Any
    source: str = ""
    deferred: bool = False


class Channels(msgspec.Struct, frozen=True):
    """Everything in flight, the earlier before the later; under ROUNDS also who has had its timeout in this round.

    Under UNORDERED and ROUNDS the order means nothing and is made canonical, so that equal contents are equal values.
    """

    discipline: Discipline
    in_flight: tuple[Envelope, ...] = ()
    acted: tuple[str, ...] = ()

    def put(self, source: str, sends: Iterable[Send]) -> "Channels":
        """These channels with what `source` has just sent."""
        fifo, rounds = self.discipline is Discipline.FIFO, self.discipline is Discipline.ROUNDS
        added = [Envelope(send.target, send.message, source if fifo else "", rounds) for send in sends]
        return replace(self, in_flight=self._ordered((*self.in_flight, *added)))

    def _ordered(self, envelopes: tuple[Envelope, ...]) -> tuple[Envelope, ...]:
        return envelopes if self.discipline is Discipline.FIFO else tuple(sorted(envelopes, key=_key))

    def ready(self) -> tuple[Envelope, ...]:
        """The envelopes that may be taken next, equal ones once."""
        if self.discipline is Discipline.FIFO:
            first: dict[tuple[str, str], Envelope] = {}
            for envelope in self.in_flight:
                first.setdefault((envelope.source, envelope.target), envelope)
            return tuple(first.values())
        return tuple(envelope for envelope in dict.fromkeys(self.in_flight) if not envelope.deferred)

    def take(self, envelope: Envelope) -> "Channels":
        """These channels without one copy of `envelope`. Raises ValueError if it is not in flight."""
        return self.exchange(envelope, ())

    def exchange(self, envelope: Envelope, others: tuple[Envelope, ...]) -> "Channels":
        """These channels with `others` in the place of one copy of `envelope`. Raises ValueError if there is none."""
        place = self.in_flight.index(envelope)
        in_flight = (*self.in_flight[:place], *others, *self.in_flight[place + 1 :])
        return replace(self, in_flight=self._ordered(in_flight))

    def may_time_out(self, node: str) -> bool:
        """Whether `node` may take its timeout now: under ROUNDS once in a round, with nothing left to receive."""
        if self.discipline is not Discipline.ROUNDS:
            return True
        waiting = any(envelope.target == node and not envelope.deferred for envelope in self.in_flight)
        return node not in self.acted and not waiting

    def timed_out(self, node: str, nodes: Iterable[str]) -> "Channels":
        """These channels after the timeout of `node`, one of `nodes`; under ROUNDS the last one begins a new round."""
        if self.discipline is not Discipline.ROUNDS:
            return self
        acted = tuple(sorted({*self.acted, node}))
        if set(nodes) - set(acted):
            return replace(self, acted=acted)
        opened = tuple(replace(envelope, deferred=False) for envelope in self.in_flight)
        return Channels(self.discipline, self._ordered(opened))


@lru_cache(maxsize=1 << 16)
def _key(envelope: Envelope) -> tuple[str, bytes]:
    return envelope.target, msgspec.msgpack.encode((envelope.message, envelope.deferred))


class World(msgspec.Struct, frozen=True):
    """A state of the whole system: every node's local state, by name, and what is in flight.

    `crashed` nodes take no steps, and what is sent to them stays in flight. `budget` is how often each kind of failure
    may yet happen.
    """

    locals: tuple[tuple[str, Any], ...]
    channels: Channels
    crashed: tuple[str, ...] = ()
    budget: tuple[tuple[str, int], ...] = ()

    def states(self) -> dict[str, Any]:
        """Each node's local state, by name."""
        return dict(self.locals)

    def with_local(self, node: str, local: Any) -> "World":
        """This world with another local state at `node`."""
        return replace(self, locals=tuple((name, local if name == node else old) for name, old in self.locals))


class Act(msgspec.Struct, frozen=True):
    """One step of a world: `node` takes an input, and its coins fall as `choice` says.

    `envelope` is the one that is delivered, and None for a timeout or a command.
    """

    node: str
    input: Input
    choice: Choice
    envelope: Envelope | None = None


def begin(start: Start, discipline: Discipline) -> World:
    """The world that a start describes."""
    sends = [Send(target, message) for target, message in start.in_flight]
    channels = Channels(discipline).put("", sends)
    opened = tuple(replace(envelope, deferred=False) for envelope in channels.in_flight)
    return World(tuple(sorted(start.locals)), replace(channels, in_flight=opened))


def enabled(protocol: Protocol, world: World) -> tuple[Act, ...]:
    """Every step that some node may take next, one for each way its coins may fall."""
    states = world.states()
    possible: list[tuple[str, Input, Envelope | None]] = [
        (node, Timeout(), None) for node in states if node not in world.crashed and world.channels.may_time_out(node)
    ]
    possible += [(e.target, Received(e.message), e) for e in world.channels.ready() if e.target not in world.crashed]
    return tuple(
        Act(node, taken, choice, envelope)
        for node, taken, envelope in possible
        for choice in protocol.choices(node, states[node], taken)
    )


def step(protocol: Protocol, world: World, act: Act) -> World:
    """The world after a step. Commands are steps too, though never enabled by themselves."""
    channels = world.channels if act.envelope is None else world.channels.take(act.envelope)
    outcome = protocol.react(act.node, world.states()[act.node], act.input, act.choice)
    channels = channels.put(act.node, outcome.sends)
    if isinstance(act.input, Timeout):
        channels = channels.timed_out(act.node, (name for name, _ in world.locals if name not in world.crashed))
    return replace(world.with_local(act.node, outcome.local), channels=channels)


def command(protocol: Protocol, world: World, node: str, what: Any) -> World:
    """The world after the application of `node` has asked for something."""
    taken = Commanded(what)
    (choice,) = protocol.choices(node, world.states()[node], taken)
    return step(protocol, world, Act(node, taken, choice))


def is_legitimate(protocol: Protocol, world: World) -> bool:
    """Whether nothing in the world is at fault."""
    in_flight = tuple((envelope.target, envelope.message) for envelope in world.channels.in_flight)
    return not legitimacy_faults(protocol, world.states(), in_flight)


def model(protocol: Protocol, starts: Callable[[], Iterable[Start]]) -> Model:
    """The transition system of a protocol from those starts, with the promises of self-stabilisation."""

    def legitimate(world: World) -> bool:
        return is_legitimate(protocol, world)

    return Model(
        name=protocol.name,
        initial=lambda: (begin(start, protocol.discipline) for start in starts()),
        enabled=lambda world: enabled(protocol, world),
        step=lambda world, act: step(protocol, world, act),
        actor=lambda act: act.node,
        promises=(
            Promise(Kind.STABLE, "closure", legitimate, protocol.defined),
            Promise(Kind.EVENTUALLY, "convergence", legitimate, protocol.defined),
            Promise(Kind.SOMETIMES, "not_vacuous", legitimate, protocol.defined),
            *protocol_promises(protocol),
        ),
    )


def protocol_promises(protocol: Protocol) -> tuple[Promise, ...]:
    """What every protocol promises of every state: its values are what their types say."""

    def well_formed(world: World) -> bool:
        values = [local for _, local in world.locals] + [e.message for e in world.channels.in_flight]
        return not [fault for value in values for fault in protocol.malformed(value)]

    return (Promise(Kind.ALWAYS, "canonical", well_formed, "the protocol's state.py"),)
