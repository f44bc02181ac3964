"""Finite instances of a protocol: where they start, and channels that are bounded by saturation, never by blocking."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from itertools import product
from math import prod
from typing import Any

import msgspec
from msgspec.structs import replace

from spec.connection import Edge, is_connected, no_edges
from spec.domain import Domain, count, enumerate_values
from spec.model import Input, Kind, Model, Promise, Received, Timeout
from spec.network import Act, Channels, World, begin, enabled, is_legitimate, protocol_promises, step
from spec.protocol import Protocol, Start, premise_faults


def any_start(start: Start) -> bool:
    """Every start is admitted."""
    del start
    return True


class Instance(msgspec.Struct, frozen=True):
    """A finite instance of a protocol with unordered channels.

    - `locals`: each node's name, role, and the domain of its first state. `messages`: the domain of what may be in
      flight at first, pairs (target, message); at most `in_flight` of them are. `admits(start)` may leave starts out;
      it answers True or False.
    - `copies`: how many copies of one message the channels hold; a further copy coalesces with those. Without
      `coalesce` it does not: a state with a further copy is beyond the bound.
    - `most`: how many messages may be in flight; a state with more is beyond the bound. None: as many as there are.
      A state beyond the bound is not explored. The step that leads there counts as possible and not as taken, so a
      run that would avoid it for ever is not fair: no message is lost, and nobody is blocked.
    - `edges(node, value)`: the edges that the local state of a node makes, or a message to it. If given, the starts are
      those whose graph is weakly connected. It is asked once for each value, `admits` once for each start.
    - `anchors`: the nodes whose states decide the protocol's anchor. `alike`: the nodes whose names can be exchanged.
    """

    protocol: Protocol
    locals: tuple[tuple[str, str, Domain], ...]
    messages: Domain
    in_flight: int
    copies: int
    most: int | None
    anchors: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    admits: Callable[[Start], bool] = any_start
    coalesce: bool = True
    edges: Callable[[str, Any], tuple[Edge, ...]] = no_edges

    def names(self) -> tuple[str, ...]:
        """The names of the nodes, in order."""
        return tuple(name for name, _, _ in self.locals)

    def bounds(self) -> str:
        """What every claim about this instance is bounded by, in words."""
        further = "a further one coalesces" if self.coalesce else "runs with a further one are left out"
        copies = f"at most {self.copies} of the same message in flight ({further})"
        most = "" if self.most is None else f", and at most {self.most} in all (runs with more are left out)"
        return f"{copies}{most}"


def size(instance: Instance) -> int:
    """How many starts the domains of an instance have, before `admits` and `edges` leave some out."""
    messages = sum(1 for _ in contents(instance))
    return prod(count(domain) for _, _, domain in instance.locals) * messages


def multisets(values: tuple[Any, ...], most: int, copies: int) -> Iterator[tuple[Any, ...]]:
    """Every multiset of at most `most` values with at most that many copies of each, as a tuple in their order."""
    yield ()
    for place, value in enumerate(values):
        for taken in range(1, min(copies, most) + 1):
            for rest in multisets(values[place + 1 :], most - taken, copies):
                yield (value,) * taken + rest


def contents(instance: Instance) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Everything that may be in flight at first."""
    return multisets(tuple(enumerate_values(instance.messages)), instance.in_flight, instance.copies)


def starts(instance: Instance) -> Iterator[Start]:
    """Every start of an instance."""
    roles = tuple((name, role) for name, role, _ in instance.locals)
    every = tuple(contents(instance))
    for chosen in product(*(tuple(enumerate_values(domain)) for _, _, domain in instance.locals)):
        named = tuple(zip(instance.names(), chosen, strict=True))
        for in_flight in every:
            start = Start(roles, named, in_flight)
            if is_admitted(instance, start):
                yield start


def is_admitted(instance: Instance, start: Start) -> bool:
    """Whether an instance may begin like that; one that lacks the protocol's premise may not.

    Raises ValueError if `admits` answers neither True nor False.
    """
    if instance.edges is not no_edges:
        values = (*start.locals, *start.in_flight)
        if not is_connected(instance.names(), [edge for value in values for edge in instance.edges(*value)]):
            return False
    if premise_faults(instance.protocol, dict(start.locals), start.in_flight):
        return False
    answer: object = instance.admits(start)
    if answer is not True and answer is not False:
        raise ValueError(f"admits answers {answer!r}, not True or False")
    return answer


def saturated(channels: Channels, copies: int) -> Channels:
    """Unordered channels in which the copies of a message beyond that many have coalesced with the others."""
    if max(Counter(channels.in_flight).values(), default=0) <= copies:
        return channels
    kept: Counter[Any] = Counter()
    for envelope in channels.in_flight:
        kept[envelope] = min(copies, kept[envelope] + 1)
    return replace(channels, in_flight=tuple(kept.elements()))


def is_within(instance: Instance, world: World) -> bool:
    """Whether a world is within the bound of an instance."""
    in_flight = world.channels.in_flight
    if instance.most is not None and len(in_flight) > instance.most:
        return False
    return instance.coalesce or max(Counter(in_flight).values(), default=0) <= instance.copies


def is_idle(protocol: Protocol, node: str, local: Any, taken: Input) -> bool:
    """Whether an input is a timeout that changes nothing and sends nothing, however its coins fall: no step at all."""
    if not isinstance(taken, Timeout):
        return False
    outcomes = [protocol.react(node, local, taken, choice) for choice in protocol.choices(node, local, taken)]
    return all(outcome.local == local and not outcome.sends for outcome in outcomes)


def turns(act: Act) -> tuple[Hashable, ...]:
    """Whose turn an act is: a node's timeout, or a message in flight."""
    return ((act.node, act.input.message if isinstance(act.input, Received) else None),)


def bounded_model(instance: Instance) -> Model:
    """The transition system of an instance, with the promises of self-stabilisation."""
    protocol = instance.protocol

    def legitimate(world: World) -> bool:
        return is_legitimate(protocol, world)

    def possible(world: World) -> tuple[Act, ...]:
        states = world.states()
        acts = enabled(protocol, world)
        return tuple(act for act in acts if not is_idle(protocol, act.node, states[act.node], act.input))

    def after(world: World, act: Act) -> World:
        then = step(protocol, world, act)
        return replace(then, channels=saturated(then.channels, instance.copies)) if instance.coalesce else then

    return Model(
        name=protocol.name,
        initial=lambda: (begin(start, protocol.discipline) for start in starts(instance)),
        enabled=possible,
        step=after,
        actor=lambda act: act.node,
        promises=(
            Promise(Kind.STABLE, "closure", legitimate, protocol.defined),
            Promise(Kind.EVENTUALLY, "convergence", legitimate, protocol.defined),
            Promise(Kind.SOMETIMES, "not_vacuous", legitimate, protocol.defined),
            *protocol_promises(protocol),
        ),
        fair=turns,
        pick=lambda act: (act.node, act.input),
        chance=lambda act: act.choice.probability,
        within=lambda world: is_within(instance, world),
        bounds=instance.bounds(),
    )
