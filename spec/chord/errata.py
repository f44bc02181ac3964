"""Chord as published, or as one may read it, where we deviate: each an override of one rule or of the assumption."""

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from spec.chord.invariant import invariant_faults
from spec.chord.names import between
from spec.chord.parameters import Parameters
from spec.chord.rules import Rules
from spec.chord.state import Find, Node, Notify, head
from spec.model import Fault, InFlight, Outcome, Send, States


class AdoptsUnasked(Rules, frozen=True):
    """The predecessor of the head becomes the head before it has answered.

    Source: Section 2.2.3, STABILIZE_REPLY; Stoica et al. 2003, Figure 6, stabilize
    """

    def improve(self, me: str, local: Node, candidate: str) -> Outcome:
        """The candidate is the head now, and is told so."""
        nearer = self.shortened(me, (candidate, *local.successors))
        return Outcome(replace(local, successors=nearer), (Send(candidate, Notify(me)),))


class NeverPings(Rules, frozen=True):
    """Nobody looks whether its predecessor is there.

    Source: Section 2.2.3, which has no check_predecessor
    """

    def pings(self, me: str, local: Node) -> tuple[Send, ...]:
        """Nobody is pinged."""
        del me, local
        return ()


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
        "never_pings",
        "A predecessor that has crashed stays one for ever.",
        "Section 2.2.3",
        NeverPings,
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
)
