import pytest

from gomboc.impl.core.automaton import Delivered, Timeout
from gomboc.impl.core.neighbourhood import Moved, Stayed
from tests.impl.protocols.skip_plus.systems import ALONE, SKIP_PLUS, node, obey


@pytest.mark.parametrize("values", [{}, {"synchronous": True}, {"synchronous": False}])
def test_a_node_does_the_same_with_rounds_and_without(values):
    core = SKIP_PLUS.configured(values).make("node", "0:0", {**ALONE, "neighbours": ["1:1"]}, None)
    assert core.handle(0.0, Timeout()) == node("0:0", neighbours=["1:1"]).handle(0.0, Timeout())


def test_with_a_layer_above_a_node_hands_up_its_neighbours_as_they_move_and_stay():
    core = SKIP_PLUS.configured({"layered": True}).make("node", "0:0", {**ALONE, "neighbours": ["1:1"]}, None)
    handed = [[output for output in core.handle(0.0, Timeout()) if isinstance(output, Delivered)] for _ in range(2)]
    assert handed == [[Delivered(Moved(("1:1",)))], [Delivered(Stayed(("1:1",)))]]
    assert obey(core, kind="Leave")[0] == Delivered(Moved(()))
    assert obey(core, kind="Leave") == []
