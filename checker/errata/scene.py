"""A counterexample as a scene: its start, its turns, and the states that the specification makes of them."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gomboc.checker.simulate.spec_runner import outcome_of
from gomboc.spec.core.faults import is_faultless
from gomboc.spec.core.model import Commanded, InFlight, Input, Received, Timeout
from gomboc.spec.core.protocol import Protocol, Start

MOST_ROUNDS = 50
"""Number of rounds after which a scene that should end legitimate is given up."""


class Turn(msgspec.Struct, frozen=True):
    """One step: `node` takes `taken`, and its coin, where it tosses one, falls as `coin` says."""

    node: str
    taken: Input
    coin: str = "silent"


class Script(msgspec.Struct, frozen=True):
    """A start and the turns that are taken from it. `bound`: rounds within which it would have to be legitimate."""

    start: Start
    turns: tuple[Turn, ...]
    bound: int | None = None


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named script: the purpose of its trace, its printed variant, and the judge's exit code for it.

    `script` names the function that returns it, as module.function, and `arguments` are its own; it may also take the
    `variant` and the `parameters`, which are those of the trace's header.
    """

    name: str
    shows: str
    script: str
    variant: str | None = None
    exit_code: int = 0
    parameters: Mapping[str, Any] = {}
    arguments: Mapping[str, Any] = {}


class Stage(msgspec.Struct, frozen=True):
    """The whole system at one moment, and the messages sent and delivered in the turn that led to it."""

    states: Mapping[str, Any]
    in_flight: InFlight
    sent: InFlight = ()
    delivered: tuple[Any, ...] = ()

    def is_legitimate(self, protocol: Protocol) -> bool:
        """Whether the stage has no fault."""
        return is_faultless(protocol, self.states, self.in_flight)


def opening(start: Start) -> Stage:
    """The stage before the first turn."""
    return Stage(dict(start.locals), start.in_flight)


def take(protocol: Protocol, stage: Stage, turn: Turn) -> Stage:
    """The stage after a turn. Raises ValueError for a message that is not in flight, or a coin without that side."""
    in_flight = list(stage.in_flight)
    if isinstance(turn.taken, Received):
        in_flight.remove((turn.node, turn.taken.message))
    outcome, _ = outcome_of(protocol, turn.node, stage.states[turn.node], turn.taken, turn.coin)
    sent = tuple((send.target, send.message) for send in outcome.sends)
    return Stage({**stage.states, turn.node: outcome.local}, (*in_flight, *sent), sent, outcome.delivered)


def play(protocol: Protocol, script: Script) -> Iterator[Stage]:
    """The stages of a script, the opening first."""
    stage = opening(script.start)
    yield stage
    for turn in script.turns:
        stage = take(protocol, stage, turn)
        yield stage


def last(protocol: Protocol, script: Script) -> Stage:
    """The last stage of a script."""
    *_, stage = play(protocol, script)
    return stage


def timeout(node: str, coin: str = "silent") -> Turn:
    """The turn in which the periodic action of `node` runs."""
    return Turn(node, Timeout(), coin)


def delivery(node: str, message: Any) -> Turn:
    """The turn in which `node` takes that message."""
    return Turn(node, Received(message))


def command(node: str, payload: Any) -> Turn:
    """The turn in which the application of `node` gives a command."""
    return Turn(node, Commanded(payload))


def round_of(stage: Stage, coin: str = "silent") -> tuple[Turn, ...]:
    """A round: everything in flight is delivered in order, then every node times out, by name; coins fall like that."""
    deliveries = [Turn(node, Received(message), coin) for node, message in stage.in_flight]
    return (*deliveries, *(timeout(node, coin) for node in sorted(stage.states)))


def a_round(protocol: Protocol, stage: Stage, coin: str = "silent") -> Stage:
    """The stage a round later."""
    for turn in round_of(stage, coin):
        stage = take(protocol, stage, turn)
    return stage


def rounds(protocol: Protocol, stage: Stage, coin: str = "silent") -> Iterator[Stage]:
    """The stage, and the one after each further round, without an end."""
    while True:
        yield stage
        stage = a_round(protocol, stage, coin)


def with_rounds(protocol: Protocol, script: Script, rounds: int) -> Script:
    """The script, with so many further rounds."""
    stage, turns = last(protocol, script), list(script.turns)
    for _ in range(rounds):
        for turn in round_of(stage):
            stage = take(protocol, stage, turn)
            turns.append(turn)
    return Script(script.start, tuple(turns), script.bound)


def until_legitimate(protocol: Protocol, script: Script) -> Script:
    """The script, and rounds after it until the system is legitimate. Raises ValueError if it takes too many."""
    for _ in range(MOST_ROUNDS):
        if last(protocol, script).is_legitimate(protocol):
            return with_rounds(protocol, script, 1)
        script = with_rounds(protocol, script, 1)
    raise ValueError(f"the scene is not legitimate after {MOST_ROUNDS} rounds")
