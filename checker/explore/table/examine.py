"""Exploration of an instance by tables: the same promises, texts and counts as the plain explorer."""

from functools import partial

from msgspec.structs import replace

from gomboc.checker.explore.questions.bounds import BoundWatch, Report, silent
from gomboc.checker.explore.questions.claims import COMMUTING, RECEIPTS_COMMUTE
from gomboc.checker.explore.questions.covered import extent_of, incomplete
from gomboc.checker.explore.questions.question import DEFAULT, Question
from gomboc.checker.explore.results.finding import Exploration, Finding, settled
from gomboc.checker.explore.table.holding import Holding
from gomboc.checker.explore.table.matrix import Matrix, matrix
from gomboc.checker.explore.table.model.layout import TooWideError
from gomboc.checker.explore.table.rounds.round_expand import RoundExpander
from gomboc.checker.explore.table.search import Explored, search
from gomboc.checker.explore.table.verdict.decode import lasso_into, run_along
from gomboc.checker.explore.table.verdict.judge import Judge, Judged
from gomboc.checker.judge.verdict import Unknown
from gomboc.spec.core.instance import Instance, bounded_model
from gomboc.spec.core.model import Promise


def examine(instance: Instance, question: Question = DEFAULT, report: Report = silent) -> Exploration:
    """Explore an instance by tables, and judge the promises of self-stabilisation."""
    watch = BoundWatch(question.bounds, report)
    promises = bounded_model(instance).promises
    try:
        explored = search(instance, question.bounds, report)
    except TooWideError as error:
        return _summed_up(instance, watch, None, (0, 0), str(error), _unknown(promises, str(error)))
    built = matrix(explored, watch)
    if isinstance(built, str):
        why = incomplete(built, len(explored.keys), explored.found, explored.transitions)
        return _summed_up(instance, watch, explored, (0, 0), built, _unknown(promises, why))
    holding = Holding(explored)
    judge = Judge(_judged(built, holding, question), question, watch)
    findings = tuple(finding for promise in promises for finding in judge.judge(promise))
    findings += commuting_found(explored)
    counts = int(holding.legitimate().sum()), built.beyond
    return _summed_up(instance, watch, explored, counts, explored.stopped, findings)


def commuting_found(explored: Explored) -> tuple[Finding, ...]:
    """The finding that the receipts of one round commute, if whole rounds were single steps; otherwise empty.

    It always holds, since the search raises at receipts that do not commute.
    """
    expander = explored.expander
    if not isinstance(expander, RoundExpander):
        return ()
    claim = f"in all {expander.commuting.pairs:,} pairs of receipts that were met, each in a local state"
    return (settled(COMMUTING, RECEIPTS_COMMUTE, claim, ""),)


def _judged(built: Matrix, holding: Holding, question: Question) -> Judged:
    explored = built.explored
    tables = explored.expander.tables
    return Judged(
        built,
        holding.of,
        partial(run_along, built),
        lambda component: lasso_into(built, component, question),
        extent_of(explored.found, explored.transitions, tables.bounds, built.beyond),
        incomplete(explored.stopped, len(explored.keys), explored.found, explored.transitions),
        any(column.way for column in built.columns),
        len(tables.instance.alike) > 1,
    )


def _unknown(promises: tuple[Promise, ...], why: str) -> tuple[Finding, ...]:
    return tuple(Finding(promise.name, promise.kind.value, Unknown(why)) for promise in promises)


def _summed_up(
    instance: Instance,
    watch: BoundWatch,
    explored: Explored | None,
    counts: tuple[int, int],
    stopped: str,
    findings: tuple[Finding, ...],
) -> Exploration:
    return Exploration(
        instance.protocol.name,
        "central",
        "table",
        instance.bounds() if explored is None else explored.expander.tables.bounds,
        0 if explored is None else len(explored.starts),
        0 if explored is None else explored.found,
        0 if explored is None else explored.transitions,
        *counts,
        stopped,
        watch.seconds,
        tuple(replace(finding, of=f"{finding.of} (central scheduler)") for finding in findings),
    )
