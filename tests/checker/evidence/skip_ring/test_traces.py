"""The traces of the errata of the skip ring: each shows the run that the page describes."""

import json
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.impl.api.registry import implementations
from tests.golden.drive import lines_of, reached
from tests.golden.errata import folder, scenes

FOLDER = folder("skip_ring")
SCENES = scenes("skip_ring")


@cache
def trace(name):
    return lines_of(FOLDER / f"{name}.jsonl")


def state(name, node, step):
    """The state of a node after so many steps."""
    return reached(trace(name)[: step + 1])[0][node]


def sent(name, first=1, last=None):
    """The messages sent in the steps from `first` to `last`: (sender, target, message)."""
    lines = trace(name)[first : None if last is None else last + 1]
    return [(step["node"], send["to"], send["message"]) for step in lines for send in step["sent"]]


def test_what_the_ring_as_printed_shows_is_a_run_of_the_implementations_own_reading():
    printed = [name for name, scene in SCENES.items() if scene.variant == "printed_build_ring"]
    assert printed == ["right_ring_stores_itself", "false_label_on_both_sides"]
    implementations = {trace(name)[0]["origin"]["implementation"] for name in printed}
    assert implementations == {"gomboc skip_ring.printed_build_ring"}


def test_all_but_four_are_runs_of_the_implementation():
    known = implementations()
    written = {name: trace(name)[0]["origin"]["implementation"] for name in SCENES}
    specified = {name for name, who in written.items() if who.removeprefix("gomboc ") not in known}
    assert specified == {
        "edge_stays_away",
        "publish_among_equals",
        "shortcuts_linearised_again",
        "tries_that_look_alike",
    }


ROWS = [json.loads(line) for line in Path(__file__).with_name("traces.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['trace']}: {row['shows']}")
def test_after_so_many_steps_a_node_has_and_in_the_last_it_has_sent_what_its_row_says(row):
    after = state(row["trace"], row["node"], row["step"])
    assert {variable: after[variable] for variable in row["has"]} == row["has"]
    if "sends" in row:
        said = sent(row["trace"], row["step"], row["step"])
        assert said == [(row["node"], to, message) for to, message in row["sends"]]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("false_claim_for_ever", {"kind": "Linearize", "claim": ["11", "v1"]}),
        ("told_its_own_neighbour", {"kind": "SetData", "pred": ["1", "v2"], "label": "0", "succ": ["1", "v2"]}),
        ("right_edges_and_a_false_message", {"kind": "RemoveConnections", "node": "v1"}),
    ],
)
def test_one_false_message_is_in_flight_at_first_and_the_ring_is_not_yet_legitimate(name, message):
    assert [(told["to"], told["message"]) for told in trace(name)[0]["messages"]] == [("v2", message)]
    assert judge_file(FOLDER / f"{name}.jsonl").rounds != 0


def at_false_deliveries():
    """The steps of the lasso in which the false claim is delivered."""
    lines = trace("false_claim_for_ever")
    said = {message["id"]: message["message"] for line in lines[1:] for message in line["sent"]}
    said |= {message["id"]: message["message"] for message in lines[0]["messages"]}
    false = {"kind": "Linearize", "claim": ["11", "v1"]}
    return [
        n for n, line in enumerate(lines[1:], 1) if said.get(line["took"] if line["took"] != "timeout" else -1) == false
    ]


def test_the_lasso_comes_back_and_is_fair_in_between():
    """A cycle in which every node times out, and everything in flight at its start is delivered."""
    one, two, three = at_false_deliveries()
    lines = trace("false_claim_for_ever")
    for begin, end in ((one, two), (two, three)):
        before, waiting = reached(lines[: begin + 1])
        after, waiting_after = reached(lines[: end + 1])
        cycle = lines[begin + 1 : end + 1]
        assert before == after
        assert [(message["to"], message["message"]) for message in waiting.values()] == [
            (message["to"], message["message"]) for message in waiting_after.values()
        ]
        assert {line["node"] for line in cycle if line["took"] == "timeout"} == set(lines[0]["roles"])
        assert set(waiting) <= {line["took"] for line in cycle if line["took"] != "timeout"}
    assert three == len(lines) - 1


def test_by_our_rules_the_same_claim_is_probed():
    assert ("v2", "v1", {"kind": "Probe", "sender": "v2", "flag": "LIN"}) in sent("false_claim_ends")
    assert all(step["state"]["left"] for step in trace("false_claim_ends")[1:] if step["node"] == "v2")


def test_one_false_label_is_introduced_anew_at_each_timeout():
    said = [m for _, _, m in sent("one_false_label_becomes_four", 1, 3) if m["kind"] == "IntroduceShortcut"]
    assert [message["claim"] for message in said if message["claim"] == ["01", "v2"]] == [["01", "v2"]] * 3


def test_a_late_introduction_changes_a_neighbour_after_two_configurations():
    name = "late_introduction"
    lines = trace(name)
    configured = [line["node"] for line in lines[2:14] if line["took"] != "timeout"]
    assert Counter(configured) == {"v1": 2, "v2": 2, "v3": 2}
    assert [state(name, node, 13)["label"] for node in ("v1", "v2", "v3")] == ["0", "1", "01"]
    assert lines[0]["messages"] == []
    assert (state(name, "v1", 13)["right"], state(name, "v1", 14)["right"]) == (["01", "v3"], ["001", "v3"])
    assert state(name, "v1", len(lines) - 1)["right"] == ["01", "v3"]


def test_the_missing_edge_stays_away_as_printed_and_comes_back_by_our_rule():
    for name, end in (("edge_stays_away", None), ("edge_comes_back", "v3")):
        assert dict(state(name, "v1", 0)["shortcuts"])["01"] is None
        assert dict(state(name, "v1", len(trace(name)) - 1)["shortcuts"])["01"] == end
    assert trace("edge_stays_away")[0]["states"] == trace("edge_comes_back")[0]["states"]


def test_unchanged_shortcuts_are_linearised_in_a_legitimate_ring():
    lines = trace("shortcuts_linearised_again")
    kinds = Counter(message["kind"] for _, _, message in sent("shortcuts_linearised_again"))
    assert kinds["Linearize"] > 0
    assert all(line["state"] == lines[0]["states"][line["node"]] for line in lines[1:] if line["node"] != "supervisor")


def test_label_0_is_involved_in_the_first_and_in_the_last_of_four_subscriptions():
    name = "four_newcomers"
    lines = trace(name)
    databases = [state(name, "supervisor", n) for n, line in enumerate(lines) if n == 0 or line["node"] == "supervisor"]
    neighbours = []
    for database in [supervisor["database"] for supervisor in databases][:5]:
        index = next(index for index, entry in enumerate(database) if entry[1] == "v1")
        neighbours.append((database[index - 1][1], database[(index + 1) % len(database)][1]))
    assert [one != other for one, other in pairwise(neighbours)] == [True, False, False, True]


def test_no_node_is_introduced_over_a_shortcut_and_the_leaver_is_forgotten():
    name = "no_node_introduced_over_a_shortcut"
    left = next(n for n, line in enumerate(trace(name)[1:], 1) if line["took"] == {"kind": "Unsubscribe"})
    assert ["1", "v2"] in state(name, "v1", 0)["shortcuts"]
    messages = [m for who, to, m in sent(name, 1, left) if (who, to) == ("v1", "v2")]
    assert messages == []
    end = reached(trace(name))[0]
    assert "v2" not in json.dumps([end[node] for node in ("supervisor", "v1", "v3", "v4")])
    assert end["v2"]["label"] is None


def test_when_label_0_leaves_eight_it_tells_five():
    name = "zero_leaves_eight"
    targets = [
        to for who, to, m in sent(name, 4, 4) if who == "v1" and m == {"kind": "RemoveConnections", "node": "v1"}
    ]
    assert len(targets) == len(set(targets)) == 5


def test_two_tries_that_look_alike_are_compared_in_every_round_and_never_become_equal():
    lines = trace("tries_that_look_alike")
    checks = [message for _, _, message in sent("tries_that_look_alike") if message["kind"] == "CheckTrie"]
    assert len(checks) == 2 * lines[0]["bound"]
    assert len({json.dumps(check["tuples"]) for check in checks}) == 1
    first, last = lines[0]["states"], reached(lines)[0]
    for node in ("v1", "v2"):
        assert last[node] == first[node]
    assert first["v1"]["publications"] != first["v2"]["publications"]
