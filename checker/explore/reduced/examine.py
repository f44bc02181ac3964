"""Exploration of an instance by few orders of independent steps, and its verdicts on all orders.

All runs end, so whether one is fair makes no difference, and chance decides between runs that all end. The states in
which some run may stop are exactly those of the whole graph; so are each node's histories: its local states, its
messages, and the deliveries that observers see. Of the states in which no run stops, the graph has some only.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache

from msgspec.structs import replace

from gomboc.checker.core.bad_models import blamed
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.user_code import FAULTS
from gomboc.checker.explore.graph.graph import Graph
from gomboc.checker.explore.graph.judge import GraphJudge, longest_ways
from gomboc.checker.explore.numbered.examine import numbered, with_worlds
from gomboc.checker.explore.numbered.values import State, Values
from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch, Report
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.questions.schedulers import Scheduler
from gomboc.checker.explore.reduced.futures import CycleError
from gomboc.checker.explore.reduced.search import ReducedSearch
from gomboc.checker.explore.results.finding import Exploration, Extent, Finding, Run
from gomboc.checker.explore.verdicts import SOMETIMES, unjudged
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.instance import Instance, demands_in_words
from gomboc.spec.core.model import Kind, Model, Promise, everywhere
from gomboc.spec.core.protocol import Discipline, Protocol

LEFT_OUT = "it is about whole states, some of which are in orders of steps that were left out"


class ReducedJudge(GraphJudge):
    """Judges a reduced graph without a cycle."""

    def __init__(self, graph: Graph, question: Question, watch: BoundWatch, protocol: Protocol) -> None:
        super().__init__(graph, question, watch)
        self._of_histories = {"canonical", *(observer.name for observer in protocol.promises.observers)}

    def judge(self, promise: Promise) -> Iterator[Finding]:
        """The findings on one promise; those that the orders left out may change are unknown."""
        for finding in super().judge(promise):
            shown = self._is_shown(promise, finding)
            yield finding if shown else replace(finding, verdict=Unknown(LEFT_OUT), run=None)

    def _is_shown(self, promise: Promise, finding: Finding) -> bool:
        match finding.verdict:
            case Violated():
                return not finding.of.startswith(SOMETIMES)
            case Holds():
                about_ends = promise.kind in (Kind.EVENTUALLY, Kind.SOMETIMES)
                return about_ends or promise.name in self._of_histories
        return True

    def _stops(self, promise: Promise) -> list[int]:
        """The states in which a run may stop and a promise does not hold."""
        return [state for state in sorted(self._graph.region_without(promise)) if self._graph.rests(state)]

    def _hopeless(self, promise: Promise) -> tuple[Run | None, int]:
        stops = self._stops(promise)
        return (self._graph.run_to(stops[0]) if stops else None), len(stops)

    def _endless(self, promise: Promise) -> None:
        """No run is endless."""
        del promise

    def _longest(self, promise: Promise) -> int | None:
        """The number of steps of the longest run, in which the promise may hold earlier; None if it may not hold."""
        graph = self._graph
        if self._stops(promise):
            return None
        # A way counts the step that leaves the region, and no step leaves all states.
        return max(longest_ways(graph, frozenset(range(len(graph.states)))).values(), default=1) - 1

    def _expected(self, promise: Promise) -> Fraction | Unknown | None:
        del promise
        return Unknown(LEFT_OUT) if self._tosses() else None


ENDLESS = "some run never ends, and steps are put in one order only where all runs end: explore with --engine auto"


def insist_on_order(instance: Instance, question: Question) -> None:
    """Raise UsageError unless an instance and a question are such that steps of different nodes are independent."""
    if instance.protocol.discipline is not Discipline.FIFO:
        why = "takes channels that keep an order only"
    elif instance.coalesce:
        why = "takes exact channels only, since the order of steps matters where equal messages become one"
    elif len(instance.alike) > 1:
        why = "takes no two nodes for alike"
    elif question.scheduler is not Scheduler.CENTRAL:
        why = "knows the central scheduler only"
    else:
        return
    raise UsageError(f"The reduced explorer {why}: explore with --engine auto.")


def examine(instance: Instance, question: Question, report: Report) -> Exploration:
    """Explore an instance, and judge its promises in channels without a bound: unknown if a run leads beyond its own.

    Raises UsageError if the instance does not fit, and BadModelError if it cannot be trusted.
    """
    insist_on_order(instance, question)
    values, watch = Values(instance), BoundWatch(question.bounds, report)
    try:
        search = ReducedSearch(values, watch, within_of(instance, values))
        return with_worlds(values, examine_by(search, instance, values, question, watch))
    except UsageError:
        raise
    except FAULTS as error:
        raise blamed(error, instance.protocol.name, "raises", None, "while its steps are explored") from error


def examine_by(
    search: ReducedSearch, instance: Instance, values: Values, question: Question, watch: BoundWatch
) -> Exploration:
    """The exploration of an instance by a search that has not begun, over numbers."""
    model = _unbounded(instance, numbered(instance, values))
    starts = tuple(dict.fromkeys(model.initial()))
    stopped = _run(search, starts)
    if not stopped:
        judge = ReducedJudge(graph_of(model, starts, search), question, watch, instance.protocol)
        return judge.exploration("reduced", model.name, model.promises)
    counts = len(starts), search.found, search.transitions, len(search.graph)
    extent = Extent(*counts, bounds=model.bounds, stopped=stopped)
    return unjudged(extent, "reduced", model.name, model.promises, question, watch)


def _run(search: ReducedSearch, starts: tuple[State, ...]) -> str:
    """Explore from each initial state. Returns the reason why nothing can be judged; empty if there is none."""
    try:
        for start in starts:
            search.run(start)
    except BoundReachedError as error:
        return str(error)
    except CycleError:
        return ENDLESS
    return ""


def _unbounded(instance: Instance, model: Model) -> Model:
    """The model without the bound on messages in flight."""
    budget = "".join(f", at most {times} {name}" for name, times in instance.budget)
    bounds = (
        f"exact channels without a bound{budget}{demands_in_words(instance.protocol)}; few orders of independent steps"
    )
    return replace(model, within=everywhere, bounds=bounds)


def within_of(instance: Instance, values: Values) -> Callable[[State], bool]:
    """Whether a state is within the bound of an instance on messages in flight, inbox by inbox."""

    @cache
    def counts(inbox: int) -> tuple[int, int]:
        """The number of messages, and the most equal ones on one link."""
        queues = values.inboxes.queues(inbox).values()
        equal = (count for queue in queues for count in Counter(queue).values())
        return sum(map(len, queues)), max(equal, default=0)

    def is_within(state: State) -> bool:
        every = [counts(inbox) for inbox in state[values.size : -1]]
        if instance.most is not None and sum(messages for messages, _ in every) > instance.most:
            return False
        return all(equal <= instance.copies for _, equal in every)

    return is_within


def graph_of(model: Model, starts: tuple[State, ...], search: ReducedSearch) -> Graph:
    """The explored graph, with its states in the order of a breadth-first search."""
    states, parents = list(starts), list(range(len(starts)))
    index = {state: number for number, state in enumerate(states)}
    for number, state in enumerate(states):
        for after in search.graph[state].values():
            if after not in index:
                index[after] = len(states)
                states.append(after)
                parents.append(number)
    actions = [tuple(search.graph[state]) for state in states]
    targets = [tuple(index[after] for after in search.graph[state].values()) for state in states]
    columns = {promise.holds: bytearray(map(promise.holds, states)) for promise in model.promises}
    holding = {promise.name: columns[promise.holds] for promise in model.promises}
    return Graph(model, states, actions, targets, parents, len(starts), holding)
