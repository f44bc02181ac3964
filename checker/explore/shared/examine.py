"""Exploration of a shared memory: all states at once, with the same promises, texts and runs as the plain explorer."""

from msgspec.structs import replace

from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch, Report, silent
from gomboc.checker.explore.questions.question import DEFAULT, Coins, Question
from gomboc.checker.explore.results.finding import Exploration, Extent
from gomboc.checker.explore.shared.columns import shared
from gomboc.checker.explore.shared.local import asked, insist_on_sense
from gomboc.checker.explore.table.verdict.judge import ColumnsJudge
from gomboc.checker.explore.verdicts import unjudged
from gomboc.spec.core.shared_memory import SharedMemory, model_of


def examine(memory: SharedMemory, question: Question = DEFAULT, report: Report = silent) -> Exploration:
    """Explore a shared memory under the central scheduler, and judge its promises.

    Raises BadModelError if it cannot be trusted.
    """
    insist_on_sense(memory)
    watch = BoundWatch(question.bounds, report)
    # No coin is tossed: a second move of a machine is a choice of the scheduler, not a result of a coin.
    question = replace(question, coins=Coins.ADVERSARY)
    subject = "table", memory.name, model_of(memory).promises
    try:
        built = shared(memory, asked(memory, watch.insist), watch.insist)
    except BoundReachedError as error:
        return unjudged(Extent(stopped=str(error)), *subject, question, watch)
    watch.why_stop(built.count, built.count, built.extent.transitions)
    return ColumnsJudge(built, question, watch).exploration(*subject)
