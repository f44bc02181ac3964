"""Verdicts as columns: the rows of the naive judgement (`checker/summary/verdict_row.py`), with a few more."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from gomboc.checker.core.digest import spec_digest
from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.judge.unknown import (
    EMPTY,
    NO_FURTHER_ROUND,
    NO_NODE_AWAKE,
    NOT_LEGITIMATE,
    not_judged,
    not_yet,
    only_first,
)
from gomboc.checker.replay.kernel.blocks.judge import BlockFindings
from gomboc.checker.replay.kernel.blocks.promises import PromiseFindings
from gomboc.checker.replay.stored import IN_PACKS

HOLDS, VIOLATED, UNKNOWN = 0, 1, 2
WORDS = pa.array(["holds", "violated", "unknown"])

CLOSURE, FIRST_PROMISE = 1, 3
"""Verdicts in the order in which they are reported: conformance, closure, convergence, and promises by name."""


def table_of(block: BlockFindings, names: Sequence[str], protocol: str, pack: str | None = None) -> pa.Table:
    """One row for each trace of a block. The rows of traces that must be judged naively are meaningless."""
    words = _words(block)
    conformance, closure, convergence = words[:3]
    verdict = np.where((np.stack(words) == VIOLATED).any(axis=0), VIOLATED, np.stack(words).max(axis=0))
    step, rule, conjunct = _first(block, words)
    rounds = np.where(block.halted != 0, block.rounds, NONE)
    columns = {
        "trace": pa.array(names, pa.string()),
        "verdict": _spelled(verdict),
        "spec": pa.repeat(pa.scalar(spec_digest()), len(names)),
        "protocol": pa.repeat(pa.scalar(protocol), len(names)),
        "members": block.members,
        "steps": block.steps,
        "conformance": _spelled(conformance),
        "closure": _spelled(closure),
        "convergence": _spelled(convergence),
        "rounds": _nullable(rounds),
        "rounds_after": np.where(rounds == NONE, 0, _rounds_after(block)),
        "step": _nullable(step),
        "rule": pa.array(rule, pa.string()),
        "error": pa.array(_errors(block, words), pa.string()),
        "judgement": pa.nulls(len(names), pa.string()),
        "conjunct": pa.array(conjunct, pa.string()),
        "pack": pa.repeat(pa.scalar(pack, pa.string()), len(names)),
        "steps_until": _nullable(np.where(rounds == NONE, NONE, block.converged - block.began)),
    }
    return pa.table([pa.array(columns[field.name]).cast(field.type) for field in IN_PACKS], schema=IN_PACKS)


def _rounds_after(block: BlockFindings) -> Array:
    after: Array = np.maximum(block.completed - block.rounds, 0)
    return after


def _words(block: BlockFindings) -> list[Array]:
    """Conformance, closure, convergence and the promises by name, in numbers."""
    nothing, halted = block.steps == 0, _halted(block)
    conformance = np.where(block.wrong != NONE, VIOLATED, np.where(nothing | block.cut, UNKNOWN, HOLDS))
    closed = (block.converged != NONE) & ((_rounds_after(block) > 0) | block.rests)
    closure = np.where(block.left != NONE, VIOLATED, np.where(closed, HOLDS, UNKNOWN))
    convergence = np.where(block.late != NONE, VIOLATED, np.where(block.converged != NONE, HOLDS, UNKNOWN))
    for word in (closure, convergence):
        word[(halted | ~block.awake) & (word == HOLDS)] = UNKNOWN
        word[nothing | (block.halted == 0)] = UNKNOWN
    promises = [_promised(block, promise, nothing | halted) for promise in block.promises]
    return [conformance, closure, convergence, *promises]


def _halted(block: BlockFindings) -> Array:
    """A mask of the traces that are not judged to their end."""
    halted: Array = (block.halted != NONE) | block.cut
    return halted


def _promised(block: BlockFindings, promise: PromiseFindings, unjudged: Array) -> Array:
    if promise.of_histories:
        unjudged = unjudged | (_lied(block) != NONE)
    return np.where(promise.broken != NONE, VIOLATED, np.where(unjudged, UNKNOWN, HOLDS))


def _lied(block: BlockFindings) -> Array:
    """The step from which on the deliveries of a non-conforming trace prove nothing; -1 for none.

    It is not used beyond the end of judging, and a fault at the start is found with the first step.
    """
    wrong = np.where(block.wrong == 0, 1, block.wrong)
    return np.where((wrong != NONE) & (wrong <= block.last), wrong, NONE)


def _first(block: BlockFindings, words: list[Array]) -> tuple[Array, list[str | None], list[str | None]]:
    """Step, rule and conjunct of each trace's first violation; of several in one step, the first in order."""
    size = len(block.steps)
    step = np.full(size, NONE)
    rule: list[str | None] = [None] * size
    conjunct: list[str | None] = [None] * size
    positions = [block.wrong, block.left, block.late, *(promise.broken for promise in block.promises)]
    violated = np.stack(words) == VIOLATED
    for trace in np.flatnonzero(violated.any(axis=0)).tolist():
        step[trace], order = min(
            (int(positions[verdict][trace]), int(verdict)) for verdict in np.flatnonzero(violated[:, trace])
        )
        rule[trace], conjunct[trace] = _named(block, trace, order)
    return step, rule, conjunct


def _named(block: BlockFindings, trace: int, order: int) -> tuple[str, str]:
    """The rule and the conjunct that violate the verdict of that order."""
    match order:
        case 0:
            return block.rule[trace], block.conjunct[trace]
        case 1:
            return "closure", block.left_by.get(trace, "")
        case 2:
            return "convergence", block.late_by.get(trace, "")
    promise = block.promises[order - FIRST_PROMISE]
    return promise.name, promise.conjuncts.get(trace, "")


def _errors(block: BlockFindings, words: list[Array]) -> list[str | None]:
    """The reason for the first unknown verdict, in the naive judge's words."""
    errors: list[str | None] = [None] * len(block.steps)
    unknown = np.stack(words) == UNKNOWN
    for trace in np.flatnonzero(unknown.any(axis=0)).tolist():
        errors[trace] = _why(block, trace, int(np.argmax(unknown[:, trace])))
    return errors


def _why(block: BlockFindings, trace: int, order: int) -> str:
    halted = int(block.halted[trace])
    if block.steps[trace] == 0:
        return EMPTY
    if order >= FIRST_PROMISE and block.promises[order - FIRST_PROMISE].of_histories and _lied(block)[trace] != NONE:
        return not_judged(int(_lied(block)[trace]))
    if trace in block.assumed:
        return block.assumed[trace]
    if halted == 0:
        return "a value before the first step is not canonical"
    if halted != NONE:
        return f"a value of step {halted} is not canonical"
    if block.cut[trace]:
        return only_first(int(block.steps[trace]))
    if block.converged[trace] != NONE and not block.awake[trace]:
        return NO_NODE_AWAKE
    if order == CLOSURE:
        return NOT_LEGITIMATE if block.converged[trace] == NONE else NO_FURTHER_ROUND
    return block.lacking.get(trace) or not_yet(int(block.completed[trace]), int(block.bounds[trace]))


def _spelled(codes: Array) -> pa.Array:
    return pa.DictionaryArray.from_arrays(codes.astype(np.int8), WORDS).cast(pa.string())


def _nullable(numbers: Array) -> pa.Array:
    return pa.array(numbers, mask=numbers == NONE)
