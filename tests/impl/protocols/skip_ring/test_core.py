import pytest

from gomboc.impl.core.automaton import Timeout
from tests.impl.protocols.skip_ring.cores import coin_of, subscriber, time_out

LEFT, RIGHT, RING = ["001", "l"], ["011", "r"], ["11", "x"]


def test_the_state_is_not_written_again_while_it_stays_the_same():
    core = subscriber(left=LEFT, right=RIGHT, shortcuts=[["0", "a"], ["1", "b"]])
    time_out(core)
    former = core.snapshot()
    time_out(core)
    assert core.snapshot() is former


@pytest.mark.parametrize(
    ("variables", "chance"),
    [
        ({"left": None, "right": ["1", "r"]}, 1 / 2),
        ({"left": None, "shortcuts": [["0", None]]}, 1 / 2),
        ({"left": ["0", "l"], "right": ["1", "r"]}, 1 / 16),
        ({"left": ["0", "l"], "ring": ["001", "r"]}, 1 / 16),
        ({"right": ["1", "r"], "ring": ["11", "l"], "shortcuts": [["0", "a"]]}, 1 / 16),
        ({"left": ["0", "l"]}, 1 / 2),
        ({"ring": ["0", "l"]}, 1 / 2),
        ({"right": ["1", "r"], "shortcuts": [["0", "a"]]}, 1 / 2),
        ({"left": ["0", "u"], "right": ["1", "r"]}, 1 / 2),
        ({"label": "011", "left": ["0", "l"], "right": ["1", "r"]}, 1 / 72),
    ],
)
def test_the_chance_to_ask_depends_on_length_unless_the_label_seems_minimal_or_a_neighbour_is_missing(
    variables, chance
):
    for coin, result in ((chance - 1e-9, "ask"), (chance, "silent")):
        outputs = subscriber(coin, **variables).handle(0.0, Timeout())
        assert coin_of(outputs) == [result]
