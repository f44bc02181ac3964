"""An inconsistent shared memory is refused with the machine, and the values it reads, that show it."""

from itertools import count

import pytest
from msgspec.structs import replace

from gomboc.checker.core.bad_models import BadModelError
from gomboc.checker.explore.shared.examine import examine
from gomboc.spec.core.shared_memory import Counted, Machine
from tests.plugins.dijkstra_rings import token_ring_in_memory

RING = token_ring_in_memory(3, 2)
TURNS = count()
SEES = "for the machine m0, which sees (0, 0)"


def moving(moves):
    return replace(RING, machines=(replace(RING.machines[0], moves=moves), *RING.machines[1:]))


def counting(counts, holds=bool):
    return replace(RING, promises=(Counted(RING.promises[0].kind, "kept", holds, "nowhere", counts),))


@pytest.mark.parametrize(
    ("memory", "says"),
    [
        (replace(RING, machines=RING.machines[:2] * 2), "has two machines of one name, as it is stated"),
        (moving(lambda own, last: {"up": 7}), f"moves to 7, which is no value of the machine, {SEES}"),
        (moving(lambda own, last: {"up": None}), f"moves to None, which is no value of the machine, {SEES}"),
        (moving(lambda own, last: {"up": []}), f"raises (TypeError: unhashable type: 'list'), {SEES}"),
        (moving(lambda own, last: {"up": 1 // 0}), "raises (ZeroDivisionError: "),
        (moving(lambda own, last: {"up": next(TURNS) % 2}), "has moves that are others when they are asked for again"),
        (counting(lambda *seen: 0.5), "counts 0.5 for the promise kept, and no whole number below 2,147,483,648"),
        (counting(lambda *seen: 1 << 31), "counts 2147483648 for the promise kept, and no whole number"),
        (counting(lambda *seen: 1, lambda total: total), "has a predicate kept that answers 3, not True or False"),
        (counting(lambda *seen: 1, lambda total: 1 // 0), "raises (ZeroDivisionError: "),
        (replace(RING, machines=(Machine("m", ([],), (), dict),)), "raises (TypeError: unhashable type: 'list')"),
    ],
)
def test_a_memory_that_cannot_be_trusted_is_refused(memory, says):
    with pytest.raises(BadModelError) as refused:
        examine(memory)
    assert str(refused.value).startswith(f"The model token_ring {says}")
