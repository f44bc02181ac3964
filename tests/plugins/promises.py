"""The explorer's findings on one promise of a model."""

from typing import Any

from gomboc.checker.explore.graph.examine import examine
from gomboc.checker.explore.questions.question import DEFAULT
from gomboc.spec.core.model import Kind


def convergence(model: Any) -> Any:
    """The first promise of convergence of a model."""
    return next(promise for promise in model.promises if promise.kind is Kind.EVENTUALLY)


def findings(exploration: Any, promise: str = "convergence") -> list[Any]:
    """Everything that an exploration found about the promise of that name."""
    return [finding for finding in exploration.findings if finding.promise == promise]


def explored(model: Any, question: Any = DEFAULT) -> tuple[Any, ...]:
    """An exploration, and its two findings on convergence: that it is possible, that it is inevitable."""
    exploration = examine(model, question)
    can, must, *_ = findings(exploration)
    return exploration, can, must
