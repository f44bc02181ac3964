"""Judgement of a reduced graph: its verdicts on all orders of steps, and those that stay unknown.

All runs end, so whether one is fair makes no difference, and chance decides between runs that all end. The states in
which some run may stop are exactly those of the whole graph; so are each node's histories: its local states, its
messages, and the deliveries that observers see. Of the states in which no run stops, the graph has some only.
"""

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from gomboc.checker.explore.graph.graph import Graph
from gomboc.checker.explore.graph.judge import GraphJudge, longest_ways
from gomboc.checker.explore.questions.bounds import BoundWatch
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.results.finding import Finding, Run
from gomboc.checker.explore.verdicts import SOMETIMES
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.model import Kind, Promise
from gomboc.spec.core.protocol import Protocol

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
