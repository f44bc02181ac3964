"""An audit of tables: it compares digests of neighbours, heals rows, and disturbs nothing.

Source: decided here
"""

from hashlib import sha256
from random import Random

import pytest
from msgspec.structs import replace

from gomboc.checker.evidence.delta_fault_tolerance.experiments.corrupted import from_corrupted
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run
from gomboc.spec.core.domain import sampler
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import CERTAIN, Timeout
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.delta_fault_tolerance import configured
from gomboc.spec.protocols.delta_fault_tolerance.auditing import digest
from gomboc.spec.protocols.delta_fault_tolerance.contents import Row
from gomboc.spec.protocols.delta_fault_tolerance.filters import Predicate
from gomboc.spec.protocols.delta_fault_tolerance.models import LINE, ONE
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start

ROOT, ONE_END, _ = LINE
AUDITED = configured({"delta": 1, "audit": True})


def right():
    return dict(right_start(Parameters(1, audit=True), LINE, {ONE_END: (ONE,)}).locals)


def step(protocol, states, node, taken):
    outcome = protocol.actor.react(node, states[node], taken, CERTAIN[0])
    states[node] = outcome.local
    return [(send.target, send.message) for send in outcome.sends]


def test_a_digest_is_of_rows_as_json_without_blanks():
    text = b'[["0.1",[["x","=",1]],"0.1"]]'
    assert digest((Row(ONE_END, ONE, ONE_END),)) == sha256(text).hexdigest()[:16]
    assert (
        digest((Row(ONE_END, (Predicate("x", "prefix", "ä"),), ONE_END),))
        == (sha256('[["0.1",[["x","prefix","ä"]],"0.1"]]'.encode()).hexdigest()[:16])
    )


def test_a_digest_in_flight_is_of_no_node_fault_if_it_is_right():
    states = right()
    for target, message in step(AUDITED, states, ROOT, Timeout()):
        assert not legitimacy_faults(AUDITED, states, ((target, message),))
        assert legitimacy_faults(AUDITED, states, ((target, replace(message, digest="0" * 16)),))


def test_any_rows_become_right_in_as_many_rounds_as_there_are_links_in_a_row():
    draw = sampler(AUDITED.starts.space(Size(5)))
    wrong = 0
    for seed in range(20):
        run = Run(AUDITED, draw(Random(seed)))
        wrong += bool(run.wrong())
        for _ in range(4):
            for name in run.states:
                run.time_out(name)
            run.settle(Random(seed))
        assert run.wrong() == ()
    assert wrong > 15


@pytest.mark.parametrize(("what", "heals"), [("row", True), ("stamp", False), ("entry", False)])
def test_an_audit_heals_rows_but_neither_stamps_nor_entries(what, heals):
    assert from_corrupted(what, audit=False).wrong()
    assert (from_corrupted(what, audit=True).wrong() == ()) == heals


def test_an_audit_is_given_where_it_is_asked_for():
    assert AUDITED.variants.given == {"audit": True}
