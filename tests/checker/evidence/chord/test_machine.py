"""The published rules event by event: the effect of each, and the claims on small rings."""

from gomboc.checker.evidence.chord.experiments.claimed import CLAIMED, ordered_ring
from gomboc.checker.evidence.chord.experiments.invariants import shortest
from gomboc.checker.evidence.chord.experiments.machine import Known, System, ideal, published

TWO = next(ideal(2, 1))


def after(system, happens):
    return dict(published().steps(system))[happens]


def test_a_node_that_joins_takes_the_successor_alone_dead_or_alive():
    alive = after(TWO, "2 joins between 1 and 0")
    assert alive.known[2] == Known(0)
    assert after(after(TWO, "0 dies"), "2 joins between 1 and 0").known[2] == Known(0)


def test_a_candidate_is_adopted_unasked_and_notified():
    joined = after(after(TWO, "2 joins between 1 and 0"), "2 stabilizes")
    notified = after(joined, "0 is notified by 2")
    adopted = after(after(notified, "2 dies"), "1 stabilizes")
    assert adopted.known[1] == Known(2, 0, 0)
    assert adopted.notices == {(2, 1)}


def test_what_a_node_does_leaves_notices_in_flight():
    told = after(after(TWO, "2 joins between 1 and 0"), "2 stabilizes")
    assert after(told, "1 dies").notices == told.notices == {(0, 2)}


def test_update_reconcile_and_flush_are_events_of_their_own():
    dead = after(System((Known(1, 2, 2), Known(2, 0, 0), Known(0, 1, 1))), "1 dies")
    updated = after(dead, "0 updates")
    assert updated.known[0] == Known(2, None, 2)
    assert after(updated, "0 reconciles").known[0] == Known(2, 0, 2)
    assert after(dead, "2 flushes").known[2] == Known(0, 1, None)


def test_no_node_dies_whom_another_one_needs():
    needed = System((Known(1, None, 1), Known(0, None, 0)))
    assert not [happens for happens, _ in published().steps(needed) if happens.endswith("dies")]


def test_without_returning_a_node_that_has_died_stays_away():
    dead = after(TWO, "0 dies")
    joins = [happens for happens, _ in published(returns=False).steps(dead) if happens.startswith("0 joins")]
    assert joins == []
    assert [happens for happens, _ in published().steps(after(dead, "1 updates")) if happens.startswith("0 joins")]


def test_all_that_is_claimed_holds_of_ideal_rings():
    rings = [ring for members in (1, 2, 3, 4) for ring in ideal(members, 1)]
    assert all(claimed(ring) for claimed in CLAIMED.values() for ring in rings)


def test_a_ring_that_goes_around_twice_is_not_in_order():
    backwards = System((Known(2), Known(0), Known(1)))
    assert not ordered_ring(backwards)


def test_a_search_finds_an_execution_that_leads_where_it_says():
    broken = shortest(published(), (TWO,), 5).broken["ordered_merges"]
    system = broken.start
    for happens in broken.happens:
        system = after(system, happens)
    assert system == broken.ends
    assert not CLAIMED["ordered_merges"](system)
