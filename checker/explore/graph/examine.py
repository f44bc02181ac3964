"""Exploration of a model with the plain explorer: search its graph, and judge each of its promises on it."""

from gomboc.checker.explore.graph.judge import GraphJudge
from gomboc.checker.explore.graph.search import search
from gomboc.checker.explore.questions.bounds import BoundWatch, Report, silent
from gomboc.checker.explore.questions.question import DEFAULT, Question
from gomboc.checker.explore.questions.schedulers import scheduled
from gomboc.checker.explore.results.finding import Exploration
from gomboc.spec.core.model import Model


def examine(model: Model, question: Question = DEFAULT, report: Report = silent) -> Exploration:
    """Explore a model with the plain explorer, and judge its promises. Raises BadModelError if it cannot be trusted."""
    watch = BoundWatch(question.bounds, report)
    graph = search(scheduled(model, question.scheduler), watch)
    return GraphJudge(graph, question, watch).exploration("plain", model.name, model.promises)
