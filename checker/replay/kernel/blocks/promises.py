"""A protocol's assumption and premise, and findings about promises."""

from dataclasses import dataclass

import numpy as np

from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.judge.unknown import assumption_broken, premise_lacks
from gomboc.checker.replay.kernel.blocks.snapshots import Snapshots
from gomboc.checker.replay.kernel.blocks.stabilisation import Stretches
from gomboc.spec.core.connection import no_edges
from gomboc.spec.core.faults import assumption_faults, has_assumption, premise_faults
from gomboc.spec.core.protocol import Protocol, nothing_lacks


@dataclass(frozen=True)
class PromiseFindings:
    """For each trace, the position at which a promise is first broken (-1 for never); and the false conjunct, by trace.

    `of_histories`: it is over deliveries of nodes, and judged as far as a trace conforms.
    """

    name: str
    broken: Array
    conjuncts: dict[int, str]
    of_histories: bool = False

    def note(self, trace: int, position: int, conjunct: str) -> None:
        """Record that the promise is broken there, unless it was broken before."""
        if self.broken[trace] == NONE:
            self.broken[trace] = position
            self.conjuncts[trace] = conjunct


def broken_assumptions(
    protocol: Protocol, snapshots: Snapshots, commands: Array, last: Array
) -> tuple[Array, dict[int, str]]:
    """The position at which the assumption of each trace is first found false (-1 for never), and the reason, by trace.

    It is evaluated at the start and after every command, as far as `last`.
    """
    frame = snapshots.frame
    broken = np.full(frame.traces, NONE)
    why: dict[int, str] = {}
    if not has_assumption(protocol):
        return broken, why
    asked = np.union1d(frame.base[:-1], commands)
    traces = frame.trace_at(asked)
    for trace, position in zip(traces.tolist(), asked.tolist(), strict=True):
        if broken[trace] == NONE and position <= last[trace]:
            faults = assumption_faults(protocol, *snapshots.at(position), position != frame.base[trace])
            if faults:
                broken[trace] = position
                why[trace] = assumption_broken(position - int(frame.base[trace]), faults[0])
    return broken, why


def lacking_premises(protocol: Protocol, snapshots: Snapshots, asked: Array) -> dict[int, str]:
    """Sentences on the missing premise of convergence, by position, of the positions `asked`."""
    if protocol.promises.premise is nothing_lacks and protocol.promises.edges is no_edges:
        return {}
    frame, lacking = snapshots.frame, {}
    for position, trace in zip(asked.tolist(), frame.trace_at(asked).tolist(), strict=True):
        faults = premise_faults(protocol, *snapshots.at(position))
        if faults:
            lacking[position] = premise_lacks(position - int(frame.base[trace]), faults[0])
    return lacking


def premises_that_ended(
    protocol: Protocol, snapshots: Snapshots, moving: Array, stretches: Stretches
) -> dict[int, str]:
    """Sentences on a premise that ended with a quiet command that changed a state, by the beginning of its stretch.

    The premise is evaluated after each command at the positions `moving` while a stretch is neither legitimate nor
    late.
    """
    if protocol.promises.premise is nothing_lacks and protocol.promises.edges is no_edges:
        return {}
    frame, lacking = snapshots.frame, dict[int, str]()
    stretch = np.searchsorted(stretches.began, moving, "right") - 1
    began, asked = (
        stretches.began[stretch],
        (moving > stretches.began[stretch]) & (moving <= stretches.undecided[stretch]),
    )
    for first, position in zip(began[asked].tolist(), moving[asked].tolist(), strict=True):
        faults = () if first in lacking else premise_faults(protocol, *snapshots.at(position))
        if faults:
            trace = int(frame.trace_at(np.array([position]))[0])
            lacking[first] = premise_lacks(position - int(frame.base[trace]), faults[0])
    return lacking
