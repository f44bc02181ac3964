"""The domains of the searches on Skip+, their counterexamples, and the standard for claims with O."""

from math import log2

import pytest

from gomboc.checker.errata.claim import Result
from gomboc.checker.evidence.skip_plus.experiments import graph, rules
from gomboc.checker.evidence.skip_plus.experiments.departed import smaller
from gomboc.checker.evidence.skip_plus.experiments.graph import FIVE, between_ends
from gomboc.checker.evidence.skip_plus.experiments.order import follows
from gomboc.checker.evidence.skip_plus.experiments.prefixes import finished
from gomboc.checker.evidence.skip_plus.experiments.rounds import a_round, run
from gomboc.checker.evidence.skip_plus.experiments.rules import introduces_strangers
from gomboc.checker.evidence.skip_plus.experiments.scenes import PASSED_AROUND
from gomboc.checker.evidence.skip_plus.experiments.starts import every_naming_once
from gomboc.checker.evidence.skip_plus.experiments.top_down import fewer_nodes, late
from gomboc.spec.protocols.skip_plus.errata import linearize_at_least
from gomboc.spec.protocols.skip_plus.models import MISFITS, every_naming
from gomboc.spec.protocols.skip_plus.ranges import neighbours
from gomboc.spec.protocols.skip_plus.rules import linearize


def shape(names):
    """The neighbours of each node, by position."""
    return tuple(tuple(other[0] for other in neighbours(me, names)) for me in names)


@pytest.mark.parametrize(("nodes", "bits"), [(2, 1), (2, 3), (3, 2), (4, 2)])
def test_namings_that_count_once_have_every_graph_that_there_is(nodes, bits):
    once = list(every_naming_once(nodes, bits))
    assert set(map(shape, once)) == set(map(shape, every_naming(nodes, bits)))
    assert len(once) < len(list(every_naming(nodes, bits)))


@pytest.mark.parametrize(("nodes", "bits", "count"), [(3, 2, 10), (4, 1, 8), (4, 2, 36), (5, 3, 616)])
def test_as_many_namings_are_searched_as_the_page_counts(nodes, bits, count):
    assert len(list(every_naming_once(nodes, bits))) == count


def test_rule_3b_for_longer_prefixes_introduces_strangers_and_ours_does_not():
    assert introduces_strangers(MISFITS, linearize_at_least)
    assert not introduces_strangers(MISFITS, linearize)


def test_leaving_out_any_node_of_the_counterexample_to_rule_3b_leaves_none():
    fewer = [tuple(name for name in MISFITS if name != left_out) for left_out in MISFITS]
    assert not any(introduces_strangers(names, linearize_at_least) for names in fewer)


def size(start):
    """The nodes that take part, and those that do not."""
    return len(start.live()), len(start.states) - len(start.live())


def test_the_search_below_each_counterexample_ends_right_below_its_size():
    assert set(rules.BELOW) == set(range(2, len(MISFITS)))
    assert set(graph.BELOW) == set(range(2, len(FIVE)))
    assert {size(start) for start in fewer_nodes()} == {(2, 0), (3, 0)}
    assert size(late()) == (4, 0)
    assert {size(start) for start in smaller()} == {(1, 1), (1, 2), (2, 0)}
    assert size(PASSED_AROUND) == (2, 1)


def test_a_failed_node_is_removed_in_the_round_in_which_it_is_checked():
    live = PASSED_AROUND.live()
    (gone,) = set(PASSED_AROUND.states) - set(live)
    assert any(gone in a_round(PASSED_AROUND).known(name) for name in live)
    assert not any(gone in a_round(PASSED_AROUND, at_once=True).known(name) for name in live)


def test_no_node_of_the_counterexample_on_ranges_can_be_left_out():
    assert between_ends(FIVE)
    fewer = [tuple(name for name in FIVE if name != left_out) for left_out in FIVE]
    assert not any(map(between_ends, fewer))


def test_a_side_without_an_end_is_no_case_against_the_slides():
    assert between_ends(("a:00", "b:00", "c:10", "d:10")) == []


def test_the_counterexample_to_three_rounds_takes_four():
    assert [finished(now) for now in run(late(), 5)][:5] == [2, 2, 2, 2, 0]


@pytest.mark.parametrize(
    ("figures", "result"),
    [
        ({8: 3, 16: 4, 32: 5}, Result.REPRODUCED),
        ({8: 2, 16: 3, 32: 4}, Result.REPRODUCED),
        ({8: 8, 16: 16, 32: 32}, Result.UNDECIDED),
        ({8: 3, 16: 4, 32: 6}, Result.REPRODUCED),
        ({8: 3, 16: 4, 32: 7}, Result.UNDECIDED),
    ],
)
def test_a_claim_with_o_is_undecided_if_the_constant_grows(figures, result):
    assert follows(figures, log2) is result
