"""A protocol in which a node that all others know by name has another name."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.domain import Domain, Record
from gomboc.spec.core.model import Choice, Commanded, Fault, InFlight, Input, Offer, Outcome, Received, Send, States
from gomboc.spec.core.protocol import Cited, Disturbance, Protocol, Size, Start


class Exchanged:
    """The functions of a protocol, with two names of nodes exchanged: the one that it knows, and the one that is used.

    Each value is renamed before the protocol's own function sees it, and its result is renamed back.
    """

    def __init__(self, protocol: Protocol, usual: str, used: str) -> None:
        self._protocol, self._usual, self._used = protocol, usual, used
        self._names = {usual: used, used: usual}

    def name(self, node: str) -> str:
        """The other name of a node."""
        return self._names.get(node, node)

    def value(self, value: Any) -> Any:
        """A state, message or command with the other names."""
        renamed = self._protocol.naming.renamed
        return value if value is None or renamed is None else renamed(value, self._names)

    def taken(self, taken: Input) -> Input:
        """An input with the other names."""
        match taken:
            case Received(message):
                return Received(self.value(message))
            case Commanded(command):
                return Commanded(self.value(command))
        return taken

    def states(self, states: States) -> States:
        """The states of all nodes with the other names."""
        return {self.name(node): self.value(local) for node, local in states.items()}

    def start(self, start: Start) -> Start:
        """A start with the other names, ordered by them."""
        return Start(
            tuple(sorted((self.name(node), role) for node, role in start.roles)),
            tuple(sorted(((self.name(node), self.value(local)) for node, local in start.locals), key=_node)),
            tuple((self.name(node), self.value(message)) for node, message in start.in_flight),
        )

    def react(self, me: str, local: Any, taken: Input, choice: Choice) -> Outcome:
        """The outcome of a step."""
        outcome = self._protocol.actor.react(self.name(me), self.value(local), self.taken(taken), choice)
        sends = tuple(Send(self.name(send.target), self.value(send.message)) for send in outcome.sends)
        return Outcome(self.value(outcome.local), sends, tuple(map(self.value, outcome.delivered)))

    def choices(self, me: str, local: Any, taken: Input) -> tuple[Choice, ...]:
        """The results of the coins of a step; none of them names either node."""
        return self._protocol.actor.choices(self.name(me), self.value(local), self.taken(taken))

    def rule(self, local: Any, taken: Input) -> Cited:
        """The rule of a step."""
        return self._protocol.actor.rule(self.value(local), self.taken(taken))

    def share(self, local: Any) -> Any:
        """The part of a state that the anchor may see."""
        return self._protocol.legitimacy.share(self.value(local))

    def anchor(self, shares: Mapping[str, Any]) -> Any:
        """The authority."""
        return self._protocol.legitimacy.anchor({self.name(node): share for node, share in shares.items()})

    def anchor_faults(self, anchor: Any) -> tuple[Fault, ...]:
        """The faults of the authority."""
        return self._faults(self._protocol.legitimacy.anchor_faults(anchor))

    def node_faults(self, anchor: Any, me: str, local: Any) -> tuple[Fault, ...]:
        """The faults of a node."""
        return self._faults(self._protocol.legitimacy.node_faults(anchor, self.name(me), self.value(local)))

    def message_faults(self, anchor: Any, target: str, message: Any) -> tuple[Fault, ...]:
        """The faults of a message."""
        return self._faults(self._protocol.legitimacy.message_faults(anchor, self.name(target), self.value(message)))

    def _faults(self, faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
        return tuple(replace(fault, node=self.name(fault.node)) for fault in faults)

    def offers(self, states: States, in_flight: InFlight) -> tuple[Offer, ...]:
        """The commands that may come from outside."""
        flying = tuple((self.name(target), self.value(message)) for target, message in in_flight)
        offers = self._protocol.environment.offers(self.states(states), flying)
        return tuple(replace(offer, node=self.name(offer.node), command=self.value(offer.command)) for offer in offers)

    def space(self, size: Size) -> Domain:
        """The domain of starts."""
        return Record(self.start, (self._protocol.starts.space(size),))

    def first(self, nodes: int) -> Start:
        """A legitimate start."""
        return self.start(self._protocol.starts.start(nodes))

    def disturbances(self, size: Size, names: tuple[str, ...]) -> Domain:
        """The domain of disturbances."""
        own = self._protocol.environment.disturbances
        assert own is not None, "only a protocol with disturbances has this function"
        return Record(self._disturbed, (own(size, tuple(sorted(map(self.name, names)))),))

    def _disturbed(self, every: tuple[Disturbance, ...]) -> tuple[Disturbance, ...]:
        return tuple(replace(one, node=self.name(one.node), command=self.value(one.command)) for one in every)

    def misnamed(self, roles: Mapping[str, str]) -> str | None:
        """The reason why nodes of these names form no system: the usual name is that of no other node, either."""
        if self._usual in roles:
            return f"{self._used!r} has the place of {self._usual!r}, so no other node is called that"
        fixed = self._protocol.vocabulary.fixed[self._usual]
        others = sorted(node for node, role in roles.items() if role == fixed and node != self._used)
        if others:
            return f"only the node {self._used!r} has the role {fixed!r}, and not {others[0]!r}"
        return self._protocol.naming.misnamed({self.name(node): role for node, role in roles.items()})


def _node(pair: tuple[str, Any]) -> str:
    return pair[0]


def exchanged(protocol: Protocol, usual: str, used: str) -> Protocol:
    """The protocol in which the node that it calls `usual` is called `used`."""
    functions = Exchanged(protocol, usual, used)
    fixed = {functions.name(node): role for node, role in protocol.vocabulary.fixed.items()}
    errata = tuple(replace(one, protocol=exchanged(one.protocol, usual, used)) for one in protocol.variants.errata)
    return protocol.changed(
        fixed=fixed,
        react=functions.react,
        choices=functions.choices,
        rule=functions.rule,
        share=functions.share,
        anchor=functions.anchor,
        anchor_faults=functions.anchor_faults,
        node_faults=functions.node_faults,
        message_faults=functions.message_faults,
        offers=functions.offers,
        space=functions.space,
        start=functions.first,
        disturbances=None if protocol.environment.disturbances is None else functions.disturbances,
        misnamed=functions.misnamed,
        errata=errata,
    )
