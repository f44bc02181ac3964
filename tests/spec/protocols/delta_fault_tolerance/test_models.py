"""The starts of the pinned models, and what the assumption counts in them.

Source: Sections 4.2 and 4.3
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds, Unknown
from gomboc.checker.simulate.plan import Plan, PlannedCommand
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import Commanded
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.delta_fault_tolerance import PROTOCOL
from gomboc.spec.protocols.delta_fault_tolerance.legitimacy import share
from gomboc.spec.protocols.delta_fault_tolerance.models import FIGURE_5, MODELS, ONE, brokers
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.premise import misreports
from gomboc.spec.protocols.delta_fault_tolerance.space import ROLE, right_start, trees
from gomboc.spec.protocols.delta_fault_tolerance.state import Connection, Node
from gomboc.spec.types.kinds import Crash, Suspect


def test_each_start_of_a_model_but_an_audit_is_right():
    for pinned in (model for model in MODELS if model.name != "audit"):
        states = {name: domain.values[0] for name, _, domain in pinned.model.locals}
        assert not legitimacy_faults(pinned.model.protocol, states, ())


def test_the_authority_sees_what_the_clients_of_a_broker_want():
    assert share(dict(right_start(Parameters(), FIGURE_5, {"N1": (ONE,)}).locals)["N1"]).wanted == (ONE,)


def test_a_connection_whose_ends_name_different_streams_is_not_right():
    states = dict(right_start(Parameters(), FIGURE_5, {}).locals)
    first, *others = states["N1.N2"].connections
    changed = replace(states["N1.N2"], connections=(replace(first, theirs=(0, 9)), *others))
    faults = legitimacy_faults(PROTOCOL, {**states, "N1.N2": changed}, ())
    assert [(fault.rule, fault.node) for fault in faults] == [("sessions_agree", "N1.N2")]


@pytest.mark.parametrize(
    ("absent", "delta", "rule"),
    [
        ((), 0, None),
        (("N1",), 0, "few_consecutive_failures"),
        (("N1",), 1, None),
        (("N1.N2", "N1.N3"), 1, None),
        (("N1", "N1.N3"), 1, "few_consecutive_failures"),
        (("N1", "N1.N2", "N1.N3"), 2, "few_consecutive_failures"),
        (("N1", "N1.N2", "N1.N3"), 3, None),
        (FIGURE_5, 9, None),
    ],
)
def test_the_assumption_counts_a_node_that_is_away_in_a_row(absent, delta, rule):
    """Section 5, delta-fault-tolerance."""
    instance = brokers(delta, FIGURE_5, {})
    states = {name: domain.values[0] for name, _, domain in instance.locals}
    states |= {name: Node("recovering", 1) for name in absent}
    assert [fault.rule for fault in instance.protocol.promises.assumption(states, ())] == ([rule] if rule else [])


def test_the_detector_speaks_of_a_node_that_has_failed_only_and_owes_its_word():
    states = dict(right_start(Parameters(), FIGURE_5, {}).locals)
    after = PROTOCOL.actor.react(
        "N1", states["N1"], Commanded(Crash()), PROTOCOL.actor.choices("N1", states["N1"], None)[0]
    ).local
    assert not any(isinstance(offer.command, Suspect) for offer in PROTOCOL.environment.offers(states, ()))
    words = [
        offer
        for offer in PROTOCOL.environment.offers({**states, "N1": after}, ())
        if isinstance(offer.command, Suspect)
    ]
    assert {(offer.node, offer.command.node, offer.owed) for offer in words} == {
        (name, "N1", True) for name in ("N1.N2", "N1.N3", "N1.P1")
    }


@pytest.mark.parametrize("nodes", [1, 2, 5, 20])
def test_trees_are_drawn_with_names_that_form_one(nodes):
    for names in trees(nodes):
        assert len(names) == nodes
        assert PROTOCOL.naming.misnamed(dict.fromkeys(names, ROLE)) is None
        assert max(map(len, names)) <= 64
    assert PROTOCOL.starts.space(Size(nodes)).domains


def judged_with(tmp_path, *commands):
    """The unknown verdicts, and why, on a run of three brokers in a row with these commands."""
    plan = Plan("delta_fault_tolerance", "", (3,), 1, 1, "legitimate", commands=commands, from_spec=True, rounds=6)
    path = Path(simulate_trace(plan, tmp_path, 0).path)
    judged = judge_file(path)
    assert isinstance(judged.conformance, Holds)
    unknown = {name: verdict.why for name, verdict in judged.verdicts() if isinstance(verdict, Unknown)}
    assert judged.exit_code() == (3 if unknown else 0)
    return unknown


def test_more_away_than_delta_makes_everything_else_unknown_with_the_step(tmp_path):
    """Section 5: nothing is promised of more than delta failures."""
    unknown = judged_with(tmp_path, PlannedCommand(1.0, "0", "Crash"), PlannedCommand(2.0, "0.1", "Crash"))
    assert {str(why).partition(" at step")[0] for why in unknown.values()} == {"assumption broken"}


def test_a_false_suspicion_is_named_as_the_assumption_that_is_broken(tmp_path):
    """Section 4.1, the failure detector."""
    unknown = judged_with(tmp_path, PlannedCommand(2.0, "0", "Suspect", {"node": "0.1"}))
    assert {"closure", "convergence"} <= unknown.keys()
    for why in unknown.values():
        assert why.startswith("assumption broken at step ")
        assert why.endswith(': detector_is_never_wrong at 0, found ["0.1","operational"]')


def test_a_suspicion_of_a_node_without_a_connection_tells_nothing_and_neither_does_one_at_a_failed_node(tmp_path):
    assert judged_with(tmp_path, PlannedCommand(2.0, "0", "Suspect", {"node": "0.1.2"})) == {}
    failed = Node("failed", known=("0.1",))
    assert misreports({"0": failed, "0.1": Node()}, "0", Suspect("0.1")) == ()


@pytest.mark.parametrize(("theirs", "wrong"), [((0, 1), False), ((1, 1), True), (None, True)])
def test_a_late_suspicion_is_true_of_a_connection_from_before_the_failure_only(theirs, wrong):
    states = {"0": Node(connections=(Connection("0.1", "operational", (0, 1), theirs),)), "0.1": Node("recovering", 1)}
    faults = misreports(states, "0", Suspect("0.1"))
    assert [(fault.rule, fault.node) for fault in faults] == [("detector_is_never_wrong", "0")] * wrong


def test_the_environment_offers_no_false_suspicion():
    states = dict(right_start(Parameters(), FIGURE_5, {}).locals)
    for failed in states:
        away = {**states, failed: Node("failed", known=states[failed].known)}
        for offer in PROTOCOL.environment.offers(away, ()):
            assert misreports(away, offer.node, offer.command) == ()
