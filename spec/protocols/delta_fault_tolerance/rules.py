"""Delta-fault-tolerant publish-subscribe: the rule of a broker for each input.

Nothing waits in a loop: a message that is not confirmed is an entry, looked at again on each confirmation, failure and
recovery.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from gomboc.spec.core.model import Choice, Commanded, Input, Outcome, Received
from gomboc.spec.core.protocol import Cited
from gomboc.spec.protocols.delta_fault_tolerance.auditing import audit, believe, compare, tell_rows
from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker, Replaced
from gomboc.spec.protocols.delta_fault_tolerance.commands import Command, Join, Publish, Subscribe, Unsubscribe
from gomboc.spec.protocols.delta_fault_tolerance.contents import unfit_attributes, unfit_filter
from gomboc.spec.protocols.delta_fault_tolerance.joining import admit, ask_again, join, take_tree
from gomboc.spec.protocols.delta_fault_tolerance.messages import (
    Close,
    Confirm,
    Connect,
    Continue,
    Digest,
    Doubt,
    Forward,
    JoinRequest,
    Message,
    Pause,
    Recover,
    RowsMessage,
    StampsMessage,
    StatusMessage,
    Table,
    Tree,
)
from gomboc.spec.protocols.delta_fault_tolerance.multicast import confirm, publish, subscribe, unsubscribe
from gomboc.spec.protocols.delta_fault_tolerance.pacing import ask_on, paced, send_on
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.recovery import answer, crash, restart, take_stamps, take_table
from gomboc.spec.protocols.delta_fault_tolerance.sessions import be_closed, forward, hear_status, lose, take_up
from gomboc.spec.protocols.delta_fault_tolerance.state import Node, asleep, is_joining
from gomboc.spec.protocols.delta_fault_tolerance.variables import is_current, is_outlived, unanswered
from gomboc.spec.types.kinds import Crash, Restart, Suspect

Applied = Callable[[Node, Broker, Any], Outcome]


class Rule(msgspec.Struct, frozen=True):
    """A rule for an input, and its name and source."""

    apply: Applied
    cited: Cited


def _rule(apply: Applied, source: str) -> Rule:
    return Rule(apply, Cited(apply.__name__, source))


def idle(local: Node, _broker: Broker, _taken: object) -> Outcome:
    """Do nothing."""
    return Outcome(local)


RULES: dict[type, Rule] = {
    Forward: _rule(forward, "Algorithm 1, lines 1 to 18"),
    Confirm: _rule(confirm, "Algorithm 1, lines 19 to 31"),
    Publish: _rule(publish, "Section 4.8"),
    Subscribe: _rule(subscribe, "Section 4.7"),
    Unsubscribe: _rule(unsubscribe, "Section 3.2"),
    Join: _rule(join, "Algorithm 2, joining node"),
    JoinRequest: _rule(admit, "Algorithm 2, join point; Section 4.6, J"),
    Tree: _rule(take_tree, "Algorithm 2, the last two lines"),
    Suspect: _rule(lose, "Algorithm 3"),
    Connect: _rule(take_up, "Algorithm 4"),
    Close: _rule(be_closed, "Section 4.1, CloseConnection"),
    Crash: _rule(crash, "Section 4.1"),
    Restart: _rule(restart, "Algorithm 5, lines 1 to 7"),
    Table: _rule(take_table, "Algorithm 6, lines 11 to 14"),
    StampsMessage: _rule(take_stamps, "Algorithm 6, line 15"),
    Recover: _rule(answer, "Algorithm 7"),
    StatusMessage: _rule(hear_status, "Algorithm 7, line 25"),
    Digest: _rule(compare, "decided here"),
    Doubt: _rule(tell_rows, "decided here"),
    RowsMessage: _rule(believe, "decided here"),
    Pause: _rule(ask_on, "decided here"),
    Continue: _rule(send_on, "decided here"),
}
"""The rule for each message and command, in the order of the paper's algorithms."""

AUDIT = _rule(audit, "decided here")
ASK_AGAIN = _rule(ask_again, "decided here")
IDLE = Rule(idle, Cited("idle", "decided here"))
REFUSED = Rule(idle, Cited("refuse", "decided here"))
SLEPT = Rule(idle, Cited("sleep", "Section 4.1, FAILED"))

BEGINNING = Connect, Recover, JoinRequest
"""Messages that begin a stream."""

BEHIND_THE_TREE = Forward, Table, StampsMessage
"""Messages that a joining broker takes once it has the tree."""


def react(parameters: Parameters, replaced: Replaced, me: str, local: Node, taken: Input, _choice: Choice) -> Outcome:
    """The outcome of one step of broker `me`. Raises ValueError for an input that has no rule, or makes no sense.

    Source: Figure 2
    """
    content = None
    if isinstance(taken, Received):
        content = taken.message
    elif isinstance(taken, Commanded):
        content = taken.command
        _check(parameters, content)
    try:
        rule = rule_for(parameters, local, taken)
    except KeyError as error:
        raise ValueError(f"there is no rule for {content!r}") from error
    broker = Broker(me, parameters, replaced)
    return paced(broker, broker.rule(rule.apply)(local, broker, content))


def cited(parameters: Parameters, local: Any, taken: Input) -> Cited:
    """The name and source of the rule for an input. Raises KeyError if there is none."""
    return rule_for(parameters, local, taken).cited


def rule_for(parameters: Parameters, local: Node, taken: Input) -> Rule:
    """The rule for an input. Raises KeyError if there is none.

    Source: Figure 2; Section 4.1, FAILED, and communication layer
    """
    if isinstance(taken, Received):
        rule = _rule_of(taken.message, Message)
        if asleep(local):
            return SLEPT
        return REFUSED if _is_refused(local, taken.message) else rule
    if isinstance(taken, Commanded):
        rule = _rule_of(taken.command, Command)
        return SLEPT if asleep(local) and not _wakes(local, taken.command) else rule
    return _at_timeout(parameters, local)


def _rule_of(content: Any, kinds: Any) -> Rule:
    if type(content) not in kinds.__args__:
        raise KeyError(f"there is no rule for {content!r}")
    return RULES[type(content)]


def _at_timeout(parameters: Parameters, local: Node) -> Rule:
    if unanswered(local):
        return ASK_AGAIN
    return AUDIT if parameters.audit and local.status == "operational" else IDLE


def _wakes(local: Node, command: Any) -> bool:
    return isinstance(command, Restart if local.status == "failed" else Join)


def _is_refused(local: Node, message: Message) -> bool:
    """Whether a message has no effect: its stream is over, or it comes before the tree to a broker that joins.

    Such a broker has no table: its table will have the copies, or they are sent again. Its answer begins with the tree.

    Source: Section 4.1, communication layer; Algorithm 2, the last two lines
    """
    if is_outlived(local, message.sender, message.stream):
        return True
    if isinstance(message, BEGINNING):
        return False
    is_early = is_joining(local) and isinstance(message, BEHIND_THE_TREE)
    return is_early or not is_current(local, message.sender, message.stream)


def _check(parameters: Parameters, command: Any) -> None:
    """Raise ValueError, in a sentence, for an ill-formed publication or filter."""
    match command:
        case Publish(attributes):
            wrong = unfit_attributes(parameters, attributes)
        case Subscribe(wanted) | Unsubscribe(wanted):
            wrong = unfit_filter(parameters, wanted)
        case _:
            return
    if wrong:
        raise ValueError(f"{type(command).__name__} needs {wrong}")
