"""The operating assumption: at most delta consecutive brokers on any path are not operational."""

from collections.abc import Iterable

from spec.delta_fault_tolerance.parameters import Parameters
from spec.delta_fault_tolerance.state import Node
from spec.delta_fault_tolerance.tree import Names, path
from spec.model import Fault, InFlight, States

MASKED = "Section 5, delta-fault-tolerance"


def assumption(given: Parameters, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """Asked after each command. Who recovers counts until it is operational again.

    Source: Section 5
    """
    del in_flight
    absent = tuple(sorted(name for name, local in states.items() if _is_absent(local)))
    longest = longest_chain(absent)
    if len(longest) <= given.delta:
        return ()
    return (Fault("few_consecutive_failures", longest[0], f"at most {given.delta} in a row", longest, MASKED),)


def _is_absent(local: Node) -> bool:
    return local.status != "operational"


def longest_chain(names: Iterable[str]) -> Names:
    """The longest path in the tree on which there are only brokers of these names; the first in order."""
    absent = tuple(names)
    within = frozenset(absent)
    ways = (path(one, other) for one in absent for other in absent)
    return max((way for way in ways if within.issuperset(way)), key=len, default=())
