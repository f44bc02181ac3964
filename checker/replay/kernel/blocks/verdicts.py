"""Verdicts as columns: the rows of the naive judgement (`checker/summary/verdict_row.py`), with a few more."""

from typing import NamedTuple

import numpy as np

from gomboc.checker.core.arrow import pa
from gomboc.checker.core.digest import spec_digest
from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.judge.claims import IN_EVERY_STATE, OF_ALL_DELIVERED, RESTED, became, conforms, stayed
from gomboc.checker.judge.unknown import (
    EMPTY,
    NO_FURTHER_ROUND,
    NO_NODE_AWAKE,
    NOT_LEGITIMATE,
    assumption_broken,
    not_canonical,
    not_judged,
    not_yet,
    only_first,
    premise_lacks,
)
from gomboc.checker.judge.verdict import Holds, Promised
from gomboc.checker.replay.kernel.blocks.findings import BlockFindings, Violations
from gomboc.checker.replay.stored import IN_PACKS

HOLDS, VIOLATED, UNKNOWN = 0, 1, 2
WORDS = "holds", "violated", "unknown"

CONFORMANCE, CLOSURE = 0, 1
"""Verdicts in the order in which they are reported: conformance, closure, convergence, and promises by name."""


def table_of(findings: BlockFindings, pack: str | None = None) -> pa.Table:
    """One row for each trace of a block. The rows of traces that must be judged naively are meaningless."""
    frame, settled = findings.block.frame, findings.settled
    size, words = frame.traces, np.stack(_words(findings))
    verdict = np.where((words == VIOLATED).any(axis=0), VIOLATED, words.max(axis=0))
    step, rule, conjunct = _first(findings, words)
    rounds = np.where(_halted(findings) == 0, NONE, settled.rounds)
    columns = {
        "trace": pa.array(frame.batch.names, pa.string()),
        "verdict": _spelled(verdict),
        "spec": pa.repeat(pa.scalar(spec_digest()), size),
        "protocol": pa.repeat(pa.scalar(findings.block.pack.protocol.name), size),
        "members": np.array([shape.members for shape in frame.shapes.known])[frame.shape],
        "steps": frame.batch.events.lengths,
        "conformance": _spelled(words[0]),
        "closure": _spelled(words[1]),
        "convergence": _spelled(words[2]),
        "rounds": _nullable(rounds),
        "rounds_after": np.where(rounds == NONE, 0, _rounds_after(findings)),
        "step": _nullable(step),
        "rule": pa.array(rule, pa.string()),
        "error": pa.array(_errors(findings, words), pa.string()),
        "judgement": pa.nulls(size, pa.string()),
        "conjunct": pa.array(conjunct, pa.string()),
        "pack": pa.repeat(pa.scalar(pack, pa.string()), size),
        "steps_until": _nullable(np.where(rounds == NONE, NONE, settled.converged - settled.began)),
    }
    return pa.table([pa.array(columns[field.name]).cast(field.type) for field in IN_PACKS], schema=IN_PACKS)


class Held(NamedTuple):
    """What a judgement says of a trace that holds, besides its names and its bound."""

    steps: int
    verdicts: tuple[Holds, Holds, Holds]
    rounds: int
    rounds_after: int
    promises: tuple[Promised, ...]


def held_of(findings: BlockFindings) -> tuple[Array, dict[int, Held]]:
    """The verdict of each trace as a number, and what holds of the traces of which all does."""
    frame, settled, words = findings.block.frame, findings.settled, np.stack(_words(findings))
    verdict = np.where((words == VIOLATED).any(axis=0), VIOLATED, words.max(axis=0))
    after, converged = _rounds_after(findings), frame.steps_at(settled.converged)
    promises = tuple(
        Promised(each.name, Holds(OF_ALL_DELIVERED if each.of_histories else IN_EVERY_STATE))
        for each in findings.violations[3:]
    )
    held = {}
    for trace in np.flatnonzero(verdict == HOLDS).tolist():
        steps, rounds, more = int(frame.batch.events.lengths[trace]), int(settled.rounds[trace]), int(after[trace])
        closure = RESTED if settled.rests[trace] else stayed(more)
        claims = conforms(steps), closure, became(rounds, int(converged[trace]))
        held[trace] = Held(steps, (Holds(claims[0]), Holds(claims[1]), Holds(claims[2])), rounds, more, promises)
    return verdict, held


def _halted(findings: BlockFindings) -> Array:
    """The step from which on only conformance of each trace is judged, 0 for the start; -1 for none."""
    return findings.block.frame.steps_at(findings.reach.halted)


def _rounds_after(findings: BlockFindings) -> Array:
    after: Array = np.maximum(findings.settled.completed - findings.settled.rounds, 0)
    return after


def _words(findings: BlockFindings) -> list[Array]:
    """Conformance, closure, convergence and the promises by name, in numbers."""
    frame, settled, halted = findings.block.frame, findings.settled, _halted(findings)
    nothing, unjudged = frame.batch.events.lengths == 0, (halted != NONE) | frame.was_cut
    converged = settled.converged != NONE
    closed = converged & ((_rounds_after(findings) > 0) | settled.rests)
    unproven = unjudged | ~findings.block.was_awake
    unknown = [nothing | frame.was_cut, ~closed | unproven, ~converged | unproven]
    unknown += [_unjudged(findings, promise, nothing | unjudged) for promise in findings.violations[3:]]
    words = [
        np.where(each.broken != NONE, VIOLATED, np.where(undecided, UNKNOWN, HOLDS))
        for each, undecided in zip(findings.violations, unknown, strict=True)
    ]
    for word in words[1:3]:
        word[nothing | (halted == 0)] = UNKNOWN
    return words


def _unjudged(findings: BlockFindings, promise: Violations, unjudged: Array) -> Array:
    return unjudged | (_lied(findings) != NONE) if promise.of_histories else unjudged


def _lied(findings: BlockFindings) -> Array:
    """The step from which on the deliveries of a non-conforming trace prove nothing; -1 for none.

    It is not used beyond the end of judging, and a fault at the start is found with the first step.
    """
    frame = findings.block.frame
    wrong = frame.steps_at(findings.violations[CONFORMANCE].broken)
    wrong = np.where(wrong == 0, 1, wrong)
    return np.where((wrong != NONE) & (wrong <= findings.reach.last - frame.base[:-1]), wrong, NONE)


def _first(findings: BlockFindings, words: Array) -> tuple[Array, list[str | None], list[str | None]]:
    """Step, rule and conjunct of each trace's first violation; of several in one step, the first in order."""
    size = words.shape[1]
    step = np.full(size, NONE)
    rule: list[str | None] = [None] * size
    conjunct: list[str | None] = [None] * size
    steps = [findings.block.frame.steps_at(each.broken) for each in findings.violations]
    violated = words == VIOLATED
    for trace in np.flatnonzero(violated.any(axis=0)).tolist():
        step[trace], order = min((int(steps[order][trace]), order) for order in np.flatnonzero(violated[:, trace]))
        first = findings.violations[order]
        rule[trace], conjunct[trace] = first.rules.get(trace, first.name), first.conjuncts.get(trace, "")
    return step, rule, conjunct


def _errors(findings: BlockFindings, words: Array) -> list[str | None]:
    """The reason for the first unknown verdict, in the naive judge's words."""
    unknown = words == UNKNOWN
    errors: list[str | None] = [None] * words.shape[1]
    if unknown.any():
        halted, lied = _halted(findings).tolist(), _lied(findings).tolist()
        for trace in np.flatnonzero(unknown.any(axis=0)).tolist():
            order = int(np.argmax(unknown[:, trace]))
            of_histories = findings.violations[order].of_histories
            errors[trace] = _why(findings, trace, order, halted[trace], lied[trace] if of_histories else NONE)
    return errors


def _why(findings: BlockFindings, trace: int, order: int, halted: int, lied: int) -> str:
    frame, settled = findings.block.frame, findings.settled
    steps, converged = int(frame.batch.events.lengths[trace]), settled.converged[trace] != NONE
    if steps == 0:
        return EMPTY
    if lied != NONE:
        return not_judged(lied)
    if trace in findings.reach.assumed:
        return assumption_broken(halted, findings.reach.assumed[trace])
    if halted != NONE:
        return not_canonical(halted)
    if frame.was_cut[trace]:
        return only_first(steps)
    if converged and not findings.block.was_awake[trace]:
        return NO_NODE_AWAKE
    if order == CLOSURE:
        return NO_FURTHER_ROUND if converged else NOT_LEGITIMATE
    if trace in findings.lacking:
        return premise_lacks(*findings.lacking[trace])
    return not_yet(int(settled.completed[trace]), int(frame.bounds[trace]))


def _spelled(codes: Array) -> pa.Array:
    return pa.DictionaryArray.from_arrays(codes.astype(np.int8), pa.array(WORDS)).cast(pa.string())


def _nullable(numbers: Array) -> pa.Array:
    return pa.array(numbers, mask=numbers == NONE)
