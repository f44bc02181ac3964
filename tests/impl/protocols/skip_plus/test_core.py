"""Receipts of a round in any order. Single steps are scenarios."""

from itertools import permutations
from random import Random

import pytest

from tests.impl.protocols.skip_plus.systems import drawn, gone, node, receive, state_of, time_out, update


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
