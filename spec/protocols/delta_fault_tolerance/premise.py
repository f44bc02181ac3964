"""The operating assumption: at most delta brokers in a row are away on any path, leaves join, no suspicion is false."""

from collections.abc import Iterable
from typing import Any

from gomboc.spec.core.model import Fault, InFlight, States
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, parent, path
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.state import Node, asleep
from gomboc.spec.protocols.delta_fault_tolerance.variables import link
from gomboc.spec.types.kinds import Suspect

MASKED = "Section 5, delta-fault-tolerance"
DETECTED = "Section 4.1, the failure detector"
JOINED = "Section 4.6, a join point is a joined node"


def assumption(parameters: Parameters, states: States, _in_flight: InFlight) -> tuple[Fault, ...]:
    """Faults of the operating assumption, checked after each command.

    A broker that has failed counts as away until it is operational again; a joining broker does not count.

    Source: Section 5; joining is decided here
    """
    rootless = next((name for name, local in sorted(states.items()) if _joins_no_peer(states, name, local)), None)
    if rootless is not None:
        return (Fault("only_leaves_join", rootless, parent(rootless), "outside", JOINED),)
    absent = tuple(sorted(name for name, local in states.items() if _is_absent(local)))
    longest = longest_chain(absent)
    if len(longest) <= parameters.delta:
        return ()
    return (Fault("few_consecutive_failures", longest[0], f"at most {parameters.delta} in a row", longest, MASKED),)


def misreports(states: States, node: str, command: Any) -> tuple[Fault, ...]:
    """The fault of a false suspicion: the failure detector is perfect.

    Without a connection to the suspect a notice has no effect. It may come late: then it is true as long as the
    connection is one from before the failure.

    Source: Section 4.1, "Start failure detector"; that it is never wrong is decided here
    """
    if not isinstance(command, Suspect) or asleep(states[node]) or command.node not in states:
        return ()
    suspect, connection = states[command.node], link(states[node], command.node)
    is_old = connection is not None and connection.theirs is not None and connection.theirs[0] < suspect.incarnation
    if connection is None or is_old or suspect.status == "failed":
        return ()
    return (Fault("detector_is_never_wrong", node, "failed", (command.node, suspect.status), DETECTED),)


def _is_absent(local: Node) -> bool:
    """Whether a broker is away. One that recovers in its first incarnation has never failed: it joins."""
    return local.status == "failed" or (local.status == "recovering" and local.incarnation > 0)


def _joins_no_peer(states: States, name: str, local: Node) -> bool:
    above = parent(name)
    return local.status != "detached" and above is not None and states[above].status == "detached"


def longest_chain(names: Iterable[str]) -> Names:
    """The longest path in the tree on which there are only brokers of these names; the first in order."""
    absent = tuple(names)
    within = frozenset(absent)
    ways = (path(one, other) for one in absent for other in absent)
    return max((way for way in ways if within.issuperset(way)), key=len, default=())
