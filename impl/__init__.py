"""Implementations: protocol cores without input or output, and the machinery that runs them.

The names in `__all__` are public; all others may move without notice. Each is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if __name__ != "gomboc.impl":
    # A checkout on the path would otherwise load every module a second time, under another name.
    raise ImportError(f"there is no top-level package {__name__!r}: import gomboc.impl")

if TYPE_CHECKING:
    from gomboc.impl.automaton import (
        Commanded,
        Core,
        Delivered,
        Failing,
        Implementation,
        RandomSource,
        Received,
        Refused,
        Send,
        SetTimer,
        Timeout,
        Traced,
    )
    from gomboc.impl.clock import Clock, LoopClock, ManualClock
    from gomboc.impl.contact import Contact
    from gomboc.impl.content import Client, ContentNode
    from gomboc.impl.deliveries import Counters, Deliveries, Policy, Queueing
    from gomboc.impl.disciplines import Discipline
    from gomboc.impl.errors import PeerError, TransportError, UsageError
    from gomboc.impl.host import NodeContext
    from gomboc.impl.memory import MemoryNetwork
    from gomboc.impl.node import Node
    from gomboc.impl.overlays import Overlay, overlay
    from gomboc.impl.publication import Publication, PublicationId
    from gomboc.impl.reasons import Reason, RefusedError
    from gomboc.impl.recording import Recording, SystemRecording
    from gomboc.impl.signatures import Ed25519, Identity, public_key, signed_overlay
    from gomboc.impl.transport import Parcel, Transport

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
    "LoopClock",
    "ManualClock",
    "MemoryNetwork",
    "Node",
    "NodeContext",
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
    "SetTimer",
    "SystemRecording",
    "Timeout",
    "Traced",
    "Transport",
    "TransportError",
    "UsageError",
    "overlay",
    "public_key",
    "signed_overlay",
]

_HOMES = {
    "automaton": "Commanded Core Delivered Failing Implementation RandomSource Received Refused Send SetTimer Timeout "
    "Traced",
    "clock": "Clock LoopClock ManualClock",
    "contact": "Contact",
    "content": "Client ContentNode",
    "deliveries": "Counters Deliveries Policy Queueing",
    "disciplines": "Discipline",
    "errors": "PeerError TransportError UsageError",
    "host": "NodeContext",
    "memory": "MemoryNetwork",
    "node": "Node",
    "overlays": "Overlay overlay",
    "publication": "Publication PublicationId",
    "reasons": "Reason RefusedError",
    "recording": "Recording SystemRecording",
    "signatures": "Ed25519 Identity public_key signed_overlay",
    "transport": "Parcel Transport",
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
