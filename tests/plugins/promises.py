"""The explorer's findings on one promise of a model."""

from gomboc.checker.explore.graph.examine import examine
from gomboc.checker.explore.questions.question import DEFAULT, Question
from gomboc.checker.explore.results.finding import Exploration, Finding
from gomboc.spec.core.model import Kind, Model, Promise


def convergence(model: Model) -> Promise:
    """The first promise of convergence of a model."""
    return next(promise for promise in model.promises if promise.kind is Kind.EVENTUALLY)


def findings(exploration: Exploration, promise: str = "convergence") -> list[Finding]:
    """Everything that an exploration found about the promise of that name."""
    return [finding for finding in exploration.findings if finding.promise == promise]


def explored(model: Model, question: Question = DEFAULT) -> tuple[Exploration, Finding, Finding]:
    """An exploration, and its two findings on convergence: that it is possible, that it is inevitable."""
    exploration = examine(model, question)
    can, must, *_ = findings(exploration)
    return exploration, can, must
