"""Failures of the skip ring: subscribers crash, and the supervisor has a failure detector.

Source: Section 1.1, "a failure detector that is eventually correct"
"""

from collections.abc import Mapping

from gomboc.impl.core.automaton import Core, Failing
from gomboc.impl.protocols.skip_ring.core import Subscriber
from gomboc.impl.protocols.skip_ring.messages import SUPERVISOR


def _restart(keep: bool) -> object:
    return {"kind": "restart", "keep": keep}


def _asleep(core: Core) -> bool:
    return isinstance(core, Subscriber) and core.u.crashed


def _hears(roles: Mapping[str, str], sender: str | None, node: str) -> tuple[str, ...]:
    del roles, sender, node
    return (SUPERVISOR,)


def _suspect(node: str) -> Mapping[str, object]:
    return {"kind": "suspect", "node": node}


def _trust(node: str) -> Mapping[str, object]:
    return {"kind": "trust", "node": node}


FAILING = Failing(
    roles=("subscriber",),
    crash={"kind": "crash"},
    restart=_restart,
    asleep=_asleep,
    hears=_hears,
    suspect=_suspect,
    trust=_trust,
)
