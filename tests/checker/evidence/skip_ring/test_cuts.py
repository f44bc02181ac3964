"""The potential of the sorted list: rules that keep it, and rules that do not."""

from functools import partial

import pytest
from msgspec.structs import replace

from gomboc.checker.evidence.skip_ring.encodings.lists import lists
from gomboc.checker.evidence.skip_ring.lemmas.cuts import PROOFS, widened
from gomboc.checker.prove.lemma import Statement
from gomboc.checker.prove.runner import settle
from gomboc.checker.prove.settlement import Proved, Refuted
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.build_list import linearize
from gomboc.spec.protocols.skip_ring.rules import Rules
from gomboc.spec.protocols.skip_ring.state import Claim, Linearize
from tests.checker.prove.closure.settled import settled

(PROOF,) = PROOFS.values()


def delegated(**options):
    """The result for a delegated claim, in that world."""

    def wanted(case):
        return case.role == "subscriber" and case.message is Linearize

    return settled(partial(lists, shortcut=False, **options), PROTOCOL, wanted)


def test_a_delegated_claim_keeps_every_cut_crossed():
    result = delegated()
    assert isinstance(result, Proved)
    assert (result.parts, result.counts[0].satisfiable) == (10, 59)


def dropping(u, me, claim, first_hand=False):
    """A mistake: the nearer of two neighbours is kept, and the other one is forgotten."""
    return replace(linearize(u, me, claim, first_hand), sends=())


def keeping(u, me, claim, first_hand=False):
    """A mistake: the first neighbour is kept, and each further one is delegated to it, also a nearer one."""
    outcome = linearize(u, me, claim, first_hand)
    return replace(outcome, local=u if u.left and u.right else outcome.local)


@pytest.mark.parametrize("rule", [dropping, keeping])
def test_a_rule_that_uncovers_a_cut_is_refuted(rule):
    result = delegated(rules=Rules(linearize=rule))
    assert isinstance(result, Refuted)
    assert result.values["breaks"] == ("cuts_stay_crossed",)


@pytest.mark.parametrize("attempt", PROOF.attempts[1:])
def test_without_a_hypothesis_a_step_of_the_specification_widens_a_cut(attempt):
    result = settle(Statement("cuts", attempt.obligations, False, attempt.replay), 60).result
    assert isinstance(result, Refuted)
    assert result.replayed.confirms()


def test_a_cut_is_widened_if_its_shortest_reference_is_longer_or_gone():
    labels = {"v0": "0", "v1": "01", "v2": "1"}
    near, far = ("v1", Claim("1", "v2")), ("v0", Claim("1", "v2"))
    assert widened(labels, (near, far), (near,)) == ["0"]
    assert widened(labels, (near, far), (far,)) == ["01"]
    assert widened(labels, (near, far), (far, near)) == []
