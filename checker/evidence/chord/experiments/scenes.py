"""Scenes of Chord: a small ring, and turns, each in a few words."""

from functools import cache
from typing import Any

from gomboc.checker.errata.scene import Script, Stage, Turn, command, delivery, opening, take, timeout, with_rounds
from gomboc.spec.core.domain import enumerate_values
from gomboc.spec.core.model import Fault
from gomboc.spec.core.protocol import Protocol, Start
from gomboc.spec.protocols.chord import PROTOCOL, configured
from gomboc.spec.protocols.chord.legitimacy import anchor, right_state
from gomboc.spec.protocols.chord.models import ideal
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.space import ROLE, names_of
from gomboc.spec.protocols.chord.state import FIELDS, Command, Node
from gomboc.spec.types.parameters import told


def parameters(options: Parameters) -> dict[str, Any]:
    """Those parameters as the header of a scene's trace has them."""
    return told(options)


@cache
def protocol(options: Parameters, variant: str | None = None) -> Protocol:
    """The protocol with those parameters, or that variant of it."""
    ours = configured({name: getattr(options, name) for name in PROTOCOL.parameters})
    return ours if variant is None else next(erratum.protocol for erratum in ours.errata if erratum.name == variant)


def ring(options: Parameters, members: int, outside: int = 0) -> Start:
    """An ideal ring with nothing in flight, and nodes outside."""
    states = {name: next(iter(enumerate_values(domain))) for name, domain in ideal(options, members, outside).items()}
    return of_states(states)


def among(options: Parameters, nodes: int, outside: int) -> Start:
    """An ideal ring of all but one of so many nodes: the one with that number, counted from 0, is outside."""
    names = names_of(options.circle, nodes)
    members = anchor(options, {name: number != outside for number, name in enumerate(names)})
    return of_states({name: right_state(options, members, name) if name in members else Node() for name in names})


def of_states(states: dict[str, Node]) -> Start:
    """Those states with nothing in flight."""
    return Start(tuple((name, ROLE) for name in sorted(states)), tuple(sorted(states.items())))


def script(by: Protocol, start: Start, turns: str, rounds: int = 0, bound: int | None = None) -> Script:
    """Those turns, separated by semicolons, and so many rounds after them.

    A turn is `n0` (a timeout), `n0 StabilizeRequest n1` (the message that n0 takes, and the first node that it
    names; a number behind that selects one of several, the oldest being 1), or `n0: Join n1` (a command).
    """
    stage, taken = opening(start), []
    for words in filter(None, (part.strip() for part in turns.split(";"))):
        turn = _turn(stage, words)
        taken.append(turn)
        stage = take(by, stage, turn)
    return with_rounds(by, Script(start, tuple(taken), bound), rounds)


def _turn(stage: Stage, words: str) -> Turn:
    node, _, command_words = words.partition(": ")
    if command_words:
        kind, *values = command_words.split()
        (made,) = (item for item in Command.__args__ if item.__name__ == kind)
        return command(node, made(*values))
    node, *about = words.split()
    if not about:
        return timeout(node)
    *about, number = about if about[-1].isdigit() else [*about, "1"]
    fits = [item for to, item in stage.in_flight if to == node and _words(item) == about]
    return delivery(node, fits[int(number) - 1])


def _words(message: Any) -> list[str]:
    return [type(message).__name__, *FIELDS.named(message)[:1]]


def broken(by: Protocol, stage: Stage) -> dict[str, tuple[Fault, ...]]:
    """The promises over states that are false, and why."""
    faults_of = {promise.name: promise.faults(stage.states, stage.in_flight) for promise in by.always}
    return {name: faults for name, faults in faults_of.items() if faults}
