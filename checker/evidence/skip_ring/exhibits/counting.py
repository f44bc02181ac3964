"""Claims in a state that are not true: how many there are."""

from collections.abc import Mapping
from typing import Any

import msgspec

from checker.errata.scene import Stage
from spec.skip_ring.state import Claim, Entry, Subscriber


def false_claims(stage: Stage) -> int:
    """How many claims, stored by a node or in flight, name another label than their node has."""
    labels = {node: local.label for node, local in stage.states.items() if isinstance(local, Subscriber)}
    stored = sum(_false_in(local, labels) for local in stage.states.values() if isinstance(local, Subscriber))
    return stored + sum(_false_in(message, labels) for _, message in stage.in_flight)


def _false_in(value: Any, labels: Mapping[str, str | None]) -> int:
    match value:
        case Claim(label, node) | Entry(label, str(node)):
            return int(labels[node] != label)
        case tuple():
            return sum(_false_in(part, labels) for part in value)
        case msgspec.Struct():
            return sum(_false_in(getattr(value, field), labels) for field in value.__struct_fields__)
    return 0
