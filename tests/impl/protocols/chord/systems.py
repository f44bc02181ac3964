"""Cores and whole rings of Chord, as plain JSON values, and the right ring as the specification defines it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

import msgspec

from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import Received, Send
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
from gomboc.spec.protocols.chord.legitimacy import anchor, right_state
from gomboc.spec.protocols.chord.parameters import Parameters
from tests.golden.chord.starts import ALONE, CRASHED, OUTSIDE

CHORD = implementation("chord")


def numbered(**parameters: Any) -> Any:
    """Chord with names that carry their ids, from 0 to 63."""
    chord: Any = CHORD
    return chord.configured({"bits": 6, "ids": "number", **parameters})


def id_in(names: Sequence[str], bits: Any) -> dict[str, Any]:
    """The ids of numbered names."""
    return {name: int(name.lstrip("n")) % 2**bits for name in names}


def successors_of(point: Any, ids: Any, bits: Any) -> list[Any]:
    """All nodes, nearest first, from this point on."""
    return sorted(ids, key=lambda name: (ids[name] - point) % 2**bits)


def right_ring(names: Iterable[str], bits: int = 6, r: int = 3, ids: Any = "number") -> dict[str, Any]:
    """The states of the right ring as the specification defines it; `next` may have any value."""
    parameters = Parameters(bits, ids, r)
    members = anchor(parameters, dict.fromkeys(names, True))
    return {name: plain(right_state(parameters, members, name)) for name in members}


def survivors(ids: Any, bits: Any, crashes: Any, r: Any, random: Random) -> dict[str, Any]:
    """The nodes left when so many of a right ring have crashed at once and no list has lost all its entries."""
    gone: set[str] = set()
    ring = successors_of(0, ids, bits)
    for index in random.sample(range(len(ring)), len(ring)):
        stretches = ({ring[(index + step - back) % len(ring)] for step in range(r)} for back in range(r))
        if len(gone) < crashes and not any(stretch <= gone | {ring[index]} for stretch in stretches):
            gone.add(ring[index])
    assert len(gone) == crashes
    return {name: ids[name] for name in ring if name not in gone}


def node(me: str, tested: Any = None, random: Random | None = None, **variables: Any) -> Any:
    """A node that is inside, with these variables and nothing else."""
    return (tested or numbered()).make("node", me, {**ALONE, **variables}, random or Random(1))


def outside(me: str, tested: Any = None, **variables: Any) -> Any:
    return (tested or numbered()).make("node", me, {**OUTSIDE, **variables}, Random(1))


def crashed(me: str) -> Any:
    return numbered().make("node", me, CRASHED, Random(1))


def state_of(core: Any) -> Any:
    return msgspec.json.decode(core.snapshot())


def plain(value: Any) -> Any:
    """A message or a delivery as JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def sent_by(outputs: Any) -> list[Any]:
    """The messages sent, as pairs of target and message, in order."""
    return [(output.to, plain(output.message)) for output in outputs if isinstance(output, Send)]


def receive(core: Any, tested: Any = None, **message: Any) -> Any:
    return core.handle(0.0, Received((tested or numbered()).decode(msgspec.json.encode(message))))


def simulation(
    states: Mapping[str, Any],
    tested: Any = None,
    seed: int = 1,
    commands: tuple[Any, ...] = (),
    failures: Any = None,
    discipline: Discipline = Discipline.UNORDERED,
) -> Simulation:
    header = {"protocol": "chord", "roles": dict.fromkeys(states, "node"), "states": states, "messages": []}
    due = tuple(TimedCommand(*command) for command in commands)
    return Simulation(
        header, tested or numbered(), seed, Conditions(commands=due, discipline=discipline, failures=failures)
    )


def states_after(running: Any, periods: Any) -> dict[str, Any]:
    """The states when so many periods are over."""
    while running.next_at < periods:
        next(iter(islice(running.steps(), 1)))
    return {name: state_of(core) for name, core in running._cores.items()}


def ring_of(states: Mapping[str, Any]) -> dict[str, Any]:
    """The states of the nodes inside, without the variable that rotates: the next finger."""
    return {name: {**state, "next": 0} for name, state in states.items() if state["status"] == "inside"}
