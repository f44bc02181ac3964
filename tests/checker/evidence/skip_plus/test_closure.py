"""Closure of Skip+ for every n: the timeout of a node, by our rules and with mistakes in them."""

from functools import partial

import pytest
from msgspec.structs import replace

from gomboc.checker.evidence.skip_plus.encodings.few import few
from gomboc.checker.evidence.skip_plus.encodings.seen import ORDERS, seen
from gomboc.checker.evidence.skip_plus.lemmas.closure import MISFITS, THREE, TIMEOUT
from gomboc.checker.prove.settlement import Proved, Refuted
from gomboc.spec.protocols.skip_plus import PROTOCOL
from gomboc.spec.protocols.skip_plus.errata import VARIANTS
from gomboc.spec.protocols.skip_plus.rules import Rules
from tests.checker.prove.closure.settled import settled

SMALL = partial(seen, orders=(ORDERS[0], ORDERS[3]))

by_timeouts = partial(settled, protocol=PROTOCOL, only=TIMEOUT.__eq__, conjuncts=few(THREE[1:]), seconds=120)


def test_a_timeout_keeps_a_right_skip_plus_of_any_size():
    result = by_timeouts(SMALL)
    assert isinstance(result, Proved)
    assert result.vacuous == 0


def test_rule_3b_needs_the_node_that_lies_between():
    """Nodes that share different numbers of bits need none between them, and are introduced all the same."""
    assert isinstance(by_timeouts(partial(SMALL, own=VARIANTS["linearize_at_least"])), Refuted)


def test_what_is_refuted_for_seven_nodes_is_one_of_the_specification():
    result = by_timeouts(few(MISFITS, VARIANTS["linearize_at_least"], all_live=True, exact=True))
    assert isinstance(result, Refuted)
    assert result.replayed.found == ("insert_is_stable",)


@pytest.mark.parametrize(
    ("rules", "conjunct"),
    [
        (Rules(forward_temporary_edges=lambda view: [(view.me, view.me)], kept=lambda view: ()), "range_is_known"),
        (Rules(introduce_all=lambda view: ((view.known[0], node) for node in view.known[1:])), "insert_is_stable"),
        (Rules(create_reverse_edges=lambda view: [("x", view.me)], kept=lambda view: (view.me,)), "range_is_known"),
    ],
)
def test_a_mistake_in_a_rule_is_seen_at_three_nodes(rules, conjunct):
    result = by_timeouts(partial(SMALL, own=rules))
    assert isinstance(result, Refuted)
    assert conjunct in result.values["breaks"]


def test_three_nodes_stay_right_as_any_number_does():
    assert isinstance(by_timeouts(few(THREE)), Proved)
    assert isinstance(by_timeouts(few(THREE, replace(Rules(), kept=lambda view: ()))), Refuted)
