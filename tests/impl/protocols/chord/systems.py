"""Cores and whole rings of Chord, as plain JSON values, and the right ring by a definition over all ids."""

from collections.abc import Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

import msgspec

from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import Received, Send
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand

CHORD = implementation("chord")
OUTSIDE: dict[str, Any] = {
    "status": "outside",
    "predecessor": None,
    "successors": [],
    "fingers": [],
    "next": 0,
    "contact": None,
    "peers": [],
    "watched": [],
}
ALONE = {**OUTSIDE, "status": "inside"}
CRASHED = {**OUTSIDE, "status": "crashed"}


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


def right_state(me: str, ids: Any, bits: Any, r: int = 3) -> dict[str, Any]:
    """The state of a node in the right ring, computed from all ids; `next` may have any value."""
    others = {name: ids[name] for name in ids if name != me}
    ring = successors_of(ids[me], others, bits)
    head = (ids[ring[0]] - ids[me]) % 2**bits if ring else 2**bits
    fingers = [[i, successors_of((ids[me] + 2**i) % 2**bits, ids, bits)[0]] for i in range(bits) if 2**i > head]
    return {
        **ALONE,
        "predecessor": ring[-1] if ring else None,
        "successors": ring[:r],
        "fingers": [finger for finger in fingers if finger[1] != me],
    }


def right_ring(names: Sequence[str], bits: int = 6, r: int = 3, ids: Any = None) -> dict[str, Any]:
    ids = ids or id_in(names, bits)
    return {name: right_state(name, ids, bits, r) for name in names}


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
