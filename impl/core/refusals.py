"""Counts of a node's refusals, by reason."""

from collections import Counter
from enum import StrEnum
from typing import Final

UNKNOWN_TOPIC: Final = "unknown_topic"
"""A message is for a topic that this node has no part in."""
BAD_MESSAGE: Final = "bad_message"
"""A peer's bytes are no envelope, or the content is no message of the protocol."""
OTHER_PARAMETERS: Final = "other_parameters"
"""A peer runs another protocol, or this one with parameters that are incompatible with the local ones."""


class Refusals:
    """Counts of one node's refusals, by topic and reason; None for refusals that belong to no topic.

    `reasons` are all possible reasons, the three above among them.
    """

    def __init__(self, reasons: type[StrEnum]) -> None:
        self._reasons = reasons
        self._counts: Counter[tuple[str | None, str]] = Counter()

    def count(self, topic: str | None, reason: str) -> None:
        """Count one more. ValueError for an unknown reason: the core that gives it is wrong."""
        self._counts[topic, self._reasons(reason)] += 1

    def of(self, topic: str) -> dict[str, int]:
        """The refusals in this topic, by reason, in the order of the reasons."""
        return {reason: self._counts[topic, reason] for reason in self._reasons if self._counts[topic, reason]}

    def of_all(self) -> dict[str, int]:
        """All refusals, by reason, in the order of the reasons."""
        sums: Counter[str] = Counter()
        for (_, reason), count in self._counts.items():
            sums[reason] += count
        return {reason: sums[reason] for reason in self._reasons if sums[reason]}
