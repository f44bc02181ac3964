"""The supervisor of any number of nodes: rules with a mistake are refuted or open."""

from functools import partial

import pytest
from msgspec.structs import replace

from gomboc.checker.evidence.skip_ring.encodings.held import held
from gomboc.checker.evidence.skip_ring.lemmas.closure import PAIR
from gomboc.checker.judge.verdict import Unknown
from gomboc.checker.prove.closure.cases import Case
from gomboc.checker.prove.settlement import Proved, Refuted
from gomboc.spec import Outcome, Send
from gomboc.spec.core.model import Received, Timeout
from gomboc.spec.protocols.skip_ring import PROTOCOL, supervisor
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.state import GetConfiguration, RemoveConnections, SetData, Supervisor
from tests.checker.prove.closure.settled import settled

TIMEOUT, ASKED = Case("supervisor"), Case("supervisor", GetConfiguration)
OURS = PROTOCOL.actor.react


def supervised(react, case):
    """The result for one case, with that function instead of the rules."""
    of = partial(held, real=PROTOCOL.changed(react=react))
    return settled(of, PROTOCOL, case.__eq__, conjuncts=PAIR)


@pytest.mark.parametrize("case", [TIMEOUT, ASKED], ids=str)
def test_the_rules_keep_a_ring_of_any_size_right(case):
    result = supervised(OURS, case)
    assert isinstance(result, Proved)
    assert (result.parts, result.vacuous) == (8, 0)


def emptied(me, local, taken, choice):
    """A mistake: the node in turn is sent the configuration of a node that is not recorded."""
    outcome = OURS(me, local, taken, choice)
    sends = tuple(Send(send.target, SetData(None, None, None)) for send in outcome.sends)
    return Outcome(outcome.local, sends)


def told_to_forget(me, local, taken, choice):
    """A mistake: all members are told to forget the node that asks."""
    members = [entry.node for entry in local.database]
    return Outcome(local, tuple(Send(node, RemoveConnections(taken.message.subscriber)) for node in members))


def removed(me, local, taken, choice):
    """A mistake: a node that asks is removed."""
    said = Received(taken.message) if isinstance(taken, Timeout) else taken
    return Outcome(replace(local, database=tuple(e for e in local.database if e.node != said.message.subscriber)))


@pytest.mark.parametrize(
    ("react", "case", "conjunct"),
    [
        (emptied, TIMEOUT, "configuration_is_current"),
        (told_to_forget, ASKED, "no_member_removed"),
        (removed, ASKED, "the anchor's share is kept"),
    ],
)
def test_a_supervisor_with_a_mistake_is_refuted(react, case, conjunct):
    result = supervised(react, case)
    assert isinstance(result, Refuted)
    assert conjunct in result.values["breaks"]


def beyond(me, local, taken, choice):
    """A mistake: the turn goes beyond the last label."""
    (node,) = (entry.node for entry in local.database if entry.label == supervisor.label_of(local.next + 1))
    return Outcome(local, (supervisor.configure(local.database, node),))


def test_a_turn_beyond_the_last_label_is_open():
    result = supervised(beyond, TIMEOUT)
    assert isinstance(result, Unknown)
    assert "not enough values to unpack" in result.why


def test_afterwards_the_specification_counts_with_the_functions_of_python():
    supervised(OURS, TIMEOUT)
    assert "len" not in vars(supervisor)
    assert supervisor.label_of is label_of
    assert OURS("supervisor", Supervisor(), Timeout(), None).local == Supervisor()
