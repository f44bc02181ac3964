"""The audit: neighbours compare digests of their tables."""

from random import Random

import msgspec
import pytest

from gomboc.impl.core.automaton import Timeout
from gomboc.impl.protocols.delta_fault_tolerance import IMPLEMENTATION
from gomboc.impl.protocols.delta_fault_tolerance.auditing import digest
from gomboc.impl.protocols.delta_fault_tolerance.contents import Row, Subscription
from gomboc.impl.protocols.delta_fault_tolerance.messages import Digest, Doubt, Rows
from gomboc.impl.protocols.delta_fault_tolerance.states import Own
from tests.impl.protocols.delta_fault_tolerance.systems import ANY, EVEN, FILTERS, blank, random_run
from tests.impl.protocols.delta_fault_tolerance.test_core import LINE, forward, received, taken


def broker(name, **variables):
    state = blank(name, LINE, 1) | msgspec.to_builtins(variables)
    return IMPLEMENTATION.configured({"delta": 1, "audit": True}).make("broker", name, state, None)


def test_each_neighbour_is_told_what_its_rows_of_this_side_should_hash_to():
    rows = [Row("a", ANY, "a"), Row("a.b.c", EVEN, "a.b.c"), Row("a.b.c.d", ANY, "a.b.c.d")]
    core = broker("a.b", own=[Own(EVEN, "subscribed", None), Own(ANY, "unsubscribing", None)], rows=rows)
    sent, _ = taken(core, Timeout())
    own = Row("a.b", EVEN, "a.b")
    assert sent == [
        ("a", Digest("a.b", (0, 1), digest((own, rows[1], Row("a.b.c.d", ANY, "a.b.c"))))),
        ("a.b.c", Digest("a.b", (0, 1), digest((rows[0], own)))),
    ]


def test_a_digest_is_the_first_half_of_a_hash_of_compact_json():
    assert digest(()) == "4f53cda18c2baa0c"


def test_without_audit_nothing_is_told():
    state = blank("a.b", LINE, 1)
    core = IMPLEMENTATION.configured({"delta": 1}).make("broker", "a.b", state, None)
    assert taken(core, Timeout())[0] == []
    assert received(core, Digest("a", (0, 1), "0" * 16)) == ([], [])


def test_a_node_that_has_other_rows_doubts_and_takes_those_of_a_node_that_is_nearer_to_the_source():
    wrong = [Row("a", EVEN, "a"), Row("a.b.c", EVEN, "a.b.c")]
    core, right = broker("a.b", rows=wrong), (Row("a", ANY, "a"),)
    assert received(core, Digest("a", (0, 1), digest((wrong[0],)))) == ([], [])
    assert received(core, Digest("a", (0, 1), digest(right))) == ([("a", Doubt("a.b", (0, 1)))], [])
    received(core, Rows("a", (0, 1), right))
    assert core.at.table.rows() == (*right, wrong[1])
    assert received(core, Doubt("a", (0, 1)))[0] == [("a", Rows("a.b", (0, 1), (wrong[1],)))]


def test_rows_that_are_none_of_the_senders_business_are_not_taken():
    core = broker("a.b")
    received(core, Rows("a", (0, 1), (Row("a", ANY, "a"), Row("a.b", ANY, "a"), Row("a.b.c", ANY, "a"))))
    assert core.at.table.rows() == (Row("a", ANY, "a"),)


def test_what_is_said_after_a_digest_makes_no_node_doubt():
    core = broker("a.b", rows=[Row("a", ANY, "a")])
    received(core, forward("a", Subscription("a", EVEN, "a")))
    assert received(core, Digest("a", (0, 1), digest((Row("a", EVEN, "a"), Row("a", ANY, "a"))))) == ([], [])


@pytest.mark.parametrize("delta", [0, 1, 2])
def test_corrupted_rows_are_healed_from_the_sources_outward(delta):
    system, faults = random_run(4, 6, delta, events=20, crashes=False, audit=True)
    assert faults == []
    random = Random(delta)
    for name, core in sorted(system.cores.items()):
        for row in core.at.table.rows():
            if random.random() < 0.5:
                core.at.table.remove(row.source, row.filter)
        for source in system.names:
            if source != name and random.random() < 0.5:
                core.at.table.add(Row(source, random.choice(FILTERS), random.choice(core.at.known)))
    assert [*system.unsettled()]
    system.run_until(system.simulation.now + 12)
    assert [*system.unsettled()] == []


@pytest.mark.parametrize("seed", [1, 2])
def test_the_audit_breaks_nothing_where_brokers_crash(seed):
    _, faults = random_run(seed, 6, 2, events=30, spacing=0.2, joining=2, audit=True)
    assert faults == []


def test_no_node_tells_of_itself_what_its_table_says():
    core = broker("a.b", own=[Own(ANY, "subscribed", None)], rows=[Row("a.b", EVEN, "a"), Row("a.b", ANY, "a")])
    assert received(core, Doubt("a", (0, 1)))[0] == [("a", Rows("a.b", (0, 1), (Row("a.b", ANY, "a.b"),)))]


def test_a_node_that_recovers_neither_tells_nor_compares():
    connections = [["a", "recovering", [0, 1], [0, 1]], ["a.b.c", "operational", [0, 1], [0, 1]]]
    core = broker("a.b", connections=connections)
    assert [to for to, _ in taken(core, Timeout())[0]] == ["a.b.c"]
    core = broker("a.b", status="recovering", asking=["a"], connections=connections)
    assert taken(core, Timeout())[0] == received(core, Digest("a.b.c", (0, 1), "0" * 16))[0] == []
