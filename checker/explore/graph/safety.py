"""Properties of single states and single steps: ALWAYS, STABLE and SOMETIMES."""

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.graph.graph import BEYOND, Graph, extent, why_incomplete
from gomboc.checker.explore.questions.claims import ALWAYS, SOMETIMES, STABLE
from gomboc.checker.explore.questions.covered import leading
from gomboc.checker.explore.questions.run import Run
from gomboc.checker.explore.results.finding import Finding, settled, violated
from gomboc.spec.core.model import Promise


def always(graph: Graph, promise: Promise) -> Finding:
    """Judge whether a promise holds in every state. The counterexample is a shortest one."""
    first = graph.holding[promise.name].find(0)
    if first >= 0:
        run = graph.run_along(graph.path_to(first))
        return violated(promise, ALWAYS, f"it is false after {counted(len(run.actions), 'step')}", run)
    return settled(promise, ALWAYS, extent(graph), why_incomplete(graph))


def stable(graph: Graph, promise: Promise) -> Finding:
    """Judge whether only commands from outside lead from a state where a promise holds to one where it does not."""
    holding = graph.holding[promise.name]
    for state, targets in enumerate(graph.targets):
        if not holding[state]:
            continue
        for action, target in zip(graph.actions[state], targets, strict=True):
            if target != BEYOND and not holding[target] and not graph.model.disturbs(action):
                way = graph.run_along(graph.path_to(state))
                run = Run((*way.states, graph.states[target]), (*way.actions, action))
                return violated(promise, STABLE, f"it held, and step {len(run.actions)} ends it", run)
    return settled(promise, STABLE, f"in {counted(sum(holding), 'state')} of {extent(graph)}", why_incomplete(graph))


def sometimes(graph: Graph, promise: Promise) -> Finding:
    """Judge whether a promise holds in some state."""
    times = sum(graph.holding[promise.name])
    if times:
        return settled(promise, SOMETIMES, f"it holds in {counted(times, 'state')}", "")
    beyond = f"{leading(graph.beyond)} beyond the bound" if graph.beyond else ""
    incomplete = why_incomplete(graph) or beyond
    if incomplete or not graph.states:
        return settled(promise, SOMETIMES, "", incomplete or "there is no initial state")
    run = graph.run_along([0])
    return violated(promise, SOMETIMES, f"it is false in all of {extent(graph)}", run)
