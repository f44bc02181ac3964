"""The rule that a trace cites for an input is the one that handles it, also where a message is refused."""

import pytest

from gomboc.spec.delta_fault_tolerance import rules
from gomboc.spec.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.delta_fault_tolerance.state import (
    Connect,
    Connection,
    Crash,
    Digest,
    Down,
    Join,
    Node,
    Recover,
    Restart,
    StatusMessage,
)
from gomboc.spec.model import Commanded, Received, Timeout

LINKED = Node(
    "operational",
    0,
    known=("a", "a.b.c"),
    connections=(Connection("a", "operational", (0, 1), (1, 1)),),
    seen=(("a", (1, 1)),),
)
FAILED, DETACHED = Node("failed"), Node("detached")
JOINING = Node("recovering", 0, connections=(Connection("a", None, (0, 1), None),), asking=("a",))


def cited(local, taken, *, audit=False):
    return rules.rule_for(Parameters(audit=audit), local, taken)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (Connect("a", (1, 2), None, "operational"), rules.RULES[Connect]),
        (Connect("a", (0, 9), None, "operational"), rules.REFUSED),
        (Recover("a", (2, 1)), rules.RULES[Recover]),
        (Recover("a", (0, 1)), rules.REFUSED),
        (StatusMessage("a", (1, 1), "operational"), rules.RULES[StatusMessage]),
        (StatusMessage("a", (1, 2), "operational"), rules.REFUSED),
        (StatusMessage("a.b.c", (1, 1), "operational"), rules.REFUSED),
        (Digest("a", (1, 1), "0"), rules.RULES[Digest]),
        (Digest("a", (2, 1), "0"), rules.REFUSED),
    ],
)
def test_a_message_of_another_stream_is_refused_and_one_that_begins_a_stream_is_not(message, expected):
    assert cited(LINKED, Received(message)) == expected


@pytest.mark.parametrize(
    ("local", "command", "expected"),
    [
        (FAILED, Restart(), rules.RULES[Restart]),
        (FAILED, Join(), rules.SLEPT),
        (FAILED, Crash(), rules.SLEPT),
        (DETACHED, Join(), rules.RULES[Join]),
        (DETACHED, Restart(), rules.SLEPT),
        (DETACHED, Down("a"), rules.SLEPT),
        (LINKED, Down("a"), rules.RULES[Down]),
        (LINKED, Crash(), rules.RULES[Crash]),
    ],
)
def test_a_broker_that_is_down_wakes_by_a_restart_and_one_outside_by_joining(local, command, expected):
    assert cited(local, Commanded(command)) == expected


def test_brokers_that_sleep_take_no_message():
    message = Connect("a", (1, 2), None, "operational")
    assert cited(FAILED, Received(message)) == cited(DETACHED, Received(message)) == rules.SLEPT


def test_a_timeout_asks_again_or_audits_or_is_idle():
    assert cited(LINKED, Timeout()) == rules.IDLE
    assert cited(LINKED, Timeout(), audit=True) == rules.AUDIT
    assert cited(JOINING, Timeout(), audit=True) == rules.ASK_AGAIN
    assert cited(FAILED, Timeout(), audit=True) == rules.IDLE


def test_what_is_no_input_has_no_rule():
    for taken in (Received("unknown"), Commanded(Digest("a", (1, 1), "0")), Commanded("unknown")):
        with pytest.raises(KeyError, match="there is no rule for"):
            cited(LINKED, taken)
