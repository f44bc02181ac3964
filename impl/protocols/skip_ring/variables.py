"""The variables of a subscriber, and the queries and updates that send no messages."""

from collections.abc import Iterable

from msgspec import Raw

from gomboc.impl.core.vocabulary import encode
from gomboc.impl.protocols.skip_ring import labels
from gomboc.impl.protocols.skip_ring.claims import Claim, claim, heard
from gomboc.impl.protocols.skip_ring.labels import WrittenClaim
from gomboc.impl.protocols.skip_ring.states import SubscriberState
from gomboc.impl.publishing.store import Store

# Every attribute is replaced and never changed in place: the cached text stays right while all are identical.
_Values = tuple[Claim | None, Claim | None, Claim | None, Claim | None, dict[int, str | None], bool, bool, bool, bytes]


class Variables:
    """label, left, right, ring, shortcuts and wants, as Section 3.2 names them; `own` is the claim about oneself.

    `shortcuts` is ascending by label. Assign a new dictionary to it; do not change the present one. `store` has the
    publications; it is None without publications.
    """

    __slots__ = (
        "_as_written",
        "_written",
        "crashed",
        "forgets",
        "left",
        "me",
        "own",
        "right",
        "ring",
        "shortcuts",
        "store",
        "supervisor",
        "wants",
    )

    def __init__(self, me: str, state: SubscriberState, store: Store | None, supervisor: str) -> None:
        self.me, self.supervisor = me, supervisor
        self.own = None if state.label is None else heard((state.label, me))
        self.left = _heard_or_none(state.left)
        self.right = _heard_or_none(state.right)
        self.ring = _heard_or_none(state.ring)
        self.shortcuts: dict[int, str | None] = {labels.from_text(label): node for label, node in state.shortcuts}
        self.wants = state.wants
        self.crashed = state.crashed
        self.forgets = state.forgets
        self.store = store
        self._as_written: _Values | None = None
        self._written = Raw()

    def label(self) -> int:
        """The label of a node that has one."""
        assert self.own is not None, "only a node that has a label places claims"
        return self.own.label

    def slots(self) -> tuple[Claim, ...]:
        """The claims in left, right and ring, in this order, without the empty ones."""
        return tuple(slot for slot in (self.left, self.right, self.ring) if slot is not None)

    def nodes(self) -> list[str]:
        """Every node that is stored anywhere, once, in a fixed order."""
        known = [node for node in self.shortcuts.values() if node is not None]
        return list(dict.fromkeys([*(slot.node for slot in self.slots()), *known]))

    def forget(self, node: str) -> None:
        """Empty every slot and every shortcut that stores the node; shortcuts keep their labels."""
        if self.left is not None and self.left.node == node:
            self.left = None
        if self.right is not None and self.right.node == node:
            self.right = None
        if self.ring is not None and self.ring.node == node:
            self.ring = None
        if node in self.shortcuts.values():
            self.shortcuts = {label: None if known == node else known for label, known in self.shortcuts.items()}

    def forget_other_labels(self, truth: Claim) -> None:
        """Empty every slot that stores the node of this claim with another label."""
        if _contradict(self.left, truth):
            self.left = None
        if _contradict(self.right, truth):
            self.right = None
        if _contradict(self.ring, truth):
            self.ring = None

    def forget_neighbours(self) -> None:
        """Empty every slot, and drop every shortcut."""
        self.left = self.right = self.ring = None
        if self.shortcuts:
            self.shortcuts = {}

    def empty(self) -> None:
        """Reset to a new subscriber, which knows no other node; only the application's wish to take part stays."""
        self.own = None
        self.crashed = False
        self.forget_neighbours()
        self.forget_publications()

    def forget_publications(self) -> None:
        """Drop all publications, and the order to do so."""
        self.forgets = False
        if self.store is not None:
            self.store.forget()

    def contradict(self, other: Claim) -> bool:
        """Whether a slot stores the node of this claim with another label."""
        return _contradict(self.left, other) or _contradict(self.right, other) or _contradict(self.ring, other)

    def rival_of(self, other: Claim) -> str | None:
        """Another node with the label of this claim: the first in left, right and ring, else possibly oneself."""
        for slot in (self.left, self.right, self.ring):
            if slot is not None and slot.label == other.label and slot.node != other.node:
                return slot.node
        return self.me if self.own is not None and self.own.label == other.label else None

    def is_minimal(self, label: int) -> bool:
        """Whether no node that is stored has a lower label."""
        for slot in (self.left, self.right, self.ring):
            if slot is not None and slot.label < label:
                return False
        return not any(known < label and node is not None for known, node in self.shortcuts.items())

    def set_shortcuts(self, wanted: Iterable[int]) -> list[Claim]:
        """Keep exactly these labels, and return the removed shortcuts, ascending by label."""
        former, ascending = self.shortcuts, sorted(set(wanted))
        if ascending == list(former):
            return []
        self.shortcuts = {label: former.get(label) for label in ascending}
        return [
            claim(label, node) for label, node in former.items() if node is not None and label not in self.shortcuts
        ]

    def snapshot(self) -> Raw:
        """The state as a trace writes it; encoded only if it differs from the one written before."""
        held = b"" if self.store is None else self.store.written()
        values = (
            self.own,
            self.left,
            self.right,
            self.ring,
            self.shortcuts,
            self.wants,
            self.crashed,
            self.forgets,
            held,
        )
        # Python compares identical values first, so this is fast.
        if values != self._as_written:
            # The publications are the end of the object, and far longer than the rest: they are not written anew.
            self._written = Raw(encode(self._state())[:-1] + held + b"}")
            self._as_written = values
        return self._written

    def _state(self) -> SubscriberState:
        return SubscriberState(
            None if self.own is None else self.own.written[0],
            _written_or_none(self.left),
            _written_or_none(self.right),
            _written_or_none(self.ring),
            tuple((labels.to_text(label), node) for label, node in self.shortcuts.items()),
            self.wants,
            self.crashed,
            self.forgets,
        )


def _contradict(slot: Claim | None, other: Claim) -> bool:
    return slot is not None and slot.node == other.node and slot.label != other.label


def _heard_or_none(written: WrittenClaim | None) -> Claim | None:
    return None if written is None else heard(written)


def _written_or_none(stored: Claim | None) -> WrittenClaim | None:
    return None if stored is None else stored.written
