"""The rules as printed, where we deviate: each an override of our rules, with the property that breaks."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome
from gomboc.spec.protocols.skip_ring import printed
from gomboc.spec.protocols.skip_ring.build_list import Rule, linearize_all
from gomboc.spec.protocols.skip_ring.rules import Rules
from gomboc.spec.protocols.skip_ring.state import Claim, Entry, Subscriber
from gomboc.spec.protocols.skip_ring.subscriber import Side
from gomboc.spec.publishing.trie import Summary, combined, hash_of_label


def printed_linearize(u: Subscriber, me: str, claim: Claim, first_hand: bool = False) -> Outcome:
    """Linearize as printed, with one guard that is not printed: a node ignores claims about itself.

    Besides, each step forgets self-references, and claims for the closing edge are verified.

    Source: Algorithm 1, lines 14-30
    """
    return Outcome(u) if claim.node == me else printed.linearize(u, me, claim, first_hand)


def printed_introduce_shortcut(u: Subscriber, me: str, claim: Claim, linearize: Rule) -> Outcome:
    """IntroduceShortcut with line 26 as printed: the stored shortcut is linearised even if it did not change.

    The reading depends on the indentation of line 26 in our copy of the text.

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

    A node does not know n, so a node counts as on the last level if neither of its ring neighbours has a longer label.
    With ceil(log n) known, shortcuts would be missing for more n: 5, 9 to 15, 17 to 31.

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


VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "printed_build_ring": {"linearize": printed.linearize, "build_ring": printed.PRINTED},
    "printed_linearize": {"linearize": printed_linearize},
    "printed_introduce_shortcut": {"introduce_shortcut": printed_introduce_shortcut},
    "printed_partners": {"partners": printed_partners},
    "printed_hashes": {"inner_hash": printed_inner_hash},
}
"""The fields of `Rules` that each variant overrides; its words are in `errata.toml`."""
