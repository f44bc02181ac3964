"""The place of a node in the tree of a topic, as far as the node knows it."""

from collections.abc import Iterator

from gomboc.impl.protocols.scribe.messages import MOST
from gomboc.impl.protocols.scribe.states import State


class Position:
    """The node's wish, next hop and parent, and its children with their numbers of subscribers."""

    __slots__ = ("children", "me", "next", "parent", "wants")

    def __init__(self, me: str, state: State) -> None:
        self.me = me
        self.wants, self.next, self.parent = state.wants, state.next, state.parent
        self.children = dict(state.children)

    @property
    def owns(self) -> bool:
        """Whether the node is the owner of the topic."""
        return self.next == self.me

    @property
    def idle(self) -> bool:
        """Whether the node is not the owner, and neither its application nor a child needs it in the tree."""
        return not self.owns and not self.wants and not self.children

    @property
    def subscribers(self) -> int:
        """The number of subscribers in the node's part of the tree; at most MOST, whatever its children say."""
        return min(self.wants + sum(self.children.values()), MOST)

    @property
    def above(self) -> str | None:
        """The next hop, if that is another node."""
        return None if self.owns else self.next

    def forget(self, node: str) -> None:
        """Have that node as child and parent no more."""
        self.children.pop(node, None)
        if self.parent == node:
            self.parent = None

    def borders(self, node: str) -> bool:
        """Whether another node is the next hop, or a child."""
        return node != self.me and (node == self.next or node in self.children)

    def on_ways_of_news(self) -> Iterator[str]:
        """The nodes that new publications are sent to: the next hop, and the children with subscribers."""
        children = (child for child in sorted(self.children) if self.children[child])
        return (node for node in dict.fromkeys((self.next, *children)) if node not in (None, self.me))
