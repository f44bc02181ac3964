"""Rules as printed, statement by statement: the supervisor's, the closing edge's, and the potential on a ring."""

import pytest

from gomboc.checker.evidence.skip_ring.experiments import flow
from gomboc.checker.evidence.skip_ring.experiments import printed_supervisor as printed
from gomboc.checker.evidence.skip_ring.experiments.closing_edge import cases, decided, specified
from gomboc.checker.evidence.skip_ring.experiments.ring import database_of, members
from gomboc.spec.protocols.skip_ring.printed import keep_farther
from gomboc.spec.protocols.skip_ring.state import Claim, Entry
from gomboc.spec.protocols.skip_ring.supervisor import repair


@pytest.mark.parametrize(
    ("rule", "table", "arguments", "after"),
    [
        (printed.check_labels, {"0": "a", "11": "b", "01": "c"}, (), {"0": "a", "1": "b", "01": "c"}),
        (printed.check_labels, {"0": None, "1": "b"}, (), {"0": "b"}),
        (printed.check_multiple_copies, {"0": "a", "1": "a", "01": "b"}, ("a",), {"0": "a", "01": "b"}),
        (printed.subscribe, {"0": "a", "01": "b"}, ("c",), {"0": "a", "01": "c"}),
        (printed.subscribe, {"0": "a"}, ("a",), {"0": "a"}),
    ],
)
def test_the_greatest_label_fills_a_gap_first_tuples_stay_and_a_subscription_overwrites(rule, table, arguments, after):
    assert rule(table, *arguments) == after


def test_a_gap_without_a_tuple_beyond_it_cannot_be_filled():
    with pytest.raises(printed.NoTupleError, match=r"^line 44 finds no l\(j\) with j > 1$"):
        printed.check_labels({"0": "a", "10": "b"})


def test_a_timeout_goes_round_robin():
    table, following = {"0": "a", "1": "b"}, 0
    seen = []
    for _ in range(4):
        table, following = printed.timeout(table, following)
        seen.append(following)
    assert seen == [1, 0, 1, 0]


def test_on_a_database_without_copies_the_printed_repair_is_ours():
    for table in printed.every_table(4, (None, "a", "b", "c")):
        nodes = [node for node in table.values() if node]
        if len(set(nodes)) == len(nodes):
            ours = repair(tuple(sorted(Entry(label, node) for label, node in table.items())))
            assert printed.check_labels(table) == {entry.label: entry.node for entry in ours}


def test_there_are_as_many_tables_as_values_to_the_power_of_labels():
    assert len(list(printed.every_table(3, (None, "a")))) == 3**3


def test_soundness_is_that_of_the_paper():
    assert printed.is_sound({"0": "a", "1": "b"})
    assert printed.is_sound({})
    assert not any(map(printed.is_sound, ({"1": "a"}, {"0": "a", "1": "a"}, {"0": None}, {"0": "a", "10": "b"})))


def test_two_candidates_are_on_one_side_of_the_node():
    assert all((old.label < own) == (new.label < own) for own, old, new in cases())


@pytest.mark.parametrize(("old", "new", "kept"), [("01", "1", {"new"}), ("1", "01", {"old", "new"})])
def test_as_printed_the_old_candidate_is_lost_if_the_new_one_is_farther(old, new, kept):
    case = "0", Claim(old, "old"), Claim(new, "new")
    assert decided(keep_farther, *case).kept == kept
    assert decided(specified, *case).kept == {"old", "new"}
    assert not any(one == other for one, other in decided(specified, *case).told)


def test_the_ring_has_two_directed_edges_for_each_node_but_one_of_two():
    assert [len(flow.ring_edges(nodes)) for nodes in (2, 3, 4, 5)] == [2, 6, 8, 10]


def test_shortcuts_are_the_other_edges_of_the_skip_ring():
    assert flow.shortcut_edges(4) == {(0, 2), (2, 0)}
    assert flow.shortcut_edges(3) == frozenset()


def test_the_potential_is_that_of_the_paper():
    """phi(u, v) is the number of publications that u has and v lacks. Source: Theorem 17, proof."""
    assert flow.potential(0b0001, flow.ring_edges(4)) == 2
    assert flow.potential(0b0101, flow.ring_edges(4)) == 4
    assert flow.potential(0b1111, flow.ring_edges(4)) == 0
    assert flow.missing(0b0101, 4) == 2


def test_the_database_of_a_ring_is_that_of_its_members():
    for nodes in (1, 2, 5, 16):
        assert {entry.node: entry.label for entry in database_of(nodes)} == {
            node: u.label for node, u in members(nodes).items()
        }
