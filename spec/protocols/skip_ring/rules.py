"""The rule for each input: the whole protocol as one function."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Choice, Commanded, Input, Outcome, Received, Timeout
from gomboc.spec.core.protocol import Cited
from gomboc.spec.protocols.skip_ring import build_list, publish, subscriber, supervisor
from gomboc.spec.protocols.skip_ring.build_list import Rule, without
from gomboc.spec.protocols.skip_ring.build_ring import BuildRing
from gomboc.spec.protocols.skip_ring.state import (
    SUPERVISOR,
    Check,
    GetConfiguration,
    Introduce,
    IntroduceShortcut,
    Linearize,
    Present,
    Probe,
    PublishNew,
    PublishRequest,
    RemoveConnections,
    Restart,
    Restore,
    SetData,
    Subscribe,
    Subscriber,
    Supervisor,
    Unsubscribe,
    WantIn,
    WantOut,
)
from gomboc.spec.publishing import exchange
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish
from gomboc.spec.publishing.publications import Parameters
from gomboc.spec.publishing.trie import InnerHash, hash_of_children
from gomboc.spec.types.kinds import Crash, Suspect, Trust

Local = Supervisor | Subscriber

FOR_SUPERVISOR = (Subscribe, Unsubscribe, GetConfiguration)
OF_PUBLICATIONS = (CheckTrie, CheckAndPublish, Publish, PublishNew)
OF_SUBSCRIBERS = (WantIn, WantOut, PublishRequest, Crash, Restart, Suspect)


class Rules(msgspec.Struct, frozen=True):
    """The rules that errata override, and the parameters of publishing. The defaults are our rules.

    Without parameters nothing is published: messages and commands about publications have no effect.
    """

    linearize: Rule = build_list.linearize
    build_ring: BuildRing = BuildRing()
    introduce_shortcut: Rule = subscriber.introduce_shortcut
    partners: subscriber.Partners = subscriber.partners
    inner_hash: InnerHash = hash_of_children
    parameters: Parameters | None = None

    def react(self, me: str, local: Local, taken: Input, choice: Choice) -> Outcome:
        """The outcome of one step of node `me`. Raises ValueError for an input that has no rule.

        Source: Algorithms 1 to 5
        """
        match local, taken:
            case Subscriber(crashed=False), Received(message):
                return self.receive(local, me, message, choice)
            case Subscriber(crashed=False), Timeout():
                return self.subscriber_timeout(local, me, choice)
            case Subscriber(), Timeout() | Received():
                return Outcome(local)
            case Subscriber(), Commanded(command) if isinstance(command, OF_SUBSCRIBERS):
                return self.obey(local, me, command)
            case Supervisor(), Timeout():
                return supervisor.timeout(local)
            case Supervisor(), Received(message):
                return ask_supervisor(local, message)
            case Supervisor(), Commanded(Suspect() | Trust() | Restore() as command):
                return command_supervisor(local, command)
        raise ValueError(f"{type(local).__name__.lower()} {me!r} has no rule for {taken!r}")

    def subscriber_timeout(self, local: Subscriber, me: str, choice: Choice) -> Outcome:
        """Compare tries with a neighbour, if the system publishes; then run the timeout of the ring.

        Source: Algorithm 5, lines 1-4; Algorithm 4, lines 1-14
        """
        u = self.build_ring.forget(local, me)
        if self.parameters is None:
            return subscriber.timeout(u, me, choice, self.linearize, self.partners, self.build_ring.timeout)
        tossed, neighbour = publish.parts_of(choice)
        ring = subscriber.timeout, me, tossed, self.linearize, self.partners, self.build_ring.timeout
        u = exchange.audit(u, self.parameters)
        if neighbour is None:
            return Outcome(u).then(*ring)
        return exchange.compare(u, me, (neighbour,), self.inner_hash).then(*ring)

    def choices(self, me: str, local: Local, taken: Input) -> tuple[Choice, ...]:
        """The possible results of this step's coin, without publications. Source: Algorithm 4, lines 7-11."""
        if not isinstance(local, Subscriber) or not isinstance(taken, Timeout) or local.crashed:
            return CERTAIN
        if local.label is None or not local.wants:
            return CERTAIN
        return subscriber.coin(self.build_ring.forget(local, me))

    def choices_with_publications(self, me: str, local: Local, taken: Input) -> tuple[Choice, ...]:
        """The possible results of this step's coin: of a timeout, each with the neighbour for the comparison of tries.

        A node that wants to leave compares tries too; its coin decides nothing else. Of a request, the part that is
        sent.

        Source: Algorithm 4, lines 7-11; Algorithm 5, lines 2 and 28
        """
        asked = taken.message if isinstance(taken, Received) else None
        if isinstance(asked, CheckAndPublish):
            return self.choices_of_answer(me, local, asked)
        if not isinstance(local, Subscriber) or not isinstance(taken, Timeout) or local.crashed or local.label is None:
            return CERTAIN
        u = self.build_ring.forget(local, me)
        neighbours = publish.ring_neighbours(u, me)
        if not neighbours:
            return self.choices(me, local, taken)
        return publish.with_neighbour(subscriber.coin(u), neighbours)

    def choices_of_answer(self, me: str, local: Local, message: CheckAndPublish) -> tuple[Choice, ...]:
        """The possible results of the coin of an answer; only a subscriber with a label gives one.

        Source: Algorithm 5, line 28
        """
        if self.parameters is None or message.sender == SUPERVISOR:
            return CERTAIN
        if not isinstance(local, Subscriber) or local.crashed or local.label is None:
            return CERTAIN
        return exchange.choices(local, me, message, self.parameters)

    def receive(self, local: Subscriber, me: str, message: Any, choice: Choice) -> Outcome:
        """A subscriber's outcome of any message; one that would make the supervisor a neighbour is ignored.

        Source: Algorithms 1, 2, 4 and 5 (Deviation: references to the supervisor)
        """
        # No kind has subclasses, and isinstance() of a struct takes five times as long where it is false.
        kind = type(message)
        if kind in FOR_SUPERVISOR or (kind in OF_PUBLICATIONS and self.parameters is None):
            return Outcome(local)
        u = self.build_ring.forget(local, me)
        if introduced_by(message) == SUPERVISOR:
            return Outcome(u)
        if kind in OF_PUBLICATIONS and self.parameters is not None:
            return self.compare(u, me, message, self.parameters, choice)
        return self.hear(u, me, message)

    def compare(self, u: Subscriber, me: str, message: Any, parameters: Parameters, choice: Choice) -> Outcome:
        """A subscriber's outcome of a message about publications. Source: Algorithm 5."""
        match message:
            case CheckTrie(sender) | CheckAndPublish(sender) if u.label is None:
                return publish.disclaim(u, me, sender)
            case CheckTrie():
                return publish.asked_by(u, exchange.check(u, me, message, self.inner_hash, parameters.keep))
            case CheckAndPublish():
                answered = exchange.check_and_publish(u, me, message, self.inner_hash, parameters, choice)
                return publish.asked_by(u, answered)
            case Publish(publications):
                return publish.take_in(u, publications, parameters)
        return publish.publish_new(u, me, message, parameters)

    def obey(self, u: Subscriber, me: str, command: Any) -> Outcome:
        """A subscriber's outcome of a command; a crashed subscriber obeys only Restart.

        A member forgets a suspect once, and remembers no suspicion: a node that was suspected falsely presents itself.

        Source: Section 3.3; Section 4.1; Section 4.3 (Deviation: a reference to a crashed node vanishes)
        """
        match command:
            case Restart():
                return subscriber.restart(u, command)
            case _ if u.crashed:
                return Outcome(u)
            case Crash():
                return subscriber.crash(u)
            case Suspect():
                return Outcome(without(u, command.node))
            case PublishRequest() if self.parameters is not None:
                return publish.publish_request(u, me, command, self.parameters)
            case WantIn() | WantOut():
                local = replace(u, forgets=isinstance(command, WantOut) and command.forget)
                return Outcome(replace(local, wants=isinstance(command, WantIn)))
        return Outcome(u)

    def hear(self, u: Subscriber, me: str, message: Any) -> Outcome:
        """A subscriber's outcome of a message about the ring. Source: Algorithms 1, 2 and 4."""
        match message:
            case SetData():
                return subscriber.set_data(u, me, message, self.linearize)
            case Check():
                return self.build_ring.check(u, me, message, self.introduce)
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
        """Algorithm 2's Introduce, with the Linearize of these rules. Source: Algorithm 2, lines 16-42."""
        return self.build_ring.introduce(u, me, claim, flag, first_hand, self.linearize)


INTRODUCED: dict[type, Callable[[Any], str]] = {
    Check: attrgetter("sender.node"),
    **dict.fromkeys((Introduce, Present, Linearize, IntroduceShortcut), attrgetter("claim.node")),
    **dict.fromkeys((Probe, CheckTrie, CheckAndPublish), attrgetter("sender")),
}
"""By kind of message: the node that it names as a possible neighbour of its receiver, or as one to be answered.

Source: Algorithms 1, 2, 4 and 5
"""


def introduced_by(message: Any) -> str | None:
    """The node that a message introduces to its receiver; None for other kinds of messages.

    Source: Algorithms 1, 2, 4 and 5
    """
    introduced = INTRODUCED.get(type(message))
    return None if introduced is None else introduced(message)


def ask_supervisor(local: Supervisor, message: Any) -> Outcome:
    """The supervisor's outcome of a message; messages for subscribers, or about the supervisor, are ignored.

    Source: Algorithm 3 (Deviation: the supervisor is no subscriber)
    """
    if isinstance(message, FOR_SUPERVISOR) and message.subscriber == SUPERVISOR:
        return Outcome(local)
    match message:
        case Subscribe(node):
            return supervisor.subscribe(local, node)
        case Unsubscribe(node):
            return supervisor.unsubscribe(local, node)
        case GetConfiguration(node):
            return supervisor.get_configuration(local, node)
    return Outcome(local)


def command_supervisor(local: Supervisor, command: Any) -> Outcome:
    """The supervisor's outcome of a command; its failure detector watches subscribers only.

    Source: Section 3.3; Section 1.1
    """
    if isinstance(command, Suspect | Trust) and command.node == SUPERVISOR:
        return Outcome(local)
    match command:
        case Suspect(node):
            return supervisor.suspect(local, node)
        case Trust(node):
            return supervisor.trust(local, node)
    return supervisor.restore(local, command.database)


def rule(local: Local, taken: Input) -> Cited:
    """The name of the rule for this input, and its source in the paper, for reports."""
    match taken:
        case Received(message):
            return CITED[type(message)]
        case Timeout():
            return SUPERVISOR_TIMEOUT if isinstance(local, Supervisor) else SUBSCRIBER_TIMEOUT
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
    CheckTrie: Cited("check_trie", "Algorithm 5, lines 11-23; Section 4.2"),
    CheckAndPublish: Cited("check_and_publish", "Algorithm 5, lines 25-28; Section 4.2 (iii)"),
    Publish: Cited("publish", "Algorithm 5, lines 6-9"),
    PublishNew: Cited("publish_new", "Algorithm 5, lines 30-34; Section 4.3"),
    WantIn: Cited("want_in", "Section 4.1, subscribe"),
    WantOut: Cited("want_out", "Section 4.1, unsubscribe"),
    PublishRequest: Cited("publish_request", "Section 4.2, publish; Section 4.3"),
    Crash: Cited("crash", "Section 3.3"),
    Restart: Cited("restart", "Section 3.3; Section 1.1, any system state"),
    Suspect: Cited("suspect", "Section 3.3; Section 4.1, unsubscribe"),
    Trust: Cited("trust", "Section 3.3"),
    Restore: Cited("restore", "Section 1.1, any system state"),
}
"""The rule for each kind of message and command."""
