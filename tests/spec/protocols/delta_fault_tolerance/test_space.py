"""Starts of brokers: right ones on some trees, with any subscriptions, leaves outside, and any rows to be audited."""

from random import Random

import pytest

from gomboc.spec.core.domain import count, sampler
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.delta_fault_tolerance.contents import Row
from gomboc.spec.protocols.delta_fault_tolerance.names import distance
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import (
    DEEPEST,
    FILTERS,
    any_rows,
    leaves,
    line,
    right_start,
    space,
    star,
    start,
    trees,
    with_rows,
)
from gomboc.spec.protocols.delta_fault_tolerance.state import Node


def test_a_line_has_its_root_in_the_middle_and_a_star_in_its_centre():
    assert line(5) == ("0", "0.1", "0.1.3", "0.2", "0.2.4")
    assert star(4) == ("0", "0.1", "0.2", "0.3")
    assert max(distance(one, other) for one in line(9) for other in line(9)) == 8
    assert max(distance(one, other) for one in star(9) for other in star(9)) == 2


def test_trees_are_a_line_a_star_and_others_each_once():
    assert [len(trees(nodes)) for nodes in (1, 2, 3)] == [1, 1, 2]
    assert trees(9)[:2] == (line(9), star(9))
    assert len({*trees(9)}) == len(trees(9)) == 14
    for names in trees(60):
        assert list(names) == sorted(names)
        assert all(name.count(".") <= DEEPEST and len(name) <= 64 for name in names)
        assert {int(name.rpartition(".")[2]) for name in names} == {*range(60)}
    assert max(name.count(".") for name in line(60)) == DEEPEST


@pytest.mark.parametrize("outside", [0, 1, 4])
def test_leaves_hang_below_brokers_and_their_labels_follow(outside):
    hanging = leaves(line(4), outside)
    assert {leaf.rpartition(".")[0] for leaf in hanging} <= {*line(4)}
    assert sorted(int(leaf.rpartition(".")[2]) for leaf in hanging) == [*range(4, 4 + outside)]
    assert list(hanging) == sorted(hanging)


def test_starts_are_counted():
    """On each tree at most four brokers have one of four filters; with audits each broker may know any of 16 rows."""
    assert count(space(Parameters(), Size(1))) == 1 + 4
    assert count(space(Parameters(), Size(3))) == 2 * (1 + 4) ** 3
    assert count(space(Parameters(), Size(2, outside=3))) == (1 + 4) ** 2
    assert count(any_rows(line(2))) == (1 + 4 * 2) ** 2
    assert count(space(Parameters(audit=True), Size(2))) == (1 + 4) ** 2 * (1 + 4 * 2) ** 2
    few = count(any_rows(line(4)))
    assert few == sum(ways * 16**chosen for chosen, ways in enumerate(_ways(12)))


def _ways(pairs):
    row = [1]
    for number in range(pairs):
        row.append(row[-1] * (pairs - number) // (number + 1))
    return row


def test_rows_replace_those_of_brokers_of_the_tree_only():
    right = right_start(Parameters(), line(2), {"0": FILTERS[:1]}, ("0.2",))
    row = Row("0.1", FILTERS[1], "0.1")
    locals_ = dict(with_rows(right, (("0", row),)).locals)
    assert locals_["0"].rows == (row,)
    assert locals_["0.1"].rows == ()
    assert locals_["0.2"] == Node("detached")


def test_with_audits_rows_are_drawn_and_else_they_are_right():
    wrong, right = (sampler(space(Parameters(audit=audit), Size(3))) for audit in (True, False))
    assert any(len({len(local.rows) for _, local in wrong(Random(seed)).locals}) > 1 for seed in range(9))
    for seed in range(20):
        drawn = right(Random(seed))
        subscribed = {name for name, local in drawn.locals if local.own}
        assert all({row.source for row in local.rows} == subscribed - {name} for name, local in drawn.locals)


def test_a_tree_starts_with_one_subscription():
    begun = start(Parameters(), 5)
    assert [len(local.own) for _, local in begun.locals] == [0, 0, 0, 0, 1]
    assert {role for _, role in begun.roles} == {"broker"}
