"""Chord as published, or as one may read it, where we deviate: each an override of one rule or of the assumption."""

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from spec.chord.invariant import invariant_faults
from spec.chord.lists import lists_of
from spec.chord.names import between
from spec.chord.parameters import Parameters
from spec.chord.rules import Rules
from spec.chord.state import Find, Node, Notify, Place, head
from spec.model import Fault, InFlight, Outcome, Send, States


class AdoptsUnasked(Rules, frozen=True):
    """The predecessor of the head becomes the head before it has answered.

    Source: Section 2.2.3, STABILIZE_REPLY; Stoica et al. 2003, Figure 6, stabilize
    """

    def improve(self, me: str, local: Node, candidate: str) -> Outcome:
        """The candidate is the head now, and is told so."""
        nearer = self.shortened(me, (candidate, *local.successors))
        return Outcome(replace(local, successors=nearer), (Send(candidate, Notify(me)),))


class CopiesTheHeadOnly(Rules, frozen=True):
    """Who joins gets one successor.

    Source: Section 2.2.1, JOIN reply; Stoica et al. 2003, Figure 6, join
    """

    def place(self, me: str, local: Node) -> Place:
        """The place behind this node: its head."""
        return Place(me, (head(me, local),))


class NeverPings(Rules, frozen=True):
    """Nobody looks whether its predecessor is there.

    Source: Section 2.2.3, which has no check_predecessor
    """

    def pings(self, me: str, local: Node) -> tuple[Send, ...]:
        """Nobody is pinged."""
        del me, local
        return ()


class CrashElse(Rules, frozen=True):
    """Who was the predecessor is not looked for among the successors.

    Source: Section 2.2.3, crash, "if predecessor = host ... else if successor = host"
    """

    def lose(self, me: str, local: Node, node: str) -> Node:
        """Forget the predecessor; or else do as always."""
        if node == local.predecessor and node != me:
            return replace(local, predecessor=None)
        return Rules(self.given).lose(me, local, node)


class FingersOnly(Rules, frozen=True):
    """Lookups go to fingers before the key, and otherwise to the node itself.

    Source: Section 2.2.3, closest_preceding_node
    """

    def find(self, me: str, local: Node, find: Find) -> Outcome:
        """Whose place is elsewhere is sent to a finger, or to oneself."""
        circle, joiner = self.given.circle, find.joiner
        if joiner == me or circle.between(me, joiner, head(me, local)):
            return Rules(self.given).find(me, local, find)
        mine, place = circle.id_of(me), circle.id_of(joiner)
        nearer = [name for _, name in reversed(local.fingers) if between(mine, circle.id_of(name), place)]
        return Outcome(local, (Send((*nearer, me)[0], Find(joiner, me)),))


Assumption = Callable[[Parameters, States, InFlight], tuple[Fault, ...]]


def stored_lists_only(given: Parameters, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """The operating assumption without lists that are on their way.

    Source: Zave 2017, whose members read each other's states at once
    """
    del in_flight
    return invariant_faults(given, states, ()) if any(each.status == "crashed" for each in states.values()) else ()


def lists_used_now(given: Parameters, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """The operating assumption without answers that would not be used as things stand.

    Source: decided here, at first
    """
    late = lists_of(given, states, in_flight).late
    faults = (
        invariant_faults(given, states, in_flight) if any(each.status == "crashed" for each in states.values()) else ()
    )
    return tuple(fault for fault in faults if (fault.node, fault.found) not in late)


def live_entries_only(given: Parameters, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """The operating assumption without principals.

    Source: Stoica et al. 2003, Section IV-E.3, which assumes no more
    """
    if not any(each.status == "crashed" for each in states.values()):
        return ()
    return tuple(fault for fault in invariant_faults(given, states, in_flight) if fault.rule != "enough_principals")


class Printed(msgspec.Struct, frozen=True):
    """A variant: its name, what breaks with it, where it stands, its rules, and what it assumes instead."""

    name: str
    breaks: str
    source: str
    rules: Callable[[Parameters], Rules] = Rules
    assumption: Assumption | None = None


ERRATA = (
    Printed(
        "adopts_unasked",
        "A head that has crashed is adopted, and pushes the last live entry out of a list.",
        "Section 2.2.3, STABILIZE_REPLY; Stoica et al. 2003, Figure 6",
        AdoptsUnasked,
    ),
    Printed(
        "copies_the_head_only",
        "A member that has just joined loses its only successor.",
        "Section 2.2.1, JOIN reply; Stoica et al. 2003, Figure 6",
        CopiesTheHeadOnly,
    ),
    Printed(
        "never_pings",
        "A predecessor that has crashed stays one for ever.",
        "Section 2.2.3",
        NeverPings,
    ),
    Printed(
        "crash_else",
        "In a ring of two, who is left never forgets the other one.",
        "Section 2.2.3, crash",
        CrashElse,
    ),
    Printed(
        "fingers_only",
        "A node without fingers sends who wants to join to itself for ever.",
        "Section 2.2.3, closest_preceding_node",
        FingersOnly,
    ),
    Printed(
        "stored_lists_only",
        "An answer on its way brings a list whose entries have all crashed.",
        "Zave 2017",
        assumption=stored_lists_only,
    ),
    Printed(
        "lists_used_now",
        "An answer that came too late is used after all, once the head has crashed.",
        "decided here",
        assumption=lists_used_now,
    ),
    Printed(
        "live_entries_only",
        "Members that are left skip each other: the ring falls apart or winds twice.",
        "Stoica et al. 2003, Section IV-E.3",
        assumption=live_entries_only,
    ),
)
