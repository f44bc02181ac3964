"""Boxes of components are what the rules leave of all combinations of local states, taken one by one."""

from itertools import product

import pytest

from gomboc.checker.explore.product.automata import automata
from gomboc.checker.explore.product.boxes import Narrowing
from gomboc.checker.explore.product.survivors import survivors
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
