"""Delta-fault-tolerant publish-subscribe: the rules of a broker, by input.

Nothing waits in a loop: a message that is not confirmed is an entry, looked at again on each confirmation, failure and
recovery.
"""

from gomboc.spec.delta_fault_tolerance.auditing import Auditing
from gomboc.spec.delta_fault_tolerance.filters import Filter, ill_formed, ill_valued
from gomboc.spec.delta_fault_tolerance.links import is_current, is_outlived
from gomboc.spec.delta_fault_tolerance.state import (
    Close,
    Command,
    Confirm,
    Connect,
    Crash,
    Digest,
    Doubt,
    Down,
    Forward,
    Join,
    JoinRequest,
    Message,
    Node,
    Own,
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
    Unsubscribing,
    asleep,
    is_joining,
)
from gomboc.spec.delta_fault_tolerance.tables import with_own
from gomboc.spec.model import CERTAIN, Choice, Commanded, Input, Outcome, Received, Timeout


def choices(me: str, local: Node, taken: Input) -> tuple[Choice, ...]:
    """The only choice: the protocol is deterministic."""
    del me, local, taken
    return CERTAIN


class Rules(Auditing, frozen=True):
    """The rules with these parameters; errata override some of them."""

    def react(self, me: str, local: Node, taken: Input, choice: Choice) -> Outcome:
        """The outcome of one step of broker `me`. Raises ValueError for an input that has no rule, or makes no sense.

        Source: Figure 2
        """
        del choice
        if isinstance(taken, Commanded):
            _check(taken.command)
        match taken:
            case Commanded(Restart()):
                return self.restart(local, me)
            case Commanded(Join()):
                return self.join(local, me)
            case _ if asleep(local):
                return Outcome(local)
            case Timeout():
                return self.ask_again(local, me) if is_joining(local) else self.audit(local, me)
            case Received(message):
                return self.receive(local, me, message)
            case Commanded(command):
                return self.obey(local, me, command)
        raise ValueError(f"there is no rule for {taken!r}")

    def receive(self, local: Node, me: str, message: Message) -> Outcome:
        """Handle a message, unless its stream is over.

        A broker without the tree, and hence without a table, ignores copies: its table will have them, or they are
        sent again.

        Source: Section 4.1, communication layer
        """
        if is_outlived(local, message.sender, message.stream):
            return Outcome(local)
        match message:
            case Connect():
                return self.take_up(local, me, message)
            case Recover():
                return self.answer(local, me, message)
            case JoinRequest():
                return self.admit(local, me, message)
        if not is_current(local, message.sender, message.stream):
            return Outcome(local)
        match message:
            case StatusMessage(sender, _, "recovering"):
                return self.go_past(local, me, sender)
            case StatusMessage(sender, _, status):
                return self.hear_status(local, me, sender, status)
            case Tree():
                return self.take_tree(local, me, message)
            case Table():
                return self.take_table(local, message)
            case StampsMessage():
                return self.take_stamps(local, me, message)
            case Forward() if is_joining(local):
                return Outcome(local)
            case Forward(visited=visited):
                parted = self.part_from_outlived(local, me, visited)
                return parted.then(self.forward, me, message).then(self.try_to_finish, me)
            case Confirm():
                return self.confirm(local, me, message)
            case Close(sender):
                return self.be_closed(local, me, sender)
            case Digest():
                return self.compare(local, me, message)
            case Doubt():
                return self.tell_rows(local, me, message)
            case RowsMessage():
                return self.believe(local, me, message)
        raise ValueError(f"there is no rule for {message!r}")

    def obey(self, local: Node, me: str, command: Command) -> Outcome:
        """Handle a command.

        Source: Sections 4.1, 4.7 and 4.8
        """
        match command:
            case Publish(attributes):
                return self.publish(local, me, attributes)
            case Subscribe(wanted):
                return self.subscribe(local, me, wanted)
            case Unsubscribe(wanted):
                return self.unsubscribe(local, me, wanted)
            case Crash():
                return self.crash(local)
            case Down(node):
                return self.lose(local, me, node)
        raise ValueError(f"there is no rule for {command!r}")

    # Requests of the own client.

    def subscribe(self, local: Node, me: str, wanted: Filter) -> Outcome:
        """Tell all brokers of a subscription, unless that has been done.

        Source: Section 4.7
        """
        own = next((subscription for subscription in local.own if subscription.filter == wanted), None)
        if own is not None and own.phase != "unsubscribing":
            return Outcome(local)
        return self.say(with_own(local, wanted, Own(wanted, "subscribing", None)), me, wanted)

    def unsubscribe(self, local: Node, me: str, wanted: Filter) -> Outcome:
        """Tell all brokers of the end of a subscription; nothing is delivered for it from now on.

        Source: Section 3.2, "an unsubscription message"; the rest is decided here
        """
        own = next((subscription for subscription in local.own if subscription.filter == wanted), None)
        if own is None or own.phase == "unsubscribing":
            return Outcome(local)
        ending = Outcome(with_own(local, wanted, Own(wanted, "unsubscribing", None)), (), (Unsubscribing(wanted),))
        return ending.then(self.say, me, wanted)


def _check(command: Command) -> None:
    """Raise ValueError, in a sentence, for an ill-formed publication or filter."""
    match command:
        case Publish(attributes):
            wrong = ill_valued(attributes)
        case Subscribe(wanted) | Unsubscribe(wanted):
            wrong = ill_formed(wanted)
        case _:
            return
    if wrong:
        raise ValueError(f"{type(command).__name__} needs {wrong}")
