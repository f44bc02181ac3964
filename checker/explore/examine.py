"""From a model to findings: explore it, and judge each of its promises on the graph."""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from checker.explore import safety
from checker.explore.bounds import Bounds, Report, Watch, silent
from checker.explore.convergence import inevitable, worst_case
from checker.explore.expectation import expectation
from checker.explore.fairness import Coins, Fairness
from checker.explore.finding import Exploration, Finding
from checker.explore.graph import Graph
from checker.explore.plain import explore
from checker.explore.reach import possible
from checker.explore.schedulers import Scheduler, scheduled
from spec.model import Kind, Model, Promise


class Question(msgspec.Struct, frozen=True):
    """What to ask of a model: under which scheduler, with which fairness, with whose coins, and how far."""

    scheduler: Scheduler = Scheduler.CENTRAL
    fairness: Fairness = Fairness.WEAK
    coins: Coins = Coins.TOSSED
    bounds: Bounds = Bounds()


DEFAULT = Question()


def examine(model: Model, question: Question = DEFAULT, report: Report = silent) -> Exploration:
    """Explore a model with the plain explorer, and judge its promises. Raises BadModelError if it cannot be trusted."""
    watch = Watch(question.bounds)
    graph = explore(scheduled(model, question.scheduler), question.bounds, report)
    findings = tuple(found for promise in model.promises for found in judge(graph, promise, question))
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
        tuple(replace(found, of=f"{found.of} ({question.scheduler.value} scheduler)") for found in findings),
    )


def legitimate(graph: Graph) -> int:
    """How many states satisfy the first promise of convergence, or the first of all if there is none."""
    promises = graph.model.promises
    chosen = next((p for p in promises if p.kind is Kind.EVENTUALLY), promises[0] if promises else None)
    return 0 if chosen is None else sum(graph.holding[chosen.name])


def judge(graph: Graph, promise: Promise, question: Question) -> Iterator[Finding]:
    """What the graph says of one promise; of convergence it says two things, and a number where there is one."""
    match promise.kind:
        case Kind.ALWAYS:
            yield safety.always(graph, promise)
        case Kind.STABLE:
            yield safety.stable(graph, promise)
        case Kind.SOMETIMES:
            yield safety.sometimes(graph, promise)
        case Kind.EVENTUALLY:
            yield possible(graph, promise)
            yield inevitable(graph, promise, question.fairness, question.coins)
            worst = worst_case(graph, promise)
            if worst.worst is not None:
                yield worst
            yield from expectation(graph, promise)
