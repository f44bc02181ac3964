"""The views of a node, and the random choices among their nodes."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence

from gomboc.impl.core.automaton import RandomSource, Traced
from gomboc.impl.protocols.hyparview.parameters import Parameters
from gomboc.impl.protocols.hyparview.states import State


class Toss:
    """The random choices of one step: at most one active node and one passive node."""

    __slots__ = ("_is_tossed", "_names", "_random")

    def __init__(self, random: RandomSource) -> None:
        self._random = random
        self._names: list[str] = ["-", "-"]
        self._is_tossed = False

    def active(self, candidates: Sequence[str]) -> str | None:
        """One of these active nodes; None if there is none."""
        return self._one(0, candidates)

    def passive(self, candidates: Sequence[str]) -> str | None:
        """One of these passive nodes; None if there is none."""
        return self._one(1, candidates)

    def _one(self, side: int, candidates: Sequence[str]) -> str | None:
        if not candidates:
            return None
        if len(candidates) > 1:
            self._is_tossed = True
        chosen = candidates[int(self._random.random() * len(candidates))] if len(candidates) > 1 else candidates[0]
        self._names[side] = chosen
        return chosen

    def traced(self) -> Iterator[Traced]:
        """The result's name, if there was a choice."""
        if self._is_tossed:
            yield Traced(" ".join(self._names))


class Views:
    """The active and the passive view, each ascending; for `asked`, a passive node, an active place is kept."""

    __slots__ = ("_me", "_most_active", "_most_passive", "active", "asked", "passive")

    def __init__(self, me: str, parameters: Parameters, state: State) -> None:
        self._me = me
        self._most_active, self._most_passive = parameters.active, parameters.passive
        self.active, self.passive = list(state.active), list(state.passive)
        self.asked = state.asked

    @property
    def has_room(self) -> bool:
        """Whether one more node can become active."""
        return len(self.active) + (self.asked is not None) < self._most_active

    def all(self) -> tuple[str, ...]:
        """The nodes of both views, ascending."""
        return tuple(sorted((*self.active, *self.passive)))

    def admit(self, node: str) -> None:
        """Have a node in the active view, in which there is room for it."""
        self._drop_passive(node)
        if node not in self.active:
            insort(self.active, node)

    def displace(self, toss: Toss) -> str | None:
        """Drop an active node; it may become passive afterwards. None if a place is kept for a node that was asked."""
        displaced = toss.active(self.active)
        if displaced is None:
            self.asked = None
        else:
            self.active.remove(displaced)
        return displaced

    def remember(self, node: str, toss: Toss) -> None:
        """Have a node in the passive view, unless it is known already; in a full one another makes room."""
        if not self._is_new(node):
            return
        if len(self.passive) >= self._most_passive:
            leaving = toss.passive([known for known in self.passive if known != self.asked])
            if leaving is None:
                return
            self.passive.remove(leaving)
        insort(self.passive, node)

    def integrate(self, nodes: Iterable[str], start: str | None, toss: Toss) -> None:
        """Have all of these in the passive view; the nodes of the window from `start` on make room for them.

        Without a start, one is tossed for if it is needed.
        """
        new = [node for node in sorted(nodes) if self._is_new(node)]
        excess = len(self.passive) + len(new) - self._most_passive
        if excess > 0:
            first = toss.passive(self.passive) if start is None else start
            leaving = [node for node in window(self.passive, first, len(self.passive)) if node != self.asked][:excess]
            self.passive = [node for node in self.passive if node not in leaving]
        room = self._most_passive - len(self.passive)
        self.passive = sorted((*self.passive, *new[:room]))

    def remove(self, node: str) -> bool:
        """Drop an active node; whether it was one."""
        if node not in self.active:
            return False
        self.active.remove(node)
        return True

    def forget(self, node: str) -> None:
        """Drop a node that has crashed from both views."""
        self.remove(node)
        self._drop_passive(node)

    def _drop_passive(self, node: str) -> None:
        if node in self.passive:
            self.passive.remove(node)
        if self.asked == node:
            self.asked = None

    def _is_new(self, node: str) -> bool:
        return node != self._me and node not in self.active and node not in self.passive


def window(nodes: Sequence[str], start: str | None, length: int) -> list[str]:
    """So many of the ascending nodes at most, from the start on, and after the last the first again."""
    if start is None:
        return []
    at = bisect_left(nodes, start)
    return [*nodes[at:], *nodes[:at]][:length]
