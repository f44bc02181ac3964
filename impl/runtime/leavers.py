"""Leavers: nodes that leave a topic say so beside their messages, so that no two of them rely on each other.

A leaver goes when another node holds what it holds. That node has to stay, so only what a node says that takes part,
and has heard of the leaver's wish, counts. If it leaves as well, it does so later, and relies on a third one.
"""

from collections.abc import Container

from gomboc.impl.runtime.topics import Leaver

MOST = 1_024
"""The most peers, each in one topic, that are known as leavers; then the first one is forgotten."""


class Leavers:
    """The leavers among a node and its peers, in each topic. The node itself is one in all topics but the `kept` ones.

    Without these it is none: where members do not compare what they hold, they hold it in any case.
    """

    def __init__(self, kept: Container[str] | None = None) -> None:
        self._kept = kept
        self._said: dict[tuple[str, str], Leaver] = {}

    def leaves(self, topic: str) -> bool:
        """Whether the node itself is a leaver."""
        return self._kept is not None and topic not in self._kept

    def leaver(self, topic: str, peer: str) -> Leaver | None:
        """The leaver to name beside a message to this peer: the sender, the receiver if it is known as one, or none."""
        if self.leaves(topic):
            return "sender"
        return "receiver" if self._said.get((topic, peer)) == "sender" else None

    def hear(self, topic: str, peer: str, leaver: Leaver | None) -> None:
        """Remember the leaver that the last message of a peer names."""
        if leaver is not None:
            self._said.pop((topic, peer), None)
            self._said[topic, peer] = leaver
            if len(self._said) > MOST:
                del self._said[next(iter(self._said))]
        elif self._said:
            self._said.pop((topic, peer), None)

    def counts(self, topic: str, peer: str | None) -> bool:
        """Whether one may rely on it that a peer goes on holding what its last message says that it holds."""
        said = None if peer is None else self._said.get((topic, peer))
        return said == "receiver" if self.leaves(topic) else said != "sender"
