"""The explorer's findings on one promise of a model."""

from gomboc.checker.explore.graph.examine import examine
from gomboc.checker.explore.questions.question import DEFAULT, Question
from gomboc.checker.explore.results.finding import Exploration, Finding
from gomboc.checker.judge.verdict import Verdict
from gomboc.spec.core.model import Kind, Model, Promise


def convergence(model: Model) -> Promise:
    """The first promise of convergence of a model."""
    return next(promise for promise in model.promises if promise.kind is Kind.EVENTUALLY)


def findings(exploration: Exploration, promise: str = "convergence") -> list[Finding]:
    """Everything that an exploration found about the promise of that name."""
    return [finding for finding in exploration.findings if finding.promise == promise]


def finding_on(exploration: Exploration, promise: str, claim: str = "") -> Finding:
    """The one finding on that promise whose claim begins so."""
    (found,) = [finding for finding in findings(exploration, promise) if finding.of.startswith(claim)]
    return found


def named_verdicts(exploration: Exploration) -> dict[str, type[Verdict]]:
    """The kind of each verdict, by its promise; where a promise has several findings, with the first word of each."""
    several = {finding.promise for finding in exploration.findings if len(findings(exploration, finding.promise)) > 1}
    names = [
        f"{one.promise} {one.of.split()[0]}" if one.promise in several else one.promise for one in exploration.findings
    ]
    assert len(set(names)) == len(names), names
    return {name: type(one.verdict) for name, one in zip(names, exploration.findings, strict=True)}


def explored(model: Model, question: Question = DEFAULT) -> tuple[Exploration, Finding, Finding]:
    """An exploration, and its two findings on convergence: that it is possible, that it is inevitable."""
    exploration = examine(model, question)
    can, must, *_ = findings(exploration)
    return exploration, can, must
