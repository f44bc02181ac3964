"""The example spanning_tree, found by its entry points: rules, traces, models, claims, and runs of both sides."""

import os
import re
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from gomboc.impl import UsageError
from gomboc.spec import CERTAIN, Commanded, Outcome, Received, Send, Timeout
from tests.checker.cli.command import gomboc
from tests.installed import declared, forget, install

PROJECT = Path(__file__).with_name("spanning_tree")
TRACES = PROJECT / "traces" / "spanning_tree"


@pytest.fixture(autouse=True)
def installed(tmp_path_factory, monkeypatch):
    """The project as `pip install -e` leaves it, for one test."""
    site = tmp_path_factory.mktemp("site")
    install("spanning_tree", declared(PROJECT), site)
    for folder in (site, PROJECT):
        monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", f"{site}{os.pathsep}{PROJECT}")
    forget()
    yield
    monkeypatch.undo()
    forget()


@pytest.fixture
def spec():
    return import_module("spanning_tree.spec")


def says(*words):
    """The output of a command that must succeed."""
    ran = gomboc(*words)
    assert (ran.code, ran.err) == (0, ""), ran.out
    return ran.out


def node(distance, parent, **registers):
    state = import_module("spanning_tree.spec.state")
    return state.Node(distance, parent, tuple(state.Register(name, far) for name, far in registers.items()))


def written(sender, distance):
    return import_module("spanning_tree.spec.state").Write(sender, distance)


def test_the_root_is_at_distance_0_and_writes_it_to_its_neighbours(spec):
    outcome = spec.react("root", node(3, "v1", v1=1, v2=1), Timeout(), *CERTAIN)
    assert outcome == Outcome(
        node(0, None, v1=1, v2=1), (Send("v1", written("root", 0)), Send("v2", written("root", 0)))
    )


def test_a_node_takes_the_first_of_its_nearest_neighbours_for_its_parent(spec):
    outcome = spec.react("v3", node(0, None, v1=2, v2=1, v4=1), Timeout(), *CERTAIN)
    assert outcome.local == node(2, "v2", v1=2, v2=1, v4=1)
    assert outcome.sends == tuple(Send(name, written("v3", 2)) for name in ("v1", "v2", "v4"))


def test_a_node_without_neighbours_has_no_parent(spec):
    assert spec.react("v1", node(4, "v2"), Timeout(), *CERTAIN) == Outcome(node(4, None))


def test_a_node_reads_from_its_neighbours_alone(spec):
    local = node(1, "root", root=0, v2=5)
    assert spec.react("v1", local, Received(written("v2", 2)), *CERTAIN) == Outcome(node(1, "root", root=0, v2=2))
    assert spec.react("v1", local, Received(written("v3", 0)), *CERTAIN) == Outcome(local)


def test_there_are_no_commands(spec):
    with pytest.raises(ValueError, match="v1 has no rule for"):
        spec.react("v1", node(1, "root", root=0), Commanded(None), *CERTAIN)


def test_each_conjunct_of_legitimacy_can_be_false_alone(spec):
    legitimacy = spec.PROTOCOL.legitimacy
    tree = legitimacy.anchor({"root": ("v1",), "v1": ("root", "v2"), "v2": ("v1",)})
    assert tree.nodes == (("root", 0, None), ("v1", 1, "root"), ("v2", 2, "v1"))
    assert legitimacy.node_faults(tree, "v1", node(1, "root", root=0, v2=2)) == ()
    wrong = (node(1, "v2", root=0, v2=2), node(2, "root", root=0, v2=2), node(1, "root", root=0, v2=1))
    rules = [[fault.rule for fault in legitimacy.node_faults(tree, "v1", local)] for local in wrong]
    assert rules == [["is_in_its_place"], ["is_in_its_place"], ["reads_right"]]
    assert legitimacy.message_faults(tree, "v1", written("v2", 2)) == ()
    assert [fault.rule for fault in legitimacy.message_faults(tree, "v1", written("v2", 0))] == ["writes_right"]


def test_the_premise_is_a_network_that_the_root_reaches_by_links_that_go_both_ways(spec):
    def faults(**states):
        return [(fault.rule, fault.node) for fault in spec.PROTOCOL.promises.premise(states, ())]

    assert faults(root=node(0, None, v1=1), v1=node(1, "root", root=0)) == []
    assert faults(root=node(0, None, v1=1), v1=node(1, "root")) == [("links_are_mutual", "root")]
    assert faults(root=node(0, None), v1=node(1, None)) == [("root_reaches_all", "v1")]


@pytest.mark.parametrize(
    ("distance", "registers", "is_malformed"),
    [
        (0, {"a": 0, "b": 1}, False),
        (-1, {}, True),
        (0, {"a": -1}, True),
        (0, {"b": 0, "a": 0}, True),
    ],
)
def test_both_sides_refuse_the_same_malformed_states(spec, distance, registers, is_malformed):
    local = node(distance, None, **registers)
    assert bool(spec.PROTOCOL.naming.malformed(local)) is is_malformed
    state, make = (
        msgspec.json.decode(msgspec.json.encode(local)),
        import_module("spanning_tree.impl").IMPLEMENTATION.make,
    )
    if is_malformed:
        with pytest.raises(UsageError, match="This is no state of spanning_tree"):
            make("node", "v1", state, None)
    else:
        assert msgspec.json.decode(make("node", "v1", state, None).snapshot()) == state


def test_names_of_nodes_follow_from_the_fields(spec):
    local = node(1, "root", root=0, v2=2)
    assert sorted(spec.PROTOCOL.naming.named(local)) == ["root", "root", "v2"]
    assert spec.PROTOCOL.naming.renamed(local, {"v2": "a"}) == node(1, "root", a=2, root=0)


def test_the_golden_traces_get_their_stated_verdicts():
    assert "2 traces, 0 not as expected." in says("check", "--expect", TRACES)


def test_the_bad_trace_is_right_by_the_mistake_and_does_not_converge():
    ran = gomboc("check", "--variant", "only_shorter", TRACES / "only_shorter.bad.jsonl")
    assert (ran.code, "conformance: violated" in ran.out, "convergence: violated" in ran.out) == (1, False, True)


def test_a_right_step_that_the_mistake_does_not_take_is_found_and_cited():
    ran = gomboc("check", "--variant", "only_shorter", TRACES / "a_triangle_recovers.ok.jsonl")
    found = "step 3 at v2: write: the step is not what the rule 'write' produces [Dolev 2000, Section 2.5]"
    assert (ran.code, found in ran.out) == (1, True)


def test_every_state_of_the_models_is_as_recorded_and_the_mistake_does_not_converge():
    explored = says("explore", "spanning_tree", "--recorded")
    assert explored.count("  as recorded\n") == 3
    assert "violated: convergence" in explored


def test_the_claims_are_settled_as_recorded():
    assert "2 claims: 2 reproduced; all as recorded." in says("errata", "spanning_tree")


def test_the_lemma_is_proved_and_its_negative_controls_are_refuted():
    assert "2 negative controls refuted, as expected" in says("prove", "floating_distances_rise")


def test_the_implementation_conforms_and_converges_from_120_corrupted_states(tmp_path):
    says("simulate", "spanning_tree", "--nodes", "1..4", "--traces", "120", "--output", tmp_path)
    assert says("check", tmp_path).count(": holds (n = ") == 120


def test_closure_is_proved_for_every_network_and_its_negative_controls_are_refuted(tmp_path):
    ran = gomboc("prove", "closure_for_every_network", "--counts", "--smtlib", str(tmp_path))
    assert ran.code == 0, ran.out
    said = ran.out
    assert "closure_for_every_network: proved for bounded collections, 24 parts (" in said
    assert "  2 negative controls refuted, as expected" in said
    assert re.search(r"    node runs its timeout: 6 proved, (\d+) of \1 paths satisfiable, \d+\.\d s\n", said)
    assert "(check-sat)" in (tmp_path / "closure_for_every_network.smt2").read_text(encoding="utf-8")


def test_the_gate_of_the_project_knows_that_the_lemma_is_about_its_protocol(tmp_path):
    ran = gomboc("gate", PROJECT, "--stage", "prove", "--output", tmp_path / "gate")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "prove: holds (1 case)")


def test_a_report_draws_the_parents(tmp_path):
    says("report", TRACES / "a_triangle_recovers.ok.jsonl", "--output", tmp_path / "page.html")
    assert '"levels":["parent"]' in (tmp_path / "page.html").read_text().replace(" ", "")
