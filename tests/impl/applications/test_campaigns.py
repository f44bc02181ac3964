"""Small runs of the campaigns that the pages give figures of."""

from argparse import Namespace

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.simulate.simulate import simulate_plan
from tests.impl.applications.campaigns import churn, contacts, filters, leaving, said
from tests.sampling import THOROUGH, share

CHURN = {"nodes": 12, "pace": 1.0} if THOROUGH else {"nodes": 9, "pace": 0.3}


@pytest.mark.parametrize(
    ("overlay", "layers"),
    [("skip_plus", {"dissemination", "skip_plus", "topic_directory"}), ("skip_ring", {"skip_ring"})],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_an_application_with_churn_is_judged_to_hold_in_every_layer(seed, overlay, layers):
    lines = list(churn(seed, Namespace(overlay=overlay, **CHURN)))
    assert lines[:2] == ["equal", "ready"]
    assert {line.partition(": ")[2] for line in lines[2:]} == {"holds"}
    assert {line.partition(":")[0] for line in lines[2:]} == layers


@pytest.mark.parametrize("seed", [2, 9, pytest.param(12, marks=pytest.mark.dear)])
def test_one_contact_that_crashes_splits_no_node_that_has_another_and_is_said_to_a_node_that_has_not(seed):
    assert list(contacts(seed, Namespace(contacts=2, pace=0.5))) == ["joined, says ready, not alone"]
    assert list(contacts(seed, Namespace(contacts=1, pace=0.5))) == ["split, says not ready, alone"]


@pytest.mark.parametrize("overlay", ["skip_plus", "skip_ring"])
@pytest.mark.parametrize("periods", [0, 0.5])
def test_a_publisher_that_leaves_at_once_leaves_its_publication_behind(overlay, periods):
    for seed in (1, 2):
        assert list(leaving(seed, Namespace(overlay=overlay, periods=periods, pace=0.4))) == ["held by all, says kept"]


@pytest.mark.parametrize(
    ("layer", "parameters"),
    [
        ("topic_directory", {}),
        ("dissemination", {"key_bits": 32}),
        ("dissemination", {"key_bits": 24, "keep": 1, "chunk": 1}),
    ],
    ids=["directory", "all kept", "one kept"],
)
def test_a_layer_that_is_corrupted_and_disturbed_holds(layer, parameters, tmp_path):
    """The larger ones, of 600 runs each, are on the pages of the layers."""
    options = {"publications": 4 if parameters else 0, "disturb": True, "outside": 2, "parameters": parameters}
    plan = Plan(layer, layer, (2, 3, 4), share(24, 2), 23012, **options)
    simulate_plan(plan, tmp_path / "traces", 1, lambda *_: None)
    assert {said(judge_file(path)) for path in sorted((tmp_path / "traces").glob("*.jsonl"))} == {"holds"}


@pytest.mark.parametrize("seed", [1, 2, pytest.param(7, marks=pytest.mark.dear)])
def test_clients_of_a_tree_whose_nodes_restart_lose_nothing_and_their_trace_holds(seed):
    seen = list(filters(seed, Namespace(quarters=240 if THOROUGH else 160)))
    assert {verdict for verdict in seen if "violated" in verdict} == set()
    assert "system: holds" in seen
    assert seen.count("restarts") > 3
    assert seen.count("deliveries that were owed") > 50
