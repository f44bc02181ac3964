"""The configurations of every protocol that the tests of all protocols try, with sizes of their starts."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gomboc.spec.core.protocol import Protocol, Size, configured
from gomboc.spec.core.registry import find_protocol

SIZES = (Size(1, 2, 2), Size(3, 3, 4), Size(4, 2, 3, 2), Size(6, 5, 9, 1))
"""Nodes, messages, publications, and nodes outside."""


class Case(NamedTuple):
    """A configuration of a protocol. `connected`: whether each of its starts has the premise of convergence."""

    name: str
    parameters: Mapping[str, Any]
    sizes: tuple[Size, ...] = SIZES
    connected: bool = True

    def __str__(self) -> str:
        return " ".join((self.name, *(f"{name}={value}" for name, value in self.parameters.items())))

    @property
    def protocol(self) -> Protocol:
        """The protocol, configured."""
        return configured(find_protocol(self.name), self.parameters)


NUMBERED = {"bits": 5, "ids": "number", "r": 2}
INSIDE = tuple(Size(size.nodes, size.messages, size.publications) for size in SIZES)

CASES = (
    Case("chord", {}),
    Case("chord", NUMBERED),
    Case("chord", {**NUMBERED, "fingers": False}),
    Case("chord", {**NUMBERED, "meet": True}),
    Case("chord", {"r": 1, "bits": 9}),
    Case("delta_fault_tolerance", {"delta": 0}),
    Case("delta_fault_tolerance", {"delta": 2}),
    Case("delta_fault_tolerance", {"audit": True}),
    Case("delta_fault_tolerance", {"audit": True, "most_rows": 2, "most_bytes": 700, "most_filters": 3}),
    Case("dissemination", {"key_bits": 12}),
    Case("hyparview", {}),
    Case("hyparview", {"active": 2, "passive": 2, "arwl": 2, "prwl": 1, "ka": 1, "kp": 1, "keep": 1}),
    Case("scribe", {}),
    Case("scribe", {"key_bits": 12, "keep": 1}),
    Case("scribe", {"low": 2, "high": 4}),
    Case("skip_plus", {}, connected=False),
    Case("skip_ring", {}, INSIDE),
    Case("skip_ring", {"key_bits": 3}, INSIDE),
    Case("topic_directory", {}),
    Case("topic_directory", {"expires": 4}),
    Case("topic_directory", {"expires": 4, "topics_in_period": 2}),
)
