"""Chord as published, or as one may read it, where we deviate: each an override of one rule or of the assumption."""

from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import Choice, Fault, InFlight, Input, Outcome, Received, Send, States, Timeout
from gomboc.spec.protocols.chord.lists import used_now
from gomboc.spec.protocols.chord.names import between
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.promises import invariant_faults
from gomboc.spec.protocols.chord.rules import Rules
from gomboc.spec.protocols.chord.state import JoinRequest, Message, Node, Notify, StabilizeReply, StabilizeRequest, head


class AdoptsUnasked(Rules, frozen=True):
    """The predecessor of the head becomes the head before it has answered.

    Source: Section 2.2.3, STABILIZE_REPLY; Stoica et al. 2003, Figure 6, stabilize
    """

    def improve(self, me: str, local: Node, candidate: str) -> Outcome:
        """The candidate becomes the head at once, and is notified."""
        others = tuple(name for name in local.successors if name != candidate)
        nearer = self.shortened(me, (candidate, *others))
        return Outcome(replace(local, successors=nearer), (Send(candidate, Notify(me)),))


class NeverPings(Rules, frozen=True):
    """No node checks whether its predecessor is alive. Source: Section 2.2.3, which has no check_predecessor."""

    def pings(self, _me: str, _local: Node) -> tuple[Send, ...]:
        """No pings."""
        return ()


class FingersOnly(Rules, frozen=True):
    """Lookups go to fingers before the key, and otherwise to the node itself.

    Source: Section 2.2.3, closest_preceding_node
    """

    def find_successor(self, me: str, local: Node, find: JoinRequest) -> Outcome:
        """A join request for another place is sent to a finger, or to the node itself."""
        circle, joiner = self.parameters.circle, find.joiner
        if joiner == me or circle.between(me, joiner, head(me, local)):
            return Rules(self.parameters).find_successor(me, local, find)
        mine, position = circle.id_of(me), circle.id_of(joiner)
        nearer = [name for _, name in reversed(local.fingers) if between(mine, circle.id_of(name), position)]
        return Outcome(local, (Send((*nearer, me)[0], JoinRequest(joiner, me)),))


class CopiesHeadOnly(Rules, frozen=True):
    """A joiner begins with its head alone, and without a predecessor.

    Source: Section 2.2.3, JOIN_REPLY; Stoica et al. 2003, Figure 6, join
    """

    def wait(self, me: str, local: Node, message: Message) -> Outcome:
        """Take only the head from a place."""
        outcome = Rules(self.parameters).wait(me, local, message)
        if outcome.local.status != "inside":
            return outcome
        head_only = replace(outcome.local, predecessor=None, successors=outcome.local.successors[:1])
        return Outcome(head_only, outcome.sends)


class WaitsForAnswers(Rules, frozen=True):
    """A node with an open question answers no other node until it is closed; one question is open at a time.

    A member's `contact` is the node that it has asked, and its `peers` are the nodes that have asked it meanwhile.

    Source: Zave 2017, where a node reads one other node's state at a time; that no node is answered is our reading
    """

    def react(self, me: str, local: Node, taken: Input, choice: Choice) -> Outcome:
        """Neither ask nor answer with an open question; answer all waiting nodes when it is closed."""
        asked = local.contact if local.status == "inside" else None
        match taken:
            case Timeout() | Received(JoinRequest()) if asked is not None:
                return Outcome(local)
            case Received(StabilizeRequest(sender)) if asked is not None:
                return Outcome(replace(local, peers=tuple(sorted({*local.peers, sender}))))
        outcome = Rules(self.parameters).react(me, local, taken, choice)
        asks = [send.target for send in outcome.sends if isinstance(send.message, StabilizeRequest)]
        if asks:
            return replace(outcome, local=replace(outcome.local, contact=asks[0]))
        closed = (
            isinstance(taken, Received) and isinstance(taken.message, StabilizeReply) and taken.message.sender == asked
        )
        if asked is None or not (closed or outcome.local.contact is None):
            return outcome
        return self.close(me, outcome)

    def close(self, me: str, outcome: Outcome) -> Outcome:
        """Answer the nodes that have asked meanwhile."""
        local = outcome.local
        answer = StabilizeReply(me, local.predecessor, local.successors)
        sends = (*outcome.sends, *(Send(sender, answer) for sender in local.peers))
        return replace(outcome, local=replace(local, contact=None, peers=()), sends=sends)


Assumption = Callable[[Parameters, States, InFlight], tuple[Fault, ...]]


def _after_a_crash(parameters: Parameters, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """The faults of the invariant, of these lists in flight, once any node has crashed."""
    any_crash = any(local.status == "crashed" for local in states.values())
    return invariant_faults(parameters, states, in_flight) if any_crash else ()


def stored_lists_only(parameters: Parameters, states: States, _in_flight: InFlight) -> tuple[Fault, ...]:
    """The operating assumption without lists in flight.

    Source: Zave 2017, where members read each other's states at once
    """
    return _after_a_crash(parameters, states, ())


def lists_used_now(parameters: Parameters, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """The operating assumption without lists that come too late to be used in this state.

    Source: decided here, and wrong
    """
    return _after_a_crash(parameters, states, used_now(parameters, states, in_flight))


def principals_fail_freely(parameters: Parameters, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """Only that each list has a live entry, for any number of principals.

    Source: Stoica et al. 2003, Section IV-E.3
    """
    faults = _after_a_crash(parameters, states, in_flight)
    return tuple(fault for fault in faults if fault.rule == "every_list_has_a_live_entry")


class Variant(msgspec.Struct, frozen=True):
    """The rules of a variant, and the assumption that it replaces.

    With `free`, its states may hold values that ours forbid.
    """

    rules: Callable[[Parameters], Rules] = Rules
    assumption: Assumption | None = None
    free: bool = False


VARIANTS: Mapping[str, Variant] = {
    "adopts_unasked": Variant(AdoptsUnasked),
    "never_pings": Variant(NeverPings),
    "fingers_only": Variant(FingersOnly),
    "stored_lists_only": Variant(assumption=stored_lists_only),
    "copies_head_only": Variant(CopiesHeadOnly),
    "waits_for_answers": Variant(WaitsForAnswers, free=True),
    "lists_used_now": Variant(assumption=lists_used_now),
    "principals_fail_freely": Variant(assumption=principals_fail_freely),
}
"""Each variant; its words are in `errata.toml`."""
