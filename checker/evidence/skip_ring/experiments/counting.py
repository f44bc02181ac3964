"""Claims in a state that are not true: how many there are, and whether one step of BuildRing makes more of them."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import msgspec

from gomboc.checker.errata.scene import Stage
from gomboc.spec.core.model import CERTAIN, Received
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.skip_ring.state import CYCLE, LIST, Claim, Entry, Introduce, Linearize, Subscriber

LABELS = {"v1": "0", "v2": "1", "v3": "01"}
"""The nodes of SR(3), with their labels."""


def receipts() -> Iterator[tuple[str, Subscriber, Any]]:
    """Every node of SR(3), with any neighbours of those labels, and any Introduce or Linearize about another node."""
    for me, label in LABELS.items():
        claims = [Claim(text, node) for text in LABELS.values() for node in LABELS if node != me]
        messages = [Introduce(claim, flag) for claim in claims for flag in (LIST, CYCLE)] + list(map(Linearize, claims))
        for left, right, ring in product((None, *claims), repeat=3):
            for message in messages:
                yield me, Subscriber(label, left, right, ring), message


def makes_more(protocol: Protocol, me: str, u: Subscriber, message: Any) -> bool:
    """Whether there are more false claims after a receipt than before, stored, received and sent ones together."""
    outcome = protocol.actor.react(me, u, Received(message), CERTAIN[0])
    after = _false_in(outcome.local, LABELS) + sum(_false_in(send.message, LABELS) for send in outcome.sends)
    return after > _false_in(u, LABELS) + _false_in(message, LABELS)


def invents(protocol: Protocol, me: str, u: Subscriber, message: Any) -> bool:
    """Whether a receipt leads to a false claim that neither the message nor the receiver had."""
    outcome = protocol.actor.react(me, u, Received(message), CERTAIN[0])
    after = {*claims_in(outcome.local), *(claim for send in outcome.sends for claim in claims_in(send.message))}
    return any(LABELS[claim.node] != claim.label for claim in after - {*claims_in(u), *claims_in(message)})


def claims_in(value: Any) -> Iterator[Claim]:
    """Every claim in a local state or message."""
    match value:
        case Claim():
            yield value
        case msgspec.Struct():
            for field in value.__struct_fields__:
                yield from claims_in(getattr(value, field))


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
