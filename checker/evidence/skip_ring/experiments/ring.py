"""SR(n) in numbers: the edges that a legitimate state of the specification stores, and its messages round by round."""

from collections import Counter
from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

from msgspec.structs import replace

from gomboc.checker.errata.scene import Script, Stage, opening, play, rounds
from gomboc.spec.core.model import InFlight
from gomboc.spec.core.protocol import Protocol, Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.legitimacy import Ring, ring_of
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Entry, Subscriber
from gomboc.spec.protocols.skip_ring.subscriber import ASK, coin, references
from gomboc.spec.protocols.skip_ring.supervisor import Database

PRINTED = {erratum.name: erratum.protocol for erratum in PROTOCOL.variants.errata}
"""The protocol with one rule as printed, by the name of that variant."""


def levels(nodes: int) -> int:
    """ceil(log n), for n of at least 1."""
    return (nodes - 1).bit_length()


def database_of(nodes: int) -> Database:
    """The database of SR(nodes): v1 has the label l(0), v2 the label l(1), and so on."""
    return tuple(sorted(Entry(label_of(index), name) for index, name in enumerate(names(nodes))))


def ring_with(nodes: int) -> Ring:
    """SR(nodes) as its database implies it."""
    return ring_of(database_of(nodes))


def right_states(nodes: int) -> dict[str, Any]:
    """Every node's state in SR(nodes)."""
    return dict(PROTOCOL.starts.start(nodes).locals)


def ring(nodes: int, *in_flight: tuple[str, Any], **states: Any) -> Start:
    """SR(nodes) with those messages in flight, and with those states in the place of the right ones or beside them."""
    known = right_states(nodes) | states
    others = ((name, "subscriber") for name in sorted(known) if name != SUPERVISOR)
    return Start(((SUPERVISOR, "supervisor"), *others), tuple(sorted(known.items())), in_flight)


@cache
def members(nodes: int) -> dict[str, Subscriber]:
    """The subscribers of SR(nodes), by name."""
    return {node: local for node, local in right_states(nodes).items() if node != SUPERVISOR}


def unaware(local: Subscriber, nodes: Collection[str]) -> Subscriber:
    """A subscriber that does not know these nodes over shortcuts."""
    kept = (Entry(entry.label, None) if entry.node in nodes else entry for entry in local.shortcuts)
    return replace(local, shortcuts=tuple(kept))


@cache
def directed_edges(nodes: int) -> frozenset[tuple[str, str]]:
    """The edges of SR(nodes), each in the direction in which it is stored, as pairs of labels."""
    return frozenset((u.label or "", claim.label) for u in members(nodes).values() for claim in references(u))


def edges(nodes: int) -> frozenset[frozenset[str]]:
    """The edges of SR(nodes) without direction."""
    return frozenset(frozenset(edge) for edge in directed_edges(nodes))


def shortcuts_of(u: Subscriber) -> set[str]:
    """The nodes that a subscriber refers to over shortcuts only."""
    slots = {claim.node for claim in (u.left, u.right, u.ring) if claim}
    return {entry.node for entry in u.shortcuts if entry.node} - slots


def degrees(nodes: int) -> Mapping[str, int]:
    """How many neighbours each label of SR(nodes) has, for n of at least 2."""
    return Counter(label for label, _ in directed_edges(nodes))


def by_size(counts: Mapping[int, object]) -> list[str]:
    """What was counted in each SR(n), as a text quotes it."""
    return [f"{count} for n = {nodes}" for nodes, count in counts.items()]


def requests_of(u: Subscriber) -> Fraction:
    """How often a subscriber is expected to ask for its configuration in a timeout."""
    return sum((choice.probability for choice in coin(u) if choice.name == ASK), Fraction(0))


def expected_requests(nodes: int) -> Fraction:
    """How many subscribers of SR(nodes) are expected to ask for their configuration in a timeout interval."""
    return sum(map(requests_of, members(nodes).values()), Fraction(0))


def sent_in_round(protocol: Protocol, nodes: int, warm: int = 20) -> InFlight:
    """The messages in flight after a round of SR(nodes) in which every coin is silent, after `warm` such rounds."""
    stage: Stage = next(islice(rounds(protocol, opening(ring(nodes))), warm, None))
    return stage.in_flight


def stages(script: Script, protocol: Protocol = PROTOCOL) -> list[Stage]:
    """Every stage of a script."""
    return list(play(protocol, script))
