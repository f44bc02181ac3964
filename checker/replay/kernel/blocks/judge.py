"""The factored judge: all traces of a row group at once, with the verdicts of the naive judge."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

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
from gomboc.checker.replay.kernel.blocks.conformance import (
    NAMES,
    NOTHING_FOUND,
    RULES,
    CheckedRule,
    first_findings,
    malformed_positions,
    note,
    undecided_traces,
)
from gomboc.checker.replay.kernel.blocks.histories import HistoriesJudge
from gomboc.checker.replay.kernel.blocks.legitimacy import KnownFaults, false_conjunct, legitimate_positions
from gomboc.checker.replay.kernel.blocks.promises import (
    PromiseFindings,
    broken_assumptions,
    lacking_premises,
    premises_that_ended,
)
from gomboc.checker.replay.kernel.blocks.snapshots import Snapshots
from gomboc.checker.replay.kernel.blocks.stabilisation import Stabilised, stabilised
from gomboc.checker.replay.kernel.blocks.unknown_nodes import positions_of_strangers
from gomboc.checker.replay.kernel.frames.awake import Sleep, awake_in_the_end, awake_traces, sleep_of
from gomboc.checker.replay.kernel.frames.batch import Batch, blocks, shortened
from gomboc.checker.replay.kernel.frames.channels import returns, without_lost
from gomboc.checker.replay.kernel.frames.frame import Frame, frame_of
from gomboc.checker.replay.kernel.frames.headers import Shapes
from gomboc.checker.replay.kernel.frames.messages import Messages, messages_of
from gomboc.checker.replay.kernel.frames.rounds import ends_of_rounds
from gomboc.checker.replay.kernel.frames.turns import Turns, turns_of
from gomboc.checker.replay.kernel.memo import Memo
from gomboc.spec.core.guarded import is_ours
from gomboc.spec.core.protocol import Protocol, is_quiet


@dataclass(frozen=True)
class BlockFindings:
    """Findings about the traces of one block. Positions are relative to each trace: steps, 0 for the start.

    -1 stands for never. `rule` and `conjunct` are those of the step `wrong`; `left_by` and `late_by` are the conjuncts
    that are false where a trace left legitimacy, and where its bound had passed. From the step `halted` on only
    conformance is judged, because a value is not canonical or, if `assumed` has a sentence for the trace, because the
    assumption is broken; `last` is the last step before that. `lacking` is the sentence on a missing premise; `awake`,
    whether some node is ever awake; `rests`, whether none is in the end, after some rounds.

    `undecided` are traces that must be judged naively. Among them are traces that stayed legitimate but wait in vain
    for a timeout or a message, because only the naive judge names it.
    """

    members: Array
    steps: Array
    wrong: Array
    rule: list[str]
    conjunct: list[str]
    halted: Array
    assumed: dict[int, str]
    left: Array
    left_by: dict[int, str]
    began: Array
    converged: Array
    late: Array
    late_by: dict[int, str]
    lacking: dict[int, str]
    awake: Array
    rests: Array
    completed: Array
    rounds: Array
    bounds: Array
    promises: list[PromiseFindings]
    last: Array
    cut: Array
    undecided: Array


class FaultIntervals(NamedTuple):
    """The results of the stages for one block, as far as later stages need them."""

    frame: Frame
    turns: Turns
    messages: Messages
    first: Array
    malformed: Array
    sleep: Sleep | None
    snapshots: Snapshots
    anew: Array


class Reach(NamedTuple):
    """How far each trace is judged beyond conformance.

    `last` is the last such position, `halted` that of the value or state that ends it (-1 for none): a value that is
    not canonical, or, where `assumed` has a sentence, a broken assumption.
    """

    last: Array
    halted: Array
    assumed: dict[int, str]
    undecided: Array


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
        self._protocol, self._distinct, self._marks = protocol, distinct, marks
        self._values = PackValues(decoders, distinct)
        self._shapes = Shapes(protocol, parameters, distinct)
        self._same_state, self._same_message = Memo(self._values.same_state), Memo(self._values.same_message)
        self._faults = KnownFaults(protocol, self._values, distinct.names)
        self._naming = naming_of(protocol, self._values, marks.unfit_states, marks.unfit_messages)
        self._states = StatesJudge(protocol, self._values)
        self._histories = HistoriesJudge(protocol, self._values)
        moved = _moved(self._values)
        self._loud = _loud_steps(protocol, self._values, moved)
        self._moving = (distinct.took == COMMAND) & moved & ~self._loud
        # Results are cached by equality. Foreign values may be equal and yet differ; canonical values of ours are not.
        self._confuses = not is_plain(protocol) and not is_ours(protocol.actor.react)

    def judge(self, batch: Batch, options: Options) -> Iterator[BlockFindings]:
        """The findings about all traces, block by block. Raises UsageError if the pack contradicts itself."""
        shape, bounds = self._shapes.read(batch, options.bound)
        batch, was_cut = shortened(batch, self._distinct.sends, options.most_steps)
        for low, high in blocks(batch):
            frame = frame_of(batch, low, high, self._distinct, self._shapes, shape[low:high])
            yield self._block(self._pieces(frame), bounds[low:high], was_cut[low:high])

    def _pieces(self, frame: Frame) -> FaultIntervals:
        turns, messages = turns_of(frame, self._same_state), messages_of(frame)
        sleep = sleep_of(self._protocol, frame, turns.intervals, self._values, self._marks.unfit_states)
        messages = without_lost(self._protocol.discipline, frame, messages, sleep)
        snapshots = Snapshots(frame, turns.intervals, messages, self._values)
        anew = np.union1d(frame.position[self._loud[frame.step]], returns(frame, messages, sleep))
        first, malformed = self._findings(frame, turns, messages, sleep)
        return FaultIntervals(frame, turns, messages, first, malformed, sleep, snapshots, anew)

    def _findings(self, frame: Frame, turns: Turns, messages: Messages, sleep: Sleep | None) -> tuple[Array, Array]:
        """The first finding of each trace, and the positions with a value that is not canonical."""
        discipline, marks = self._protocol.discipline, self._marks
        malformed = malformed_positions(frame, marks)
        first = first_findings(discipline, frame, turns, messages, marks, malformed, self._same_message, sleep)
        if self._naming is None:
            return first, malformed
        strange = positions_of_strangers(frame, self._naming, marks, first)
        note(frame, first, CheckedRule.CANONICAL, strange)
        return first, np.concatenate((malformed, strange))

    def _block(self, pieces: FaultIntervals, bounds: Array, was_cut: Array) -> BlockFindings:
        frame, turns, messages, first, _, sleep, snapshots, anew = pieces
        reach = self._reach(pieces)
        good = legitimate_positions(frame, turns, messages, reach.last, self._faults, sleep)
        ends = ends_of_rounds(frame, turns, messages, sleep)
        settled = stabilised(frame, anew, ends, good, reach.last, bounds)
        lacking = lacking_premises(self._protocol, snapshots, _asked(settled, good, reach.last))
        moving = frame.position[self._moving[frame.step]]
        lacking = premises_that_ended(self._protocol, snapshots, moving, settled.stretches) | lacking
        late = settled.stretches.late_in(frame.traces, lacking)
        base = frame.base[:-1]
        rule, conjunct = self._rules(frame, first)
        return BlockFindings(
            members=np.array([shape.members for shape in frame.shapes.known])[frame.shape],
            steps=np.diff(frame.starts),
            wrong=_relative(_wrong(first), base),
            rule=rule,
            conjunct=conjunct,
            halted=_relative(reach.halted, base),
            assumed=reach.assumed,
            left=_relative(settled.left, base),
            left_by=self._conjuncts(pieces, settled.left),
            began=_relative(settled.began, base),
            converged=_relative(settled.converged, base),
            late=_relative(late, base),
            late_by=self._conjuncts(pieces, late),
            lacking={trace: lacking[began] for trace, began in enumerate(settled.began.tolist()) if began in lacking},
            awake=awake_traces(frame, sleep),
            rests=settled.had_rounds & ~awake_in_the_end(frame, sleep, reach.last),
            completed=settled.completed,
            rounds=settled.rounds,
            bounds=bounds,
            promises=self._promised(pieces, reach, first),
            last=reach.last - base,
            cut=was_cut,
            undecided=np.union1d(reach.undecided, np.flatnonzero(settled.waits & (reach.halted == NONE) & ~was_cut)),
        )

    def _reach(self, pieces: FaultIntervals) -> Reach:
        """How far each trace is judged: to a malformed value or a broken assumption; not at all if it is undecided."""
        frame, turns, messages, _, malformed, sleep, snapshots, _ = pieces
        undecided = undecided_traces(frame, turns, messages, self._marks, self._same_message)
        if self._confuses:
            undecided = np.arange(frame.traces)
        if sleep is not None and len(messages.again):
            # If one id is on its way to two nodes and one falls asleep, only the naive judge tracks which one is due.
            undecided = np.union1d(undecided, np.intersect1d(sleep.traces(), messages.trace[messages.again]))
        halted = np.full(frame.traces, NOTHING_FOUND)
        np.minimum.at(halted, frame.trace_at(malformed), malformed)
        last = np.minimum(frame.base[1:] - 1, halted - 1)
        last[undecided] = frame.base[undecided] - 1
        commands = frame.position[frame.took == COMMAND]
        broken, assumed = broken_assumptions(self._protocol, snapshots, commands, last)
        halted = np.where(broken == NONE, halted, broken)
        last = np.where(broken == NONE, last, broken - 1)
        return Reach(last, np.where(halted == NOTHING_FOUND, NONE, halted), assumed, undecided)

    def _promised(self, pieces: FaultIntervals, reach: Reach, first: Array) -> list[PromiseFindings]:
        """Findings about every named promise; deliveries count as far as a trace conforms."""
        wrong = np.where(first == NOTHING_FOUND, NOTHING_FOUND, _wrong(first))
        promises = self._states.broken(pieces.snapshots, pieces.anew, reach.last)
        promises += self._histories.broken(pieces.frame, np.minimum(reach.last, wrong - 1))
        for promise in promises:
            promise.broken[:] = _relative(promise.broken, pieces.frame.base[:-1])
        return promises

    def _rules(self, frame: Frame, first: Array) -> tuple[list[str], list[str]]:
        """The rule and the conjunct that each trace breaks first; empty if it breaks none."""
        rules, conjuncts = [""] * frame.traces, [""] * frame.traces
        for trace in np.flatnonzero(first != NOTHING_FOUND).tolist():
            position, rule = divmod(int(first[trace]), RULES)
            if rule == CheckedRule.LOCAL:
                finding = self._marks.findings.steps[int(frame.step[position - trace - 1])]
                rules[trace], conjuncts[trace] = finding.rule, finding.conjunct
            else:
                rules[trace] = NAMES[CheckedRule(rule)]
        return rules, conjuncts

    def _conjuncts(self, pieces: FaultIntervals, positions: Array) -> dict[int, str]:
        return {
            trace: false_conjunct(pieces.snapshots.at(int(positions[trace])), self._faults.protocol)
            for trace in np.flatnonzero(positions != NONE).tolist()
        }


def _asked(findings: Stabilised, good: Array, last: Array) -> Array:
    """The positions at which the premise is evaluated, of those that are not legitimate.

    They are the beginnings of late stretches and of the last stretch of each trace.
    """
    stretches = findings.stretches
    asked = np.union1d(stretches.began[stretches.late != NONE], findings.began[findings.began <= last])
    wanting: Array = asked[~good[np.minimum(asked, len(good) - 1)]]
    return wanting


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
            loud &= ~(taken & (idle if is_quiet(protocol, command, True) else False))
            loud &= ~(taken & is_quiet(protocol, command, False))
    return loud


def _wrong(first: Array) -> Array:
    """The position of each trace's first finding; -1 if there is none."""
    return np.where(first == NOTHING_FOUND, NONE, first // RULES)


def _relative(positions: Array, base: Array) -> Array:
    """Positions as numbers of steps; -1 stays."""
    return np.where(positions == NONE, NONE, positions - base)
