"""The supervisor's database: subscribers by label.

A clean database holds exactly l(0) .. l(n-1), each for another node, so it is a list of nodes by index, and neighbours
in the ring are found by arithmetic. Only a loaded database can be corrupted; it is repaired once.
"""

from collections.abc import Collection, Mapping

from gomboc.impl.core.vocabulary import encode
from gomboc.impl.protocols.skip_ring import labels
from gomboc.impl.protocols.skip_ring.claims import claim
from gomboc.impl.protocols.skip_ring.messages import SetData

UNRECORDED = SetData(None, None, None)


class Database:
    """Subscribers by label; every method but `repair` and `written` needs a database that has been repaired."""

    __slots__ = ("_configurations", "_indices", "_loaded", "_nodes", "_written")

    def __init__(self, entries: Mapping[int, str | None]) -> None:
        self._loaded: Mapping[int, str | None] | None = entries
        self._nodes: list[str] = []
        self._indices: dict[str, int] = {}
        self._written: bytes | None = None
        self._configurations: dict[str, SetData] = {}

    def __len__(self) -> int:
        """n, the number of recorded subscribers."""
        return len(self._nodes)

    def __contains__(self, node: str) -> bool:
        """Whether the node is recorded."""
        return node in self._indices

    def repair(self, strange: Collection[str] = ()) -> None:
        """Remove empty tuples, strange nodes and second labels, then fill the gaps with the highest labels.

        Strange are suspects, and the supervisor itself. A repaired database stays so.

        Source: Section 3.1, actions (i) to (iv); Algorithm 3, lines 31-45
        """
        if self._loaded is None:
            return
        kept: dict[str, int] = {}
        for index, node in sorted(
            (labels.index_of(label), node)
            for label, node in self._loaded.items()
            if node is not None and node not in strange
        ):
            kept.setdefault(node, index)
        beyond = sorted(((index, node) for node, index in kept.items() if index >= len(kept)), reverse=True)
        gaps = sorted(set(range(len(kept))) - set(kept.values()))
        kept.update((node, gap) for gap, (_, node) in zip(gaps, beyond, strict=True))
        self._nodes = sorted(kept, key=kept.__getitem__)
        self._indices = kept
        self._loaded = None
        self._forget_derived()

    def node_at(self, index: int) -> str:
        """The subscriber that has l(index)."""
        return self._nodes[index]

    def nodes(self) -> list[str]:
        """All recorded subscribers, ascending by label."""
        return [node for _, node in sorted(self._entries().items()) if node is not None]

    def add(self, node: str) -> None:
        """Record a node that is not recorded, under l(n). Source: Algorithm 3, line 8."""
        self._indices[node] = len(self._nodes)
        self._nodes.append(node)
        self._forget_derived()

    def remove(self, node: str) -> str | None:
        """Drop a recorded node; the node with l(n-1) takes its label, and is returned if it is another node.

        Source: Algorithm 3, lines 16-22
        """
        index, last = self._indices.pop(node), self._nodes.pop()
        self._forget_derived()
        if last == node:
            return None
        self._nodes[index] = last
        self._indices[last] = index
        return last

    def configuration(self, node: str) -> SetData:
        """The node's label and its neighbours in the ring; all empty if it is not recorded.

        Source: Section 3.1, the configuration (pred, label, succ)
        """
        if node not in self._indices:
            return UNRECORDED
        # A clean database hardly ever changes, and is asked in every period.
        known = self._configurations.get(node)
        if known is None:
            known = self._configurations[node] = self._configuration(labels.from_index(self._indices[node]))
        return known

    def _configuration(self, label: int) -> SetData:
        if len(self) == 1:
            return SetData(None, labels.to_text(label), None)
        return SetData(self._neighbour(label, -1), labels.to_text(label), self._neighbour(label, 1))

    def _forget_derived(self) -> None:
        """Forget all that was derived from entries which have changed."""
        self._written = None
        self._configurations.clear()

    def written(self) -> bytes:
        """The entries as a trace writes them, ascending."""
        if self._written is None:
            self._written = encode([(labels.to_text(label), node) for label, node in sorted(self._entries().items())])
        return self._written

    def _entries(self) -> Mapping[int, str | None]:
        if self._loaded is not None:
            return self._loaded
        return {labels.from_index(index): node for index, node in enumerate(self._nodes)}

    def _neighbour(self, label: int, direction: int) -> tuple[str, str]:
        """The next entry in this direction (1 or -1): one step of the finest level, or two where it has a gap."""
        step = direction << (labels.LONGEST - (len(self) - 1).bit_length())
        near = labels.index_of(labels.shifted(label, step))
        if near >= len(self):
            near = labels.index_of(labels.shifted(label, 2 * step))
        return claim(labels.from_index(near), self._nodes[near]).written
