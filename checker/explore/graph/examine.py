"""Exploration of a model with the plain explorer: search its graph, and judge each of its promises on it."""

from collections.abc import Iterator

from msgspec.structs import replace

from gomboc.checker.explore.graph import safety
from gomboc.checker.explore.graph.convergence import inevitable, reaches, worst_case
from gomboc.checker.explore.graph.expectation import expectation
from gomboc.checker.explore.graph.graph import Graph, why_incomplete
from gomboc.checker.explore.graph.reach import possible
from gomboc.checker.explore.graph.search import search
from gomboc.checker.explore.questions.bounds import BoundWatch, Report, silent
from gomboc.checker.explore.questions.claims import BOUNDED, POSSIBLE
from gomboc.checker.explore.questions.deadline import in_time
from gomboc.checker.explore.questions.question import DEFAULT, Question
from gomboc.checker.explore.questions.schedulers import scheduled
from gomboc.checker.explore.results.finding import Exploration, Finding
from gomboc.spec.core.model import Kind, Model, Promise


def examine(model: Model, question: Question = DEFAULT, report: Report = silent) -> Exploration:
    """Explore a model with the plain explorer, and judge its promises. Raises BadModelError if it cannot be trusted."""
    watch = BoundWatch(question.bounds, report)
    graph = search(scheduled(model, question.scheduler), watch)
    findings = tuple(finding for promise in model.promises for finding in judge(graph, promise, question, watch))
    return Exploration(
        model.name,
        question.scheduler.value,
        "plain",
        model.bounds,
        graph.starts,
        len(graph.states),
        graph.transitions,
        legitimate(graph),
        graph.beyond,
        graph.stopped,
        watch.seconds,
        tuple(replace(finding, of=f"{finding.of} ({question.scheduler.value} scheduler)") for finding in findings),
    )


def legitimate(graph: Graph) -> int:
    """The number of states that satisfy the first promise of convergence, or else the first promise."""
    promises = graph.model.promises
    chosen = next((p for p in promises if p.kind is Kind.EVENTUALLY), promises[0] if promises else None)
    return 0 if chosen is None else sum(graph.holding[chosen.name])


def judge(graph: Graph, promise: Promise, question: Question, watch: BoundWatch) -> Iterator[Finding]:
    """The findings of a graph on one promise: for convergence two or more, with numbers where they exist."""
    match promise.kind:
        case Kind.ALWAYS:
            yield safety.always(graph, promise)
        case Kind.STABLE:
            yield safety.stable(graph, promise)
        case Kind.SOMETIMES:
            yield safety.sometimes(graph, promise)
        case Kind.EVENTUALLY:
            why = why_incomplete(graph)
            yield in_time(watch, promise, POSSIBLE, lambda: possible(graph, promise, watch.insist), why)
            of = reaches(graph, question.fairness, question.coins)
            ways = question.fairness, question.coins, watch.insist
            yield in_time(watch, promise, of, lambda: inevitable(graph, promise, *ways), why)
            worst = in_time(watch, promise, BOUNDED, lambda: worst_case(graph, promise, watch.insist))
            if worst.worst is not None:
                yield worst
            yield from expectation(graph, promise, watch.insist)
