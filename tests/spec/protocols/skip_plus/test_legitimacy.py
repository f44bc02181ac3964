"""Legitimacy names each conjunct that is false, and single steps keep it."""

from itertools import product

import pytest

from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import CERTAIN, Received, Timeout
from gomboc.spec.protocols.skip_plus import PROTOCOL
from gomboc.spec.protocols.skip_plus.legitimacy import message_faults, node_faults
from gomboc.spec.protocols.skip_plus.models import every_naming, named, right_start
from gomboc.spec.protocols.skip_plus.ranges import neighbours, ranges
from gomboc.spec.protocols.skip_plus.rules import Rules
from gomboc.spec.protocols.skip_plus.state import ABSENT, Node, Update

NAMES = A, B, C, D = named("0", "0", "1", "0")


def rules_of(faults):
    return [fault.rule for fault in faults]


def test_a_right_graph_has_no_fault():
    assert legitimacy_faults(PROTOCOL, dict(right_start(NAMES).locals), ()) == ()


def test_a_message_to_a_node_that_is_not_there_is_a_fault():
    assert rules_of(message_faults(NAMES, "09:0", Update(A, ranges(A, NAMES), ()))) == ["target_is_live"]


def test_a_node_that_does_not_take_part_knows_no_node():
    assert rules_of(node_faults((B,), A, Node(False, (B,)))) == ["knows_no_node"]
    assert not node_faults((B,), A, ABSENT)


def harmless(names, target):
    """Every Update that may be in flight to `target` in a right system, with one insert or none."""
    around = neighbours(target, names)
    for sender, insert in product(around, (None, target, *around)):
        yield Update(sender, ranges(sender, names), () if insert is None else (insert,))


@pytest.mark.parametrize(("nodes", "bits"), [(1, 1), (2, 2), (3, 2), (4, 2), (5, 1), (7, 1)])
def test_each_single_step_keeps_a_right_graph_right(nodes, bits):
    """So a right graph stays right in rounds and without them."""
    rules = Rules()
    for names in every_naming(nodes, bits):
        for me, local in right_start(names).locals:
            for taken in (Timeout(), *map(Received, harmless(names, me))):
                outcome = rules.react(me, local, taken, CERTAIN[0])
                assert not node_faults(names, me, outcome.local)
                assert not [
                    fault for send in outcome.sends for fault in message_faults(names, send.target, send.message)
                ]
