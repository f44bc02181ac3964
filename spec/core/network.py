"""The world: every node's state and the messages in flight; its possible steps, and the promises about it."""

from collections.abc import Callable, Hashable, Iterable
from functools import partial
from itertools import product
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.channels import Channels, Envelope
from gomboc.spec.core.connection import no_edges
from gomboc.spec.core.faults import connection_faults, is_faultless, sleepers
from gomboc.spec.core.model import (
    Choice,
    Commanded,
    Fault,
    InFlight,
    Input,
    Kind,
    Model,
    Offer,
    Outcome,
    Promise,
    Received,
    Send,
    Timeout,
    nothing_comes,
)
from gomboc.spec.core.promises import Always, Observer
from gomboc.spec.core.protocol import Discipline, Protocol, Start, never_asleep, strangers


class World(msgspec.Struct, frozen=True):
    """A state of the whole system: every node's local state, by name, and the messages in flight.

    `budget` is how often each kind of command from outside may still come. `seen` has the
    observers' states that differ from their initial ones, as (observer, node or "" for the whole system, state);
    `broken` has the names of the observers that have reported a fault.
    """

    locals: tuple[tuple[str, Any], ...]
    channels: Channels
    budget: tuple[tuple[str, int], ...] = ()
    seen: tuple[tuple[str, str, Any], ...] = ()
    broken: tuple[str, ...] = ()

    def states(self) -> dict[str, Any]:
        """Each node's local state, by name."""
        return dict(self.locals)

    def with_local(self, node: str, local: Any) -> "World":
        """This world with another local state at `node`."""
        return replace(self, locals=tuple((name, local if name == node else old) for name, old in self.locals))

    def in_flight(self) -> InFlight:
        """The messages in flight, with their targets."""
        return tuple((envelope.target, envelope.message) for envelope in self.channels.in_flight)


class Act(msgspec.Struct, frozen=True):
    """One step of a world: `node` takes an input, and its coins fall as `choice` says.

    `envelope` is the delivered one, and None for a timeout or a command. `offer` is the offer that a command from
    outside takes. If the node falls asleep by the step under FIFO, `lost` are the messages in flight from it that are
    lost: the target, and how many of the last ones.
    """

    node: str
    input: Input
    choice: Choice
    envelope: Envelope | None = None
    offer: Offer | None = None
    lost: tuple[tuple[str, int], ...] = ()


Budget = tuple[tuple[str, int], ...]
"""How often each kind of command from outside may come, by name."""


def begin(start: Start, discipline: Discipline, budget: Budget = ()) -> World:
    """The world that a start describes."""
    sends = [Send(target, message) for target, message in start.in_flight]
    channels = Channels(discipline).put("", sends)
    opened = tuple(replace(envelope, deferred=False) for envelope in channels.in_flight)
    return World(tuple(sorted(start.locals)), replace(channels, in_flight=opened), tuple(sorted(budget)))


def enabled(protocol: Protocol, world: World) -> tuple[Act, ...]:
    """Every step that some node may take next, one for each way its coins may fall.

    A node that is asleep has no timeouts. Commands from outside are possible as long as their budget lasts.
    """
    states, asleep = world.states(), sleepers(protocol, world.states())
    taken: list[tuple[str, Input, Envelope | None, Offer | None]] = [
        (node, Timeout(), None, None) for node in states if node not in asleep and world.channels.may_time_out(node)
    ]
    taken += [(e.target, Received(e.message), e, None) for e in world.channels.ready()]
    taken += [(offer.node, Commanded(offer.command), None, offer) for offer in offered(protocol, world)]
    return tuple(
        Act(node, input_, choice, envelope, offer, lost)
        for node, input_, envelope, offer in taken
        for lost in _losses(protocol, world, node, input_)
        for choice in protocol.actor.choices(node, states[node], input_)
    )


def offered(protocol: Protocol, world: World) -> tuple[Offer, ...]:
    """The offers of the environment that the budget still allows."""
    if protocol.environment.offers is nothing_comes:
        return ()
    left = dict(world.budget)
    offers = protocol.environment.offers(world.states(), world.in_flight())
    return tuple(offer for offer in offers if not offer.budget or left.get(offer.budget, 0) > 0)


def _losses(protocol: Protocol, world: World, node: str, taken: Input) -> tuple[tuple[tuple[str, int], ...], ...]:
    """The ways to lose messages in flight from a node by its step: under FIFO, if it may fall asleep by it.

    The loss is decided before the coins fall, so that each of their results has the same ways to lose messages.
    """
    if world.channels.discipline is not Discipline.FIFO or protocol.environment.asleep is never_asleep:
        return ((),)
    local = world.states()[node]
    if protocol.environment.asleep(local):
        return ((),)
    choices = protocol.actor.choices(node, local, taken)
    outcomes = [protocol.actor.react(node, local, taken, choice) for choice in choices]
    falling = [outcome for outcome in outcomes if protocol.environment.asleep(outcome.local)]
    links = [world.channels.put(node, outcome.sends).links_from(node) for outcome in falling]
    most = {target: max(link.get(target, 0) for link in links) for target in sorted(set().union(*links))}
    ways = product(*(range(count + 1) for count in most.values()))
    return tuple(tuple((target, count) for target, count in zip(most, way, strict=True) if count) for way in ways)


def step(protocol: Protocol, world: World, act: Act) -> World:
    """The world after a step. Commands are steps too, though enabled only where the environment offers them."""
    channels = world.channels if act.envelope is None else world.channels.take(act.envelope)
    outcome = protocol.actor.react(act.node, world.states()[act.node], act.input, act.choice)
    channels = channels.put(act.node, outcome.sends)
    if isinstance(act.input, Timeout):
        channels = channels.timed_out(act.node)
    if act.lost and protocol.environment.asleep(outcome.local):
        channels = channels.cut(act.node, act.lost)
    after = observed(protocol, world.with_local(act.node, outcome.local), act.node, outcome)
    if channels.discipline is not Discipline.UNORDERED:
        asleep = sleepers(protocol, after.states())
        channels = channels.settled((name for name, _ in after.locals if name not in asleep), asleep)
    if act.offer is not None and act.offer.budget:
        after = spend(after, act.offer.budget)
    return replace(after, channels=channels)


def spend(world: World, budget: str) -> World:
    """The world with that budget reduced by one. Raises ValueError if it is used up."""
    left = dict(world.budget)
    if left.get(budget, 0) < 1:
        raise ValueError(f"the budget allows no further {budget}")
    left[budget] -= 1
    return replace(world, budget=tuple(sorted(left.items())))


def observed(protocol: Protocol, world: World, node: str, outcome: Outcome) -> World:
    """The world after the observers have seen a node's deliveries, as JSON values like those of a trace."""
    if not outcome.delivered or not protocol.promises.observers:
        return world
    seen = {(name, at): state for name, at, state in world.seen}
    broken = set(world.broken)
    for observer in protocol.promises.observers:
        automaton = observer.name, observer.sees(node)
        now = seen.pop(automaton, observer.blank)
        for delivered in outcome.delivered:
            now, faults = observer.observe(node, now, msgspec.to_builtins(delivered))
            broken |= {observer.name} if faults else set()
        if now != observer.blank:
            seen[automaton] = now
    states = tuple((name, at, state) for (name, at), state in sorted(seen.items(), key=_where))
    return replace(world, seen=states, broken=tuple(sorted(broken)))


def _where(item: tuple[tuple[str, str], Any]) -> tuple[str, str]:
    return item[0]


def command(protocol: Protocol, world: World, node: str, request: Any) -> World:
    """The world after `node` has taken a command from its application."""
    taken = Commanded(request)
    (choice,) = protocol.actor.choices(node, world.states()[node], taken)
    return step(protocol, world, Act(node, taken, choice))


def is_legitimate(protocol: Protocol, world: World) -> bool:
    """Whether the world has no legitimacy faults."""
    return is_faultless(protocol, world.states(), world.in_flight())


def disturbs(protocol: Protocol, act: Act) -> bool:
    """Whether an act is a command that may end legitimacy; a command of `quiet_if_idle` counts as one."""
    return isinstance(act.input, Commanded) and not protocol.environment.is_quiet(act.input.command, idle=False)


def model(protocol: Protocol, starts: Callable[[], Iterable[Start]], budget: Budget = ()) -> Model:
    """The transition system of a protocol from those starts, with its promises.

    The budget limits the commands from outside.
    """
    return Model(
        name=protocol.name,
        initial=lambda: (begin(start, protocol.discipline, budget) for start in starts()),
        enabled=lambda world: enabled(protocol, world),
        step=lambda world, act: step(protocol, world, act),
        actor=lambda act: act.node,
        promises=promises_of(protocol),
        chance=lambda act: act.choice.probability,
        pick=pick,
        disturbs=lambda act: disturbs(protocol, act),
    )


def pick(act: Act) -> Hashable:
    """The part of an act that a scheduler decides: all but the results of the coins."""
    return act.node, act.input, act.lost, "" if act.envelope is None else act.envelope.source


def promises_of(protocol: Protocol) -> tuple[Promise, ...]:
    """The promises of a protocol: those of self-stabilisation, and its own."""
    return (*self_stabilisation(protocol), *protocol_promises(protocol))


def self_stabilisation(protocol: Protocol) -> tuple[Promise, ...]:
    """The promises of self-stabilisation: closure and convergence, and that they are not vacuous."""

    def legitimate(world: World) -> bool:
        return is_legitimate(protocol, world)

    return (
        Promise(Kind.STABLE, "closure", legitimate, protocol.legitimacy.defined),
        Promise(Kind.EVENTUALLY, "convergence", legitimate, protocol.legitimacy.defined),
        Promise(Kind.SOMETIMES, "not_vacuous", legitimate, protocol.legitimacy.defined),
    )


def _faults(result: Any) -> tuple[Fault, ...]:
    """The faults that `malformed` has returned.

    Raises TypeError if they are no tuple, which would count as no faults.
    """
    if isinstance(result, tuple):
        return result
    raise TypeError(f"malformed answers {result!r}, not a tuple of faults")


def protocol_promises(protocol: Protocol) -> tuple[Promise, ...]:
    """The further promises of a protocol about every state: values are well-formed, and its own promises hold.

    A well-formed value names no unknown node.
    """

    def well_formed(world: World) -> bool:
        values = [local for _, local in world.locals] + [e.message for e in world.channels.in_flight]
        there = {name for name, _ in world.locals}
        return not any(
            _faults(protocol.naming.malformed(value)) or strangers(protocol, value, there) for value in values
        )

    canonical = Promise(Kind.ALWAYS, "canonical", well_formed, "the protocol's state.py")
    stated = (Promise(Kind.ALWAYS, one.name, partial(_keeps, one), one.source) for one in protocol.promises.always)
    observed = (
        Promise(Kind.ALWAYS, one.name, partial(_unbroken, one), one.source) for one in protocol.promises.observers
    )
    return (canonical, *stated, *_connection(protocol), *observed)


def _keeps(promise: Always, world: World) -> bool:
    return not promise.faults(world.states(), world.in_flight())


def _unbroken(observer: Observer, world: World) -> bool:
    return observer.name not in world.broken


def _connection(protocol: Protocol) -> tuple[Promise, ...]:
    """The promise that a connected system stays connected, for protocols that state edges."""

    def connected(world: World) -> bool:
        return not connection_faults(protocol, world.states(), world.in_flight())

    if protocol.promises.edges is no_edges:
        return ()
    return (Promise(Kind.STABLE, "stays_connected", connected, "the protocol's edges"),)
