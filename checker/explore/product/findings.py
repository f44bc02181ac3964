"""Convergence that is settled for any number of messages in flight, among the findings of a bounded exploration."""

from collections.abc import Iterator

from msgspec.structs import replace

from gomboc.checker.explore.product.settle import Settled
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.results.finding import Exploration, Finding, settled
from gomboc.checker.explore.verdicts import POSSIBLE, RUNS, reaches
from gomboc.checker.judge.verdict import Violated
from gomboc.spec.core.model import Kind, Promise


def with_settled(
    exploration: Exploration, promises: tuple[Promise, ...], question: Question, found: Settled
) -> Exploration:
    """The same exploration; its findings on convergence say that it holds, if nothing was found to violate it.

    A finding that was not judged becomes two: convergence is possible (AG EF), and every fair run converges.
    """
    eventually = {promise.name: promise for promise in promises if promise.kind is Kind.EVENTUALLY}
    findings = [
        one
        for finding in exploration.findings
        for one in _settled(finding, eventually.get(finding.promise), question, found)
    ]
    return replace(exploration, findings=tuple(findings), seconds=exploration.seconds + found.seconds)


def _settled(finding: Finding, promise: Promise | None, question: Question, found: Settled) -> Iterator[Finding]:
    scheduler = f" ({question.scheduler.value} scheduler)"
    claims = [f"{of}{scheduler}" for of in (POSSIBLE, reaches(question, found.tosses))]
    if promise is None or isinstance(finding.verdict, Violated):
        claims = []
    elif finding.of != f"{promise.kind.value}{scheduler}":
        # More steps toss coins here than in a part that was explored: then the claim names them.
        about = (POSSIBLE, RUNS[question.fairness])
        claims = [claim for begins, claim in zip(about, claims, strict=True) if finding.of.startswith(begins)]
    if promise is None or not claims:
        yield finding
    else:
        yield from (settled(promise, claim, str(found), "") for claim in claims)
