"""What a protocol promises or presumes besides: premise, assumption, promises over whole states, and over histories."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from checker.judge.promises import STAYS_CONNECTED
from checker.judge.unknown import assumption_broken, premise_lacks
from checker.replay.kernel.arrays import Array
from checker.replay.kernel.blocks.frame import Frame
from checker.replay.kernel.blocks.snapshots import Numbered, Snapshots
from checker.replay.kernel.values.distinct import NONE, Distinct
from checker.replay.kernel.values.spelling import ARRAY, Once
from spec.connection import no_edges
from spec.protocol import Protocol, connection_faults, nothing_lacks, premise_faults


@dataclass(frozen=True)
class PromiseFindings:
    """Of each trace, the position at which a promise is first broken (-1 for never); and by which conjunct, by trace.

    `of_histories`: it is over what nodes deliver, and judged as far as a trace conforms.
    """

    name: str
    broken: Array
    conjuncts: dict[int, str]
    of_histories: bool = False

    def note(self, trace: int, position: int, conjunct: str) -> None:
        """It is broken there, unless it was broken before."""
        if self.broken[trace] == NONE:
            self.broken[trace] = position
            self.conjuncts[trace] = conjunct


def broken_assumptions(
    protocol: Protocol, snapshots: Snapshots, commands: Array, last: Array
) -> tuple[Array, dict[int, str]]:
    """Where the assumption of each trace is first asked for and false (-1 for nowhere), and why, by trace.

    It is asked for at the start and after every command, as far as `last`.
    """
    frame = snapshots.frame
    found = np.full(frame.traces, NONE)
    why: dict[int, str] = {}
    if protocol.assumption is nothing_lacks:
        return found, why
    asked = np.union1d(frame.base[:-1], commands)
    traces = frame.trace_at(asked)
    for trace, position in zip(traces.tolist(), asked.tolist(), strict=True):
        if found[trace] == NONE and position <= last[trace]:
            faults = protocol.assumption(*snapshots.at(position))
            if faults:
                found[trace] = position
                why[trace] = assumption_broken(position - int(frame.base[trace]), faults[0])
    return found, why


def lacking_premises(
    protocol: Protocol, snapshots: Snapshots, began: Array, good: Array, last: Array
) -> dict[int, str]:
    """What lacks for convergence to be promised, by trace; asked where a trace began, unless it is legitimate there."""
    if protocol.premise is nothing_lacks and protocol.edges is no_edges:
        return {}
    lacking = {}
    base = snapshots.frame.base
    for trace in np.flatnonzero((began <= last) & ~good[np.minimum(began, len(good) - 1)]).tolist():
        faults = premise_faults(protocol, *snapshots.at(int(began[trace])))
        if faults:
            lacking[trace] = premise_lacks(int(began[trace] - base[trace]), faults[0])
    return lacking


class PromiseJudge:
    """Judges the promises that a protocol states by name, for one pack; what was asked once is known."""

    def __init__(self, protocol: Protocol, distinct: Distinct) -> None:
        self._protocol = protocol
        texts = distinct.deliveries.values
        self._deliveries = Once(lambda told: ARRAY.decode(texts[told])).__getitem__
        self._of_states: dict[Hashable, tuple[str | None, ...]] = {}
        self._seen: list[list[Any]] = [[observer.blank] for observer in protocol.observers]
        self._numbers: list[dict[Any, int]] = [{observer.blank: 0} for observer in protocol.observers]
        self._seen_by: dict[tuple[int, int], int] = {}
        self._moves: dict[tuple[int, str, int, int], tuple[int, str | None]] = {}

    def of_states(self, snapshots: Snapshots, anew: Array, last: Array) -> list[PromiseFindings]:
        """The promises over every state up to `last`, and that what is connected stays so until the next command."""
        protocol, frame = self._protocol, snapshots.frame
        names = [each.name for each in protocol.always]
        names += [] if protocol.edges is no_edges else [STAYS_CONNECTED]
        found = [PromiseFindings(name, np.full(frame.traces, NONE), {}) for name in names]
        if not found:
            return found
        begins = frozenset(anew.tolist())
        for trace in range(frame.traces):
            connected = False
            for position, numbers in snapshots.walk(trace, int(last[trace])):
                conjuncts = self._asked(snapshots, trace, numbers)
                for promise, conjunct in zip(found, conjuncts[: len(protocol.always)], strict=False):
                    if conjunct is not None:
                        promise.note(trace, position, conjunct)
                if protocol.edges is not no_edges:
                    apart = conjuncts[-1]
                    if apart is not None and connected and position not in begins:
                        found[-1].note(trace, position, apart)
                    connected = apart is None
        return found

    def _asked(self, snapshots: Snapshots, trace: int, numbers: Numbered) -> tuple[str | None, ...]:
        """The first false conjunct of each promise over states, and of connection."""
        frame, messages = snapshots.frame, snapshots.messages
        states, in_flight = numbers
        given = tuple((int(messages.target[number]), int(messages.content[number])) for number in in_flight)
        key = int(frame.shape[trace]), states, given
        if key not in self._of_states:
            whole = snapshots.spelled(trace, numbers)
            asked = [always.faults(*whole) for always in self._protocol.always]
            asked.append(connection_faults(self._protocol, *whole))
            self._of_states[key] = tuple(faults[0].rule if faults else None for faults in asked)
        return self._of_states[key]

    def of_histories(self, frame: Frame, last: Array) -> list[PromiseFindings]:
        """The promises over what each node delivers, up to `last`."""
        found = [
            PromiseFindings(observer.name, np.full(frame.traces, NONE), {}, of_histories=True)
            for observer in self._protocol.observers
        ]
        if found:
            whole = [observer.whole for observer in self._protocol.observers]
            for trace, slot, position, node, told in _deliveries(frame, last):
                for number, promise in enumerate(found):
                    key = number, -1 - trace if whole[number] else slot
                    self._seen_by[key], conjunct = self._moved(number, node, self._seen_by.get(key, 0), told)
                    if conjunct is not None:
                        promise.note(trace, position, conjunct)
            self._seen_by.clear()
        return found

    def _moved(self, observer: int, node: str, seen: int, told: int) -> tuple[int, str | None]:
        """What a node has seen after it delivered what stands under `told`, and the first conjunct that is false."""
        key = observer, node, seen, told
        if key not in self._moves:
            value, conjunct = self._seen[observer][seen], None
            for delivered in self._deliveries(told):
                value, faults = self._protocol.observers[observer].observe(node, value, delivered)
                conjunct = conjunct or (faults[0].rule if faults else None)
            number = self._numbers[observer].setdefault(value, len(self._seen[observer]))
            if number == len(self._seen[observer]):
                self._seen[observer].append(value)
            self._moves[key] = number, conjunct
        return self._moves[key]


def _deliveries(frame: Frame, last: Array) -> Iterator[tuple[int, int, int, str, int]]:
    """Every step that delivers something: its trace, slot and position, the name of its node, and what it delivers."""
    deliveries = frame.distinct.deliveries
    telling = np.array([text is not None for text in deliveries.values], bool)
    told = deliveries.number[frame.step]
    steps = np.flatnonzero(telling[told] & (frame.slot != NONE))
    traces = frame.slot_trace[frame.slot[steps]]
    within = frame.position[steps] <= last[traces]
    steps, traces = steps[within], traces[within]
    names = [frame.distinct.names.known[number] for number in frame.slot_name[frame.slot[steps]].tolist()]
    columns = (column.tolist() for column in (traces, frame.slot[steps], frame.position[steps]))
    yield from zip(*columns, names, told[steps].tolist(), strict=True)
