"""What one peer may do to eight honest nodes: `python -m tests.impl.attacks` prints it for longer runs."""

import msgspec
import pytest

from gomboc.impl.core.reasons import Reason
from tests.impl.attacks.members import MEMBERS, false_filters
from tests.impl.attacks.rows import ROWS
from tests.impl.attacks.system import TOPIC, Attacked
from tests.sampling import THOROUGH

SHORT = {"looks": 40} if THOROUGH else {"looks": 8, "settle": 12, "reach": 8}
"""Fewer than the command takes: an attack comes to each of the eight nodes in eight periods."""

REFUSED = [name for name, row in ROWS.items() if row.attack is not None and not row.is_hearsay]


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.attack is None])
def test_honest_nodes_refuse_nothing_of_each_other(name):
    seen = Attacked(ROWS[name].overlay, member=ROWS[name].member).under(None, **SHORT)
    assert (seen.wrong, seen.reached, dict(seen.refused), dict(seen.errors)) == (0, 8, {}, {})


@pytest.mark.parametrize("name", ["directory: Say of an invented contact", "directory: Say of no name"])
def test_a_contact_that_others_name_is_asked_before_it_counts(name):
    there = Attacked(ROWS[name].overlay)
    seen = there.under(ROWS[name].attack, **SHORT)
    assert (seen.wrong, seen.reached, dict(seen.errors), dict(seen.refused)) == (0, 8, {}, {}), seen.line()


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_said_in_anothers_name_is_refused_and_changes_nothing(name):
    there = Attacked(ROWS[name].overlay, member=ROWS[name].member)
    seen = there.under(ROWS[name].attack, **SHORT)
    assert (seen.wrong, seen.reached, dict(seen.errors)) == (0, 8, {}), seen.line()
    assert [*seen.refused] == [(there.peer, Reason.NOT_YOURS)]


def test_publications_of_no_neighbour_are_refused_and_those_of_honest_nodes_reach_all():
    row = ROWS["hyparview: Publish and Broadcast in invented topics"]
    there, looks = Attacked(row.overlay), 40 if THOROUGH else 16
    seen = there.under(row.attack, looks=looks, settle=12, reach=8)
    assert (seen.wrong, seen.reached, dict(seen.errors)) == (0, 8, {}), seen.line()
    assert dict(seen.refused) == {(there.peer, Reason.NO_NEIGHBOUR): 3 * looks}
    honest = {"late", *(f"honest {period}" for period in range(0, looks, 10))}
    assert [{one.payload for one in node.history(TOPIC)} for node in there.nodes.values()] == [honest] * 8
    assert seen.largest < 5_000
    assert seen.most_sent < 40_000


def test_what_a_member_publishes_in_invented_topics_costs_no_more_than_a_digest_for_each_link():
    overlay, attack = MEMBERS["hyparview, in invented topics"]
    there = Attacked(overlay, member=True)
    seen = there.under(attack, looks=6, settle=12, rest=15, reach=8)
    assert (seen.wrong, seen.reached) == (0, 8), seen.line()
    before = sum(there.transports[name].sent for name in there.honest)
    there.clock.advance(5)
    # Some of its messages find no link to it: a full view has displaced it.
    held = 64 * (6 * 3 - seen.refused[there.peer, Reason.NO_NEIGHBOUR]) + 1
    assert held > 300
    assert len(msgspec.json.decode(there.watches["hyparview"].states[":everywhere:"]["n0"][1])["held"]) == held
    sent = (sum(there.transports[name].sent for name in there.honest) - before) / 5
    assert sent < 8 * 5 * 64 * 40


@pytest.mark.parametrize("name", [name for name in MEMBERS if name not in ("hyparview, in invented topics", "delta")])
def test_what_a_member_says_of_itself_is_over_15_periods_after_it_has_stopped(name):
    overlay, attack = MEMBERS[name]
    seen = Attacked(overlay, member=True).under(attack, looks=20 if THOROUGH else 8, settle=12, rest=15, reach=8)
    assert (seen.looks, seen.wrong, seen.reached, dict(seen.errors)) == (1, 0, 8, {}), seen.line()
    assert seen.during > 0 or name == "directory"


def test_a_look_that_takes_an_honest_joiner_for_no_member_is_as_wrong_as_under_an_attack():
    there, row = Attacked("chord", member=True), ROWS["chord: Answer in one's own name"]
    del there.nodes[there.peer]
    assert there.under(None, looks=10).wrong == 10
    assert Attacked(row.overlay).under(row.attack, looks=10).wrong >= 9


def test_an_invented_node_stays_in_a_ring_until_it_is_suspected():
    name = "skip_ring: Linearize of an invented node"
    there = Attacked(ROWS[name].overlay)
    seen = there.under(ROWS[name].attack, looks=10)
    assert (seen.wrong, seen.reached) == (10, 8)
    for period in range(10):
        for node in there.nodes.values():
            node.suspect(f"ghost{period}")
    there.clock.advance(50)
    assert [*there.faults()] == []


def test_more_names_than_a_message_may_insert_are_refused_and_change_nothing():
    there = Attacked("skip_plus")
    seen = there.under(ROWS["skip_plus: Update with 2,000 names"].attack, **SHORT)
    assert (seen.wrong, seen.reached, dict(seen.errors)) == (0, 8, {}), seen.line()
    assert dict(seen.refused) == {(there.peer, Reason.BAD_MESSAGE): 1}


def test_as_many_names_as_are_allowed_cost_so_much_and_are_over_10_periods_after_they_stop():
    seen = Attacked("skip_plus").under(
        ROWS["skip_plus: Updates with 64 names"].attack, looks=10, settle=12, rest=10, reach=8
    )
    assert (seen.wrong, seen.reached, dict(seen.errors), dict(seen.refused)) == (0, 8, {}, {}), seen.line()
    assert seen.during == 10
    assert seen.largest < 32_000
    assert seen.most_sent < 96_000


@pytest.mark.parametrize(("said_last", "looks"), [("failed", 7), ("recovering", 8), ("operational", 9)])
def test_what_a_leaf_of_a_tree_says_of_itself_is_over_with_an_audit(said_last, looks):
    there = Attacked("delta_fault_tolerance", member=True, audit=True)
    assert [*false_filters(there, looks - 1)][1][1]["status"] == said_last
    harm = there.harm(false_filters, looks=looks, settle=10)
    assert (harm.neighbours, harm.far, harm.reached, harm.errors) == (1, looks, 8, 0)
    assert 0 < harm.until <= 10


def test_what_a_member_of_a_ring_says_of_itself_harms_others_only_while_it_lies():
    harm = Attacked("skip_ring", member=True).harm(MEMBERS["skip_ring"][1], looks=9)
    assert 0 < harm.neighbours < 8
    assert harm.far > 0
    assert (harm.until <= 10, harm.reached, harm.errors) == (True, 8, 0)


@pytest.mark.parametrize(("count", "refused"), [(2**53 - 1, False), (10**4300 - 1, True)], ids=["largest", "digits"])
def test_counts_of_children_raise_nothing_however_large(count, refused):
    there = Attacked("scribe")
    wrong = {"kind": "Subscribe", "sender": there.peer, "count": count, "keys": []}
    seen = there.under(lambda there, period: ((node, wrong, {}) for node in there.nodes), looks=5)
    assert (seen.reached, dict(seen.errors)) == (8, {}), seen.line()
    assert (Reason.BAD_MESSAGE in {reason for _, reason in seen.refused}) is refused
    assert not any(node.failed for node in there.nodes.values())
