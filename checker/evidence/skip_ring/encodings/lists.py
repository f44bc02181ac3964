"""Subscribers whose labels are all true, with any slots: the references of the sorted list, and the cuts they cross."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import z3
from msgspec.structs import replace

from gomboc.checker.evidence.skip_ring.encodings.recorded import LABEL, Database, around, either
from gomboc.checker.prove.closure.cases import World
from gomboc.checker.prove.closure.paths import Path, all_quietly
from gomboc.checker.prove.closure.symbols import Symbol
from gomboc.spec.core.model import Fault, Input, Outcome, Received
from gomboc.spec.protocols.skip_ring import labels, legitimacy, ring_with, subscriber
from gomboc.spec.protocols.skip_ring.legitimacy import OUTSIDE
from gomboc.spec.protocols.skip_ring.rules import Rules
from gomboc.spec.protocols.skip_ring.state import (
    CYCLE,
    LIST,
    Check,
    Claim,
    Entry,
    Flag,
    Introduce,
    Linearize,
    Present,
    SetData,
    Subscriber,
)

OURS = Rules()

Reference = tuple[Any, Claim]
"""A node that knows another one, and the claim by which it does."""


def stored(me: Any, u: Subscriber, closing: bool = False) -> Iterator[Reference]:
    """The references in the list slots of a subscriber; with `closing` also that in its closing edge."""
    for slot in (u.left, u.right, u.ring if closing else None):
        if slot is not None:
            yield me, slot


def carried(target: Any, message: Any, closing: bool = False) -> Iterator[Reference]:
    """The reference that a message in flight is, if its target is to take it into its list, or closing edge."""
    flags: tuple[Flag, ...] = (LIST, CYCLE) if closing else (LIST,)
    match message:
        case Linearize(claim):
            yield target, claim
        case Introduce(claim, flag) | Present(claim, flag) | Check(claim, _, flag) if flag in flags:
            yield target, claim


def before(me: Any, local: Subscriber, taken: Input, closing: bool = False) -> tuple[Reference, ...]:
    """The references that a step may change."""
    received = carried(me, taken.message, closing) if isinstance(taken, Received) else ()
    return *stored(me, local, closing), *received


def after(me: Any, outcome: Outcome, closing: bool = False) -> tuple[Reference, ...]:
    """The references that are there after a step instead."""
    sent = (one for send in outcome.sends for one in carried(send.target, send.message, closing))
    return *stored(me, outcome.local, closing), *sent


@all_quietly
class Lists(Database):
    """Recorded nodes under any labels, of which only the labels are right."""

    def fact(self, me: Symbol) -> Claim:
        """The true claim of any other recorded node."""
        node = self.subscriber("other")
        self.path.require(z3.And(self.around.belongs(node.term), node.term != me.term))
        return self.claim(node.term)

    def state(self, shortcut: bool, me: Symbol) -> Subscriber:
        """Any slots, and any `shortcut`, with true labels; a node that is not recorded is outside, or has crashed."""
        choose = self.path.choose
        if not self.is_recorded(me):
            return Subscriber(crashed=True) if choose(2) else OUTSIDE
        left, right, ring = (self.fact(me) if choose(2) else None for _ in range(3))
        held = self.fact(me) if shortcut and choose(2) else None
        label: Any = self.label(me)
        return Subscriber(label, left, right, ring, () if held is None else (Entry(held.label, held.node),))

    def any_chain(self, shortcut: bool, label: Symbol, neighbour: Symbol) -> tuple[Symbol, ...]:
        """Stands for `labels.shortcut_chain`: no label, or any one."""
        del label, neighbour
        return (self.any_label("chain"),) if shortcut and self.path.choose(2) else ()

    def node_faults(self, _: Any, me: Symbol, local: Subscriber) -> tuple[Fault, ...]:
        """A fault for each stored label that is not true."""
        recorded = self.is_recorded(me)
        if local.crashed:
            return _unless(not recorded, "no_crashed_member", me)
        right: Any = self.label(me) if recorded else None
        slots = [slot for slot in (local.left, local.right, local.ring) if slot is not None]
        slots += [Claim(entry.label, entry.node) for entry in local.shortcuts if entry.node is not None]
        return (
            *_unless(local.label == right, "label_is_recorded", me),
            *_unless(local.wants == recorded, "wish_is_granted", me),
            *_unless(all(map(self.is_true, slots)), "slots_are_true", me),
            *_unless(_is_sorted(local), "slots_are_sorted", me),
        )

    def message_faults(self, _: Any, target: Any, message: Any) -> tuple[Fault, ...]:
        """The specification's faults; but a configuration may name any recorded nodes."""
        if not isinstance(message, SetData):
            anchor: Any = self
            return legitimacy.message_faults(anchor, target, message)
        right: Any = self.label(target) if self.is_recorded(target) else None
        claims = [claim for claim in (message.pred, message.succ) if claim is not None]
        said = message.label == right and all(map(self.is_true, claims))
        return (
            *_unless(said, "configuration_is_true", target),
            *_unless(not said or right is None or _is_inner(message), "configuration_is_inner", target),
        )

    def is_true(self, claim: Claim) -> bool:
        """Whether a claim is."""
        node: Any = claim.node
        return self.is_recorded(node) and bool(claim.label == self.label(node))

    def cuts_stay_crossed(self, closing: bool, me: Symbol, local: Subscriber, taken: Input, outcome: Outcome) -> bool:
        """Whether each cut that a reference crosses is crossed by one that is no longer, after a step."""
        if local.crashed or local.label is None:
            return True
        old, new = before(me, local, taken, closing), after(me, outcome, closing)
        return self.path.decide(self.stays_crossed(old, new))

    def stays_crossed(self, old: tuple[Reference, ...], new: tuple[Reference, ...]) -> Any:
        """That each cut that an old reference crosses is crossed by a new one that is no longer."""
        cut = z3.Int("cut")
        return z3.And(
            [z3.Implies(crosses(cut, *one), z3.Or([_as_short(cut, one, other) for other in new])) for one in old]
        )


def _is_sorted(u: Subscriber) -> bool:
    label: Any = u.label
    return (u.left is None or u.left.label < label) and (u.right is None or u.right.label > label)


def _is_inner(said: SetData) -> bool:
    """Whether a configuration closes no ring."""
    label: Any = said.label
    return (said.pred is None or said.pred.label <= label) and (said.succ is None or said.succ.label >= label)


def _as_short(cut: Any, one: Reference, other: Reference) -> Any:
    return z3.And(crosses(cut, *other), length(*other) <= length(*one))


def crosses(cut: Any, holder: Any, claim: Any) -> Any:
    """Whether a reference leads across a cut, which lies just above a place."""
    low, high = LABEL(holder.term), claim.label.term
    return z3.Or(z3.And(low <= cut, cut < high), z3.And(high <= cut, cut < low))


def length(holder: Any, claim: Any) -> Any:
    """The distance of the two labels of a reference."""
    low, high = LABEL(holder.term), claim.label.term
    return z3.If(low < high, high - low, low - high)


def _unless(right: bool, rule: str, node: Any) -> tuple[Fault, ...]:
    return () if right else (Fault(rule, node, None, None, "true labels"),)


def lists(path: Path, shortcut: bool, closing: bool = False, rules: Rules = OURS) -> World:
    """Any number of recorded nodes whose stored labels are true, with a `shortcut` each, or none.

    `closing`: closing edges count as references.
    """
    database = Lists(path)
    protocol = ring_with(rules).changed(node_faults=database.node_faults, message_faults=database.message_faults)
    stand_ins = {labels.shortcut_chain: partial(database.any_chain, shortcut), subscriber.coin: either}
    ring = around(database, protocol, {"subscriber": partial(database.state, shortcut)}, stand_ins, protocol)
    return replace(ring, kept={"cuts_stay_crossed": partial(database.cuts_stay_crossed, closing)})
