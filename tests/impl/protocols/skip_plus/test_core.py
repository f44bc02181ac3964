"""Each rule by itself, and the other effects of timeout and receipts."""

from itertools import permutations
from random import Random

import pytest

from gomboc.impl.protocols.skip_plus.core import (
    create_reverse_edges,
    forward_temporary_edges,
    introduce_all,
    introduce_stable_edges,
    linearize,
    look,
)
from tests.impl.protocols.skip_plus.systems import (
    ALONE,
    UNBOUNDED,
    drawn,
    gone,
    inserts,
    node,
    receive,
    state_of,
    time_out,
    update,
)

NOWHERE = ["0:0", "0:0"]
"""A range that contains no node."""


NOWHERE_OF_TWO = ["0:00", "0:00"]


def inserted(rule, me, neighbours, message=(), flagged=None):
    """The inserts of one rule alone, by target: at a node with these neighbours, which were stable or `flagged`."""
    heard = {name: tuple(map(tuple, ranges)) for name, ranges in dict(message).items()}
    flags = neighbours if flagged is None else flagged
    inserts = {}
    for target, names in rule(look(me, frozenset(neighbours), heard, frozenset(flags))):
        inserts.setdefault(target, set()).update(names)
    return {target: sorted(names) for target, names in sorted(inserts.items()) if names}


def test_every_stable_neighbour_is_told_to_know_oneself():
    """Source: slide 21, rule 1a"""
    neighbours = ["1:1", "4:0", "5:1", "6:1"]
    assert inserted(create_reverse_edges, "3:0", neighbours) == {neighbour: ["3:0"] for neighbour in neighbours[:3]}


def test_neighbours_in_a_told_range_are_introduced_to_each_other():
    """Source: slide 21, rules 1b and 1c"""
    ranges = {"1:1": [NOWHERE], "4:0": [["5:1", "5:1"]], "5:1": [NOWHERE]}
    inserts = inserted(introduce_stable_edges, "3:0", ["1:1", "4:0", "5:1"], ranges)
    assert inserts == {"4:0": ["5:1"], "5:1": ["4:0"]}


def test_a_node_that_has_not_spoken_takes_no_part_in_introductions():
    """Source: slide 21, rules 1b and 1c, with verified introduction"""
    inserts = inserted(introduce_stable_edges, "3:0", ["1:1", "4:0", "5:1"], {"4:0": [["5:1", "5:1"]]})
    assert inserts == {}


def test_only_neighbours_are_introduced_to_each_other():
    """Source: slide 21, "every neighbors" """
    ranges = {"1:1": [UNBOUNDED], "4:0": [UNBOUNDED], "5:1": [UNBOUNDED]}
    assert inserted(introduce_stable_edges, "3:0", ["1:1", "4:0"], ranges) == {"1:1": ["4:0"], "4:0": ["1:1"]}


def test_a_range_of_a_level_concerns_only_a_node_that_shares_its_prefix():
    """Source: slide 21, "pre_i(v) = pre_i(w)" """
    neighbours = ["1:00", "2:01", "3:10"]
    ranges = {neighbour: [NOWHERE_OF_TWO, NOWHERE_OF_TWO] for neighbour in neighbours} | {
        "1:00": [NOWHERE_OF_TWO, UNBOUNDED]
    }
    assert inserted(introduce_stable_edges, "0:11", neighbours, ranges) == {"1:00": ["2:01"], "2:01": ["1:00"]}


def test_temporary_neighbours_introduce_and_are_introduced_as_well():
    """Source: slide 21, "every neighbors" """
    ranges = {"4:0": [["5:1", None]], "5:1": [NOWHERE]}
    inserts = inserted(introduce_stable_edges, "0:0", ["1:0", "2:1", "4:0", "5:1"], ranges)
    assert inserts == {"4:0": ["5:1"], "5:1": ["4:0"]}


def test_a_temporary_neighbour_is_moved_to_the_stable_one_that_shares_most_bits_with_it():
    """Source: slide 22, rule 2"""
    inserts = inserted(forward_temporary_edges, "0:01", ["1:00", "2:10", "3:11", "9:10"])
    assert inserts == {"2:10": ["3:11", "9:10"]}


@pytest.mark.parametrize(
    ("me", "others", "temporary", "nearest"),
    [("0:0", ["3:1", "4:1", "5:1", "6:0"], "9:1", "5:1"), ("8:0", ["2:0", "3:1", "4:1", "5:1"], "1:1", "3:1")],
    ids=["above", "below"],
)
def test_of_several_it_is_moved_to_the_nearest_one(me, others, temporary, nearest):
    """Source: slide 22, rule 2"""
    assert inserted(forward_temporary_edges, me, [*others, temporary]) == {nearest: [temporary]}


def test_a_temporary_neighbour_with_an_equal_string_is_moved_to_a_nearer_one():
    """Source: slide 22, rule 2"""
    assert inserted(forward_temporary_edges, "0:0", ["1:0", "2:1", "3:0"]) == {"1:0": ["3:0"]}


def test_it_is_moved_whether_it_has_spoken_or_not():
    """Source: slide 22, "Every temporary edge" """
    ranges = {"3:0": [UNBOUNDED]}
    assert inserted(forward_temporary_edges, "0:0", ["1:0", "2:1", "3:0"], ranges) == {"1:0": ["3:0"]}


def test_a_changed_stable_set_has_all_that_have_spoken_introduced_to_all():
    """Source: slide 23, rule 3a"""
    ranges = {"1:0": [NOWHERE], "3:0": [NOWHERE]}
    inserts = inserted(introduce_all, "0:0", ["1:0", "2:1", "3:0"], ranges, flagged=["1:0"])
    assert inserts == {"1:0": ["3:0"], "2:1": ["1:0", "3:0"], "3:0": ["1:0"]}


def test_the_set_counts_as_changed_also_if_one_that_was_stable_is_gone():
    """Source: slide 23, "destabilizing or stabilizing edges" """
    ranges = {"1:0": [NOWHERE], "2:1": [NOWHERE]}
    inserts = inserted(introduce_all, "0:0", ["1:0", "2:1"], ranges, flagged=["1:0", "2:1", "3:0"])
    assert inserts == {"1:0": ["2:1"], "2:1": ["1:0"]}


def test_an_unchanged_stable_set_has_no_node_introduced():
    """Source: slide 23, rule 3a"""
    ranges = {"1:0": [NOWHERE], "2:1": [NOWHERE]}
    assert inserted(introduce_all, "0:0", ["1:0", "2:1", "3:0"], ranges, flagged=["1:0", "2:1"]) == {}


def test_stable_neighbours_whose_common_prefix_is_as_long_are_told_the_next_one():
    """Source: slide 23, rule 3b"""
    neighbours = ["1:01", "2:10", "3:11", "5:11", "6:01"]
    ranges = {neighbour: [NOWHERE_OF_TWO, NOWHERE_OF_TWO] for neighbour in neighbours}
    inserts = inserted(linearize, "4:00", neighbours, ranges)
    assert inserts == {"1:01": ["6:01"], "2:10": ["3:11"], "3:11": ["5:11"]}


def test_the_next_one_is_named_only_if_it_has_spoken():
    """Source: slide 23, rule 3b, with verified introduction"""
    assert inserted(linearize, "0:0", ["1:1", "2:1", "3:1"], {"2:1": [NOWHERE]}) == {"1:1": ["2:1"]}


def test_neighbours_with_ones_own_string_share_no_level_to_be_linearized_on():
    """Source: slide 23, rule 3b; the levels end before the whole string"""
    assert inserted(linearize, "0:0", ["1:0", "2:0"], {"1:0": [NOWHERE], "2:0": [NOWHERE]}) == {}


def test_a_timeout_puts_all_rules_into_one_message_to_each_neighbour():
    neighbours = ["1:1", "4:0", "5:1", "6:0"]
    ranges = [["4:0", [["5:1", "5:1"]]], ["5:1", [NOWHERE]]]
    core = node("3:0", neighbours=neighbours, stable=["1:1", "4:0", "5:1"], told=ranges)
    assert inserts(core) == {"1:1": ["3:0", "5:1"], "4:0": ["3:0", "5:1", "6:0"], "5:1": ["3:0", "4:0"], "6:0": []}


def test_the_timeout_keeps_the_stable_ones_and_what_they_told():
    ranges = [["1:0", [UNBOUNDED]], ["3:0", [UNBOUNDED]], ["8:1", [UNBOUNDED]]]
    core = node("0:0", neighbours=["1:0", "2:1", "3:0"], stable=["7:1"], told=ranges, gone=["8:1"])
    time_out(core)
    stable = ["1:0", "2:1"]
    assert state_of(core) == {**ALONE, "neighbours": stable, "stable": stable, "told": ranges[:1]}


@pytest.mark.parametrize("seed", range(20))
def test_receipts_from_different_senders_commute(seed):
    random = Random(seed)
    me, *names = drawn(7, 2, random)

    def some():
        return sorted(random.sample([me, *names], random.randint(0, 4)))

    def drawn_ranges():
        return [[random.choice([None, *names]) for _ in "lh"] for _ in range(2)]

    messages = [update(message, drawn_ranges(), *some()) for message in names[:3]]
    messages += [gone(names[random.randint(2, 5)], *some())]
    start, outcomes = some(), []
    for order in permutations(messages):
        core = node(me, neighbours=start)
        for item in order:
            receive(core, item)
        collected = state_of(core)
        outcomes.append((collected, time_out(core), state_of(core)))
    assert all(message == outcomes[0] for message in outcomes)
