"""Finite instances of a protocol: their starts, and channels that are bounded by saturation, never by blocking."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import chain, groupby, permutations, product
from math import prod
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.channels import Channels, Envelope
from gomboc.spec.core.connection import no_edges
from gomboc.spec.core.domain import Domain, OneOf, count, enumerate_values
from gomboc.spec.core.faults import assumption_faults, has_assumption, premise_faults, sleepers
from gomboc.spec.core.model import Commanded, Input, Model, Received, Timeout, nothing_comes
from gomboc.spec.core.network import Act, World, begin, disturbs, enabled, pick, promises_of, step
from gomboc.spec.core.protocol import Discipline, Protocol, Start, nothing_lacks

NO_MESSAGE: Domain = OneOf(())
"""The domain without any message."""


def any_start(start: Start) -> bool:
    """Every start is admitted."""
    del start
    return True


class Instance(msgspec.Struct, frozen=True):
    """A finite instance of a protocol.

    - `locals`: each node's name, role, and the domain of its first state. `messages`: the domain of messages in flight
      at first, pairs (target, message); at most `in_flight` of them are, under FIFO in every order. `admits(start)` may
      leave starts out; it answers True or False.
    - `copies`: how many copies of one message the channels hold. With `coalesce` the channels deduplicate: a further
      copy becomes one with those. That is another system, and each claim is one about it. Without `coalesce` channels
      are exact: a state with a further copy is beyond the bound, and so is a start.
    - `most`: how many messages may be in flight; a state with more is beyond the bound. None: as many as there are. A
      state beyond the bound is not explored, and nothing holds that it may change. The step that leads there counts as
      possible and not as taken, so a run that would avoid it for ever is not fair: no message is lost, and no node is
      blocked.
    - Starts that lack the premise or the operating assumption of the protocol are left out.
    - `budget`: how often each kind of command from outside may happen, by the name of its budget. A command that would
      break the operating assumption, or end the premise, never happens.
    - `alike`: the nodes that can exchange their names.
    """

    protocol: Protocol
    locals: tuple[tuple[str, str, Domain], ...]
    messages: Domain
    in_flight: int
    copies: int
    most: int | None
    alike: tuple[str, ...] = ()
    admits: Callable[[Start], bool] = any_start
    coalesce: bool = True
    budget: tuple[tuple[str, int], ...] = ()

    def misstated(self) -> str:
        """Why the instance makes no sense, as text; empty if it does."""
        bounds = (("copies", self.copies), *((("most", self.most),) if self.most is not None else ()))
        low = next((f"{name}={bound!r}" for name, bound in bounds if not _is_from(1, bound)), "")
        if low:
            return f"has {low}, and a bound on messages in flight is a whole number from 1 on"
        numbers = (("in_flight", self.in_flight), *((f"a budget of {name}", times) for name, times in self.budget))
        negative = next((f"{name}={number!r}" for name, number in numbers if not _is_from(0, number)), "")
        if negative:
            return f"has {negative}, and this is a whole number from 0 on"
        names = self.names()
        if not names:
            return "has no node"
        for among, of in ((names, "locals"), (self.alike, "alike")):
            twice = next((name for name, times in Counter(among).items() if times > 1), None)
            if twice is not None:
                return f"has {twice!r} twice in {of}"
        unknown = next((name for name in self.alike if name not in names), None)
        return "" if unknown is None else f"has {unknown!r} in alike, which is no node"

    def names(self) -> tuple[str, ...]:
        """The names of the nodes, in order."""
        return tuple(name for name, _, _ in self.locals)

    def bounds(self) -> str:
        """The bounds of every claim about this instance, in words."""
        channels = "deduplicating channels" if self.coalesce else "exact channels"
        copies = f"{channels}, at most {self.copies} of the same message in flight"
        most = "" if self.most is None else f", and at most {self.most} in all"
        budget = "".join(f", at most {times} {name}" for name, times in self.budget)
        return f"{copies}{most}{budget}{demands_in_words(self.protocol)}"


def _is_from(least: int, number: Any) -> bool:
    """Whether a value is a whole number, and no less than that."""
    return type(number) is int and number >= least


def instance_of(
    protocol: Protocol,
    states: Mapping[str, Domain],
    messages: Domain = NO_MESSAGE,
    in_flight: int = 0,
    most: int | None = None,
    budget: Mapping[str, int] | None = None,
) -> Instance:
    """The instance with those nodes, each with the domain of its first state, and with one copy of each message.

    A node has the role that every system gives to its name, or else the members' role.
    """
    roles = {name: protocol.vocabulary.fixed.get(name, protocol.vocabulary.member) for name in states}
    return Instance(
        protocol=protocol,
        locals=tuple((name, roles[name], domain) for name, domain in sorted(states.items())),
        messages=messages,
        in_flight=in_flight,
        copies=1,
        most=most,
        budget=tuple(sorted((budget or {}).items())),
    )


def demands_in_words(protocol: Protocol) -> str:
    """The conditions that no command from outside may end, in words."""
    premise = has_premise(protocol)
    assumed = ", as long as the operating assumption holds" if has_assumption(protocol) else ""
    commanded = premise and protocol.environment.offers is not nothing_comes
    return f"{assumed}, without commands that end the premise" if commanded else assumed


def has_premise(protocol: Protocol) -> bool:
    """Whether convergence is promised on a premise."""
    return protocol.promises.premise is not nothing_lacks or protocol.promises.edges is not no_edges


def size(instance: Instance) -> int:
    """The number of starts in the domains of an instance, before some are left out."""
    messages = sum(1 for _ in contents(instance))
    return prod(count(domain) for _, _, domain in instance.locals) * messages


def multisets(values: tuple[Any, ...], most: int, copies: int) -> Iterator[tuple[Any, ...]]:
    """Every multiset of at most `most` values with at most that many copies of each, as a tuple in their order."""
    yield ()
    for index, value in enumerate(values):
        for taken in range(1, min(copies, most) + 1):
            for rest in multisets(values[index + 1 :], most - taken, copies):
                yield (value,) * taken + rest


def contents(instance: Instance) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Every multiset of messages that may be in flight at first; under FIFO, each with every order on its links.

    In exact channels there are those beyond the bound too.
    """
    fifo = instance.protocol.discipline is Discipline.FIFO
    # Deduplicating channels never hold more copies, but under FIFO only if they follow each other. In exact channels
    # that is a bound, so no start is left out by it.
    copies = instance.copies if instance.coalesce and not fifo else instance.in_flight
    every = multisets(tuple(enumerate_values(instance.messages)), instance.in_flight, copies)
    if not fifo:
        return every
    most = instance.copies if instance.coalesce else instance.in_flight
    return (ordered for content in every for ordered in _orders(content, most))


def _orders(content: tuple[tuple[str, Any], ...], copies: int) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Every order of messages on one link to each target, with at most `copies` equal ones after each other."""
    links: dict[str, list[tuple[str, Any]]] = {}
    for sent in content:
        links.setdefault(sent[0], []).append(sent)
    for orders in product(*(dict.fromkeys(permutations(link)) for link in links.values())):
        ordered = tuple(chain.from_iterable(orders))
        if max((len(list(equal)) for _, equal in groupby(ordered)), default=0) <= copies:
            yield ordered


def starts(instance: Instance) -> Iterator[Start]:
    """Every start of an instance."""
    return (start for start in candidates(instance) if is_admitted(instance, start))


def candidates(instance: Instance) -> Iterator[Start]:
    """Every combination of initial values of an instance, before some are left out."""
    roles, names = tuple((name, role) for name, role, _ in instance.locals), instance.names()
    every = tuple(contents(instance))
    for chosen in product(*(tuple(enumerate_values(domain)) for _, _, domain in instance.locals)):
        named = tuple(zip(names, chosen, strict=True))
        yield from (Start(roles, named, in_flight) for in_flight in every)


def is_admitted(instance: Instance, start: Start) -> bool:
    """Whether an instance may begin at `start`, which must satisfy the protocol's premise and assumption.

    Raises ValueError if `admits` answers neither True nor False.
    """
    protocol, states = instance.protocol, dict(start.locals)
    if premise_faults(protocol, states, start.in_flight) or assumption_faults(protocol, states, start.in_flight):
        return False
    answer: object = instance.admits(start)
    if answer is not True and answer is not False:
        raise ValueError(f"admits answers {answer!r}, not True or False")
    return answer


def saturated(channels: Channels, copies: int) -> Channels:
    """The channels with at most `copies` copies of each message; further copies have coalesced with these.

    Under FIFO, only copies that follow each other on one link coalesce, so that no order is changed.
    """
    if max(Counter(channels.in_flight).values(), default=0) <= copies:
        return channels
    if channels.discipline is Discipline.FIFO:
        return replace(channels, in_flight=tuple(_saturated_links(channels.in_flight, copies)))
    kept: Counter[Any] = Counter()
    for envelope in channels.in_flight:
        kept[envelope] = min(copies, kept[envelope] + 1)
    return replace(channels, in_flight=tuple(kept.elements()))


def _saturated_links(in_flight: tuple[Envelope, ...], copies: int) -> Iterator[Envelope]:
    last: dict[tuple[str, str], tuple[Envelope, int]] = {}
    for envelope in in_flight:
        link = envelope.source, envelope.target
        before, times = last.get(link, (envelope, 0))
        times = times + 1 if before == envelope else 1
        last[link] = envelope, times
        if times <= copies:
            yield envelope


def is_within(instance: Instance, world: World) -> bool:
    """Whether a world is within the bound of an instance."""
    in_flight = world.channels.in_flight
    if instance.most is not None and len(in_flight) > instance.most:
        return False
    return instance.coalesce or max(Counter(in_flight).values(), default=0) <= instance.copies


def is_idle(protocol: Protocol, node: str, local: Any, taken: Input) -> bool:
    """Whether an input is a timeout that changes no state and sends no message, for any result of its coins."""
    if not isinstance(taken, Timeout):
        return False
    outcomes = [
        protocol.actor.react(node, local, taken, choice) for choice in protocol.actor.choices(node, local, taken)
    ]
    return all(outcome.local == local and not outcome.sends and not outcome.delivered for outcome in outcomes)


def turns(act: Act) -> tuple[Hashable, ...]:
    """The fairness class of an act: a node's timeout, a message in flight, or an owed command; else none."""
    match act.input:
        case Received(message):
            return ((act.node, message),)
        case Commanded(command):
            owed = act.offer is not None and act.offer.owed
            return ((act.node, Commanded(command)),) if owed else ()
    return ((act.node, None),)


def bounded_model(instance: Instance) -> Model:
    """The transition system of an instance, with the promises of its protocol.

    A timeout that changes nothing is no step, except under ROUNDS, where it ends the round.
    """
    protocol = instance.protocol
    synchronous = protocol.discipline is Discipline.ROUNDS

    def possible(world: World) -> tuple[Act, ...]:
        states, acts = world.states(), enabled(protocol, world)
        refused = {pick(act) for act in acts if act.offer is not None and not keeps(world, act)}
        return tuple(
            act
            for act in acts
            if (synchronous or not is_idle(protocol, act.node, states[act.node], act.input))
            and (not refused or pick(act) not in refused)
        )

    def keeps(world: World, act: Act) -> bool:
        return keeps_demands(protocol, act, bounded_step(instance, world, act))

    return Model(
        name=protocol.name,
        initial=lambda: (first_world(instance, start) for start in starts(instance)),
        enabled=possible,
        step=lambda world, act: bounded_step(instance, world, act),
        actor=lambda act: act.node,
        promises=promises_of(protocol),
        fair=turns,
        pick=pick,
        chance=lambda act: act.choice.probability,
        within=lambda world: is_within(instance, world),
        bounds=instance.bounds(),
        disturbs=lambda act: disturbs(protocol, act),
    )


def bounded_step(instance: Instance, world: World, act: Act) -> World:
    """The world after a step, with messages coalesced as the instance says, and links in order."""
    then = step(instance.protocol, world, act)
    channels = saturated(then.channels, instance.copies) if instance.coalesce else then.channels
    return replace(then, channels=channels.by_link())


def keeps_demands(protocol: Protocol, act: Act, then: World) -> bool:
    """Whether assumption and premise hold after a command; the premise is checked only after commands that disturb."""
    if not has_assumption(protocol) and not has_premise(protocol):
        return True
    if assumption_faults(protocol, then.states(), then.in_flight(), commanded=True):
        return False
    return not (disturbs(protocol, act) and premise_faults(protocol, then.states(), then.in_flight()))


def first_world(instance: Instance, start: Start) -> World:
    """The world that a start of an instance describes.

    Under FIFO and ROUNDS nothing is in flight to a node that is asleep, as in every later world.
    """
    world = begin(start, instance.protocol.discipline, instance.budget)
    asleep = sleepers(instance.protocol, world.states())
    if instance.protocol.discipline is Discipline.UNORDERED:
        return world
    kept = tuple(envelope for envelope in world.channels.in_flight if envelope.target not in asleep)
    return replace(world, channels=replace(world.channels, in_flight=kept).by_link())
