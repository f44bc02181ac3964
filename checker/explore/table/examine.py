"""Exploration of an instance by tables: the same promises, texts and counts as the plain explorer."""

from collections.abc import Callable

from msgspec.structs import replace

from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch, Report, silent
from gomboc.checker.explore.questions.question import DEFAULT, Question
from gomboc.checker.explore.questions.rounds import COMMUTING, RECEIPTS_COMMUTE
from gomboc.checker.explore.results.finding import Exploration, Extent, Finding, settled
from gomboc.checker.explore.symmetry import NoSymmetryError
from gomboc.checker.explore.table.matrix import matrix
from gomboc.checker.explore.table.model.layout import TooWideError
from gomboc.checker.explore.table.rounds.round_expand import RoundExpander
from gomboc.checker.explore.table.search import Explored, search
from gomboc.checker.explore.table.verdict.judge import ColumnsJudge
from gomboc.checker.explore.verdicts import unjudged
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.network import promises_of

TooWide = Callable[[str], Exploration]


def examine(
    instance: Instance, question: Question = DEFAULT, report: Report = silent, if_too_wide: TooWide | None = None
) -> Exploration:
    """Explore an instance by tables, and judge the promises of self-stabilisation.

    Where the tables have no room for its states, nothing is known, unless `if_too_wide` explores it otherwise; it gets
    the reason as text.
    """
    watch, promises = BoundWatch(question.bounds, report), promises_of(instance.protocol)
    subject = "table", instance.protocol.name, promises
    extent = Extent(bounds=instance.bounds())
    try:
        explored = search(instance, watch)
        extent = explored.extent
        built = matrix(explored, watch)
    except (TooWideError, BoundReachedError, NoSymmetryError) as error:
        if if_too_wide is not None and isinstance(error, TooWideError):
            return if_too_wide(str(error))
        return unjudged(replace(extent, stopped=str(error)), *subject, question, watch)
    try:
        exploration = ColumnsJudge(built, question, watch).exploration(*subject)
    except NoSymmetryError as error:
        return unjudged(replace(extent, stopped=str(error)), *subject, question, watch)
    return replace(exploration, findings=(*exploration.findings, *commuting_found(explored, built.extent)))


def commuting_found(explored: Explored, extent: Extent) -> tuple[Finding, ...]:
    """The finding that the receipts of one round commute, if whole rounds were single steps; otherwise empty.

    It is never violated, since the search raises at receipts that do not commute, and unknown if some were not met.
    """
    if not isinstance(explored.expander, RoundExpander):
        return ()
    claim = f"in all {explored.expander.commuting.pairs:,} pairs of receipts that were met, each in a local state"
    why_not = extent.incomplete or extent.exceeding
    return (settled(COMMUTING, f"{RECEIPTS_COMMUTE} (central scheduler)", claim, why_not and f"{claim}; {why_not}"),)
