"""Zave's machine: the effects of its events, and the number of events until her executions break a claim."""

import pytest
from msgspec.structs import replace

from gomboc.checker.evidence.chord.experiments.claimed import CLAIMED
from gomboc.checker.evidence.chord.experiments.machine import Known, System, alone, published, zave
from gomboc.checker.evidence.chord.experiments.zave import RUNS, breaks_at, played

BREAKS_AT = {
    "ordered_merges": 12,
    "ordered_appendages": 14,
    "valid_lists": 16,
    "connected_appendages": 8,
    "at_least_one_ring": 10,
    "at_most_one_ring": 19,
    "ordered_ring": 31,
}
RING = System((Known(2, 0, 1), Known(2), Known(0, 2, 1)))
"""A ring of 0 and 2 with 1, which has notified 2, between them."""
ADOPTS = "0 stabilizes"


@pytest.mark.parametrize(("name", "events"), BREAKS_AT.items())
def test_an_execution_breaks_what_it_is_named_after(name, events):
    assert breaks_at(RUNS[name], CLAIMED[name]) == events


def test_there_is_an_execution_for_all_that_was_claimed():
    assert set(RUNS) == set(CLAIMED) == set(BREAKS_AT)


def test_all_executions_but_one_are_hers():
    assert [name for name, run in RUNS.items() if not run.hers] == ["ordered_ring"]


def test_to_stabilize_leaves_the_second_successor_as_it_is():
    assert zave(checks=True).after(RING, ADOPTS).known[0] == Known(1, 0, 1)
    assert dict(published().steps(RING))[ADOPTS].known[0] == Known(1, 2, 1)


def test_only_with_checks_is_the_new_successor_asked():
    dead = replace(RING, known=(*RING.known[:1], None, *RING.known[2:]))
    assert zave(checks=True).after(dead, ADOPTS).known[0] == Known(2, 0, 1)
    assert zave(checks=False).after(dead, ADOPTS).known[0] == Known(1, 0, 1)
    gone = System((Known(2, 0), None, None))
    assert zave(checks=True).after(gone, "1 joins before 2") is None
    assert zave(checks=False).after(gone, "1 joins before 2").known[1] == Known(2)


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("connected_appendages", "after 7 events, '1 joins before 2' cannot happen"),
        ("at_least_one_ring", "after 10 events, '1 is notified by 0' cannot happen"),
    ],
)
def test_with_checks_two_of_the_executions_are_none(name, refused):
    with pytest.raises(ValueError, match=f"^{refused}$"):
        played(replace(RUNS[name], checks=True))


def test_no_member_fails_that_a_list_needs():
    assert zave(checks=True).after(played(RUNS["at_most_one_ring"])[5], "2 fails") is None
    assert zave(checks=True).after(played(RUNS["at_most_one_ring"])[6], "2 fails") is not None


def test_a_node_that_has_failed_never_joins_again():
    end = played(RUNS["at_most_one_ring"])[-1]
    assert end.dead == {1, 3}
    assert not [event for event, _ in zave(checks=False).steps(end) if event.startswith(("1 joins", "3 joins"))]


def test_an_event_that_cannot_happen_is_refused():
    run = replace(RUNS["at_most_one_ring"], happens=("0 is notified by 2",))
    with pytest.raises(ValueError, match=r"^after 0 events, '0 is notified by 2' cannot happen$"):
        played(run)


def test_a_node_alone_is_its_own_successor_and_keeps_all_that_was_claimed():
    assert alone(3) == System((Known(0), None, None))
    assert all(claimed(alone(3)) for claimed in CLAIMED.values())
