"""The rules as printed, where we deviate: each an override of one function, with what breaks."""

from collections.abc import Callable
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from spec.model import Outcome
from spec.protocol import Erratum, Protocol
from spec.skip_ring.build_list import Rule, linearize_all, one
from spec.skip_ring.rules import Rules
from spec.skip_ring.state import Claim, Entry, Linearize, RemoveConnections, Subscriber
from spec.skip_ring.subscriber import Side
from spec.skip_ring.trie import Summary, combined, hash_of_label


def printed_linearize(u: Subscriber, me: str, claim: Claim, first_hand: bool = False) -> Outcome:
    """Linearize as printed: whoever speaks is believed, and a claim that does not fit is sent to oneself again.

    What is printed for the left side holds "analogously" for the right one, and nothing makes the two exclude each
    other: a claim with one's own label is stored on both sides. An empty slot is farther away than any label.

    Source: Algorithm 1, lines 14-30
    """
    del first_hand  # the printed rule does not ask who speaks
    if claim.node == me:
        return Outcome(u)
    if u.label is None:
        return one(u, claim.node, RemoveConnections(me))
    if any(slot is not None and slot.node == claim.node for slot in (u.left, u.right)):
        return _relabel(u, me, claim, "left").then(_relabel, me, claim, "right")
    return _insert(u, claim, "left").then(_insert, claim, "right")


Direction = Literal["left", "right"]


def _belongs(u: Subscriber, claim: Claim, side: Direction) -> bool:
    assert u.label is not None, "printed_linearize() has seen to it"
    return claim.label <= u.label if side == "left" else claim.label >= u.label


def _relabel(u: Subscriber, me: str, claim: Claim, side: Direction) -> Outcome:
    """Source: Algorithm 1, lines 17-22."""
    held: Claim | None = getattr(u, side)
    if held is None or held.node != claim.node or held.label == claim.label:
        return Outcome(u)
    if _belongs(u, claim, side):
        return Outcome(replace(u, **{side: claim}))
    return one(replace(u, **{side: None}), me, Linearize(claim))


def _insert(u: Subscriber, claim: Claim, side: Direction) -> Outcome:
    """Source: Algorithm 1, lines 24-28."""
    held: Claim | None = getattr(u, side)
    if held is not None and (claim.label <= held.label if side == "left" else held.label <= claim.label):
        return one(u, held.node, Linearize(claim))
    if not _belongs(u, claim, side):
        return Outcome(u)
    kept = replace(u, **{side: claim})
    return Outcome(kept) if held is None else one(kept, claim.node, Linearize(held))


def printed_introduce_shortcut(u: Subscriber, me: str, claim: Claim, linearize: Rule) -> Outcome:
    """IntroduceShortcut with line 26 read as printed: what stood there is linearised even if it did not change.

    The reading hangs on the indentation of line 26 in the text that we have.

    Source: Algorithm 4, lines 22-30
    """
    held = [entry for entry in u.shortcuts if entry.label == claim.label]
    if not held or claim.node == me or u.label is None:
        return SOUND.introduce_shortcut(u, me, claim, linearize)
    (old,) = held
    shortcuts = tuple(Entry(claim.label, claim.node) if entry is old else entry for entry in u.shortcuts)
    stood = (Claim(old.label, old.node),) if old.node else ()
    return linearize_all(Outcome(replace(u, shortcuts=shortcuts)), me, stood, linearize)


def printed_partners(u: Subscriber, before: Side, after: Side) -> tuple[Claim | None, Claim | None]:
    """The partners as printed: two shortcuts on level |label|, or the two ring neighbours of one of the last level.

    A node does not know n, so the last level is read as that of a node neither of whose ring neighbours has a longer
    label. With ceil(log n) known, more would be missing: n = 5, 9 to 15, 17 to 31.

    Source: Section 3.2.2; Algorithm 4, lines 12-14
    """
    if bool(before.chain) != bool(after.chain):
        return None, None
    return SOUND.partners(u, before, after)


def printed_inner_hash(one: Summary, other: Summary) -> str:
    """The hash of an inner node as printed: of the hashes of its children's labels, not of their hashes.

    Source: Section 4.2, "t.hash := h(h(c1(t).label) o h(c2(t).label))"
    """
    return combined(hash_of_label(one.prefix), hash_of_label(other.prefix))


SOUND = Rules()


class Printed(msgspec.Struct, frozen=True):
    """A printed rule that we do not follow: which of our rules it stands for, and what breaks with it."""

    name: str
    field: str
    rule: Callable[..., Any]
    breaks: str
    source: str

    def of(self, protocol: Protocol) -> Erratum:
        """The erratum, given the protocol with that rule."""
        return Erratum(self.name, self.breaks, self.source, protocol)


ERRATA = (
    Printed(
        "printed_linearize",
        "linearize",
        printed_linearize,
        "one false claim can circulate for ever in a ring that is right but for it",
        "Algorithm 1, lines 14-30; Theorem 8",
    ),
    Printed(
        "printed_introduce_shortcut",
        "introduce_shortcut",
        printed_introduce_shortcut,
        "every round linearises shortcuts that did not change",
        "Algorithm 4, lines 22-30",
    ),
    Printed(
        "printed_partners",
        "partners",
        printed_partners,
        "shortcuts are missing for every odd n from 9 on",
        "Section 3.2.2; Algorithm 4, lines 12-14",
    ),
    Printed(
        "printed_hashes",
        "inner_hash",
        printed_inner_hash,
        "tries that differ two levels below their roots look alike, and never become equal",
        "Section 4.2, the formula for t.hash",
    ),
)
"""Every printed rule that we do not follow."""
