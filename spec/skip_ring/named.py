"""The nodes that a local state, message or command names."""

from collections.abc import Iterable
from typing import Any

from gomboc.spec.skip_ring.state import (
    Check,
    CheckAndPublish,
    CheckTrie,
    Claim,
    Entry,
    GetConfiguration,
    Introduce,
    IntroduceShortcut,
    Linearize,
    Present,
    Probe,
    PublishNew,
    RemoveConnections,
    Restore,
    SetData,
    Subscribe,
    Subscriber,
    Supervisor,
    Suspect,
    Trust,
    Unsubscribe,
)


def named(value: Any) -> tuple[str, ...]:
    """Every node to which a value refers, possibly repeated; publishers and signers need not exist.

    Source: Section 1.1, "no corrupted IDs (i.e., IDs of unavailable nodes)"
    """
    match value:
        case Subscriber():
            return _nodes((value.left, value.right, value.ring, *value.shortcuts))
        case Supervisor():
            return (*_nodes(value.database), *value.suspects)
        case Restore():
            return _nodes(value.database)
        case SetData():
            return _nodes((value.pred, value.succ))
        case Check():
            return (value.sender.node,)
        case Introduce() | Present() | Linearize() | IntroduceShortcut():
            return (value.claim.node,)
        case Subscribe() | Unsubscribe() | GetConfiguration():
            return (value.subscriber,)
        case Probe() | CheckTrie() | CheckAndPublish() | PublishNew():
            return (value.sender,)
        case RemoveConnections() | Suspect() | Trust():
            return (value.node,)
    return ()


def _nodes(claims: Iterable[Claim | Entry | None]) -> tuple[str, ...]:
    return tuple([claim.node for claim in claims if claim is not None and claim.node is not None])
