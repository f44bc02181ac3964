"""The faults of a whole state: of its legitimacy, of the premise of convergence, and of the operating assumption."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gomboc.spec.core.connection import no_edges, unreached
from gomboc.spec.core.model import Fault, InFlight, States
from gomboc.spec.core.protocol import Protocol, never_asleep, nothing_lacks, nothing_misreported, whole


class Shares(Mapping[str, Any]):
    """The shares of all nodes, by name; each is computed only when it is read."""

    def __init__(self, share: Callable[[Any], Any], states: States) -> None:
        self._share = share
        self._states = states

    def __getitem__(self, name: str) -> Any:
        return self._share(self._states[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)


def anchor_of(protocol: Protocol, states: States) -> Any:
    """The authority of a system in those states."""
    share = protocol.legitimacy.share
    return protocol.legitimacy.anchor(states if share is whole else Shares(share, states))


def sleepers(protocol: Protocol, states: States) -> frozenset[str]:
    """The nodes that are asleep."""
    asleep = protocol.environment.asleep
    return frozenset() if asleep is never_asleep else frozenset(name for name in states if asleep(states[name]))


def legitimacy_faults(protocol: Protocol, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """Every fault of a state of the whole system; none if it is legitimate.

    Messages in flight to a node that is asleep are no fault: they have no effect, and may never arrive.
    """
    return tuple(_faults(protocol, states, in_flight))


def is_faultless(protocol: Protocol, states: States, in_flight: InFlight) -> bool:
    """Whether a state of the whole system is legitimate: the first fault decides."""
    return next(_faults(protocol, states, in_flight), None) is None


def _faults(protocol: Protocol, states: States, in_flight: InFlight) -> Iterator[Fault]:
    stated, anchor, asleep = protocol.legitimacy, anchor_of(protocol, states), sleepers(protocol, states)
    yield from stated.anchor_faults(anchor)
    for name, local in sorted(states.items()):
        yield from stated.node_faults(anchor, name, local)
    for target, message in in_flight:
        if target not in asleep:
            yield from stated.message_faults(anchor, target, message)


def has_assumption(protocol: Protocol) -> bool:
    """Whether a protocol states an operating assumption."""
    promises = protocol.promises
    return promises.assumption is not nothing_lacks or promises.commands_assumption is not nothing_lacks


def assumption_faults(
    protocol: Protocol, states: States, in_flight: InFlight, commanded: bool = False
) -> tuple[Fault, ...]:
    """Faults of the operating assumption, at a start or, if `commanded`, after a command; none if it holds."""
    faults = protocol.promises.assumption(states, in_flight)
    return faults or (protocol.promises.commands_assumption(states, in_flight) if commanded else ())


def judges_reports(protocol: Protocol) -> bool:
    """Whether the operating assumption of a protocol is also on what commands tell nodes."""
    return protocol.promises.misreports is not nothing_misreported


def premise_faults(protocol: Protocol, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """Faults of the premise of convergence for a run from here; none if it holds."""
    return (*protocol.promises.premise(states, in_flight), *connection_faults(protocol, states, in_flight))


def connection_faults(protocol: Protocol, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """A fault if the nodes that are awake are not weakly connected; none if the protocol states no edges."""
    edges = protocol.promises.edges
    if edges is no_edges:
        return ()
    awake = tuple(sorted(set(states) - sleepers(protocol, states)))
    apart = unreached(awake, (edge for value in (*states.items(), *in_flight) for edge in edges(*value)))
    expected = "every node that is awake, from any other"
    return (Fault("weakly_connected", apart[0], expected, apart, "the premise of convergence"),) if apart else ()
