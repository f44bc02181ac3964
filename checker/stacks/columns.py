"""Join the layers of a run in columns: whether all is handed over, by whole arrays of steps.

A run in which something is not as it must be is left to the naive judge, which says what, and decides.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from gomboc.checker.core.phrases import counted
from gomboc.checker.distinct.arrays import Array, spread, starts_of
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.judge.layers import Joined, LayerTrace, Link, has_effect, is_down, join
from gomboc.checker.judge.verdict import Holds
from gomboc.checker.stacks.fit import together_in
from gomboc.checker.stacks.judge import check_protocol
from gomboc.checker.stacks.packed import TEXTS, Columns, PackedLayer, Spot, roles_of
from gomboc.checker.stacks.recorded import Place, StackRun


class Traced(NamedTuple):
    """One trace of a run: its place, its layer, where it is in the packs, its name there, and its steps."""

    place: Place
    layer: PackedLayer
    spot: Spot
    name: str
    columns: Columns
    together: tuple[str, ...]

    def row(self) -> dict[str, Any]:
        """Its row in the pack."""
        return self.spot.pack.row(*self.spot[1:])

    def start(self) -> dict[str, Any]:
        """The state in which each node begins."""
        row = self.row()
        return {
            node: self.layer.state(self.spot.pack, state)
            for node, state in zip(roles_of(row), row["first"], strict=True)
        }


class Ends(NamedTuple):
    """What one end of a link has, in the order of its trace: node, command and time of each."""

    node: Array
    command: Array
    at: Array

    def by_node(self) -> "Ends":
        """The same, node by node."""
        order = np.argsort(self.node, kind="stable")
        return Ends(*(column[order] for column in self))


NOTHING = Ends(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))


def join_packed(run: StackRun, name: str, layers: dict[str, PackedLayer]) -> Joined:
    """The verdict on what the layers of a run hand over to each other; `name` is that of the run.

    Raises UsageError if a trace cannot be read.
    """
    traces = [_traced(run, place, name, layers[place.layer]) for place in run.places]
    count = _joined(run, traces)
    return naively(run, traces) if count is None else Joined(_holds(count))


def _holds(count: int) -> Holds:
    return Holds(f"all of {counted(count, 'command')} are handed over, in order and in one turn")


def _traced(run: StackRun, place: Place, name: str, layer: PackedLayer) -> Traced:
    trace = place.in_run(name)
    spot = layer.spot(trace)
    check_protocol(run, place, spot.pack.pack.info.protocol, f"{spot.pack.pack.path}: {trace}")
    return Traced(
        place, layer, spot, trace, spot.pack.columns(spot.row_group, spot.row), together_in(run.stack, layer.protocol)
    )


def naively(run: StackRun, traces: Sequence[Traced]) -> Joined:
    """The verdict of the naive judge, which reads every step."""
    opened = []
    for trace in traces:
        reader = trace.layer.reader(trace.name)
        opened.append(LayerTrace(trace.place.name, reader.protocol, reader.header, reader.steps(), trace.together))
    return join(opened, run.links)


def _joined(run: StackRun, traces: Sequence[Traced]) -> int | None:
    """The number of commands that are handed over; None if not all is as it must be, or if that is not known."""
    if any(np.isnan(trace.columns.at).any() or (np.diff(trace.columns.at) < 0).any() for trace in traces):
        return None
    by_name = {trace.place.name: trace for trace in traces}
    roles = {name: set(roles_of(trace.row())) for name, trace in by_name.items()}
    if any(roles[link.source] != roles[link.target] for link in run.links) or not _begin_alike(traces):
        return None
    due, taken, inputs, joined = [], [], [], set()
    for trace in traces:
        into = [link for link in run.links if link.target == trace.place.name]
        handed = np.zeros(len(trace.columns.events), bool)
        for source, links in _by_source(into).items():
            ends, mine = _taken(trace, links)
            handed |= mine
            given = _handed(by_name[source], links)
            if not _alike(given, ends):
                return None
            due.append(given.by_node())
            taken.append(ends.by_node())
            joined |= {source, trace.place.name} if len(ends.node) else set()
        if _has_forged(trace, into, handed):
            return None
        inputs.append(~handed)
    if joined != set(by_name):
        return None
    if not _in_turns(traces, inputs, due, taken) or not _crashes_together(traces, inputs):
        return None
    return sum(len(ends.node) for ends in taken)


def _begin_alike(traces: Sequence[Traced]) -> bool:
    """Whether each node that begins crashed in one trace is so in all that could crash with it."""
    able = [trace for trace in traces if trace.together]
    starts = [trace.start() for trace in able]
    down = {
        node
        for trace, states in zip(able, starts, strict=True)
        for node, local in states.items()
        if is_down(trace.layer.protocol, node, local, trace.together)
    }
    return not any(
        has_effect(trace.layer.protocol, node, states[node], {"kind": trace.together[0]})
        for trace, states in zip(able, starts, strict=True)
        for node in sorted(down & set(states))
    )


def _by_source(links: Iterable[Link]) -> dict[str, list[Link]]:
    by_source: dict[str, list[Link]] = {}
    for link in links:
        by_source.setdefault(link.source, []).append(link)
    return by_source


def _taken(trace: Traced, links: list[Link]) -> tuple[Ends, Array]:
    """The commands that a trace takes over by those links, and a mask of their steps."""
    columns, commands = trace.columns, np.full(len(trace.columns.events), NONE)
    for link in links:
        by_link = trace.spot.pack.taken(link)[columns.events]
        commands = np.where(commands == NONE, by_link, commands)
    mine = commands != NONE
    return Ends(columns.node[mine], commands[mine], columns.at[mine]), mine


def _has_forged(trace: Traced, links: list[Link], handed: Array) -> bool:
    """Whether some commands that only layers give are not among those that are handed over."""
    reserved = [replace(link, command=link.reserved) for link in links if link.reserved is not None]
    masks = (trace.spot.pack.taken(link)[trace.columns.events] != NONE for link in reserved)
    return any(bool((mask & ~handed).any()) for mask in masks)


def _handed(trace: Traced, links: list[Link]) -> Ends:
    """The commands that a trace hands over by those links, in the order of its deliveries."""
    pack, columns = trace.spot.pack, trace.columns
    crashing = pack.kinds(trace.together)[columns.events]
    different = pack.distinct.deliveries.number[columns.events]
    lists = pack.handed(links)
    lengths = np.array([len(numbers) for numbers in lists])
    steps = np.flatnonzero(~crashing & (lengths[different] > 0))
    counts = lengths[different[steps]]
    flat = np.concatenate(lists) if lists else np.zeros(0, np.int64)
    commands = flat[spread(starts_of(lengths)[different[steps]], counts)]
    return Ends(np.repeat(columns.node[steps], counts), commands, np.repeat(columns.at[steps], counts))


def _alike(due: Ends, taken: Ends) -> bool:
    """Whether both ends have the same commands at each node, in the same order."""
    if len(due.node) != len(taken.node):
        return False
    one, other = due.by_node(), taken.by_node()
    return bool((one.node == other.node).all() and (one.command == other.command).all())


def _keys(node: Array, at: Array, times: Array) -> Array:
    """A number for each node and time, which ascends by node, and then by time."""
    key: Array = node * np.int64(len(times) + 1) + np.searchsorted(times, at)
    return key


def _in_turns(traces: Sequence[Traced], inputs: list[Array], due: list[Ends], taken: list[Ends]) -> bool:
    """Whether each command is in the turn of its delivery."""
    times = np.unique(np.concatenate([trace.columns.at for trace in traces]))
    begins = _begins(traces, inputs, times)
    for one, other in zip(due, taken, strict=True):
        turns = (np.searchsorted(begins, _keys(ends.node, ends.at, times), "right") for ends in (one, other))
        if (one.at > other.at).any() or not np.equal(*turns).all():
            return False
    return True


def _begins(traces: Sequence[Traced], inputs: list[Array], times: Array) -> Array:
    """The keys of nodes and times with an input from outside."""
    columns = [trace.columns for trace in traces]
    return np.unique(
        np.concatenate([_keys(one.node[mine], one.at[mine], times) for one, mine in zip(columns, inputs, strict=True)])
    )


def _crashes_together(traces: Sequence[Traced], inputs: list[Array]) -> bool:
    """Whether each command that nodes take together is taken in one turn wherever it has an effect."""
    kinds = sorted({kind for trace in traces for kind in trace.together})
    masks = {
        kind: [trace.spot.pack.kinds((kind,))[trace.columns.events] & (kind in trace.together) for trace in traces]
        for kind in kinds
    }
    if not any(mask.any() for by_trace in masks.values() for mask in by_trace):
        return True
    together = [np.any([masks[kind][number] for kind in kinds], axis=0) for number in range(len(traces))]
    times = np.unique(np.concatenate([trace.columns.at for trace in traces]))
    begins = _begins(traces, [mine & ~crash for mine, crash in zip(inputs, together, strict=True)], times)
    return all(_is_whole(traces, kind, by_trace, begins, times) for kind, by_trace in masks.items())


def _is_whole(traces: Sequence[Traced], kind: str, masks: list[Array], begins: Array, times: Array) -> bool:
    crashes: dict[tuple[int, int], dict[int, float]] = {}
    for number, (trace, mask) in enumerate(zip(traces, masks, strict=True)):
        node, at = trace.columns.node[mask], trace.columns.at[mask]
        turn = np.searchsorted(begins, _keys(node, at, times), "right")
        for where, when in zip(zip(node.tolist(), turn.tolist(), strict=True), at.tolist(), strict=True):
            crashes.setdefault(where, {}).setdefault(number, when)
    able = [number for number, trace in enumerate(traces) if kind in trace.together]
    return not any(
        _would_take(traces[number], node, min(crash.values()), traces, crash)
        for (node, _), crash in crashes.items()
        for number in able
        if number not in crash
    )


def _would_take(trace: Traced, node: int, at: float, traces: Sequence[Traced], crash: dict[int, float]) -> bool:
    """Whether a node is in a trace, and what it takes elsewhere at that time would have an effect there."""
    pack, columns = trace.spot.pack, trace.columns
    name = TEXTS.in_order[node].decode()
    row = trace.row()
    roles = roles_of(row)
    if name not in roles:
        return False
    before = np.flatnonzero((columns.node == node) & (columns.at < at))
    state = pack.distinct.after[columns.events[before[-1]]] if len(before) else row["first"][roles.index(name)]
    local = trace.layer.state(pack, int(state))
    first = min(crash, key=lambda number: crash[number])
    return has_effect(trace.layer.protocol, name, local, _command(traces[first], node, crash[first]))


def _command(trace: Traced, node: int, at: float) -> object:
    """The command that a node takes together with others at that time."""
    pack, columns = trace.spot.pack, trace.columns
    mine = (columns.node == node) & (columns.at == at) & pack.kinds(trace.together)[columns.events]
    return pack.commands[int(pack.distinct.input[columns.events[np.flatnonzero(mine)[0]]])]
