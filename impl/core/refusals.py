"""Counts of a node's refusals, by peer, topic and reason."""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

UNKNOWN_TOPIC: Final = "unknown_topic"
"""A message is for a topic that this node has no part in."""
BAD_MESSAGE: Final = "bad_message"
"""A peer's bytes are no envelope, or the content is no message of the protocol."""
OTHER_PARAMETERS: Final = "other_parameters"
"""A peer runs another protocol, or this one with parameters that are incompatible with the local ones."""
NOT_YOURS: Final = "not_yours"
"""A peer sends in another node's name, or what only a node with another role may send, or by a wrong way."""
DISPUTED: Final = "disputed"
"""A peer has refused a publication that this node has sent it."""

MOST_COUNTED = 1024
"""The most counts by peer; what is beyond is counted for no peer, by topic and reason."""

Refusal = tuple[str | None, str | None, str]
"""Peer, topic and reason of a refusal. There is no peer if it was the application's, and maybe no topic."""


class Refusals:
    """Counts of one node's refusals, by peer, topic and reason; None for refusals that belong to no peer or topic.

    `reasons` are all possible reasons, the five above among them. There are at most `most` counts by peer.
    """

    def __init__(self, reasons: type[StrEnum], most: int = MOST_COUNTED) -> None:
        self._reasons = reasons
        self._most = most
        self._counts: Counter[Refusal] = Counter()
        self._of_peers = 0

    def count(self, topic: str | None, reason: str, peer: str | None = None) -> None:
        """Count one more. ValueError for an unknown reason: the core that gives it is wrong."""
        refusal = peer, topic, self._reasons(reason)
        if peer is not None and refusal not in self._counts:
            if self._of_peers >= self._most:
                refusal = None, topic, self._reasons(reason)
            else:
                self._of_peers += 1
        self._counts[refusal] += 1

    def of(self, topic: str) -> dict[str, int]:
        """The refusals in this topic, by reason, in the order of the reasons."""
        return self._sums({refusal: count for refusal, count in self._counts.items() if refusal[1] == topic})

    def of_all(self) -> dict[str, int]:
        """All refusals, by reason, in the order of the reasons."""
        return self._sums(self._counts)

    def of_peers(self) -> dict[Refusal, int]:
        """The refusals of peers, by peer, topic and reason."""
        return {refusal: count for refusal, count in self._counts.items() if refusal[0] is not None}

    def _sums(self, counts: Mapping[Refusal, int]) -> dict[str, int]:
        sums: Counter[str] = Counter()
        for (_, _, reason), count in counts.items():
            sums[reason] += count
        return {reason: sums[reason] for reason in self._reasons if sums[reason]}
