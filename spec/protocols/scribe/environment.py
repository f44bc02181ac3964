"""Commands from outside: wishes, publications, crashes, routes that move, and the reports that the detector owes."""

from collections.abc import Iterator

from gomboc.spec.core.model import InFlight, Offer, States
from gomboc.spec.layers.routing import Routed
from gomboc.spec.protocols.scribe.state import Depart, Heard, Issue, WantIn, WantOut, asked
from gomboc.spec.types.kinds import Crash, Suspect


def environment(states: States, _in_flight: InFlight) -> tuple[Offer, ...]:
    """Applications change their minds or publish, nodes crash or leave, any route moves; pending ones may be broadcast.

    Nodes that speak to a crashed one learn it; the detector is accurate.

    Source: Section 2.4.2; Section 5.3
    """
    return tuple(_offers(states))


def _offers(states: States) -> Iterator[Offer]:
    waiting = sorted({item for local in states.values() for item in local.publications if item.key in local.pending})
    live = tuple(name for name, local in sorted(states.items()) if not local.crashed)
    for name in live:
        local = states[name]
        yield Offer(name, WantOut() if local.wants else WantIn(), "wish")
        yield Offer(name, Issue(0, ""), "publish")
        yield Offer(name, Crash(), "crash")
        yield Offer(name, Depart(), "leave")
        yield from (Offer(name, Routed(hop), "route") for hop in (None, *live) if hop != local.next)
        yield from (Offer(name, Heard(item), "heard") for item in waiting)
        yield from (Offer(name, Suspect(node), "", owed=True) for node in asked(local) if node not in live)
