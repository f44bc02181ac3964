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
from gomboc.spec.core.model import CERTAIN, Received, Timeout
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.delta_fault_tolerance import configured
from gomboc.spec.protocols.delta_fault_tolerance.auditing import digest
from gomboc.spec.protocols.delta_fault_tolerance.filters import Predicate
from gomboc.spec.protocols.delta_fault_tolerance.models import LINE, ONE
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
from gomboc.spec.protocols.delta_fault_tolerance.state import Digest, Doubt, Down, Row, RowsMessage
from gomboc.spec.types.kinds import Crash

ROOT, ONE_END, OTHER_END = LINE
AUDITED = configured({"delta": 1, "audit": True})
STRAY = Row(OTHER_END, (), ROOT)


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


def test_each_neighbour_is_told_what_its_rows_on_this_side_come_to():
    sent = step(AUDITED, right(), ROOT, Timeout())
    assert sent == [
        (ONE_END, Digest(ROOT, (0, 1), digest(()))),
        (OTHER_END, Digest(ROOT, (0, 2), digest((Row(ONE_END, ONE, ONE_END),)))),
    ]


def test_without_the_parameter_no_node_says_or_does_anything():
    plain, states = configured({"delta": 1}), right()
    states[OTHER_END] = replace(states[OTHER_END], rows=(STRAY,))
    before = dict(states)
    assert step(plain, states, ROOT, Timeout()) == []
    for message in (Digest(ROOT, (0, 2), "0"), Doubt(ROOT, (0, 2)), RowsMessage(ROOT, (0, 2), ())):
        assert step(plain, states, OTHER_END, Received(message)) == []
    assert states == before


def test_a_node_that_has_other_rows_doubts_them_and_takes_over_those_that_it_is_told():
    states = right()
    stray = Row(ROOT, (), ROOT)
    states[OTHER_END] = replace(states[OTHER_END], rows=(stray,))
    (_, compared) = step(AUDITED, states, ROOT, Timeout())[1]
    ((target, doubt),) = step(AUDITED, states, OTHER_END, Received(compared))
    assert (target, doubt) == (ROOT, Doubt(OTHER_END, (0, 1)))
    ((_, rows_message),) = step(AUDITED, states, ROOT, Received(doubt))
    assert rows_message == RowsMessage(ROOT, (0, 2), (Row(ONE_END, ONE, ONE_END),))
    step(AUDITED, states, OTHER_END, Received(rows_message))
    assert states == right()
    assert step(AUDITED, states, OTHER_END, Received(compared)) == []


def test_rows_of_other_sides_stay():
    states = right()
    message = RowsMessage(OTHER_END, (0, 1), ())
    step(AUDITED, states, ROOT, Received(message))
    assert states == right()


@pytest.mark.parametrize("change", [{"status": "recovering"}, {"connections": ()}])
def test_a_node_that_is_not_operational_or_not_connected_audits_no_node(change):
    states = right()
    states[ROOT] = replace(states[ROOT], **change)
    assert step(AUDITED, states, ROOT, Timeout()) == []


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
def test_an_audit_heals_rows_and_nothing_else(what, heals):
    assert from_corrupted(what, audit=False).wrong()
    assert (from_corrupted(what, audit=True).wrong() == ()) == heals


def test_what_is_no_truth_is_refused():
    with pytest.raises(ValueError, match=r"^audit must be true or false: "):
        configured({"audit": 1})
    assert AUDITED.variants.given == {"audit": True}


def test_a_node_that_is_connected_past_a_neighbour_that_is_away_is_not_audited():
    run = Run(AUDITED, right_start(Parameters(1, audit=True), LINE, {}))
    run.command(ROOT, Crash())
    for end in (ONE_END, OTHER_END):
        run.command(end, Down(ROOT))
    run.drain()
    assert [(connection.peer, connection.status) for connection in run.states[ONE_END].connections] == [
        (OTHER_END, "operational")
    ]
    assert step(AUDITED, run.states, ONE_END, Timeout()) == []
