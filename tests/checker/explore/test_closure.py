"""Closure by single steps agrees with the graph, finds each way to leave, and reports the limits of its induction."""

from itertools import chain

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.closure import examine, places
from gomboc.checker.explore.graph.examine import examine as examine_graph
from gomboc.checker.explore.questions.bounds import Bounds
from gomboc.checker.explore.results.finding import Extent
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.faults import anchor_of
from gomboc.spec.core.instance import Instance, bounded_model
from gomboc.spec.core.model import Commanded, Offer, Outcome, Send, Timeout
from gomboc.spec.core.network import is_legitimate
from gomboc.spec.core.protocol import whole
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.small import STRANGER, closure
from gomboc.spec.protocols.skip_ring.state import (
    SUPERVISOR,
    Claim,
    Entry,
    GetConfiguration,
    Linearize,
    Probe,
    RemoveConnections,
    WantIn,
    WantOut,
)

SMALL = closure(2)


def by(rule):
    """The closure of small rings with another rule: `rule(me, local, taken, outcome)`."""

    def react(me, local, taken, choice):
        return rule(me, local, taken, PROTOCOL.actor.react(me, local, taken, choice))

    return replace(SMALL, protocol=PROTOCOL.changed(react=react))


def found(changed, **more):
    (finding,) = examine(changed, **more).findings
    return finding


def forgetful(me, local, taken, outcome):
    """The timeout of v2 forgets a neighbour."""
    if me != "v2" or not isinstance(taken, Timeout):
        return outcome
    return replace(outcome, local=replace(outcome.local, left=None, right=None))


def lying(me, local, taken, outcome):
    """A probed node also makes a false claim."""
    probed = isinstance(getattr(taken, "message", None), Probe)
    lie = (Send("v1", Linearize(Claim("11", "v1"))),)
    return replace(outcome, sends=(*outcome.sends, *lie)) if probed else outcome


def disturbing(me, local, taken, outcome):
    """A request makes the supervisor swap the labels of two members."""
    if me != SUPERVISOR or not isinstance(getattr(taken, "message", None), GetConfiguration):
        return outcome
    swapped = {"v1": "v2", "v2": "v1"}
    database = tuple(Entry(entry.label, swapped[entry.node]) for entry in local.database if len(local.database) == 2)
    return replace(outcome, local=replace(outcome.local, database=database or local.database), sends=())


def test_the_rules_of_the_skip_ring_are_closed():
    exploration = examine(SMALL)
    (finding,) = exploration.findings
    assert isinstance(finding.verdict, Holds)
    assert finding.verdict.claim == f"208 steps; {SMALL.bounds}"
    assert exploration.extent == Extent(5, 13, 208, 13, bounds=SMALL.bounds)
    assert exploration.engine == "steps"


@pytest.mark.parametrize(
    ("rule", "conjunct"),
    [(forgetful, "left_is_predecessor"), (lying, "claim_is_true"), (disturbing, "label_is_recorded")],
)
def test_a_rule_that_leaves_the_right_states_is_caught_with_its_step(rule, conjunct):
    changed = by(rule)
    finding = found(changed)
    assert isinstance(finding.verdict, Violated)
    assert finding.verdict.rule == "closure"
    assert conjunct in finding.verdict.says
    before, after = finding.run.states
    assert is_legitimate(PROTOCOL, before)
    assert not is_legitimate(PROTOCOL, after)


def test_the_same_rules_are_caught_on_the_graph_of_what_is_in_flight():
    for rule in (None, forgetful, lying):
        protocol = PROTOCOL if rule is None else by(rule).protocol
        (stable, *_) = examine_graph(bounded_model(in_flight(protocol, 2, most=2))).findings
        assert isinstance(stable.verdict, Unknown if rule is None else Violated)
        assert stable.promise == "closure"


def test_the_graph_without_a_bound_on_messages_is_closed_too():
    (stable, *_) = examine_graph(bounded_model(in_flight(PROTOCOL, 1, most=None))).findings
    assert isinstance(stable.verdict, Holds)


def steps(changed, counts):
    """The number of steps from the right states that `counts(act, local before, outcome)`."""
    return sum(
        bool(counts(act, local, changed.protocol.actor.react(node, local, act.input, act.choice)))
        for right, node, local in places(changed, changed.rights())
        for act in right.acts(changed.protocol, node, local)
    )


def in_flight(protocol, members, most):
    """A right ring of so many members, beside a stranger, with any harmless message in flight at first."""
    start = next(start for start in SMALL.rights() if len(dict(start.locals)) == 2 + members)
    database = anchor_of(PROTOCOL, dict(start.locals))
    harmless = tuple(sent for sent in SMALL.about(start) if not PROTOCOL.legitimacy.message_faults(database, *sent))
    roles = dict(start.roles)
    return Instance(
        protocol=protocol,
        locals=tuple((node, roles[node], OneOf((local,))) for node, local in start.locals),
        messages=OneOf(harmless),
        in_flight=1,
        copies=1,
        most=most,
    )


def test_a_step_to_a_right_state_that_is_not_looked_at_leaves_it_open():
    def skipping(me, local, taken, outcome):
        return replace(outcome, local=replace(outcome.local, next=local.next + 7)) if me == SUPERVISOR else outcome

    finding = found(by(skipping))
    assert isinstance(finding.verdict, Unknown)
    number = steps(by(skipping), lambda act, local, outcome: act.node == SUPERVISOR)
    says = f"{number} steps leave the induction: a step of supervisor leads to a right state that is not looked at: "
    assert finding.verdict.why.startswith(says)
    assert [act.node for act in finding.run.actions] == [SUPERVISOR]


def test_a_right_message_that_is_not_looked_at_leaves_it_open():
    def about(start):
        return tuple(sent for sent in SMALL.about(start) if not isinstance(sent[1], GetConfiguration))

    def asks(act, local, outcome):
        return any(isinstance(send.message, GetConfiguration) for send in outcome.sends)

    fewer = replace(SMALL, about=about)
    finding = found(fewer)
    assert isinstance(finding.verdict, Unknown)
    says = f"{steps(fewer, asks)} steps leave the induction: a step of v1 sends a right message that is not looked at: "
    assert finding.verdict.why.startswith(says)
    assert [act.node for act in finding.run.actions] == ["v1"]


def test_an_anchor_that_changes_while_all_stays_right_leaves_it_open():
    protocol = PROTOCOL.changed(
        share=whole,
        anchor=lambda states: (anchor_of(PROTOCOL, states), states[SUPERVISOR].next),
        anchor_faults=lambda anchor: PROTOCOL.legitimacy.anchor_faults(anchor[0]),
        node_faults=lambda anchor, me, local: PROTOCOL.legitimacy.node_faults(anchor[0], me, local),
        message_faults=lambda anchor, target, message: PROTOCOL.legitimacy.message_faults(anchor[0], target, message),
    )
    turning = replace(SMALL, protocol=protocol)
    finding = found(turning)
    assert isinstance(finding.verdict, Unknown)
    turns = steps(turning, lambda act, local, outcome: act.node == SUPERVISOR and outcome.local.next != local.next)
    says = f"{turns} steps leave the induction: a step of supervisor changes what all others are judged by"
    assert finding.verdict.why == says


def test_a_violation_is_one_though_a_step_before_it_leaves_the_induction():
    def about(start):
        return tuple(sent for sent in SMALL.about(start) if not isinstance(sent[1], GetConfiguration))

    assert isinstance(found(replace(by(lying), about=about)).verdict, Violated)


def test_wrong_messages_are_left_out():
    wrong = ("v1", RemoveConnections("v1")), ("v1", Linearize(Claim("11", "v2")))
    finding = found(replace(SMALL, about=lambda start: (*SMALL.about(start), *wrong)))
    assert isinstance(finding.verdict, Holds)
    stranger = ("v1", RemoveConnections(STRANGER))
    assert stranger in list(chain.from_iterable(map(SMALL.about, SMALL.rights())))


def test_a_bound_leaves_it_open():
    finding = found(closure(4), bounds=Bounds(seconds=1e-9))
    assert finding.verdict == Unknown("the bound of 1e-09 seconds was reached")


def commanded(command):
    """Small rings with a command to the supervisor, which then forgets all members; requests to be in are quiet."""

    def react(me, local, taken, choice):
        if isinstance(taken, Commanded):
            return Outcome(replace(local, database=()))
        return PROTOCOL.actor.react(me, local, taken, choice)

    def environment(states, in_flight):
        return (Offer(SUPERVISOR, command, "once"),)

    return replace(SMALL, protocol=PROTOCOL.changed(react=react, offers=environment, quiet=(WantIn,)))


def test_a_quiet_command_is_a_step_that_must_not_leave_either_and_no_other_command_is():
    assert isinstance(found(commanded(WantOut())).verdict, Holds)
    left = found(commanded(WantIn()))
    assert isinstance(left.verdict, Violated)
    (act,) = left.run.actions
    assert (act.node, act.input) == (SUPERVISOR, Commanded(WantIn()))
