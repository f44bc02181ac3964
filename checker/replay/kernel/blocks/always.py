"""Promises over whole states: asked once for each combination of what they look at."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gomboc.checker.judge.promises import STAYS_CONNECTED
from gomboc.checker.replay.kernel.arrays import Array
from gomboc.checker.replay.kernel.blocks.gists import Gists, Look, Looks, UnfitGistError
from gomboc.checker.replay.kernel.blocks.promises import PromiseFindings
from gomboc.checker.replay.kernel.blocks.snapshots import Snapshot, Snapshots
from gomboc.checker.replay.kernel.values.distinct import NONE
from gomboc.checker.replay.kernel.values.spelling import PackValues
from gomboc.spec.connection import no_edges
from gomboc.spec.promises import Always
from gomboc.spec.protocol import Protocol, connection_faults, whole

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


class StatesJudge:
    """Judges the promises over whole states that a protocol states by name, for one pack."""

    def __init__(self, protocol: Protocol, values: PackValues) -> None:
        self._protocol = protocol
        self._over_states = _over_states(protocol)
        self._together = [
            Together(places, Gists(gist, values), {}) for gist, places in _by_gist(self._over_states, protocol)
        ]
        self._stretches = 0

    def broken(self, snapshots: Snapshots, anew: Array, last: Array) -> list[PromiseFindings]:
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
