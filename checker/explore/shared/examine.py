"""Exploration of a shared memory: all states at once, with the same promises, texts and runs as the plain explorer."""

from functools import partial

from msgspec.structs import replace

from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch, Report, silent
from gomboc.checker.explore.questions.covered import extent_of
from gomboc.checker.explore.questions.fairness import Coins
from gomboc.checker.explore.questions.question import DEFAULT, Question
from gomboc.checker.explore.results.finding import Exploration, Finding
from gomboc.checker.explore.shared.columns import SharedColumns, shared
from gomboc.checker.explore.shared.decode import lasso_into, run_along
from gomboc.checker.explore.shared.local import asked
from gomboc.checker.explore.table.model.tables import Array
from gomboc.checker.explore.table.verdict.judge import Judge, Judged
from gomboc.checker.judge.verdict import Unknown
from gomboc.spec.core.model import Kind, Model
from gomboc.spec.core.shared_memory import SharedMemory, model_of


def examine(memory: SharedMemory, question: Question = DEFAULT, report: Report = silent) -> Exploration:
    """Explore a shared memory under the central scheduler, and judge its promises.

    Raises BadModelError if it cannot be trusted.
    """
    watch = BoundWatch(question.bounds, report)
    try:
        built = shared(memory, asked(memory, watch.insist), watch.insist)
    except BoundReachedError as error:
        return _summed_up(memory, watch, None, 0, str(error), _unknown(memory, str(error)))
    watch.why_stop(len(built.keys), len(built.keys), built.transitions)
    holding = [built.holding(index) for index in range(len(memory.promises))]
    model = model_of(memory)
    # No coin is tossed: a second move of a machine is a choice of the scheduler, not a result of a coin.
    judge = Judge(_judged(built, model, holding, question), replace(question, coins=Coins.ADVERSARY), watch)
    findings = tuple(finding for promise in model.promises for finding in judge.judge(promise))
    return _summed_up(memory, watch, built, _legitimate(memory, holding), "", findings)


def _judged(built: SharedColumns, model: Model, holding: list[Array], question: Question) -> Judged:
    return Judged(
        built,
        lambda promise: holding[model.promises.index(promise)],
        partial(run_along, built, model),
        partial(lasso_into, built, model, question.fairness),
        extent_of(len(built.keys), built.transitions, "", 0),
    )


def _legitimate(memory: SharedMemory, holding: list[Array]) -> int:
    """The number of states that satisfy the first promise of convergence, or else the first promise."""
    kinds = [promise.kind for promise in memory.promises]
    return int(holding[kinds.index(Kind.EVENTUALLY) if Kind.EVENTUALLY in kinds else 0].sum()) if kinds else 0


def _unknown(memory: SharedMemory, why: str) -> tuple[Finding, ...]:
    return tuple(Finding(promise.name, promise.kind.value, Unknown(why)) for promise in memory.promises)


def _summed_up(
    memory: SharedMemory,
    watch: BoundWatch,
    built: SharedColumns | None,
    legitimate: int,
    stopped: str,
    findings: tuple[Finding, ...],
) -> Exploration:
    states = 0 if built is None else len(built.keys)
    return Exploration(
        memory.name,
        "central",
        "table",
        "",
        states,
        states,
        0 if built is None else built.transitions,
        legitimate,
        0,
        stopped,
        watch.seconds,
        tuple(replace(finding, of=f"{finding.of} (central scheduler)") for finding in findings),
    )
