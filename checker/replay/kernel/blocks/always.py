"""Promises over whole states, evaluated once for each combination of the projections that they depend on."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.distinct.spelling import PackValues
from gomboc.checker.judge.promises import STAYS_CONNECTED
from gomboc.checker.replay.kernel.blocks.findings import Violations
from gomboc.checker.replay.kernel.blocks.projections import Look, Looks, Projections, UnfitProjectionError
from gomboc.checker.replay.kernel.frames.block import Block, Snapshot
from gomboc.spec.core.connection import no_edges
from gomboc.spec.core.faults import connection_faults
from gomboc.spec.core.promises import Always
from gomboc.spec.core.protocol import Protocol, whole

ASKED_AGAIN = 200
"""Evaluations in which projections are verified: a state of known projections is evaluated again and compared."""

SELDOM = 1 << 10
"""After that, one stretch in so many is evaluated again."""

MOST_KNOWN = 1 << 16
"""Answers on whole states that are kept at once."""

Conjuncts = tuple[str | None, ...]
"""The first false conjunct of each of some promises; None where it holds."""


class Together(NamedTuple):
    """Promises over the same projection: their indices among all, and the projection."""

    places: tuple[int, ...]
    projections: Projections
    known: dict[Look, Conjuncts]


class StatesJudge:
    """Judges the named promises of a protocol over whole states, for one pack."""

    def __init__(self, protocol: Protocol, values: PackValues) -> None:
        self._protocol = protocol
        self._over_states = _over_states(protocol)
        self._together = [
            Together(places, Projections(projection, values), {})
            for projection, places in _by_projection(self._over_states, protocol)
        ]
        self._stretches = 0

    def broken(self, block: Block, anew: Array, last: Array) -> list[Violations]:
        """Violations in the states up to `last`: the named promises, and that connected nodes stay so until the next
        command.

        Raises UnfitProjectionError if a promise depends on more than its projection.
        """
        traces = block.frame.traces
        findings = [Violations(promise.name, np.full(traces, NONE)) for promise in self._over_states]
        begins = frozenset(anew.tolist())
        for together in self._together:
            looks = Looks(block, together.projections, last)
            for trace in range(traces):
                self._note(findings, together, self._answers(block, looks, together, trace), trace, begins)
        return findings

    def _note(
        self,
        findings: list[Violations],
        together: Together,
        answers: Iterator[tuple[int, Conjuncts]],
        trace: int,
        begins: frozenset[int],
    ) -> None:
        """Record false conjuncts in one trace. Lack of connection counts only after connection, and without a command
        between.
        """
        before: Conjuncts = (STAYS_CONNECTED,) * len(together.places)
        for position, conjuncts in answers:
            if conjuncts != before:
                for index, conjunct, earlier in zip(together.places, conjuncts, before, strict=True):
                    lost = findings[index].name != STAYS_CONNECTED or (earlier is None and position not in begins)
                    if conjunct is not None and lost:
                        findings[index].note(trace, position, conjunct)
                before = conjuncts

    def _answers(self, block: Block, looks: Looks, together: Together, trace: int) -> Iterator[tuple[int, Conjuncts]]:
        """The answers along a trace, each from the position on at which it begins to hold."""
        for position, until, look in looks.walk(trace):
            if look not in together.known:
                if len(together.known) >= MOST_KNOWN:
                    together.known.clear()
                together.known[look] = self._ask(together.places, looks.spelled(look))
            self._stretches += 1
            if self._stretches <= ASKED_AGAIN or not self._stretches % SELDOM:
                self._ask_again(together, block.at(until), together.known[look])
            yield position, together.known[look]

    def _ask(self, places: tuple[int, ...], snapshot: Snapshot) -> Conjuncts:
        """The first false conjunct of each of those promises."""
        asked = (self._over_states[index].faults(*snapshot) for index in places)
        return tuple(faults[0].rule if faults else None for faults in asked)

    def _ask_again(self, together: Together, snapshot: Snapshot, known: Conjuncts) -> None:
        """Raise UnfitProjectionError if the full system of equal projections gets another answer."""
        for index, conjunct, again in zip(together.places, known, self._ask(together.places, snapshot), strict=True):
            if conjunct != again:
                promise = self._over_states[index].name
                raise UnfitProjectionError(
                    f"the protocol {self._protocol.name} states a projection that leaves out values that its promise "
                    f"{promise} reads: fix the projection."
                )


def _over_states(protocol: Protocol) -> tuple[Always, ...]:
    """The promises over whole states; staying connected is one of them, if the protocol states edges."""
    if protocol.promises.edges is no_edges:
        return protocol.promises.always
    return (*protocol.promises.always, Always(STAYS_CONNECTED, "", partial(connection_faults, protocol), whole))


def _by_projection(
    promises: tuple[Always, ...], protocol: Protocol
) -> list[tuple[Callable[[Any], Any], tuple[int, ...]]]:
    """The indices of promises by projection."""
    indices: dict[Callable[[Any], Any], tuple[int, ...]] = {}
    for index, promise in enumerate(promises):
        projection = promise.projection or protocol.promises.projection
        indices[projection] = (*indices.get(projection, ()), index)
    return list(indices.items())
