"""A start that a protocol gives is checked before a header is made of it, and its first fault is a sentence."""

import pytest

from gomboc.checker.simulate.checked_start import checked_start, start_fault
from gomboc.spec.core.protocol import Start
from gomboc.spec.core.registry import find_protocol
from tests.toys.queue.spec import PROTOCOL

GOOD = PROTOCOL.starts.start(2)
(NAME, ROLE), STATE = GOOD.roles[0], GOOD.locals[0][1]


def test_a_start_that_is_right_has_no_fault():
    assert start_fault(PROTOCOL, GOOD) == ""


@pytest.mark.parametrize(
    ("start", "says"),
    [
        (None, "None, of type NoneType: make it a Start"),
        (Start(((NAME, ROLE),), ()), f"roles to {NAME}, and states to : name the same nodes"),
        (Start(((NAME, ROLE),), ((NAME, [1]),)), "[1], which can be changed (unhashable type: 'list')"),
        (Start(((NAME, ROLE),), ((NAME, STATE),), ((NAME, 7),)), f"'{NAME}' the message 7, which is not of the type"),
        (Start(((NAME, ROLE),), ((NAME, STATE),), ((NAME, [7]),)), "[7], which can be changed"),
        (Start((NAME,), ((NAME, STATE),)), "make each of roles, locals and in_flight a tuple of pairs"),
    ],
)
def test_the_first_fault_of_a_start_is_named(start, says):
    assert says in start_fault(PROTOCOL, start)


def test_our_protocols_are_trusted():
    assert checked_start(find_protocol("chord"), "space", None) is None
