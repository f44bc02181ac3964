"""Failures of Chord: each node may crash, for ever, and nodes that ask it hear of that."""

from collections.abc import Mapping

from gomboc.impl.core.automaton import Core, Failing
from gomboc.impl.protocols.chord.core import Node


def _asleep(core: Core) -> bool:
    return isinstance(core, Node) and core.state.status == "crashed"


def _hears(roles: Mapping[str, str], sender: str | None, node: str) -> tuple[str, ...]:
    del roles, node
    return () if sender is None else (sender,)


def _suspect(node: str) -> Mapping[str, object]:
    return {"kind": "Suspect", "node": node}


FAILING = Failing(
    roles=("node",),
    crash={"kind": "Crash"},
    restart=None,
    asleep=_asleep,
    hears=_hears,
    suspect=_suspect,
    forgets=True,
)
