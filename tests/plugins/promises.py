"""The explorer's findings on one promise of a model."""

from gomboc.checker.explore.graph.examine import DEFAULT, examine
from gomboc.spec.core.model import Kind


def convergence(model):
    """The first promise of convergence of a model."""
    return next(promise for promise in model.promises if promise.kind is Kind.EVENTUALLY)


def findings(exploration, promise="convergence"):
    """Everything that an exploration found about the promise of that name."""
    return [finding for finding in exploration.findings if finding.promise == promise]


def explored(model, question=DEFAULT):
    """An exploration, and its two findings on convergence: that it is possible, that it is inevitable."""
    exploration = examine(model, question)
    can, must, *_ = findings(exploration)
    return exploration, can, must
