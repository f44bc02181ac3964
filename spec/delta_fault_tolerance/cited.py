"""The rule for each input, with its source in the paper."""

from typing import Any

from gomboc.spec.delta_fault_tolerance.links import is_current, is_outlived, unanswered
from gomboc.spec.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.delta_fault_tolerance.state import (
    Close,
    Confirm,
    Connect,
    Crash,
    Digest,
    Doubt,
    Down,
    Forward,
    Join,
    JoinRequest,
    Node,
    Publish,
    Recover,
    Restart,
    RowsMessage,
    StampsMessage,
    StatusMessage,
    Subscribe,
    Table,
    Tree,
    Unsubscribe,
    asleep,
    is_joining,
)
from gomboc.spec.model import Commanded, Input, Received, Timeout
from gomboc.spec.protocol import Cited

RULES: dict[type, Cited] = {
    Connect: Cited("take_up", "Algorithm 4"),
    Recover: Cited("answer", "Algorithm 7"),
    StatusMessage: Cited("hear_status", "Algorithm 7, line 25"),
    Table: Cited("take_table", "Algorithm 6, lines 11 to 14"),
    StampsMessage: Cited("take_stamps", "Algorithm 6, line 15"),
    Forward: Cited("forward", "Algorithm 1, lines 1 to 18"),
    Confirm: Cited("confirm", "Algorithm 1, lines 19 to 31"),
    Close: Cited("be_closed", "Section 4.1, CloseConnection"),
    JoinRequest: Cited("admit", "Algorithm 2, join point; Section 4.6, J"),
    Tree: Cited("take_tree", "Algorithm 2, the last two lines"),
    Publish: Cited("publish", "Section 4.8"),
    Subscribe: Cited("subscribe", "Section 4.7"),
    Unsubscribe: Cited("unsubscribe", "Section 3.2"),
    Crash: Cited("crash", "Section 4.1"),
    Restart: Cited("restart", "Algorithm 5, lines 1 to 7"),
    Down: Cited("lose", "Algorithm 3"),
    Join: Cited("join", "Algorithm 2, joining node"),
}
"""The rule for each message and command."""

AUDITS: dict[type, Cited] = {
    Digest: Cited("compare", "decided here"),
    Doubt: Cited("tell_rows", "decided here"),
    RowsMessage: Cited("believe", "decided here"),
}
"""The rules of an audit, beside the timeout."""

BEGINNING = Connect, Recover, JoinRequest
"""Messages that begin a stream."""

AUDIT = Cited("audit", "decided here")
ASK_AGAIN = Cited("ask_again", "decided here")
IDLE = Cited("idle", "decided here")
REFUSED = Cited("refuse", "decided here")
SLEPT = Cited("sleep", "Section 4.1, FAILED")


def rule(parameters: Parameters, local: Any, taken: Input) -> Cited:
    """The rule that handles an input. Raises KeyError if there is none."""
    match taken:
        case Timeout():
            return _by_itself(parameters, local)
        case Received(message) if type(message) in RULES or type(message) in AUDITS:
            return _of_message(local, message)
        case Commanded(command) if type(command) in RULES:
            return SLEPT if asleep(local) and not _wakes(local, command) else RULES[type(command)]
    raise KeyError(f"there is no rule for {taken!r}")


def _by_itself(parameters: Parameters, local: Node) -> Cited:
    if unanswered(local):
        return ASK_AGAIN
    return AUDIT if parameters.audit and local.status == "operational" else IDLE


def _wakes(local: Node, command: Any) -> bool:
    return isinstance(command, Restart if local.status == "failed" else Join)


def _of_message(local: Node, message: Any) -> Cited:
    if asleep(local):
        return SLEPT
    begins = isinstance(message, BEGINNING) and not is_outlived(local, message.sender, message.stream)
    if not begins and not is_current(local, message.sender, message.stream):
        return REFUSED
    if isinstance(message, Forward) and is_joining(local):
        return REFUSED
    return RULES.get(type(message)) or AUDITS[type(message)]
