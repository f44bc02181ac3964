"""The pinned models of dissemination notice wrong rules."""

import pytest
from msgspec.structs import replace

from gomboc.checker.judge.verdict import Violated
from gomboc.spec.core.model import Outcome, Received, Timeout
from gomboc.spec.protocols.dissemination.models import pair
from tests.spec.protocols.exploring import run


def never_compared(taken, outcome):
    return Outcome(outcome.local) if isinstance(taken, Timeout) else outcome


def lost_when_told(taken, outcome):
    return Outcome(replace(outcome.local, publications=())) if isinstance(taken, Received) else outcome


@pytest.mark.parametrize(("wrong", "violated"), [(never_compared, "convergence"), (lost_when_told, "closure")])
def test_a_wrong_rule_is_noticed(wrong, violated):
    model = pair(1, 0, 8)

    def react(me, local, taken, choice):
        return wrong(taken, model.protocol.actor.react(me, local, taken, choice))

    findings = run(replace(model, protocol=model.protocol.changed(react=react))).findings
    assert {finding.promise for finding in findings if isinstance(finding.verdict, Violated)} == {violated}
