"""A graph for other checkers, in the format DRN of the model checker Storm: states, picks, chances and promises.

A pick is an action, with the chances of its results as fractions. The labels of a state are `init`, the names of the
promises that hold in it (one that holds nowhere is no label), and `stopped` if nothing is enabled in it, since such a
state gets an action that stays. The reward `steps` counts the steps. Fairness is not part of the format.

Source: https://www.stormchecker.org/documentation
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from gomboc.checker.core.errors import UsageError
from gomboc.checker.explore.graph.graph import Graph
from gomboc.checker.explore.graph.search import search
from gomboc.checker.explore.questions.bounds import BoundWatch
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.questions.schedulers import scheduled
from gomboc.spec.core.model import Model

STOPPED = "stopped"
"""The label of the states in which nothing is enabled, and the name of their action."""


def drn(model: Model, question: Question) -> str:
    """The whole graph of a model as text. Raises UsageError if it is not whole, or if commands come from outside."""
    graph = search(scheduled(model, question.scheduler), BoundWatch(question.bounds))
    extent = graph.extent
    why = extent.incomplete or extent.exceeding or ("" if extent.starts else "there is no initial state")
    if why:
        raise UsageError(f"Only a graph that was explored to its end is written for other checkers: {why}.")
    if any(graph.model.disturbs(action) or not graph.turns(action) for actions in graph.actions for action in actions):
        raise UsageError(
            f"Commands come to {model.name} from outside; other checkers would take them for its own steps."
        )

    return "\n".join((*_head(graph), *_states(graph), ""))


def _head(graph: Graph) -> Iterator[str]:
    choices = sum(max(1, len(_choices(graph, state))) for state in range(len(graph.states)))
    yield f"// {graph.model.name}: {graph.extent}".replace("\n", " ")
    yield from ("@type: MDP", "@parameters", "", "@reward_models", "steps")
    yield from ("@nr_states", str(len(graph.states)), "@nr_choices", str(choices), "@model")


def _states(graph: Graph) -> Iterator[str]:
    for state in range(len(graph.states)):
        choices = _choices(graph, state)
        names = [_name(promise.name) for promise in graph.model.promises if graph.holding[promise.name][state]]
        labels = ["init"] * (state < graph.starts) + sorted(set(names)) + [STOPPED] * (not choices)
        yield " ".join((f"state {state} [0]", *labels))
        for name, row in choices or [(STOPPED, {state: Fraction(1)})]:
            yield f"\taction {name} [{int(bool(choices))}]"
            yield from (f"\t\t{target} : {chance}" for target, chance in sorted(row.items()))


def _choices(graph: Graph, state: int) -> list[tuple[str, dict[int, Fraction]]]:
    """The picks of a state: the name of its actor, and the chances of its results."""
    picks: dict[object, tuple[str, dict[int, Fraction]]] = {}
    for action, target in zip(graph.actions[state], graph.targets[state], strict=True):
        _, row = picks.setdefault(graph.model.pick(action), (_name(graph.model.actor(action)), {}))
        row[target] = row.get(target, Fraction(0)) + graph.model.chance(action)
    return list(picks.values())


def _name(text: str) -> str:
    return re.sub(r"\W", "_", text) or "_"
