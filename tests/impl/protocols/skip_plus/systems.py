"""Cores and whole systems of Skip+, as plain JSON values, and the right graph by a definition without ranges."""

from collections.abc import Mapping, Sequence
from itertools import combinations, islice
from random import Random
from typing import Any

import msgspec

from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import Received, Send, Timeout
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand

SKIP_PLUS = implementation("skip_plus")
ALONE = {"live": True, "neighbours": [], "stable": [], "told": [], "gone": []}
OUTSIDE = {**ALONE, "live": False}
UNBOUNDED = [None, None]


def node(me: str, **variables: Any) -> Any:
    """A live node with these variables, and nothing else."""
    return SKIP_PLUS.make("node", me, {**ALONE, **variables}, Random(1))


def outside(me: str) -> Any:
    return SKIP_PLUS.make("node", me, OUTSIDE, Random(1))


def state_of(core: Any) -> Any:
    return msgspec.json.decode(core.snapshot())


def sent_by(outputs: Any) -> dict[str, Any]:
    """The messages sent, by target."""
    sends = [output for output in outputs if isinstance(output, Send)]
    assert len({send.to for send in sends}) == len(sends)
    return {send.to: msgspec.json.decode(SKIP_PLUS.encode(send.message)) for send in sends}


def time_out(core: Any) -> Any:
    return sent_by(core.handle(0.0, Timeout()))


def receive(core: Any, message: Any) -> Any:
    return core.handle(0.0, Received(SKIP_PLUS.decode(msgspec.json.encode(message))))


def obey(core: Any, **command: Any) -> Any:
    return core.handle(0.0, SKIP_PLUS.commanded(command))


def update(sender: str, ranges: Any, *inserts: Any) -> dict[str, Any]:
    return {"kind": "Update", "sender": sender, "ranges": ranges, "inserts": list(inserts)}


def gone(name: str, *inserts: Any) -> dict[str, Any]:
    return {"kind": "Gone", "node": name, "inserts": list(inserts)}


def named(strings: Any) -> list[Any]:
    return [f"{index:02}:{string}" for index, string in enumerate(strings)]


def drawn(nodes: int, bits: Any, random: Random) -> Any:
    return named(["".join(random.choice("01") for _ in range(bits)) for _ in range(nodes)])


def right_graph(names: Sequence[str]) -> dict[str, Any]:
    """The neighbours of each node: on some level that two have in common all between them have the same next bit."""
    graph: Any = {name: [] for name in names}
    for one, other in combinations(sorted(names), 2):
        if any(_are_neighbours(names, one, other, level) for level in range(len(string_of(one)))):
            graph[one].append(other)
            graph[other].append(one)
    return {name: sorted(neighbours) for name, neighbours in graph.items()}


def _are_neighbours(names: Sequence[str], one: Any, other: str, level: Any) -> bool:
    prefix = string_of(one)[:level]
    if string_of(other)[:level] != prefix:
        return False
    between = [node for node in names if one < node < other and string_of(node)[:level] == prefix]
    return len({string_of(node)[level] for node in between}) <= 1


def string_of(name: str) -> Any:
    return name.split(":")[1]


def line(names: Sequence[str]) -> dict[str, Any]:
    """Each knows the next one."""
    return {name: {**ALONE, "neighbours": names[index + 1 : index + 2]} for index, name in enumerate(names)}


def star(names: Sequence[str]) -> dict[str, Any]:
    """The first knows all others."""
    return {name: {**ALONE, "neighbours": names[1:] if name == names[0] else []} for name in names}


def simulation(
    states: Mapping[str, Any], seed: int = 1, commands: tuple[Any, ...] = (), discipline: Discipline = Discipline.ROUNDS
) -> Simulation:
    header = {"protocol": "skip_plus", "roles": dict.fromkeys(states, "node"), "states": states, "messages": []}
    due = tuple(TimedCommand(*command) for command in commands)
    return Simulation(header, SKIP_PLUS, seed, Conditions(commands=due, discipline=discipline))


def states_after(running: Any, periods: Any) -> Any:
    """The states when so many periods are over."""
    states = {name: state_of(core) for name, core in running._cores.items()}
    while running.next_at < periods:
        states.update((step.node, msgspec.json.decode(step.state)) for step in islice(running.steps(), 1))
    return states


def knows(states: Mapping[str, Any]) -> dict[str, Any]:
    """The neighbours of each live node."""
    return {name: state["neighbours"] for name, state in states.items() if state["live"]}
