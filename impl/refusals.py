"""How often a node has refused something, and why."""

from collections import Counter
from enum import StrEnum
from typing import Final

UNKNOWN_TOPIC: Final = "unknown_topic"
"""A message is for a topic that this node has no part in."""
BAD_MESSAGE: Final = "bad_message"
"""A peer's bytes are no envelope, or what is in it is no message of the protocol."""
OTHER_PARAMETERS: Final = "other_parameters"
"""A peer runs another protocol, or this one with parameters that do not go together with one's own."""


class Refusals:
    """Counts of what one node has refused, by reason: of each topic, and of no topic in particular (None).

    `reasons` are all that there are, the three above among them.
    """

    def __init__(self, reasons: type[StrEnum]) -> None:
        self._reasons = reasons
        self._counts: Counter[tuple[str | None, str]] = Counter()

    def count(self, topic: str | None, reason: str) -> None:
        """Count one more. ValueError for a reason that there is not: the core that says it is wrong."""
        self._counts[topic, self._reasons(reason)] += 1

    def of(self, topic: str) -> dict[str, int]:
        """How much was refused in this topic, by reason, in the order of the reasons."""
        return {reason: self._counts[topic, reason] for reason in self._reasons if self._counts[topic, reason]}

    def of_all(self) -> dict[str, int]:
        """How much was refused at all, by reason, in the order of the reasons."""
        sums: Counter[str] = Counter()
        for (_, reason), count in self._counts.items():
            sums[reason] += count
        return {reason: sums[reason] for reason in self._reasons if sums[reason]}
