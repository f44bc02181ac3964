"""Reachability from every state (AG EF): then a scheduler that picks at random arrives with probability 1."""

from collections import deque
from collections.abc import Callable, Iterable

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.graph.graph import BEYOND, Graph, extent, why_incomplete
from gomboc.checker.explore.questions.bounds import go_on
from gomboc.checker.explore.questions.claims import POSSIBLE
from gomboc.checker.explore.questions.covered import only_beyond
from gomboc.checker.explore.results.finding import Finding, settled, violated
from gomboc.spec.core.model import Promise


def possible(graph: Graph, promise: Promise, insist: Callable[[], None] = go_on) -> Finding:
    """Judge whether a state where a promise holds is reachable from every state. `insist` may raise, and ends it."""
    before = predecessors(graph)
    insist()
    holding = graph.holding[promise.name]
    reaching = backwards(before, (state for state in range(len(graph.states)) if holding[state]))
    insist()
    open_ = backwards(before, (state for state in range(len(graph.states)) if is_open(graph, state)))
    stuck = [state for state in range(len(graph.states)) if not reaching[state]]
    hopeless = next((state for state in stuck if not open_[state]), None)
    if hopeless is not None:
        run = graph.run_along(graph.path_to(hopeless))
        says = f"after {counted(len(run.actions), 'step')} no state is reachable any more where it holds"
        return violated(promise, POSSIBLE, says, run)
    return settled(promise, POSSIBLE, extent(graph), _why_unknown(graph, len(stuck)))


def _why_unknown(graph: Graph, stuck: int) -> str:
    if graph.stopped:
        return why_incomplete(graph)
    return only_beyond(stuck, extent(graph))


def is_open(graph: Graph, state: int) -> bool:
    """Whether a state has transitions with unexplored targets."""
    return not graph.is_explored(state) or BEYOND in graph.targets[state]


def predecessors(graph: Graph) -> list[list[int]]:
    """For each state, the states with a transition to it, except by commands from outside without a fairness class."""
    before: list[list[int]] = [[] for _ in graph.states]
    for state, targets in enumerate(graph.targets):
        for action, target in zip(graph.actions[state], targets, strict=True):
            if target != BEYOND and graph.turns(action):
                before[target].append(state)
    return before


def backwards(before: list[list[int]], goals: Iterable[int]) -> bytearray:
    """For each state, whether one of the goals can be reached from it."""
    marked = bytearray(len(before))
    queue = deque(goals)
    for goal in queue:
        marked[goal] = True
    while queue:
        for state in before[queue.popleft()]:
            if not marked[state]:
                marked[state] = True
                queue.append(state)
    return marked
