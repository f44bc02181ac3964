"""How far traces are judged, and when they converge: assumption and premise, at single positions of a block."""

import numpy as np

from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import COMMAND, NONE
from gomboc.checker.replay.kernel.blocks.conformance import Composition
from gomboc.checker.replay.kernel.blocks.findings import Lack, Reach
from gomboc.checker.replay.kernel.blocks.stabilisation import Stabilised, Stretches
from gomboc.checker.replay.kernel.frames.block import Block
from gomboc.checker.replay.kernel.frames.messages import FAR
from gomboc.spec.core.connection import no_edges
from gomboc.spec.core.faults import assumption_faults, has_assumption, judges_reports, premise_faults
from gomboc.spec.core.model import Fault
from gomboc.spec.core.protocol import Protocol, nothing_lacks


def reach_of(block: Block, composition: Composition, confuses: bool) -> Reach:
    """How far each trace is judged: to a malformed value or a broken assumption; not at all if it is undecided.

    All are if the protocol `confuses` values: results are cached by equality, and equal values may differ.
    """
    frame, messages, undecided = block.frame, block.messages, composition.undecided
    if confuses:
        undecided = np.arange(frame.traces)
    if block.sleep is not None:
        # If one id is on its way to two nodes and one falls asleep, only the naive judge tracks which one is due.
        again = messages.trace[messages.matched.again]
        undecided = np.union1d(undecided, np.intersect1d(block.sleep.traces(), again))
    halted = np.full(frame.traces, FAR)
    np.minimum.at(halted, frame.trace_at(composition.malformed), composition.malformed)
    last = np.minimum(frame.base[1:] - 1, halted - 1)
    last[undecided] = frame.base[undecided] - 1
    broken, assumed = broken_assumptions(block, last)
    halted = np.where(broken == NONE, halted, broken)
    last = np.where(broken == NONE, last, broken - 1)
    return Reach(last, np.where(halted == FAR, NONE, halted), assumed, undecided)


def broken_assumptions(block: Block, last: Array) -> tuple[Array, dict[int, Fault]]:
    """The position at which the assumption of each trace is first found false (-1 for never), and a fault, by trace.

    It is evaluated at the start and after every command, as far as `last`.
    """
    frame, protocol = block.frame, block.pack.protocol
    broken = np.full(frame.traces, NONE)
    why: dict[int, Fault] = {}
    if not has_assumption(protocol) and not judges_reports(protocol):
        return broken, why
    asked = np.union1d(frame.base[:-1], frame.position[frame.took == COMMAND])
    for trace, position in zip(frame.trace_at(asked).tolist(), asked.tolist(), strict=True):
        if broken[trace] == NONE and position <= last[trace]:
            faults = _assumption_faults(block, trace, position)
            if faults:
                broken[trace] = position
                why[trace] = faults[0]
    return broken, why


def _assumption_faults(block: Block, trace: int, position: int) -> tuple[Fault, ...]:
    """The faults of the assumption at the start of a trace, or after a command."""
    frame, protocol = block.frame, block.pack.protocol
    commanded = position != frame.base[trace]
    faults = assumption_faults(protocol, *block.at(position), commanded)
    if faults or not commanded or not judges_reports(protocol):
        return faults
    step = int(frame.step[position - trace - 1])
    node = frame.distinct.names.known[int(frame.distinct.node[step])]
    command = block.pack.values.command(int(frame.distinct.input[step]))
    return protocol.promises.misreports(block.at(position - 1).states, node, command)


def _has_premise(protocol: Protocol) -> bool:
    return protocol.promises.premise is not nothing_lacks or protocol.promises.edges is not no_edges


def convergence_of(
    block: Block, moving: Array, settled: Stabilised, good: Array, last: Array
) -> tuple[Array, dict[int, Lack]]:
    """The position at which the bound of each trace had first passed, where the premise of convergence is not missing;
    and where it is missing in the last stretch of a trace, by trace.

    It is evaluated where late stretches and the last stretch of each trace begin, unless these are legitimate there;
    and after quiet commands that change a state, at the positions `moving`.
    """
    stretches = settled.stretches
    asked = np.union1d(stretches.began[stretches.late != NONE], settled.began[settled.began <= last])
    asked = asked[~good[np.minimum(asked, len(good) - 1)]]
    lacking = premises_that_ended(block, moving, stretches) | lacking_premises(block, asked)
    lacks = {trace: lacking[began] for trace, began in enumerate(settled.began.tolist()) if began in lacking}
    late = np.full(block.frame.traces, NONE)
    due = np.flatnonzero((stretches.late != NONE) & ~np.isin(stretches.began, list(lacking)))
    # Backwards, so that the first one stays.
    late[stretches.trace[due[::-1]]] = stretches.late[due[::-1]]
    return late, lacks


def lacking_premises(block: Block, asked: Array) -> dict[int, Lack]:
    """Where the premise of convergence is missing, of the positions `asked`, by position."""
    if not _has_premise(block.pack.protocol):
        return {}
    lacks = ((position, _lacks(block, position)) for position in asked.tolist())
    return {position: lack for position, lack in lacks if lack is not None}


def premises_that_ended(block: Block, moving: Array, stretches: Stretches) -> dict[int, Lack]:
    """Where the premise ended with a quiet command that changed a state, by the beginning of the stretch.

    The premise is evaluated after each command at the positions `moving` while a stretch is neither legitimate nor
    late.
    """
    if not _has_premise(block.pack.protocol):
        return {}
    lacking: dict[int, Lack] = {}
    stretch = np.searchsorted(stretches.began, moving, "right") - 1
    began = stretches.began[stretch]
    asked = (moving > began) & (moving <= stretches.undecided[stretch])
    for first, position in zip(began[asked].tolist(), moving[asked].tolist(), strict=True):
        if first not in lacking and (lack := _lacks(block, position)) is not None:
            lacking[first] = lack
    return lacking


def _lacks(block: Block, position: int) -> Lack | None:
    """The premise that is false at a position; None if none is."""
    faults = premise_faults(block.pack.protocol, *block.at(position))
    trace = int(block.frame.trace_at(np.array([position]))[0])
    return (position - int(block.frame.base[trace]), faults[0]) if faults else None
