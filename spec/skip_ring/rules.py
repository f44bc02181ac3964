"""Which rule answers which input: the whole protocol as one function."""

from typing import Any

import msgspec
from msgspec.structs import replace

from spec.model import CERTAIN, Choice, Commanded, Input, Outcome, Received, Timeout
from spec.protocol import Cited
from spec.skip_ring import build_list, build_ring, subscriber, supervisor
from spec.skip_ring.build_list import Rule, without
from spec.skip_ring.state import (
    Check,
    GetConfiguration,
    Introduce,
    IntroduceShortcut,
    Linearize,
    Present,
    Probe,
    RemoveConnections,
    SetData,
    Subscribe,
    Subscriber,
    Supervisor,
    Unsubscribe,
    WantIn,
    WantOut,
)

Local = Supervisor | Subscriber

FOR_SUPERVISOR = (Subscribe, Unsubscribe, GetConfiguration)


class Rules(msgspec.Struct, frozen=True):
    """The rules that errata override. The default is what we hold to be right."""

    linearize: Rule = build_list.linearize
    introduce_shortcut: Rule = subscriber.introduce_shortcut
    partners: subscriber.Partners = subscriber.partners

    def react(self, me: str, local: Local, taken: Input, choice: Choice) -> Outcome:
        """The outcome of one step of node `me`. Raises ValueError for an input that has no rule.

        Source: Algorithms 1 to 4
        """
        match local, taken:
            case Supervisor(), Timeout():
                return supervisor.timeout(local)
            case Supervisor(), Received(message):
                return ask_supervisor(local, message)
            case Subscriber(), Timeout():
                u = without(local, me)
                return subscriber.timeout(u, me, choice, self.linearize, self.partners)
            case Subscriber(), Received(message) if isinstance(message, FOR_SUPERVISOR):
                return Outcome(local)
            case Subscriber(), Received(message):
                return self.hear(without(local, me), me, message)
            case Subscriber(), Commanded(WantIn() | WantOut() as command):
                return Outcome(replace(local, wants=isinstance(command, WantIn)))
        raise ValueError(f"{type(local).__name__.lower()} {me!r} has no rule for {taken!r}")

    def hear(self, u: Subscriber, me: str, message: Any) -> Outcome:
        """What a subscriber makes of a message.

        Source: Algorithms 1, 2 and 4
        """
        match message:
            case SetData():
                return subscriber.set_data(u, me, message, self.linearize)
            case Check():
                return build_list.check(u, me, message, self.introduce)
            case Introduce(claim, flag):
                return self.introduce(u, me, claim, flag, False)
            case Present(claim, flag):
                return self.introduce(u, me, claim, flag, True)
            case Probe(sender, flag):
                return build_list.present(u, me, sender, flag)
            case Linearize(claim):
                return self.linearize(u, me, claim)
            case RemoveConnections(node):
                return Outcome(without(u, node))
            case IntroduceShortcut(claim):
                return self.introduce_shortcut(u, me, claim, self.linearize)
        raise ValueError(f"subscriber {me!r} has no rule for {message!r}")

    def introduce(self, u: Subscriber, me: str, claim: Any, flag: Any, first_hand: bool) -> Outcome:
        """Algorithm 2's Introduce, with the Linearize of these rules.

        Source: Algorithm 2, lines 16-42
        """
        return build_ring.introduce(u, me, claim, flag, first_hand, self.linearize)


def ask_supervisor(local: Supervisor, message: Any) -> Outcome:
    """What the supervisor makes of a message; one that is meant for subscribers is ignored.

    Source: Algorithm 3
    """
    match message:
        case Subscribe(node):
            return supervisor.subscribe(local, node)
        case Unsubscribe(node):
            return supervisor.unsubscribe(local, node)
        case GetConfiguration(node):
            return supervisor.get_configuration(local, node)
    return Outcome(local)


def choices(me: str, local: Local, taken: Input) -> tuple[Choice, ...]:
    """The results that the coin of this step may have.

    Source: Algorithm 4, lines 7-11
    """
    if isinstance(local, Subscriber) and isinstance(taken, Timeout) and local.label is not None and local.wants:
        return subscriber.coin(without(local, me))
    return CERTAIN


def rule(local: Local, taken: Input) -> Cited:
    """The name of the rule that answers this input, and its place in the paper, for reports."""
    match taken:
        case Timeout():
            return SUPERVISOR_TIMEOUT if isinstance(local, Supervisor) else SUBSCRIBER_TIMEOUT
        case Received(message):
            return CITED[type(message)]
        case Commanded(command):
            return CITED[type(command)]


SUPERVISOR_TIMEOUT = Cited("supervisor_timeout", "Algorithm 3, lines 1-5")
SUBSCRIBER_TIMEOUT = Cited(
    "subscriber_timeout", "Algorithm 4, lines 1-14; Algorithm 2, lines 1-14; Algorithm 1, lines 1-6"
)

CITED: dict[type, Cited] = {
    Subscribe: Cited("subscribe", "Algorithm 3, lines 6-12"),
    Unsubscribe: Cited("unsubscribe", "Algorithm 3, lines 13-23; Section 4.1"),
    GetConfiguration: Cited("get_configuration", "Algorithm 3, lines 24-30"),
    SetData: Cited("set_data", "Algorithm 4, lines 16-20; Section 3.2.1 (iii)"),
    Check: Cited("check", "Algorithm 1, lines 8-12"),
    Introduce: Cited("introduce", "Algorithm 2, lines 16-42"),
    Present: Cited("present", "Algorithm 2, lines 16-42, from the subject itself"),
    Probe: Cited("probe", "verified introduction, instead of Algorithm 1, lines 17-22"),
    Linearize: Cited("linearize", "Algorithm 1, lines 14-30"),
    RemoveConnections: Cited("remove_connections", "Algorithm 1, line 30; Section 4.1"),
    IntroduceShortcut: Cited("introduce_shortcut", "Algorithm 4, lines 22-30"),
    WantIn: Cited("want_in", "Section 4.1, subscribe"),
    WantOut: Cited("want_out", "Section 4.1, unsubscribe"),
}
"""The rule for each kind of message and command."""
