"""The factored judge: all traces of a row group at once, with the verdicts of the naive judge."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import COMMAND, NONE, Distinct
from gomboc.checker.distinct.marks import Marks
from gomboc.checker.distinct.naming import naming_of
from gomboc.checker.distinct.spelling import Decoders, PackValues
from gomboc.checker.judge.exact import is_plain
from gomboc.checker.judge.naive import Options
from gomboc.checker.replay.kernel.blocks.always import StatesJudge
from gomboc.checker.replay.kernel.blocks.conformance import composed
from gomboc.checker.replay.kernel.blocks.findings import BlockFindings, Violations
from gomboc.checker.replay.kernel.blocks.histories import HistoriesJudge
from gomboc.checker.replay.kernel.blocks.legitimacy import KnownFaults, legitimate_positions
from gomboc.checker.replay.kernel.blocks.promises import convergence_of, reach_of
from gomboc.checker.replay.kernel.blocks.stabilisation import stabilised
from gomboc.checker.replay.kernel.frames.batch import Batch, blocks, shortened
from gomboc.checker.replay.kernel.frames.block import Block, KnownPack, block_of
from gomboc.checker.replay.kernel.frames.frame import Frame
from gomboc.checker.replay.kernel.frames.headers import Shapes
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.guarded import is_ours
from gomboc.spec.core.protocol import Protocol


class PackJudge:
    """Judges the traces of one pack with distinct steps that are judged already.

    `parameters` are those of the pack, with which `protocol` is configured.
    """

    def __init__(
        self,
        protocol: Protocol,
        parameters: Mapping[str, Any],
        distinct: Distinct,
        marks: Marks,
        decoders: Decoders,
    ) -> None:
        values = PackValues(decoders, distinct)
        self._pack = KnownPack(protocol, values, marks)
        self._shapes = Shapes(protocol, parameters, distinct)
        self._faults = KnownFaults(protocol, values)
        self._naming = naming_of(protocol, values, marks.unfit_states, marks.unfit_messages)
        self._states, self._histories = StatesJudge(protocol, values), HistoriesJudge(protocol, values)
        moved = _moved(values)
        self._loud = _loud_steps(protocol, values, moved)
        self._moving = (distinct.took == COMMAND) & moved & ~self._loud
        # Results are cached by equality. Foreign values may be equal and yet differ; canonical values of ours are not.
        self._confuses = not is_plain(protocol) and not is_ours(protocol.actor.react)

    def judge(self, batch: Batch, options: Options) -> Iterator[BlockFindings]:
        """The findings about all traces, block by block. Raises UsageError if the pack contradicts itself."""
        distinct, (shape, bounds) = self._pack.values.distinct, self._shapes.read(batch, options.bound)
        batch, was_cut = shortened(batch, distinct.sends, options.most_steps)
        for low, high in blocks(batch):
            columns = (column[low:high] for column in (shape, bounds, was_cut))
            yield self._judged(block_of(self._pack, Frame(distinct, self._shapes, batch.part(low, high), *columns)))

    def _judged(self, block: Block) -> BlockFindings:
        composition = composed(block, self._naming)
        reach = reach_of(block, composition, self._confuses)
        anew = np.union1d(block.frame.position[self._loud[block.frame.step]], block.returns())
        good = legitimate_positions(block, reach.last, self._faults)
        settled = stabilised(block, anew, good, reach.last)
        moving = block.frame.position[self._moving[block.frame.step]]
        late, lacking = convergence_of(block, moving, settled, good, reach.last)
        wrong = composition.violations.broken
        violations = [
            composition.violations,
            _named(block, "closure", settled.left),
            _named(block, "convergence", late),
            *self._states.broken(block, anew, reach.last),
            *self._histories.broken(block, np.where(wrong == NONE, reach.last, np.minimum(reach.last, wrong - 1))),
        ]
        return BlockFindings(block, reach, settled, lacking, violations)


def _named(block: Block, name: str, broken: Array) -> Violations:
    """Violations at those positions, with the conjunct of legitimacy that is false at each."""
    at = {trace: block.at(int(broken[trace])) for trace in np.flatnonzero(broken != NONE).tolist()}
    faults = {trace: legitimacy_faults(block.pack.protocol, *snapshot) for trace, snapshot in at.items()}
    return Violations(name, broken, {trace: str(first.rule) for trace, (first, *_) in faults.items()})


def _moved(values: PackValues) -> Array:
    """A mask of the distinct steps that take a command and change the state of their node; an unknown node has none."""
    distinct = values.distinct
    moved: Array = (distinct.took == COMMAND) & (distinct.before != NONE) & (distinct.before != distinct.after)
    for step in np.flatnonzero(moved).tolist():
        moved[step] = not values.same_state(int(distinct.before[step]), int(distinct.after[step]))
    return moved


def _loud_steps(protocol: Protocol, values: PackValues, moved: Array) -> Array:
    """A mask of the distinct steps that take a command that is not quiet.

    A command that cannot be read counts as not quiet, and is undecided.
    """
    distinct = values.distinct
    loud: Array = distinct.took == COMMAND
    idle = loud & ~moved & (distinct.sends == 0)
    if protocol.environment.quiet or protocol.environment.quiet_if_idle:
        for number in np.unique(distinct.input[loud]).tolist():
            try:
                command = values.command(number)
            except UsageError:
                continue
            taken = distinct.input == number
            loud &= ~(taken & (idle if protocol.environment.is_quiet(command, True) else False))
            loud &= ~(taken & protocol.environment.is_quiet(command, False))
    return loud
