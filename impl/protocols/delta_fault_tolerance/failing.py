"""Failures of brokers: each may crash and restart, and the connected brokers are told of a crash."""

from collections.abc import Iterable, Mapping

from gomboc.impl.core.automaton import Core, Failing
from gomboc.impl.protocols.delta_fault_tolerance.core import Broker


def _asleep(core: Core) -> bool:
    return isinstance(core, Broker) and core.at.status in ("failed", "detached")


def _watches(core: Core) -> Iterable[str]:
    """The connected peers, without an unanswered parent of a joining leaf: the leaf repeats its question anyway."""
    if not isinstance(core, Broker):
        return ()
    links, is_unannounced = core.at.links, core.at.is_unannounced
    return tuple(peer for peer in links if not (is_unannounced and links[peer].theirs is None))


def _restart(keep: bool) -> object:
    del keep  # A crash always leaves the same part of the state.
    return {"kind": "Restart"}


def _suspect(node: str) -> Mapping[str, object]:
    return {"kind": "Down", "node": node}


FAILING = Failing(
    roles=("broker",),
    crash={"kind": "Crash"},
    restart=_restart,
    asleep=_asleep,
    suspect=_suspect,
    watches=_watches,
)
