"""The rules as published: rings still grow and repair themselves, but violate their invariant."""

import pytest

from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import Commanded, Received, Timeout
from gomboc.impl.protocols.chord.commands import Join
from gomboc.impl.protocols.chord.messages import StabilizeReply
from tests.impl.protocols.chord.schedules import Schedule, directed

PARAMETERS = {"bits": 6, "ids": "number", "fingers": False, "r": 2}
HEAD_ONLY, UNASKED = (
    implementation(name).configured(PARAMETERS) for name in ("chord.copies_head_only", "chord.adopts_unasked")
)


@pytest.mark.parametrize("tested", [HEAD_ONLY], ids=lambda variant: variant.name)
def test_a_joiner_with_one_successor_is_cut_off_when_that_fails(tested):
    """Source: Zave, "How to Make Chord Correct", Section 3"""
    running = Schedule(6, 12, 2, 1, tested=tested)
    broken = []
    while not broken and running.steps < 400:
        running.step()
        broken = running.faults()
    assert broken


def last_of_two(tested):
    """n10's list after n20 told it of n15, which then failed, and n20 as well: no list lost its last entry."""
    run = directed(tested=tested)
    run._take("n15", Commanded(Join("n10")))
    run.time_out("n15", "n15")
    run._take("n10", Timeout())
    (late,) = [message for message in run.in_flight if message[0] == "n20"]
    run.in_flight.remove(late)
    run.deliver()
    run._take("n20", Received(late[1]))
    assert run.in_flight == [("n10", StabilizeReply("n20", "n15", ("n30", "n40")))]
    assert run.crash("n15")
    assert run.crash("n20")
    run._take("n10", Received(run.in_flight.pop()[1]))
    return run


def test_a_node_that_adopts_unasked_may_end_with_the_dead_alone():
    run = last_of_two(UNASKED)
    assert run.cores["n10"].state.successors == ("n15", "n20")
    assert run.faults()[0] == "every_list_has_a_live_entry at n10"


def test_a_node_that_asks_first_does_not():
    run = last_of_two(None)
    assert run.cores["n10"].state.successors == ("n20", "n30")
    assert not run.faults()
