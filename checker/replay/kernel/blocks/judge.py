"""The factored judge: all traces of a row group at once, with the verdicts that the naive judge would give."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from checker.judge.naive import Options
from checker.replay.kernel.arrays import Array
from checker.replay.kernel.blocks.batch import Batch, blocks, shortened
from checker.replay.kernel.blocks.conformance import (
    NAMES,
    NOTHING_FOUND,
    RULES,
    Rule,
    first_findings,
    malformed_positions,
    undecided_traces,
)
from checker.replay.kernel.blocks.frame import Frame, frame_of
from checker.replay.kernel.blocks.headers import Shapes
from checker.replay.kernel.blocks.legitimacy import KnownFaults, false_conjunct, legitimate_positions
from checker.replay.kernel.blocks.messages import Messages, messages_of
from checker.replay.kernel.blocks.stabilisation import Stabilised, stabilised
from checker.replay.kernel.blocks.turns import Turns, turns_of
from checker.replay.kernel.memo import Memo
from checker.replay.kernel.values.distinct import NONE, Distinct
from checker.replay.kernel.values.marks import Marks
from checker.replay.kernel.values.spelling import Decoders, PackValues
from spec.protocol import Protocol


@dataclass(frozen=True)
class BlockFindings:
    """What was found out about the traces of one block. Positions are relative to each trace: steps, 0 for the start.

    -1 stands for never. `rule` and `conjunct` are those of the step `wrong`; `left_by` and `late_by` are the conjuncts
    that are false where a trace left legitimacy, and where its bound had passed. `halted` is the step whose values are
    not canonical, `undecided` are traces that must be judged naively.
    """

    members: Array
    steps: Array
    wrong: Array
    rule: list[str]
    conjunct: list[str]
    halted: Array
    left: Array
    left_by: dict[int, str]
    began: Array
    converged: Array
    late: Array
    late_by: dict[int, str]
    completed: Array
    rounds: Array
    bounds: Array
    cut: Array
    undecided: Array


class PackJudge:
    """Judges the traces of one pack, whose distinct steps are judged already.

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
        decoded = PackValues(decoders, distinct)
        self._shapes = Shapes(protocol, parameters, distinct)
        self._same_state, self._same_message = Memo(decoded.same_state), Memo(decoded.same_message)
        self._faults = KnownFaults(protocol, decoded, distinct.names)

    def judge(self, batch: Batch, options: Options) -> Iterator[BlockFindings]:
        """What is found of all traces, block by block. Raises UsageError if the pack contradicts itself."""
        shape, bounds = self._shapes.read(batch, options.bound)
        batch, was_cut = shortened(batch, self._distinct.sends, options.most_steps)
        for low, high in blocks(batch):
            frame = frame_of(batch, low, high, self._distinct, self._shapes, shape[low:high])
            yield self._block(frame, bounds[low:high], was_cut[low:high])

    def _block(self, frame: Frame, bounds: Array, was_cut: Array) -> BlockFindings:
        nodes, sent = turns_of(frame, self._same_state), messages_of(frame)
        undecided = undecided_traces(frame, nodes, sent, self._marks, self._same_message)
        last, halted = self._last(frame, undecided)
        first = first_findings(self._protocol.discipline, frame, nodes, sent, self._marks, self._same_message)
        good = legitimate_positions(frame, nodes, sent, last, self._faults)
        found = stabilised(frame, nodes, sent, good, last, bounds)
        return self._told(frame, (nodes, sent), first, halted, found, (bounds, was_cut, undecided))

    def _last(self, frame: Frame, undecided: Array) -> tuple[Array, Array]:
        """The last position of each trace at which faults are counted, and that where a value is not canonical."""
        last = frame.base[1:] - 1
        malformed = malformed_positions(frame, self._marks)
        halted = np.full(frame.traces, NOTHING_FOUND)
        np.minimum.at(halted, frame.trace_at(malformed), malformed)
        last = np.minimum(last, halted - 1)
        last[undecided] = frame.base[undecided] - 1
        return last, np.where(halted == NOTHING_FOUND, NONE, halted)

    def _told(
        self,
        frame: Frame,
        pieces: tuple[Turns, Messages],
        first: Array,
        halted: Array,
        found: Stabilised,
        given: tuple[Array, Array, Array],
    ) -> BlockFindings:
        base = frame.base[:-1]
        wrong = np.where(first == NOTHING_FOUND, NONE, first // RULES)
        rule, conjunct = self._rules(frame, first)
        bounds, was_cut, undecided = given
        return BlockFindings(
            members=np.array([shape.members for shape in frame.shapes.known])[frame.shape],
            steps=np.diff(frame.starts),
            wrong=_relative(wrong, base),
            rule=rule,
            conjunct=conjunct,
            halted=_relative(halted, base),
            left=_relative(found.left, base),
            left_by=self._conjuncts(frame, pieces, found.left),
            began=_relative(found.began, base),
            converged=_relative(found.converged, base),
            late=_relative(found.late, base),
            late_by=self._conjuncts(frame, pieces, found.late),
            completed=found.completed,
            rounds=found.rounds,
            bounds=bounds,
            cut=was_cut,
            undecided=undecided,
        )

    def _rules(self, frame: Frame, first: Array) -> tuple[list[str], list[str]]:
        """The rule and the conjunct that each trace breaks first; empty if it breaks none."""
        rules, conjuncts = [""] * frame.traces, [""] * frame.traces
        for trace in np.flatnonzero(first != NOTHING_FOUND).tolist():
            position, rule = divmod(int(first[trace]), RULES)
            if rule == Rule.LOCAL:
                finding = self._marks.findings.steps[int(frame.step[position - trace - 1])]
                rules[trace], conjuncts[trace] = finding.rule, finding.conjunct
            else:
                rules[trace] = NAMES[Rule(rule)]
        return rules, conjuncts

    def _conjuncts(self, frame: Frame, pieces: tuple[Turns, Messages], positions: Array) -> dict[int, str]:
        nodes, sent = pieces
        return {
            trace: false_conjunct(frame, nodes.intervals, sent, int(positions[trace]), self._faults)
            for trace in np.flatnonzero(positions != NONE).tolist()
        }


def _relative(positions: Array, base: Array) -> Array:
    """Positions as numbers of steps; -1 stays."""
    return np.where(positions == NONE, NONE, positions - base)
