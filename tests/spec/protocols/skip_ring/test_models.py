"""The pinned models of the skip ring: each has the recorded results, and each can fail."""

from math import factorial

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.graph.lasso import is_fair, replays
from gomboc.checker.explore.questions.question import Fairness
from gomboc.checker.explore.questions.target import Target
from gomboc.checker.explore.results.report import word_for
from gomboc.checker.explore.results.saving import save
from gomboc.checker.judge.verdict import Holds, Violated
from gomboc.spec.core.domain import enumerate_values
from gomboc.spec.core.faults import anchor_of, legitimacy_faults
from gomboc.spec.core.instance import Instance, bounded_model, size
from gomboc.spec.core.model import Outcome, Received
from gomboc.spec.core.network import is_legitimate
from gomboc.spec.core.protocol import variant
from gomboc.spec.protocols.skip_ring import PROTOCOL, small
from gomboc.spec.protocols.skip_ring.models import MODELS, around_right
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import Claim, IntroduceShortcut, Linearize, SetData
from tests.plugins.promises import finding_on
from tests.spec.protocols.exploring import explored, in_process_of, run

pytestmark = [in_process_of("skip_ring"), pytest.mark.long]

BY_NAME = {pinned.name: pinned for pinned in MODELS}


def convergence(exploration):
    """The finding about every fair run."""
    return finding_on(exploration, "convergence", "every ")


def test_where_no_node_suspects_the_crashed_one_the_others_never_converge_and_the_judge_agrees(tmp_path):
    def only_crashes(states, in_flight):
        return tuple(offer for offer in PROTOCOL.environment.offers(states, in_flight) if offer.budget == "crash")

    pinned = BY_NAME["two_crash"]
    model = replace(pinned.model, protocol=PROTOCOL.changed(offers=only_crashes))
    finding = convergence(run(model))
    assert isinstance(finding.verdict, Violated)
    saved = save(Target("unsuspected", "", model, "gomboc explore it"), finding, tmp_path / "unsuspected")
    assert saved.confirm == f"gomboc check {tmp_path / 'unsuspected.jsonl'}"


def test_only_the_printed_linearize_is_meant_to_fail():
    assert [p.name for p in MODELS if p.results and "violated" in p.results.verdicts] == ["printed_linearize"]


def test_every_start_of_a_declared_space_is_explored():
    recorded = {p.name: p.results.starts for p in MODELS if isinstance(p.model, Instance) and p.results}
    assert {name: size(BY_NAME[name].model) for name in recorded} == recorded
    assert min(recorded["one"], recorded["two_false_label"], recorded["two_message"]) > 1_000_000


def test_the_printed_linearize_fails_from_a_right_ring_and_one_false_claim():
    lasso = convergence(explored("skip_ring", "printed_linearize")).run
    first = lasso.states[0]
    assert first.locals == small.right_start(names(2), 0).locals
    assert [(e.target, e.message) for e in first.channels.in_flight] == [("v2", Linearize(Claim("11", "v1")))]
    assert lasso.back == 0


def test_its_lasso_replays_is_fair_and_never_legitimate():
    model, lasso = BY_NAME["printed_linearize"].model, convergence(explored("skip_ring", "printed_linearize")).run
    assert replays(bounded_model(model), lasso)
    assert is_fair(bounded_model(model), lasso, Fairness.WEAK)
    assert not any(is_legitimate(PROTOCOL, world) for world in lasso.states)


def test_by_our_rules_the_same_starts_converge_with_any_number_of_messages():
    exploration = run(replace(BY_NAME["printed_linearize"].model, protocol=PROTOCOL))
    assert exploration.extent.starts == 34
    assert [word_for(finding) for finding in exploration.findings] == ["holds"] * 5


@pytest.mark.dear
def test_a_ring_of_one_converges_with_the_printed_linearize_too():
    exploration = run(replace(BY_NAME["one"].model, protocol=variant(PROTOCOL, "printed_linearize")))
    assert exploration.extent.starts == 1_142_100
    assert [word_for(finding) for finding in exploration.findings] == ["holds"] * 5


def test_ring_labels_alone_do_not_lead_the_printed_linearize_astray():
    exploration = run(around_right(2, small.hearsay(2, small.first_labels(2)), 10, True, "printed_linearize"))
    assert isinstance(convergence(exploration).verdict, Holds)


@pytest.mark.dear
def test_subscribers_that_are_deaf_to_configurations_are_caught():
    def deaf(me, local, taken, choice):
        if isinstance(taken, Received) and isinstance(taken.message, SetData):
            return Outcome(local)
        return PROTOCOL.actor.react(me, local, taken, choice)

    exploration = run(replace(BY_NAME["one"].model, protocol=PROTOCOL.changed(react=deaf)))
    assert isinstance(convergence(exploration).verdict, Violated)


@pytest.mark.parametrize("printed", [None, *(erratum.name for erratum in PROTOCOL.variants.errata)])
def test_closure_is_inductive_with_our_rules_and_with_each_as_printed_but_build_ring(printed):
    """With BuildRing as printed the end nodes store themselves as neighbours, even with empty channels."""
    exploration = run(small.closure(3, printed))
    if printed == "printed_build_ring":
        assert isinstance(finding_on(exploration, "closure").verdict, Violated)
        return
    assert isinstance(finding_on(exploration, "closure").verdict, Holds)
    extent = exploration.extent
    assert (extent.starts, extent.states, extent.transitions) == (23, 55, 1_192)


@pytest.mark.parametrize("most", [1, 2, 4])
def test_every_legitimate_state_is_looked_at(most):
    """Each order of the names of n members, and each turn of the supervisor."""
    assert len(small.closure(most).rights()) == sum(factorial(nodes) * nodes for nodes in range(1, most + 1))
    recorded = BY_NAME["closure"].results.starts
    assert recorded == sum(factorial(nodes) * nodes for nodes in range(1, 7))


def test_the_right_states_are_legitimate_and_different():
    starts = small.closure(4).rights()
    assert len(set(starts)) == len(starts)
    assert not any(legitimacy_faults(PROTOCOL, dict(start.locals), start.in_flight) for start in starts)


def test_every_true_message_about_a_right_state_is_looked_at():
    """In SR(2): checks, introductions, presentations and probes with two flags, claims, and the configuration."""
    start = small.right_start(names(2), 0)
    states = dict(start.locals)
    database = anchor_of(PROTOCOL, states)
    right = [sent for sent in small.about_right(start) if not PROTOCOL.legitimacy.message_faults(database, *sent)]
    for_a_member, for_the_supervisor = 4 * 2 * 2 + 2 * 2 + 1, 2 * 2
    assert len(right) == len(set(right)) == 2 * for_a_member + for_the_supervisor


def test_the_shortcut_that_the_printed_partners_leave_out_is_introduced_by_ours():
    whole = small.never_configured()
    ours = replace(whole, protocol=small.untold(PROTOCOL))
    (finding,) = run(ours).findings
    assert finding.verdict.says == "it held, and step 1 ends it: no_configuration_pending"
    sent = [e.message for e in finding.run.states[1].channels.in_flight if e.target == small.UNTOLD[0]]
    assert IntroduceShortcut(Claim("01", "v3")) in sent


def test_a_ring_that_is_not_told_of_a_shortcut_is_not_legitimate():
    for start in small.never_configured().rights():
        states = dict(start.locals)
        assert small.UNTOLD[1] in states[small.UNTOLD[0]].shortcuts
        (fault,) = legitimacy_faults(PROTOCOL, states, ())
        assert (fault.rule, fault.node) == ("shortcuts_are_right", "v1")


def test_any_message_in_flight_is_one_of_every_kind():
    kinds = {type(message).__name__ for _, message in enumerate_values(small.anything(1, small.first_labels(1)))}
    assert kinds == {
        *("Subscribe", "Unsubscribe", "GetConfiguration", "SetData", "Check", "Introduce", "Present", "Probe"),
        *("Linearize", "RemoveConnections", "IntroduceShortcut"),
    }
