"""Scenes: turns that are taken from a start, and invalid turns, which are refused."""

import pytest

from gomboc.checker.errata.scene import (
    MOST_ROUNDS,
    Script,
    delivery,
    last,
    opening,
    play,
    round_of,
    take,
    timeout,
    until_legitimate,
    with_rounds,
)
from gomboc.spec.core.model import Fault
from gomboc.spec.core.protocol import Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.state import GetConfiguration, Probe, SetData

START = PROTOCOL.starts.start(2)


def test_a_script_without_turns_is_its_opening():
    assert list(play(PROTOCOL, Script(START, ()))) == [opening(START)]


def test_a_delivery_consumes_one_copy_of_the_message():
    asked = ("supervisor", GetConfiguration("v1"))
    stage = opening(Start(START.roles, START.locals, (asked, asked)))
    after = take(PROTOCOL, stage, delivery(*asked))
    ((target, message),) = after.sent
    assert after.in_flight == (asked, (target, message))
    assert (target, type(message)) == ("v1", SetData)


def test_a_message_that_is_not_in_flight_cannot_be_delivered():
    with pytest.raises(ValueError, match=r"x not in list|not in list"):
        take(PROTOCOL, opening(START), delivery("v1", Probe("v2", "LIN")))


def test_a_coin_has_the_sides_that_its_rule_says():
    with pytest.raises(ValueError, match=r"^the coin of 'v1' has no side 'edge'$"):
        take(PROTOCOL, opening(START), timeout("v1", "edge"))


def test_the_coin_decides_whether_the_supervisor_is_asked():
    asking = take(PROTOCOL, opening(START), timeout("v1", "ask")).sent
    silent = take(PROTOCOL, opening(START), timeout("v1", "silent")).sent
    assert set(asking) - set(silent) == {("supervisor", GetConfiguration("v1"))}


def test_a_round_delivers_all_and_lets_every_node_time_out():
    stage = take(PROTOCOL, opening(START), timeout("v1"))
    turns = round_of(stage)
    assert len(turns) == len(stage.in_flight) + 3
    assert [turn.node for turn in turns[-3:]] == ["supervisor", "v1", "v2"]


def test_rounds_are_added_to_a_script():
    script = with_rounds(PROTOCOL, Script(START, ()), 2)
    assert len(script.turns) > 6
    assert last(PROTOCOL, script).is_legitimate(PROTOCOL)


def test_a_script_that_never_becomes_legitimate_is_given_up():
    never = PROTOCOL.changed(anchor_faults=lambda anchor: (Fault("never", "supervisor", 1, 2, ""),))
    with pytest.raises(ValueError, match=f"^the scene is not legitimate after {MOST_ROUNDS} rounds$"):
        until_legitimate(never, Script(START, ()))
