"""Eight honest nodes on one overlay, by the public API and the network in memory, and one peer that lies to them.

In each period the peer may send a few messages. At the end of each a look says whether the honest nodes are in a state
that the specification calls legitimate, how large their states are, and how much they have sent.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec

from gomboc.impl.api.content import ContentNode
from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import overlay
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.trace import Step
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.topics import opened, sealed
from gomboc.impl.runtime.transport import Parcel, Through, Transport
from gomboc.spec.core.protocol import Protocol, configured, strangers
from gomboc.spec.core.registry import find_protocol
from tests.impl.in_memory import InMemory

TOPIC = "news"
PEER = "mallory"
OWN_TOPICS = (TOPIC, "system", ":directory:", ":routes:", ":everywhere:")
"""The topics of the honest nodes, those of the layers among them."""

NAMES: Mapping[str, tuple[str, ...]] = {
    "skip_plus": tuple(f"n{number}:{number:03b}" for number in range(8)),
    "delta_fault_tolerance": ("a", "a.b", "a.b.c", "a.b.d", "a.e", "a.e.f", "a.e.g", "a.h"),
}
PEERS = {"skip_plus": "m:111", "delta_fault_tolerance": "a.m"}
"""Names of the peer where a name has a form."""

PARAMETERS: Mapping[str, Mapping[str, object]] = {
    "skip_ring": {"key_bits": 32},
    "skip_plus": {"key_bits": 32},
    "delta_fault_tolerance": {"delta": 1},
}
MOST_MESSAGES = 3
"""Messages that the peer may send in one period."""


class Counting(Through):
    """A transport that counts the bytes that its node sends, and notes to which nodes."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.sent, self.receivers = 0, set[str]()

    def send(self, to: str, written: bytes) -> int:
        """Send and count."""
        self.sent += len(written)
        self.receivers.add(to)
        return super().send(to, written)


class Watch:
    """Observer of one layer: the latest state of each node in each topic."""

    def __init__(self) -> None:
        self.states: dict[str, dict[str, tuple[str, msgspec.Raw]]] = {}

    def began(self, topic: str, node: str, role: str, state: msgspec.Raw) -> None:
        """A node is in this state."""
        self.states.setdefault(topic, {})[node] = role, state

    def took(self, topic: str, step: Step, message: object) -> None:
        """A node has taken a step."""
        of = self.states.get(topic, {})
        if step.node in of:
            of[step.node] = of[step.node][0], step.state

    def crashed(self, node: str) -> None:
        """A node has crashed."""

    def gone(self, topic: str, node: str) -> None:
        """There is no such node: it is in no state."""

    def missed(self, topic: str, node: str, number: int, message: object) -> None:
        """There is no such node."""

    def started(self, node: str) -> None:
        """A node starts."""


@dataclass(frozen=True)
class Harm:
    """What a member that lies in its own name does.

    Of the honest nodes some are its `neighbours`; looks in which one of these was wrong, and one of the others; the
    periods after its last lie until all are right, at most 50; the nodes that a publication reaches then; exceptions.
    """

    neighbours: int
    near: int
    far: int
    until: int
    reached: int
    errors: int


@dataclass
class Looks:
    """Results of the looks: how many were wrong and why, and the bounds that were reached."""

    looks: int = 0
    wrong: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    largest: int = 0
    most_sent: int = 0
    reached: int = 0
    during: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)

    def line(self) -> str:
        """The figures in one line."""
        why = ", ".join(f"{rule} {count}" for rule, count in self.faults.most_common(3)) or "none"
        raised = ", ".join(f"{error} {count}" for error, count in self.errors.most_common(2)) or "nothing"
        return (
            f"wrong {self.wrong} of {self.looks} ({why}); states {self.largest:,} bytes; sent {self.most_sent:,} bytes "
            f"a period; a publication reached {self.reached} of 8; raised: {raised}; refused: {_counts(self.refused)}"
        )


class Attacked(InMemory):
    """The honest nodes, and the peer's transport; `member` makes the peer a node of the overlay as well."""

    def __init__(self, name: str, *, member: bool = False, seed: int = 1, nodes: int = 8, **parameters: object) -> None:
        own, self.name = overlay(name, {**PARAMETERS.get(name, {}), **parameters}), name
        self.layers = {layer.implementation.name: layer for layer in own.layers}
        self.watches = {layer: Watch() for layer in self.layers}
        self.transports: dict[str, Counting] = {}
        super().__init__(own, seed)
        self.honest = NAMES.get(name, tuple(f"n{number}" for number in range(8)))[:nodes]
        self.peer = PEERS.get(name, PEER)
        everybody = (*self.honest, self.peer) if member else self.honest
        for each in everybody:
            self.nodes[each] = self._start(each, everybody)
        self.heard: list[Any] = []
        if not member:
            self.around(self.peer).transport.listen(self._hear, lambda to, parcel: None)
        self.received: Counter[str] = Counter()
        if own.port.content is not None:
            self._subscribe_by_filter()

    def around(self, name: str) -> NodeContext:
        self.transports[name] = transport = Counting(self.network.transport(name))
        watch, *beneath = self.watches.values()
        below = dict(zip([*self.watches][1:], beneath, strict=True))
        return NodeContext(transport, self.clock, self.random, watch, beneath=below)

    def _start(self, name: str, everybody: tuple[str, ...]) -> Any:
        if self.overlay.port.content is not None:
            return ContentNode(name, self.overlay, self.around(name), names=everybody)
        layered = self.overlay.beneath is not None or self.overlay.port.spreading is not None
        contact = self.honest[0] if layered and name != self.honest[0] else None
        node = Node(name, self.overlay, self.around(name), incarnation=1, contact=contact)
        via = self.honest[0] if self.overlay.port.join_via is not None else None
        node.subscribe(TOPIC, via=via)
        self.clock.advance(0.5)
        return node

    def _subscribe_by_filter(self) -> None:
        self.clients = {name: self.nodes[name].attach() for name in self.nodes}
        self.deliveries = {name: client.deliveries() for name, client in self.clients.items()}
        for client in self.clients.values():
            client.subscribe([("x", ">=", 0)])

    def say(self, to: str, message: Mapping[str, object], *, layer: str | None = None, topic: str = TOPIC) -> None:
        """Send a message of the peer, by its own transport."""
        of = self.overlay if layer is None else self.layers[layer]
        if self.overlay.port.content is not None:
            topic = "system"
        written = sealed(topic, of.agreement, msgspec.json.encode(message))
        self.transports[self.peer].send(to, written)

    def _hear(self, parcel: Parcel) -> None:
        """Keep what the peer is told in the first layer, unless it is compressed."""
        with suppress(PeerError):
            written = opened(parcel.written)
            if written.agreement == self.overlay.agreement:
                self.heard.append(self.overlay.implementation.decode(bytes(written.message)))

    # Looks.

    def under(
        self, attack: "Attack | None", looks: int = 100, settle: int = 30, rest: int = 0, reach: int = 20
    ) -> Looks:
        """Settle; then attack and look in each period; at the end see how many a publication reaches in `reach` more.

        With a `rest`, so many periods pass without an attack before a last look, and only that one counts.
        """
        seen = Looks()
        self.clock.advance(settle)
        for period in range(looks):
            if attack is not None:
                for to, message, options in [*attack(self, period)][:MOST_MESSAGES]:
                    self.say(to, message, **options)
            self._advance(1.0, seen)
            self._look(seen)
        if rest:
            self._advance(rest, seen)
            seen.during, seen.wrong, seen.looks = seen.wrong, 0, 0
            seen.faults.clear()
            del self._before
            self._look(seen)
        seen.reached = self._reach(seen, reach)
        for node in (*self.contacts, *(self.nodes[name] for name in self.honest)):
            for (peer, _, reason), count in node.refused_peers().items():
                seen.refused[str(peer), reason] += count
        return seen

    def _advance(self, periods: float, seen: Looks) -> None:
        until = self.clock.now() + periods
        for _ in range(1000):
            try:
                self.clock.advance(max(0.0, until - self.clock.now()))
                return
            except Exception as error:  # noqa: BLE001
                # A look counts what comes out of a node, whatever it is.
                seen.errors[type(error).__name__] += 1

    def _look(self, seen: Looks) -> None:
        faults = [*self.faults()]
        seen.looks += 1
        seen.wrong += bool(faults)
        seen.faults.update(dict.fromkeys(faults, 1))
        states = (state for watch in self.watches.values() for of in watch.states.values() for state in of.items())
        honest = {*self.honest, *self.overlay.port.contacts}
        seen.largest = max(seen.largest, sum(len(state) for name, (_, state) in states if name in honest))
        now = sum(self.transports[name].sent for name in honest)
        seen.most_sent = max(seen.most_sent, now - getattr(self, "_before", now))
        self._before = now

    def harm(self, attack: "Attack", looks: int = 100, settle: int = 30) -> "Harm":
        """What a member does that lies for so many periods: which nodes are wrong, and until when afterwards.

        Its neighbours are those that it sends to in the periods before, or that send to it.
        """
        self.clock.advance(settle)
        seen, neighbours, wrong = Looks(), self._neighbours(), Counter[str]()
        for period in range(looks):
            for to, message, options in [*attack(self, period)][:MOST_MESSAGES]:
                self.say(to, message, **options)
            self._advance(1.0, seen)
            at = {node for node, _ in self.node_faults()} - {self.peer}
            wrong.update(
                name for name, is_so in (("neighbours", at & neighbours), ("others", at - neighbours)) if is_so
            )
        until = 0
        for period in range(1, 51):
            self._advance(1.0, seen)
            until = period if [*self.faults()] else until
        return Harm(
            len(neighbours), wrong["neighbours"], wrong["others"], until, self._reach(seen), sum(seen.errors.values())
        )

    def _neighbours(self, periods: int = 10) -> set[str]:
        """The honest nodes that the peer sends anything to in so many periods, or that send to it.

        Where nodes at rest are silent: in all periods.
        """
        for transport in self.transports.values() if self.overlay.port.content is None else ():
            transport.receivers.clear()
        self.clock.advance(periods)
        senders = {name for name in self.honest if self.peer in self.transports[name].receivers}
        return senders | (self.transports[self.peer].receivers & {*self.honest})

    def faults(self) -> Iterator[str]:
        """The names of the faults that the specification sees in the honest nodes' states."""
        return (fault for _, fault in self.node_faults())

    def node_faults(self) -> Iterator[tuple[str, str]]:
        """The same, each with the node that is wrong; a topic that no honest node has is none's."""
        there = {*self.nodes, *self.overlay.port.contacts}
        for layer, watch in self.watches.items():
            judged = _judged(self.layers[layer].implementation.protocol, self._parameters(layer))
            for of in watch.states.values():
                known = {name: state for name, state in of.items() if name in there}
                yield from _faults(judged, layer, known, there)
            yield from (
                ("", f"{layer}:topics") for topic in watch.states if topic not in (TOPIC, "system") and topic[0] != ":"
            )

    def _parameters(self, layer: str) -> tuple[tuple[str, object], ...]:
        return tuple(sorted(self.layers[layer].parameters.items()))

    def _reach(self, seen: Looks, periods: int = 20) -> int:
        """The number of honest nodes that a publication of the last one reaches within so many periods."""
        if self.overlay.port.content is not None:
            self.clients[self.honest[-1]].publish({"x": 1, "late": True})
            self._advance(periods, seen)
            got = {name: iter(deliveries.take, None) for name, deliveries in self.deliveries.items()}
            return sum(any("late" in one.attributes for one in got[name]) for name in self.honest)
        if self.overlay.port.publish is None:
            return self._lookups(seen, periods)
        self.nodes[self.honest[-1]].publish(TOPIC, "late")
        self._advance(periods, seen)
        return sum(any(one.payload == "late" for one in self.nodes[name].history(TOPIC)) for name in self.honest)

    def _lookups(self, seen: Looks, periods: int) -> int:
        """The number of honest nodes that learn the owner of a key."""
        owners: dict[str, str] = {}
        for name in self.honest:
            self.nodes[name].look_up(TOPIC, "a key", lambda key, owner, name=name: owners.update({name: owner}))
        self._advance(periods, seen)
        return sum(owners[name] in self.nodes for name in owners if name in self.honest)


def _counts(refused: Counter[tuple[str, str]]) -> str:
    return ", ".join(f"{count} {reason} of {peer}" for (peer, reason), count in sorted(refused.items())) or "nothing"


Said = tuple[str, Mapping[str, object], Mapping[str, Any]]
"""A message of the peer: its receiver, its content, and the layer and topic if they are not the first ones."""

Attack = Callable[[Attacked, int], Iterable[Said]]
"""The messages of a period."""


@cache
def _judged(name: str, parameters: tuple[tuple[str, object], ...]) -> Protocol:
    return configured(find_protocol(name), dict(parameters))


def _decoded(judged: Protocol, known: Mapping[str, tuple[str, msgspec.Raw]]) -> dict[str, Any]:
    roles = judged.vocabulary.roles
    return {name: msgspec.json.decode(state, type=roles[role]) for name, (role, state) in known.items()}


def _faults(
    judged: Protocol, layer: str, known: Mapping[str, tuple[str, msgspec.Raw]], there: set[str]
) -> Iterator[tuple[str, str]]:
    locals_ = _decoded(judged, known)
    naming = [name for name, local in locals_.items() if strangers(judged, local, there)]
    # A passive view may list any name: it is asked before it is used.
    if naming and layer != "hyparview":
        yield from ((name, f"{layer}:no_such_node") for name in naming)
        return
    legitimacy = judged.legitimacy
    anchor = legitimacy.anchor({name: legitimacy.share(local) for name, local in locals_.items()})
    yield from ((fault.node, f"{layer}:{fault.rule}") for fault in legitimacy.anchor_faults(anchor))
    for name, local in locals_.items():
        yield from ((name, f"{layer}:{fault.rule}") for fault in legitimacy.node_faults(anchor, name, local))
