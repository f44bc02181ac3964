"""A graph that is written for other checkers gets the same verdicts from them: from networkx, and from Storm."""

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import networkx
import pytest
from hypothesis import given, settings

from gomboc.checker.core.errors import UsageError
from gomboc.checker.explore.engines import as_drn
from gomboc.checker.explore.graph.drn import drn
from gomboc.checker.explore.graph.examine import examine
from gomboc.checker.explore.graph.optimal import optimal
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.bounds import Bounds
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.explore.verdicts import POSSIBLE
from gomboc.checker.judge.verdict import Holds
from gomboc.spec.core.instance import bounded_model
from gomboc.spec.core.model import Kind
from tests.checker.explore.graph.graphs import graph_model, graph_models
from tests.checker.explore.graph.test_optimal import drawn_graph
from tests.checker.explore.table.protocols import instances
from tests.plugins.dijkstra_rings import token_ring
from tests.plugins.promises import finding_on
from tests.sampling import share


def read(text):
    """The labels of each state, and the graph of its transitions, each with its pick and its chance."""
    lines = [line for line in text.splitlines() if not line.startswith("//")]
    head, body = lines[: lines.index("@model")], lines[lines.index("@model") + 1 :]
    labels, network, choices = [], networkx.MultiDiGraph(), 0
    for line in body:
        kind, *words = line.split()
        if kind == "state":
            assert int(words[0]) == len(labels)
            labels.append(set(words[2:]))
            network.add_node(len(labels) - 1)
        elif kind == "action":
            choices += 1
        else:
            network.add_edge(len(labels) - 1, int(kind), pick=choices, chance=Fraction(words[1]))
    counts = {name: int(count) for name, count in pairwise(head) if name in ("@nr_states", "@nr_choices")}
    assert counts == {"@nr_states": len(labels), "@nr_choices": choices}
    return labels, network


def verdicts(labels, network):
    """By networkx: whether each promise of these kinds holds."""

    def those(name):
        return {state for state, known in enumerate(labels) if name in known}

    goals = those("eventually")
    reaching = set().union(goals, *(networkx.ancestors(network, goal) for goal in goals))
    stable = those("stable")
    return {
        "always": those("always") == set(network),
        "eventually": reaching == set(network),
        "sometimes": bool(those("sometimes")),
        "stable": all(to in stable for state in stable for to in network.successors(state)),
    }


@settings(max_examples=share(200))
@given(graph_models(tuple(Kind), bounded=False))
def test_another_reader_judges_what_is_written_alike(model):
    labels, network = read(drn(model, Question()))
    exploration = examine(model)
    said = {
        name: finding_on(exploration, name, POSSIBLE * (name == "eventually")) for name in verdicts(labels, network)
    }
    ours = {name: isinstance(finding.verdict, Holds) for name, finding in said.items()}
    assert ours | {"stable": ours["stable"] or exploration.legitimate == 0} == verdicts(labels, network)
    assert {state for state, known in enumerate(labels) if "init" in known} == set(range(exploration.extent.starts))


@settings(max_examples=share(60))
@given(graph_models(tuple(Kind), bounded=False) | instances().map(bounded_model))
def test_the_chances_of_each_pick_add_up(model):
    try:
        labels, network = read(drn(model, Question(bounds=Bounds(most_states=500))))
    except UsageError as error:
        assert str(error).startswith("Only a graph that was explored to its end")  # noqa: PT017
        return
    totals = {}
    for *_, data in network.edges(data=True):
        totals[data["pick"]] = totals.get(data["pick"], 0) + data["chance"]
    assert set(totals.values()) <= {1}
    assert len(labels) == explore(model).extent.states


def test_what_is_written_of_a_coin_is_this():
    coin = graph_model([(0, [("a", 0), ("a", 1), ("a", 2), ("b", 1)]), (2, [("b", 2)])], goals=(1,), coins=True)
    assert drn(coin, Question()) == (Path(__file__).parent / "coin.drn").read_text()


def storm():
    return pytest.importorskip("stormpy", "2.0", "the model checker Storm is not installed: pip install stormpy")


def by_storm(stormpy, path, formula, extreme):
    """The least or greatest value over all states."""
    model = stormpy.build_model_from_drn(str(path))
    (wanted,) = stormpy.parse_properties(formula)
    return extreme(stormpy.model_checking(model, wanted).get_value_vector())


def test_storm_computes_the_same_numbers(tmp_path):
    stormpy, path = storm(), tmp_path / "graph.drn"
    for seed in range(40):
        graph = drawn_graph(seed)
        path.write_text(drn(graph, Question()))
        if "eventually" not in path.read_text():
            continue  # a label without a state is none
        found, _ = optimal(explore(graph), graph.promises[0])
        steps = [(part, float(max(part.values(), default=0))) for part in (found.soon, found.late)]
        soon, late = (most if len(part) == len(found.likely) else float("inf") for part, most in steps)
        for formula, extreme, ours in (
            ('Pmax=? [F "eventually"]', min, float(min(found.likely.values(), default=1))),
            ('Pmin=? [F "eventually"]', min, float(min(found.unlikely.values(), default=1))),
            ('R{"steps"}min=? [F "eventually"]', max, soon),
            ('R{"steps"}max=? [F "eventually"]', max, late),
        ):
            assert by_storm(stormpy, path, formula, extreme) == pytest.approx(ours, abs=1e-5), (seed, formula)


def test_storm_judges_a_token_ring_alike(tmp_path):
    stormpy, path = storm(), tmp_path / "ring.drn"
    for machines, values, surely in ((3, 3, 1), (4, 3, 1), (4, 2, 0)):
        ring = token_ring(machines, values)
        path.write_text(as_drn(ring, Question()))
        assert by_storm(stormpy, path, 'Pmin=? [F "convergence"]', min) == surely
        must = finding_on(examine(ring, Question(fairness=Fairness.NONE)), "convergence", "every run")
        assert isinstance(must.verdict, Holds) == bool(surely)


@pytest.mark.parametrize(
    ("model", "bounds", "why"),
    [
        (
            graph_model([(0, [("a", 1)])]),
            Bounds(most_states=1),
            "the bound of 1 state was reached: 1 of 2 states found were explored, 1 transition",
        ),
        (graph_model([(0, [("a", 1)])], beyond=(1,)), Bounds(), "1 state leads beyond the bound"),
        (graph_model([], starts=()), Bounds(), "there is no initial state"),
    ],
)
def test_a_graph_that_is_not_whole_is_not_written(model, bounds, why):
    with pytest.raises(UsageError) as refused:
        drn(model, Question(bounds=bounds))
    assert str(refused.value) == f"Only a graph that was explored to its end is written for other checkers: {why}."
