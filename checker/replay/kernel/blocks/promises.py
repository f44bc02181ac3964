"""What a protocol promises or presumes besides: premise, assumption, promises over whole states, and over histories."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from checker.judge.promises import STAYS_CONNECTED
from checker.judge.unknown import assumption_broken, premise_lacks
from checker.replay.kernel.arrays import Array
from checker.replay.kernel.blocks.frame import Frame
from checker.replay.kernel.blocks.gists import Gists, Look, Looks, UnfitGistError
from checker.replay.kernel.blocks.snapshots import Snapshot, Snapshots
from checker.replay.kernel.values.distinct import NONE
from checker.replay.kernel.values.spelling import ARRAY, Once, PackValues
from spec.connection import no_edges
from spec.promises import Always
from spec.protocol import Protocol, connection_faults, nothing_lacks, premise_faults, whole


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


ASKED_AGAIN = 200
"""A gist is not believed that often: what is looked at like something before is asked again."""

SELDOM = 1 << 10
"""After that, one stretch in so many is asked again."""

MOST_KNOWN = 1 << 16
"""Answers on whole states that are known at once."""

Conjuncts = tuple[str | None, ...]
"""The first false conjunct of each of some promises; None where it holds."""


class Together(NamedTuple):
    """Promises over states that look at the same: their places among all, and what is looked at."""

    places: tuple[int, ...]
    gists: Gists
    known: dict[Look, Conjuncts]


class PromiseJudge:
    """Judges the promises that a protocol states by name, for one pack; what was asked once is known."""

    def __init__(self, protocol: Protocol, values: PackValues) -> None:
        self._protocol = protocol
        texts = values.distinct.deliveries.values
        self._deliveries = Once(lambda told: ARRAY.decode(texts[told])).__getitem__
        self._over_states = _over_states(protocol)
        self._together = [
            Together(places, Gists(gist, values), {}) for gist, places in _by_gist(self._over_states, protocol)
        ]
        self._stretches = 0
        self._seen: list[list[Any]] = [[observer.blank] for observer in protocol.observers]
        self._numbers: list[dict[Any, int]] = [{observer.blank: 0} for observer in protocol.observers]
        self._seen_by: dict[tuple[int, int], int] = {}
        self._moves: dict[tuple[int, str, int, int], tuple[int, str | None]] = {}

    def of_states(self, snapshots: Snapshots, anew: Array, last: Array) -> list[PromiseFindings]:
        """The promises over every state up to `last`, and that what is connected stays so until the next command.

        Raises UnfitGistError if one looks at more than it says.
        """
        traces = snapshots.frame.traces
        found = [PromiseFindings(each.name, np.full(traces, NONE), {}) for each in self._over_states]
        begins = frozenset(anew.tolist())
        for together in self._together:
            looks = Looks(snapshots, together.gists, last)
            for trace in range(traces):
                self._note(found, together, self._answers(snapshots, looks, together, trace), trace, begins)
        return found

    def _note(
        self,
        found: list[PromiseFindings],
        together: Together,
        answers: Iterator[tuple[int, Conjuncts]],
        trace: int,
        begins: frozenset[int],
    ) -> None:
        """What is false in one trace. What is not connected breaks a promise only if it was, and no command came."""
        before: Conjuncts = (STAYS_CONNECTED,) * len(together.places)
        for position, conjuncts in answers:
            if conjuncts != before:
                for place, conjunct, earlier in zip(together.places, conjuncts, before, strict=True):
                    lost = found[place].name != STAYS_CONNECTED or (earlier is None and position not in begins)
                    if conjunct is not None and lost:
                        found[place].note(trace, position, conjunct)
                before = conjuncts

    def _answers(
        self, snapshots: Snapshots, looks: Looks, together: Together, trace: int
    ) -> Iterator[tuple[int, Conjuncts]]:
        """What is false from which position of a trace on."""
        for position, until, look in looks.walk(trace):
            if look not in together.known:
                if len(together.known) >= MOST_KNOWN:
                    together.known.clear()
                together.known[look] = self._ask(together.places, looks.spelled(look))
            self._stretches += 1
            if self._stretches <= ASKED_AGAIN or not self._stretches % SELDOM:
                self._ask_again(together, snapshots.at(until), together.known[look])
            yield position, together.known[look]

    def _ask(self, places: tuple[int, ...], snapshot: Snapshot) -> Conjuncts:
        """The first false conjunct of each of those promises."""
        asked = (self._over_states[place].faults(*snapshot) for place in places)
        return tuple(faults[0].rule if faults else None for faults in asked)

    def _ask_again(self, together: Together, snapshot: Snapshot, known: Conjuncts) -> None:
        """Raise UnfitGistError if a system that looks the same, with all that is in it, is answered otherwise."""
        for place, conjunct, again in zip(together.places, known, self._ask(together.places, snapshot), strict=True):
            if conjunct != again:
                promise = self._over_states[place].name
                raise UnfitGistError(
                    f"the protocol {self._protocol.name} states a gist that leaves out what its promise {promise} "
                    "looks at: mend the gist."
                )

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


def _over_states(protocol: Protocol) -> tuple[Always, ...]:
    """The promises over whole states; that who is connected stays so is one of them, if edges are stated."""
    if protocol.edges is no_edges:
        return protocol.always
    return (*protocol.always, Always(STAYS_CONNECTED, "", partial(connection_faults, protocol), whole))


def _by_gist(promises: tuple[Always, ...], protocol: Protocol) -> list[tuple[Callable[[Any], Any], tuple[int, ...]]]:
    """The places of those that look at the same, by what they look at."""
    found: dict[Callable[[Any], Any], tuple[int, ...]] = {}
    for place, promise in enumerate(promises):
        gist = promise.gist or protocol.gist
        found[gist] = (*found.get(gist, ()), place)
    return list(found.items())
