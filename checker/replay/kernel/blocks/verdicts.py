"""Verdicts as columns: the rows that `checker/row.py` makes of the naive judgement, and a little more."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from checker.digest import spec_digest
from checker.judge.unknown import EMPTY, NO_FURTHER_ROUND, NOT_LEGITIMATE, not_yet
from checker.replay.kernel.arrays import Array
from checker.replay.kernel.blocks.judge import BlockFindings
from checker.replay.kernel.values.distinct import NONE

SCHEMA = pa.schema(
    [
        ("trace", pa.string()),
        ("verdict", pa.string()),
        ("spec", pa.string()),
        ("protocol", pa.string()),
        ("members", pa.int32()),
        ("steps", pa.int64()),
        ("conformance", pa.string()),
        ("closure", pa.string()),
        ("convergence", pa.string()),
        ("rounds", pa.int32()),
        ("rounds_after", pa.int32()),
        ("step", pa.int64()),
        ("rule", pa.string()),
        ("error", pa.string()),
        ("judgement", pa.string()),
        ("conjunct", pa.string()),
        ("steps_until", pa.int64()),
        ("pack", pa.string()),
    ]
)
"""The columns of `Row`; the false conjunct, the steps from the start or last command to legitimacy, and the pack."""

HOLDS, VIOLATED, UNKNOWN = 0, 1, 2
WORDS = pa.array(["holds", "violated", "unknown"])


def table_of(block: BlockFindings, names: Sequence[str], protocol: str, pack: str | None = None) -> pa.Table:
    """One row for each trace of a block. Those of traces that must be judged naively mean nothing."""
    conformance, closure, convergence = words = _words(block)
    verdict = np.where((np.stack(words) == VIOLATED).any(axis=0), VIOLATED, np.stack(words).max(axis=0))
    step, rule, conjunct = _first(block, *(word == VIOLATED for word in words))
    counted = block.halted != 0
    rounds = np.where(counted, block.rounds, NONE)
    after = np.where(rounds == NONE, 0, np.maximum(block.completed - rounds, 0))
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
        "rounds_after": after,
        "step": _nullable(step),
        "rule": pa.array(rule, pa.string()),
        "error": pa.array(_errors(block, words), pa.string()),
        "judgement": pa.nulls(len(names), pa.string()),
        "conjunct": pa.array(conjunct, pa.string()),
        "pack": pa.repeat(pa.scalar(pack, pa.string()), len(names)),
        "steps_until": _nullable(np.where(rounds == NONE, NONE, block.converged - block.began)),
    }
    return pa.table([pa.array(columns[field.name]).cast(field.type) for field in SCHEMA], schema=SCHEMA)


def _words(block: BlockFindings) -> tuple[Array, Array, Array]:
    """Conformance, closure and convergence, in numbers."""
    nothing = block.steps == 0
    conformance = np.where(block.wrong != NONE, VIOLATED, np.where(nothing | block.cut, UNKNOWN, HOLDS))
    vacuous = (block.converged == NONE) | (block.completed <= block.rounds)
    closure = np.where(block.left != NONE, VIOLATED, np.where(vacuous, UNKNOWN, HOLDS))
    convergence = np.where(block.late != NONE, VIOLATED, np.where(block.converged != NONE, HOLDS, UNKNOWN))
    halted = (block.halted != NONE) | block.cut
    for word in (closure, convergence):
        word[halted & (word == HOLDS)] = UNKNOWN
        word[nothing | (block.halted == 0)] = UNKNOWN
    return conformance, closure, convergence


def _first(
    block: BlockFindings, wrong: Array, left: Array, late: Array
) -> tuple[Array, list[str | None], list[str | None]]:
    """Step, rule and conjunct of each trace's first violation; of several in one step, conformance, then closure."""
    size = len(block.steps)
    step = np.full(size, NONE)
    rule: list[str | None] = [None] * size
    conjunct: list[str | None] = [None] * size
    for trace in np.flatnonzero(wrong | left | late).tolist():
        violations = [
            (int(at[trace]), order)
            for order, (violated, at) in enumerate(((wrong, block.wrong), (left, block.left), (late, block.late)))
            if violated[trace]
        ]
        step[trace], order = min(violations)
        rule[trace] = (block.rule[trace], "closure", "convergence")[order]
        conjunct[trace] = (block.conjunct[trace], block.left_by.get(trace, ""), block.late_by.get(trace, ""))[order]
    return step, rule, conjunct


def _errors(block: BlockFindings, words: tuple[Array, Array, Array]) -> list[str | None]:
    """Why the first of the three is unknown, in the naive judge's words."""
    errors: list[str | None] = [None] * len(block.steps)
    unknown = np.stack(words) == UNKNOWN
    for trace in np.flatnonzero(unknown.any(axis=0)).tolist():
        errors[trace] = _why(block, trace, bool(unknown[1, trace]))
    return errors


def _why(block: BlockFindings, trace: int, closure: bool) -> str:
    halted = int(block.halted[trace])
    if block.steps[trace] == 0:
        return EMPTY
    if halted == 0:
        return "a value before the first step is not canonical"
    if halted != NONE:
        return f"a value of step {halted} is not canonical"
    if block.cut[trace]:
        return f"only the first {block.steps[trace]} steps were judged"
    if closure:
        return NOT_LEGITIMATE if block.converged[trace] == NONE else NO_FURTHER_ROUND
    return not_yet(int(block.completed[trace]), int(block.bounds[trace]))


def _spelled(codes: Array) -> pa.Array:
    return pa.DictionaryArray.from_arrays(codes.astype(np.int8), WORDS).cast(pa.string())


def _nullable(numbers: Array) -> pa.Array:
    return pa.array(numbers, mask=numbers == NONE)
