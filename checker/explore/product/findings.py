"""Convergence that is settled for any number of messages in flight, among the findings of a bounded exploration."""

from collections.abc import Iterator

from msgspec.structs import replace

from gomboc.checker.explore.product.settle import Open, Settled
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.results.finding import Exploration, Finding, settled
from gomboc.checker.explore.verdicts import POSSIBLE, RUNS, reaches
from gomboc.checker.judge.verdict import Unknown, Violated
from gomboc.spec.core.model import Kind, Promise


def with_any_channels(
    exploration: Exploration, promises: tuple[Promise, ...], question: Question, found: Settled | Open
) -> Exploration:
    """The same exploration; its findings on convergence say what is known for any number of messages in flight.

    If it is settled, they hold, unless something was found to violate them; a finding that was not judged becomes two:
    convergence is possible (AG EF), and every fair run converges. If it is open, what is unknown says why.
    """
    eventually = {promise.name: promise for promise in promises if promise.kind is Kind.EVENTUALLY}
    findings: list[Finding] = []
    for finding in exploration.findings:
        promise = eventually.get(finding.promise)
        if promise is None or isinstance(finding.verdict, Violated):
            findings.append(finding)
        elif isinstance(found, Settled):
            findings += _settled(finding, promise, question, found)
        else:
            findings.append(_explained(finding, found))
    return replace(exploration, findings=tuple(findings))


def _explained(finding: Finding, found: Open) -> Finding:
    if not found.states or not isinstance(finding.verdict, Unknown):
        return finding
    return replace(finding, verdict=Unknown(f"{finding.verdict.why}; for any number of messages: {found.why}"))


def _settled(finding: Finding, promise: Promise, question: Question, found: Settled) -> Iterator[Finding]:
    scheduler = f" ({question.scheduler.value} scheduler)"
    claims = [f"{of}{scheduler}" for of in (POSSIBLE, reaches(question, found.tosses))]
    if finding.of != f"{promise.kind.value}{scheduler}":
        # More steps may toss coins here than in the part that was explored: the claim is the weaker one.
        about = (POSSIBLE, RUNS[question.fairness])
        claims = [claim for begins, claim in zip(about, claims, strict=True) if finding.of.startswith(begins)]
    yield from (settled(promise, claim, str(found), "") for claim in claims)
    if not claims:
        yield finding
