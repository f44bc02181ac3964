"""Specification and implementation take the same inputs, and their steps are compared: here the skip ring."""

import math
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st

from gomboc.checker.testing.strategies import strategy
from gomboc.impl.core.automaton import Commanded, Delivered, Received, Send, Timeout, Traced
from gomboc.impl.protocols.skip_ring import IMPLEMENTATION
from gomboc.spec.core import model
from gomboc.spec.core.domain import sample
from gomboc.spec.core.model import CERTAIN, Choice
from gomboc.spec.core.protocol import Protocol, Size, Start, configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from tests.volumes import too_much

MOST_IN_FLIGHT = 4
MOST_PUBLICATIONS = 6
MOST_CHOSEN = 1_023
RING_COMMANDS = (
    *('{"kind":"Unsubscribe"}', '{"kind":"Subscribe"}'),
    *(f'{{"kind":"Suspect","node":"{node}"}}' for node in ("v1", "v2", "supervisor")),
)

encode = msgspec.json.encode


class BothSides:
    """A protocol and its implementation with the same parameters, and the commands that either may be given, by role.

    With the name of a variant, both have its printed rules.
    """

    def __init__(self, protocol: Protocol, implementation: Any, values: Any, commands: Any, variant: str = "") -> None:
        self.protocol = configured(protocol, values)
        self.implementation = implementation.configured(values)
        if variant:
            self.protocol = next(
                erratum.protocol for erratum in self.protocol.variants.errata if erratum.name == variant
            )
            known = {erratum.name: erratum for erratum in self.implementation.variants}
            self.implementation = known[f"{self.implementation.name}.{variant}"]
        self.commands = commands
        self.chunk = int(values.get("chunk", 64))
        self.message = msgspec.json.Decoder(self.protocol.vocabulary.message)
        self.command = msgspec.json.Decoder(self.protocol.vocabulary.command)

    def core_of(self, name: str, role: str, local: Any, coin: Any) -> Any:
        """The implementation's node in that state of the specification's."""
        return self.implementation.make(role, name, msgspec.to_builtins(local), coin)

    def tossed(self) -> Any:
        """A source of randomness that falls as it is told."""
        return Coin()

    def as_inputs(self, kind: str, written: Any) -> tuple[Any, ...]:
        """The input of a node, in the specification's words and in the implementation's."""
        if kind == "timeout":
            return model.Timeout(), Timeout()
        raw = written.encode()
        if kind == "message":
            return model.Received(self.message.decode(raw)), Received(self.implementation.decode(raw))
        return model.Commanded(self.command.decode(raw)), Commanded(self.implementation.decode_command(raw))

    def both_steps(self, name: str, local: Any, core: Any, coin: Any, what: Any, toss: Any) -> tuple[Any, ...]:
        """One input for both: the specification's outcome, and the same of the implementation, each as JSON."""
        taken, ours = self.as_inputs(*what)
        choices = self.protocol.actor.choices(name, local, taken)
        choice = choices[toss % len(choices)]
        coin.fall(choices, choice)
        outcome = self.protocol.actor.react(name, local, taken, choice)
        assert not too_much(((send.target, send.message) for send in outcome.sends), self.chunk), (name, what)
        outputs = core.handle(0.0, ours)
        coins = [output.coin for output in outputs if isinstance(output, Traced)]
        spec = (
            msgspec.to_builtins(outcome.local),
            sorted((send.target, encode(send.message).decode()) for send in outcome.sends),
            outcome.delivered,
            # One that leaves does not ask, so how its coin falls makes no difference; it may toss it all the same.
            coins if choices == CERTAIN else [choice.name],
        )
        impl = (
            msgspec.json.decode(core.snapshot()),
            sorted((output.to, encode(output.message).decode()) for output in outputs if isinstance(output, Send)),
            [output.content for output in outputs if isinstance(output, Delivered)],
            coins,
        )
        return outcome.local, jsonlike(spec), jsonlike(impl)


class DrawnSides(BothSides):
    """Both sides of a protocol with one role, `node`; a seed draws a start of that size, and so many steps."""

    steps = 100

    def size(self, random: Random) -> Size:
        """The size of a start."""
        raise NotImplementedError

    def run(self, seed: int) -> tuple[Start, list[Any]]:
        """A start, and a schedule."""
        random = Random(seed)
        return sample(self.protocol.starts.space(self.size(random)), random), drawn_schedule(random, self.steps)


def named(sides: BothSides) -> str:
    """The parameters of both sides, for the name of a test."""
    return "-".join(f"{name}={value}" for name, value in sides.protocol.variants.given.items()) or "usual"


class Sides(BothSides):
    """Both sides of the skip ring, with parameters as a JSON text."""

    def __init__(
        self,
        parameters: str = "{}",
        subscribers: Any = RING_COMMANDS,
        supervisors: tuple[Any, ...] = (),
        variant: str = "",
    ) -> None:
        values = msgspec.json.decode(parameters)
        super().__init__(
            PROTOCOL, IMPLEMENTATION, values, {"subscriber": subscribers, "supervisor": supervisors}, variant
        )
        self.holds_publications = bool(values)

    @cache  # noqa: B019 -- a domain is large, and there are few sides
    def starts_of(self, nodes: int, messages: Any) -> Any:
        """Any start of that many subscribers, with at most that many messages in flight."""
        publications = MOST_PUBLICATIONS if self.holds_publications else 0
        return strategy(self.protocol.starts.space(Size(nodes, messages, publications)))

    def runs_of(self, most_nodes: Any, most_steps: Any) -> Any:
        """A start, and for each step two numbers that choose the next input, and the result of its coin."""
        starts = st.integers(1, most_nodes).flatmap(lambda nodes: self.starts_of(nodes, MOST_IN_FLIGHT))
        return st.tuples(
            starts, st.lists(st.tuples(st.integers(0, MOST_CHOSEN), st.integers(0, 5)), max_size=most_steps)
        )


class Coin:
    """A source of randomness with numbers that lie on the right side of each probability, as close to it as can be."""

    def __init__(self) -> None:
        self._numbers: Iterator[float] = iter(())

    def fall(self, choices: Any, choice: Choice) -> None:
        """Let the next coin fall like this: which part to send, or whether to ask, then the node to compare with."""
        if choice.name.startswith("part "):
            self._numbers = iter(((choices.index(choice) + 0.5) / len(choices),))
            return
        asking = [choice for choice in choices if choice.name.startswith("ask")]
        beside = [choice.name.split()[-1] for choice in asking]
        chance = float(sum(choice.probability for choice in asking))
        first = math.nextafter(chance, 0.0) if choice in asking else chance
        index = beside.index(choice.name.split()[-1]) if len(asking) > 1 else 0
        self._numbers = iter((first, math.nextafter((index + 1) / max(1, len(asking)), 0.0)))

    def random(self) -> Any:
        return next(self._numbers)


def jsonlike(value: Any) -> Any:
    """Tuples as arrays, so that the values of both are compared as a trace would hold them."""
    return msgspec.json.decode(encode(value))


def drawn_schedule(random: Random, steps: int) -> list[Any]:
    """So many pairs of numbers."""
    return [(random.randint(0, MOST_CHOSEN), random.randrange(6)) for _ in range(steps)]


def step_that_differs(sides: Any, start: Start, schedule: Any) -> tuple[Any, ...] | None:
    """The first step in which the two differ, with both outcomes; None if they agree to the end."""
    roles, locals_, coin = dict(start.roles), dict(start.locals), sides.tossed()
    cores = {name: sides.core_of(name, role, locals_[name], coin) for name, role in roles.items()}
    in_flight = [(target, encode(message).decode()) for target, message in start.in_flight]
    commands = [(name, ("command", command)) for name, role in roles.items() for command in sides.commands[role]]
    for number, (chosen, toss) in enumerate(schedule, 1):
        possible = [(target, ("message", written)) for target, written in in_flight]
        possible += [(name, ("timeout", "")) for name in roles]
        # Rare, as applications are: only the highest numbers of the schedule reach a command.
        possible = possible * (1 + 2 * len(commands) // len(possible)) + commands
        name, what = possible[chosen % len(possible)]
        if what[0] == "message":
            in_flight.remove((name, what[1]))
        locals_[name], spec, impl = sides.both_steps(name, locals_[name], cores[name], coin, what, toss)
        if spec != impl:
            return number, name, what, spec, impl
        # A suspect may be nobody.
        in_flight += [(target, written) for target, written in spec[1] if target in roles]
    return None


def differences(runs: Any) -> list[Any]:
    """The first step in which the two differ, of each run in which they do: of sides, a start and a schedule."""
    return [difference for run in runs if (difference := step_that_differs(*run)) is not None]
