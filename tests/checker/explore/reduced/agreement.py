"""The reduced search against the whole graph, on drawn instances: `python -m tests.checker.explore.reduced.agreement`.

Its arguments are the first seed and the number of seeds.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

from gomboc.checker.core.bad_models import BadModelError
from gomboc.checker.explore.graph.components import components, edges_within
from gomboc.checker.explore.graph.graph import Graph
from gomboc.checker.explore.graph.judge import GraphJudge
from gomboc.checker.explore.graph.search import search
from gomboc.checker.explore.numbered.examine import numbered
from gomboc.checker.explore.numbered.values import Values
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch
from gomboc.checker.explore.questions.question import Coins, Fairness, Question
from gomboc.checker.explore.reduced.examine import ENDLESS, examine_by
from gomboc.checker.explore.reduced.futures import Steps
from gomboc.checker.explore.reduced.search import ReducedSearch
from gomboc.checker.explore.results.finding import Exploration, Finding
from gomboc.checker.explore.verdicts import BOUNDED, EXPECTED, SOMETIMES
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Model
from tests.checker.explore.reduced.drawn import drawn

MOST_STATES = 800
"""Number of states of a whole graph up to which it is compared."""

TOO_LARGE = "too large"


def differences(seed: int, without: str = "") -> list[str]:
    """The differences between the reduced search and the whole graph of a drawn instance; `without` one condition."""
    random = Random(seed)
    question = Question(fairness=random.choice(list(Fairness)), coins=random.choice(list(Coins)))
    return differences_of(drawn(seed), question, without)


def differences_of(instance: Instance, question: Question, without: str = "") -> list[str]:
    """The differences between the reduced search and the whole graph of an instance; `without` one condition.

    An instance with a whole graph of more than MOST_STATES, or beyond its bound, or that cannot be explored, is
    TOO_LARGE.
    """
    values, watch = Values(instance), BoundWatch(Bounds())
    model = numbered(instance, values)
    try:
        graph = search(model, BoundWatch(Bounds(most_states=MOST_STATES)))
    except BadModelError:
        return [TOO_LARGE]
    if graph.stopped or graph.beyond:
        return [TOO_LARGE]
    reducing = ReducedSearch(values, watch)
    if without:
        del reducing.conditions.every[without]
    reduced = examine_by(reducing, instance, values, question, watch)
    if next(components(graph, edges_within(graph, frozenset(range(len(graph.states))))), None):
        return [] if reduced.extent.stopped == ENDLESS else ["a run that never ends was not found"]
    whole = GraphJudge(graph, question, watch).exploration("numbered", model.name, model.promises)
    return [*_ends(model, graph, reducing), *_verdicts(whole, reduced)]


def _ends(model: Model, graph: Graph, reducing: ReducedSearch) -> Iterator[str]:
    """The differences between the states in which runs may stop."""
    whole = {state for number, state in enumerate(graph.states) if graph.rests(number)}
    reduced = {state for state, steps in reducing.graph.items() if _rests(steps)}
    if not reducing.graph.keys() <= set(graph.states):
        yield "a state is none of the whole graph"
    if whole != reduced:
        yield f"{len(reduced)} states to stop in, not {len(whole)}"


def _rests(steps: Steps) -> bool:
    return not any(action.turns for action in steps)


def _verdicts(whole: Exploration, reduced: Exploration) -> Iterator[str]:
    """The differences between findings, where those of the reduced search are known."""
    if reduced.extent.stopped:
        yield f"stopped: {reduced.extent.stopped}"
        return
    others = {(finding.promise, finding.of): finding for finding in whole.findings}
    told = {(finding.promise, finding.of) for finding in reduced.findings if not finding.of.startswith(EXPECTED)}
    if told != {key for key in others if not key[1].startswith(EXPECTED)}:
        yield "other findings"
        return
    for finding in reduced.findings:
        if not _agrees(others.get((finding.promise, finding.of)), finding):
            yield f"{finding.promise}: {finding.of}: {finding.verdict}"


def _agrees(whole: Finding | None, reduced: Finding) -> bool:
    if reduced.of.startswith(EXPECTED):
        return isinstance(reduced.verdict, Unknown)
    assert whole is not None, "every other finding is of both"
    if isinstance(reduced.verdict, Unknown):
        return _may_be_unknown(whole)
    if reduced.of.startswith(BOUNDED):
        return (whole.worst or 0) <= (reduced.worst or 0)
    return type(whole.verdict) is type(reduced.verdict)


def _may_be_unknown(whole: Finding) -> bool:
    """Whether a finding is about whole states, and its verdict one that a part of the states does not show."""
    if whole.of.startswith(SOMETIMES):
        return isinstance(whole.verdict, Holds | Violated)
    return whole.promise in ("closure", "adds_up", "stays_connected")


def main(first: int, count: int) -> int:
    """Compare drawn instances, and print those that differ. Returns the number of these."""
    said: Counter[str] = Counter()
    for seed in range(first, first + count):
        found = differences(seed)
        said.update(found[:1] or ["alike"])
        if found and found != [TOO_LARGE]:
            print(seed, found)
    print(dict(said))
    return sum(said.values()) - said["alike"] - said[TOO_LARGE]


if __name__ == "__main__":
    sys.exit(min(1, main(*map(int, sys.argv[1:]))))
