"""Convergence that is settled for any number of messages in flight, among the findings of a bounded exploration."""

from collections.abc import Iterator

from msgspec.structs import replace

from gomboc.checker.explore.product.settle import Answers, Open, Settled
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.results.finding import Exploration, Finding, settled
from gomboc.checker.explore.verdicts import ALWAYS, POSSIBLE, RUNS, STABLE, reaches
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.model import Kind, Promise


def with_any_channels(
    exploration: Exploration, promises: tuple[Promise, ...], question: Question, known: Answers
) -> Exploration:
    """The same exploration; its findings say what is known for any number of messages in flight.

    What is settled holds, unless something was found to violate it; convergence that was not judged becomes two
    findings: it is possible (AG EF), and every fair run converges. If it is open, what is unknown says why.
    """
    stated = {promise.name: promise for promise in promises}
    found = known.convergence
    findings: list[Finding] = []
    for finding in exploration.findings:
        promise = stated.get(finding.promise)
        if promise is None or isinstance(finding.verdict, Violated):
            findings.append(finding)
        elif promise.kind is not Kind.EVENTUALLY:
            findings.append(_safe(finding, promise, question, known) if finding.promise in known.safe else finding)
        elif isinstance(found, Settled):
            findings += _settled(finding, promise, question, found)
        else:
            findings.append(_explained(finding, found))
    return replace(exploration, findings=tuple(findings))


def _safe(finding: Finding, promise: Promise, question: Question, known: Answers) -> Finding:
    of = STABLE if promise.kind is Kind.STABLE else ALWAYS
    claim = f"{of} ({question.scheduler.value} scheduler)"
    return replace(finding, of=claim, verdict=Holds(str(known.figures)), run=None)


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
    yield from (settled(promise, claim, str(found.figures), "") for claim in claims)
    if not claims:
        yield finding
