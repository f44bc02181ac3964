"""Which rule answers which input, and where the paper has it."""

from typing import Any

from spec.delta_fault_tolerance.links import is_current, is_outlived
from spec.delta_fault_tolerance.state import (
    Close,
    Confirm,
    Connect,
    Crash,
    Down,
    Forward,
    Node,
    Publish,
    Recover,
    Restart,
    StampsMessage,
    StatusMessage,
    Subscribe,
    Table,
    Unsubscribe,
)
from spec.model import Commanded, Input, Received, Timeout
from spec.protocol import Cited

RULES: dict[type, Cited] = {
    Connect: Cited("take_up", "Algorithm 4"),
    Recover: Cited("answer", "Algorithm 7"),
    StatusMessage: Cited("hear_status", "Algorithm 7, line 25"),
    Table: Cited("take_table", "Algorithm 6, lines 11 to 14"),
    StampsMessage: Cited("take_stamps", "Algorithm 6, line 15"),
    Forward: Cited("forward", "Algorithm 1, lines 1 to 18"),
    Confirm: Cited("confirm", "Algorithm 1, lines 19 to 31"),
    Close: Cited("be_closed", "Section 4.1, CloseConnection"),
    Publish: Cited("publish", "Section 4.8"),
    Subscribe: Cited("subscribe", "Section 4.7"),
    Unsubscribe: Cited("unsubscribe", "Section 3.2"),
    Crash: Cited("crash", "Section 4.1"),
    Restart: Cited("restart", "Algorithm 5, lines 1 to 7"),
    Down: Cited("lose", "Algorithm 3"),
}
"""The rule for each message and command."""

IDLE = Cited("idle", "decided here")
REFUSED = Cited("refuse", "decided here")
SLEPT = Cited("sleep", "Section 4.1, FAILED")


def rule(local: Any, taken: Input) -> Cited:
    """Which rule answers an input. Raises KeyError if there is none."""
    match taken:
        case Timeout():
            return IDLE
        case Received(message) if type(message) in RULES:
            return _of_message(local, message)
        case Commanded(command) if type(command) in RULES:
            asleep = local.status == "failed" and not isinstance(command, Restart)
            return SLEPT if asleep else RULES[type(command)]
    raise KeyError(f"there is no rule for {taken!r}")


def _of_message(local: Node, message: Any) -> Cited:
    if local.status == "failed":
        return SLEPT
    begins = isinstance(message, Connect | Recover) and not is_outlived(local, message.sender, message.stream)
    if not begins and not is_current(local, message.sender, message.stream):
        return REFUSED
    return RULES[type(message)]
