"""Implementations: protocol cores without input or output, and the machinery that runs them.

The names in `__all__` are public; all others may move without notice. Each is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if __name__ != "gomboc.impl":
    # A checkout on the path would otherwise load every module a second time, under another name.
    raise ImportError(f"there is no top-level package {__name__!r}: import gomboc.impl")

if TYPE_CHECKING:
    from gomboc.impl.api.client import Client
    from gomboc.impl.api.contact import Contact
    from gomboc.impl.api.content import ContentNode
    from gomboc.impl.api.node import Node
    from gomboc.impl.api.overlays import Overlay, overlay
    from gomboc.impl.api.recording import Recording, SystemRecording
    from gomboc.impl.api.session import Session
    from gomboc.impl.api.signatures import Ed25519, Identity, public_key, signed_overlay
    from gomboc.impl.api.topics.memberships import Membership, Status
    from gomboc.impl.api.topics.ordered import OrderedDeliveries
    from gomboc.impl.api.topics.topic import Topic
    from gomboc.impl.core.automaton import (
        Commanded,
        Core,
        Delivered,
        Failing,
        Implementation,
        Input,
        Output,
        RandomSource,
        Received,
        Refused,
        Send,
        SetTimer,
        Timeout,
        Traced,
    )
    from gomboc.impl.core.errors import PeerError, TransportError, UsageError
    from gomboc.impl.core.reasons import Reason, RefusedError
    from gomboc.impl.publishing.deliveries import Counters, Deliveries, Policy, Queueing
    from gomboc.impl.publishing.ordering import Missing
    from gomboc.impl.publishing.publication import Publication, PublicationId
    from gomboc.impl.runtime.clock import Clock, LoopClock, ManualClock
    from gomboc.impl.runtime.configuration import NodeContext
    from gomboc.impl.runtime.detection.detector import Timing
    from gomboc.impl.runtime.disciplines import Discipline
    from gomboc.impl.runtime.memory import MemoryNetwork
    from gomboc.impl.runtime.transport import Parcel, Transport

__all__ = [
    "Client",
    "Clock",
    "Commanded",
    "Contact",
    "ContentNode",
    "Core",
    "Counters",
    "Delivered",
    "Deliveries",
    "Discipline",
    "Ed25519",
    "Failing",
    "Identity",
    "Implementation",
    "Input",
    "LoopClock",
    "ManualClock",
    "Membership",
    "MemoryNetwork",
    "Missing",
    "Node",
    "NodeContext",
    "OrderedDeliveries",
    "Output",
    "Overlay",
    "Parcel",
    "PeerError",
    "Policy",
    "Publication",
    "PublicationId",
    "Queueing",
    "RandomSource",
    "Reason",
    "Received",
    "Recording",
    "Refused",
    "RefusedError",
    "Send",
    "Session",
    "SetTimer",
    "Status",
    "SystemRecording",
    "Timeout",
    "Timing",
    "Topic",
    "Traced",
    "Transport",
    "TransportError",
    "UsageError",
    "overlay",
    "public_key",
    "signed_overlay",
]

_HOMES = {
    "core.automaton": "Commanded Core Delivered Failing Implementation Input Output RandomSource Received Refused "
    "Send SetTimer Timeout Traced",
    "runtime.clock": "Clock LoopClock ManualClock",
    "api.contact": "Contact",
    "api.client": "Client",
    "api.content": "ContentNode",
    "publishing.deliveries": "Counters Deliveries Policy Queueing",
    "runtime.disciplines": "Discipline",
    "core.errors": "PeerError TransportError UsageError",
    "runtime.detection.detector": "Timing",
    "runtime.configuration": "NodeContext",
    "runtime.memory": "MemoryNetwork",
    "api.node": "Node",
    "api.overlays": "Overlay overlay",
    "api.topics.ordered": "OrderedDeliveries",
    "api.topics.memberships": "Membership Status",
    "api.topics.topic": "Topic",
    "publishing.ordering": "Missing",
    "publishing.publication": "Publication PublicationId",
    "core.reasons": "Reason RefusedError",
    "api.recording": "Recording SystemRecording",
    "api.session": "Session",
    "api.signatures": "Ed25519 Identity public_key signed_overlay",
    "runtime.transport": "Parcel Transport",
}
"""The module of each public name: the modules, each with its public names."""

if not TYPE_CHECKING:
    # Hidden from type checkers, which would take any name for an attribute of this package.
    def __getattr__(name: str) -> object:
        for module, names in _HOMES.items():
            if name in names.split():
                return globals().setdefault(name, getattr(import_module(f"{__name__}.{module}"), name))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
