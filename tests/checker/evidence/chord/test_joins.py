"""Rings that nodes join and none leaves: their states, when they are cycles, and the counted messages and keys."""

from gomboc.checker.evidence.chord.experiments.joins import (
    a_round,
    all_joins,
    cycle_of_all,
    is_cycle_of_all,
    messages_of_a_join,
)
from gomboc.checker.evidence.chord.experiments.lookups import keys_of_busiest
from gomboc.checker.evidence.chord.experiments.machine import Known, System, ideal

BESIDE = System((Known(0), Known(0)))
"""Node 1 has joined node 0, which does not know it yet."""


def test_a_member_that_has_just_joined_is_in_the_cycle_after_two_rounds():
    assert not is_cycle_of_all(BESIDE)
    assert is_cycle_of_all(a_round(a_round(BESIDE)))


def test_two_cycles_are_no_cycle_of_all_and_never_become_one():
    apart = System((Known(0, None, 0), Known(1, None, 1)))
    assert not is_cycle_of_all(apart)
    assert cycle_of_all(apart, 9) is None


def test_a_ring_is_one_at_once():
    assert cycle_of_all(next(ideal(4, 0)), 0) == 0


def test_joins_reach_every_set_of_members_with_the_first_one():
    members = {state.members() for state in all_joins(3)}
    assert members == {(0,), (0, 1), (0, 2), (0, 1, 2)}
    assert not any(state.dead for state in all_joins(3))


def test_every_joiner_of_three_nodes_gets_in_within_three_rounds():
    assert max(cycle_of_all(state, 9) for state in all_joins(3)) == 3


def test_a_join_costs_more_in_a_larger_ring_and_other_joiners_another_number():
    assert 0 < messages_of_a_join(8, 4) < messages_of_a_join(64, 4)
    assert messages_of_a_join(64, 4) <= 2 * 6**2
    assert messages_of_a_join(64, 4) != messages_of_a_join(64, 5)


def test_a_member_alone_owns_all_keys():
    assert keys_of_busiest(1, 50) == 50
    assert 50 < keys_of_busiest(8, 400) < 400
