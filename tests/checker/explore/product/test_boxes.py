"""Boxes of components are what the rules leave of all combinations of local states, taken one by one."""

from itertools import product

import pytest

from gomboc.checker.explore.product.automata import automata
from gomboc.checker.explore.product.boxes import Narrowing, survivors
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch
from gomboc.checker.explore.questions.question import Coins, Fairness
from tests.checker.explore.product.by_combinations import surviving
from tests.checker.explore.product.drawn import drawn
from tests.sampling import share


def boxes(instance, fairness, coins):
    watch = BoundWatch(Bounds())
    made = automata(instance, watch)
    narrowing = Narrowing(made, fairness, coins)
    for box in survivors(made, narrowing, watch):
        values = [
            [node.values[number] for number in part.states] for node, part in zip(made.tables.nodes, box, strict=True)
        ]
        recurring = narrowing.recurring(box).tolist()
        yield frozenset(product(*values)), frozenset(sent for one in recurring for sent in made.tables.contents(one))


@pytest.mark.parametrize(("fairness", "coins"), list(product((Fairness.WEAK, Fairness.STRONG), Coins)))
def test_boxes_are_what_the_rules_leave_of_all_combinations(fairness, coins):
    for seed in range(share(300)):
        instance = drawn(seed)
        assert set(boxes(instance, fairness, coins)) == surviving(instance, fairness, coins), seed


AGAIN = (
    (654, Fairness.STRONG, Coins.TOSSED),
    (751, Fairness.STRONG, Coins.ADVERSARY),
    (764, Fairness.WEAK, Coins.TOSSED),
)
"""Draws in which a part that has lost some of its steps by the rules about its node loses more by the same rules."""


@pytest.mark.parametrize(("seed", "fairness", "coins"), AGAIN)
def test_a_part_is_looked_at_until_no_rule_about_its_node_takes_more(seed, fairness, coins):
    instance = drawn(seed)
    assert set(boxes(instance, fairness, coins)) == surviving(instance, fairness, coins)
