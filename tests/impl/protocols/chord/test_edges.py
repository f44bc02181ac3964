"""Runs at the edges of the promises: outside nodes that are named, detectors that err, changing memberships.

Where the page of the specification makes no promise, the verdict is unknown, for the reason that it states; all else
holds.
"""

import json
from pathlib import Path

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.checker.simulate.plan import Plan, PlannedCommand
from gomboc.checker.simulate.simulate import simulate_trace
from tests.golden.chord.starts import CRASHED, OUTSIDE, member, start

PLAIN = {"bits": 4, "ids": "number", "r": 2, "fingers": False}
FINGERS = {"bits": 4, "ids": "number", "r": 2}
MEETING = {**PLAIN, "meet": True}


def judged(folder, head, *commands, **others):
    """The judgement of one run from that start, with those commands."""
    begun = folder / "start.jsonl"
    begun.write_text(json.dumps({**head, "origin": {"seed": 1}}) + "\n")
    plan = Plan("chord", "chord", (1,), 1, seed=1, start=str(begun), commands=commands, **others)
    return judge_file(Path(simulate_trace(plan, folder, 0).path))


def verdicts(judgement):
    promises = [promised.verdict for promised in judgement.promises]
    return [judgement.conformance, judgement.closure, judgement.convergence, *promises]


def holds(judgement):
    return all(isinstance(verdict, Holds) for verdict in verdicts(judgement))


def unknown(judgement):
    """Why a run is unknown; nothing of it may be violated."""
    assert not [verdict for verdict in verdicts(judgement) if isinstance(verdict, Violated)]
    return {verdict.why for verdict in verdicts(judgement) if isinstance(verdict, Unknown)}


# Nodes outside that are named.

PEERS = {"n0": ["n4", "n9"], "n4": ["n0", "n9"]}
TWO = {"n0": member("n4", "n4"), "n2": OUTSIDE, "n4": member("n0", "n0"), "n9": OUTSIDE}


def named(where, parameters):
    """Two members, of which n4 names a node outside; with `meet`, the other one and n9 are its peers."""
    states = dict(TWO) if not where else TWO | {"n4": {**TWO["n4"], **where}}
    if parameters.get("meet"):
        states |= {name: {**states[name], "peers": peers} for name, peers in PEERS.items()}
    return states


WAYS = {
    "notified": ({}, ("n4", {"kind": "Notify", "sender": "n2"})),
    "predecessor": ({"predecessor": "n2"},),
    "head": ({"successors": ["n9", "n0"]},),
    "second": ({"successors": ["n0", "n9"]},),
    "answer": ({}, ("n4", {"kind": "StabilizeReply", "sender": "n9", "predecessor": None, "successors": ["n0"]})),
    "candidate": ({}, ("n4", {"kind": "StabilizeReply", "sender": "n0", "predecessor": "n9", "successors": ["n4"]})),
    "finger": ({"fingers": [[3, "n9"]]},),
    "refreshed": ({}, ("n4", {"kind": "FixFingerReply", "finger": 3, "owner": "n9"})),
}

ALONE = {
    "only successor": ({"successors": ["n9"]},),
    "alone": ({}, ("n4", {"kind": "StabilizeReply", "sender": "n9", "predecessor": None, "successors": []})),
}
"""Without `meet`, these lack the invariant."""


@pytest.mark.parametrize("way", [*WAYS, *ALONE])
def test_with_meet_a_node_outside_that_is_named_is_forgotten(way, tmp_path):
    where, *messages = (WAYS | ALONE)[way]
    parameters = {**FINGERS, "meet": True}
    assert holds(judged(tmp_path, start(parameters, named(where, parameters), *messages)))


@pytest.mark.parametrize("way", WAYS)
def test_without_meet_the_premise_is_that_no_node_outside_is_named(way, tmp_path):
    where, *messages = WAYS[way]
    judgement = judged(tmp_path, start(FINGERS, named(where, FINGERS), *messages))
    why = "premise: no_outside_node_is_named at n4 is false at the start, so convergence is not promised"
    assert holds(judgement) or why in unknown(judgement)


def test_with_meet_a_node_that_wants_in_is_let_in_by_a_member_that_takes_it_for_its_head(tmp_path):
    states = named({"successors": ["n9"]}, MEETING)
    states |= {"n9": {**OUTSIDE, "contact": "n4"}, "n0": {**states["n0"], "successors": ["n4", "n9"]}}
    assert holds(judged(tmp_path, start(MEETING, states)))


# Detectors that err.


def ring(count, r, **parameters):
    """An ideal ring of so many nodes."""
    names = [f"n{number}" for number in range(count)]
    around = [names[number:] + names[:number] for number in range(count)]
    return start(
        {**PLAIN, "r": r, **parameters},
        {name: member(others[-1], *others[1 : 1 + r]) for name, others in zip(names, around, strict=True)},
    )


def suspicions(*pairs):
    return [PlannedCommand(1.0, who, "Suspect", {"node": whom}) for who, whom in pairs]


def test_a_partition_as_detectors_see_it_is_not_blamed_on_the_protocol(tmp_path):
    one, other = ("n0", "n1", "n2"), ("n3", "n4", "n5")
    pairs = [(who, whom) for low, high in ((one, other), (other, one)) for who in low for whom in high]
    why = unknown(judged(tmp_path, ring(6, 3), *suspicions(*pairs)))
    assert len(why) == 1
    assert why.pop().startswith("assumption broken at step ")


def test_two_false_suspicions_that_leave_two_members_alone_are_not_blamed_on_the_protocol(tmp_path):
    why = unknown(judged(tmp_path, ring(4, 1), *suspicions(("n0", "n1"), ("n2", "n3"))))
    assert len(why) == 1
    assert "at_most_one_isolated_node at n2" in why.pop()


def test_two_false_words_in_flight_at_the_start_are_not_blamed_on_the_protocol(tmp_path):
    begun = ring(4, 1)
    words = (("n0", "n1"), ("n2", "n3"))
    begun["messages"] = [
        {"id": number, "to": to, "message": {"kind": "Dead", "node": node}} for number, (to, node) in enumerate(words)
    ]
    (why,) = unknown(judged(tmp_path, begun))
    assert why.startswith("assumption broken at the start: at_most_one_isolated_node at n2")


@pytest.mark.parametrize(("count", "r"), [(4, 1), (5, 2), (6, 3)])
def test_one_false_suspicion_of_a_head_heals(count, r, tmp_path):
    assert holds(judged(tmp_path, ring(count, r), *suspicions(("n0", "n1"))))


def test_a_start_without_the_invariant_is_violated_and_no_detector_is_blamed(tmp_path):
    halves = start({**PLAIN, "r": 1}, {name: member(name_of, name_of) for name, name_of in PAIRED.items()})
    judgement = judged(tmp_path, halves, rounds=3)
    assert "invariant" in {verdict.name for verdict in judgement.promises if isinstance(verdict.verdict, Violated)}


PAIRED = {"n0": "n2", "n2": "n0", "n1": "n3", "n3": "n1"}


# Rings that grow.


def growing(**others):
    states = {"n0": member("n4", "n4"), "n4": member("n0", "n0"), "n9": OUTSIDE, "n12": OUTSIDE}
    return start({**PLAIN, **others}, states)


def test_a_crash_of_a_node_that_no_list_names_breaks_no_assumption(tmp_path):
    commands = (PlannedCommand(1.0, "n9", "Crash"), PlannedCommand(3.0, "n12", "Join", {"contact": "n0"}))
    assert holds(judged(tmp_path, growing(), *commands))


def test_a_crash_of_a_node_that_wants_in_breaks_no_assumption(tmp_path):
    commands = (PlannedCommand(1.0, "n9", "Join", {"contact": "n0"}), PlannedCommand(1.0001, "n9", "Crash"))
    assert holds(judged(tmp_path, growing(), *commands))


def test_a_crash_of_a_member_of_a_ring_that_grows_breaks_it(tmp_path):
    (why,) = unknown(judged(tmp_path, growing(), PlannedCommand(1.0, "n4", "Crash")))
    assert why.startswith("assumption broken at step ")


# The bound.


@pytest.mark.parametrize("nodes", [3, 4])
def test_the_bound_leaves_time_to_refresh_every_finger(nodes, tmp_path):
    plan = Plan("chord", "chord", (nodes,), 1, seed=0, settle=1, parameters={"bits": 256, "ids": "number"})
    assert holds(judge_file(Path(simulate_trace(plan, tmp_path, 0).path)))


# Memberships.


def test_a_suspicion_that_changes_nothing_is_quiet(tmp_path):
    plan = Plan("chord", "chord", (6,), 1, seed=3, crashes=2, detection=1.0, parameters={"meet": True})
    made = simulate_trace(plan, tmp_path, 0)
    assert holds(judge_file(Path(made.path)))
    assert made.steps < 5_000


def two_rings():
    peers = {name: [other for other in PAIRED if other != name] for name in PAIRED}
    states = {name: member(other, other, peers=sorted(peers[name])) for name, other in PAIRED.items()}
    return start({**MEETING, "r": 1}, states)


def test_quiet_peers_that_end_the_premise_are_noticed(tmp_path):
    alone = [PlannedCommand(0.0001 * number, name, "Peers", {"nodes": []}) for number, name in enumerate(PAIRED)]
    whys = unknown(judged(tmp_path, two_rings(), *alone))
    assert any("premise: peers_name_the_head" in why for why in whys)


def test_two_rings_become_one_while_the_membership_names_all(tmp_path):
    assert holds(judged(tmp_path, two_rings()))


def test_crashed_nodes_that_are_named_are_forgotten(tmp_path):
    states = named({"successors": ["n9", "n0"]}, MEETING) | {"n9": CRASHED}
    assert holds(judged(tmp_path, start(MEETING, states)))


# Campaigns, small ones of those that the page of the specification has.


@pytest.mark.parametrize("meet", [True, False])
@pytest.mark.parametrize("r", [1, 3])
def test_runs_with_joins_ends_and_a_detector_hold_or_are_unknown_by_the_assumption(r, meet, tmp_path):
    plan = Plan(
        *("chord", "chord", (2, 5, 7), 3),
        seed=2300 + r,
        outside=3,
        disturb=True,
        detection=1.0,
        parameters={"r": r, "meet": meet},
    )
    for index in range(plan.traces):
        judgement = judge_file(Path(simulate_trace(plan, tmp_path, index).path))
        why = unknown(judgement)
        assert not why or (not meet and all(verdict.startswith("assumption broken at step ") for verdict in why))
