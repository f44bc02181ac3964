"""Exploration of an instance by few orders of independent steps."""

from collections import Counter
from collections.abc import Callable
from functools import cache

from msgspec.structs import replace

from gomboc.checker.core.bad_models import blamed
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.user_code import FAULTS
from gomboc.checker.explore.graph.graph import Graph
from gomboc.checker.explore.numbered.examine import numbered, with_worlds
from gomboc.checker.explore.numbered.values import State, Values
from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch, Report
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.questions.schedulers import Scheduler
from gomboc.checker.explore.reduced.depth_first import CycleError
from gomboc.checker.explore.reduced.judge import ReducedJudge
from gomboc.checker.explore.reduced.search import ReducedSearch
from gomboc.checker.explore.results.finding import Exploration, Extent
from gomboc.checker.explore.verdicts import unjudged
from gomboc.spec.core.instance import Instance, demands_in_words
from gomboc.spec.core.model import Model, everywhere
from gomboc.spec.core.protocol import Discipline

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
