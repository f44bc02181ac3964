"""The automaton of a node in the tree of one topic: one input at a time."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Raw, Struct

from gomboc.impl.core.automaton import (
    Commanded,
    Core,
    Delivered,
    Failing,
    Input,
    Output,
    RandomSource,
    Received,
    Send,
    SetTimer,
    Timeout,
)
from gomboc.impl.core.routing import Routed, StillRouted
from gomboc.impl.core.vocabulary import Crash, Suspect, encode
from gomboc.impl.protocols.scribe import commands
from gomboc.impl.protocols.scribe.commands import Heard, Issue, Unsubscribe
from gomboc.impl.protocols.scribe.deliveries import Subscribed, Unsubscribed
from gomboc.impl.protocols.scribe.holdings import Holdings
from gomboc.impl.protocols.scribe.messages import (
    Acknowledge,
    Dead,
    Heartbeat,
    Leave,
    MethodReply,
    MethodRequest,
    Publish,
    Request,
    Submit,
    Subscribe,
)
from gomboc.impl.protocols.scribe.parameters import TREE, Parameters
from gomboc.impl.protocols.scribe.position import Position
from gomboc.impl.protocols.scribe.publishing import Publishing
from gomboc.impl.protocols.scribe.states import CRASHED, State
from gomboc.impl.publishing.store import Store


class Node:
    """The automaton; `store` has its publications."""

    __slots__ = ("_crashed", "_me", "_outputs", "_parameters", "_position", "_publishing", "_random")

    def __init__(self, me: str, state: State, parameters: Parameters, store: Store, random: RandomSource) -> None:
        self._me, self._random = me, random
        self._parameters = parameters
        self._outputs: list[Output] = []
        self._load(state, store)

    def _load(self, state: State, store: Store) -> None:
        self._position = Position(self._me, state)
        holdings = Holdings(self._me, self._parameters, store, state)
        self._publishing = Publishing(
            self._position, holdings, state.method, self._parameters, self._random, self._outputs
        )
        self._crashed = state.crashed

    @property
    def store(self) -> Store:
        """The publications, for reading."""
        return self._publishing.holdings.store

    @property
    def crashed(self) -> bool:
        """Whether the node has crashed."""
        return self._crashed

    @property
    def joined(self) -> bool:
        """Whether the node is the root of the tree, or has a parent in it."""
        return self._position.wants and (self._position.owns or self._position.parent is not None)

    @property
    def spare(self) -> bool:
        """Whether the node knows nothing of its topic but the next hop, as if it had just been told that."""
        position, publishing = self._position, self._publishing
        related = position.wants or self._crashed or position.parent is not None or position.children
        return not related and publishing.method == TREE and not publishing.holdings.written()

    def handle(self, now: float, event: Input) -> list[Output]:
        """Take one step."""
        match event:
            case Timeout():
                if not self._crashed:
                    self._time_out()
                self._outputs.append(SetTimer(now + 1.0))
            case Received(message) if self._crashed:
                self._answer_for_a_crashed_node(message)
            case Received(message):
                _RULES[type(message)](self, message)
            case Commanded(command) if not self._crashed:
                self._obey(command)
        outputs = self._outputs[:]
        self._outputs.clear()
        return outputs

    def snapshot(self) -> Raw:
        """The variables, as JSON."""
        position, publishing = self._position, self._publishing
        parts = [b'{"wants":%b,"next":%b' % (b"true" if position.wants else b"false", encode(position.next))]
        if position.parent is not None:
            parts.append(b',"parent":' + encode(position.parent))
        if position.children:
            parts.append(b',"children":' + encode(sorted(position.children.items())))
        parts.append(publishing.holdings.written())
        if publishing.method != TREE:
            parts.append(b',"method":' + encode(publishing.method))
        if self._crashed:
            parts.append(b',"crashed":true')
        return Raw(b"".join((*parts, b"}")))

    # The tree.

    def _time_out(self) -> None:
        """Repair the variables, and restate them to parent and children.

        Source: Rowstron et al. 2001, Section 3.2 and 3.3; here no timer decides, and each timeout restates
        """
        position, publishing = self._position, self._publishing
        position.forget(self._me)
        publishing.repair()
        above = position.above if publishing.in_tree else None
        if position.parent is not None and position.parent != above:
            self._tell(position.parent, Leave(self._me))
        position.parent = above
        keys = publishing.holdings.next_keys()
        if above is not None:
            self._tell(above, Subscribe(self._me, position.subscribers, keys))
        for child in sorted(position.children):
            self._tell(child, Heartbeat(self._me, keys))
        publishing.press_on()

    def _answer_for_a_crashed_node(self, message: Struct) -> None:
        match message:
            case Subscribe(sender) | Heartbeat(sender) | Request(sender) | Publish(sender):
                self._tell(sender, Dead(self._me))

    def _subscribe(self, message: Subscribe) -> None:
        """Add or renew a child, and ask it for the publications that are missing here.

        Source: Rowstron et al. 2001, Section 3.2, "Membership management"
        """
        if message.sender != self._me:
            self._position.children[message.sender] = message.count
            self._publishing.ask_for_missing(message.sender, message.keys)

    def _heartbeat(self, message: Heartbeat) -> None:
        """Answer another than the next hop that one is no child of it; ask the next hop for what is missing here.

        A leaver forgets what its next hop holds, and leaves when it has nothing more to hand over. The owner is none:
        it has no node to hand over to.
        """
        position, publishing = self._position, self._publishing
        if message.sender == self._me:
            return
        if message.sender != position.next or not publishing.in_tree:
            self._tell(message.sender, Leave(self._me))
        elif position.idle:
            publishing.holdings.hand_over(message.keys)
            if not publishing.holdings.are_the_trees():
                self._tell(message.sender, Leave(self._me))
                position.parent = None
        elif position.subscribers:
            publishing.ask_for_missing(message.sender, message.keys)

    def _leave(self, child: str) -> None:
        if child != self._me:
            self._position.children.pop(child, None)

    # Commands.

    def _obey(self, command: Struct) -> None:
        position, publishing = self._position, self._publishing
        match command:
            case commands.Subscribe():
                position.wants = True
                self._outputs += (Delivered(Subscribed()), *publishing.holdings.undelivered())
            case Unsubscribe(forget):
                position.wants = False
                if forget:
                    publishing.holdings.delivered.clear()
                self._outputs.append(Delivered(Unsubscribed(forget)))
            case Issue():
                publishing.issue(command)
            case Heard(publication):
                publishing.hear(publication)
            case Routed(hop) | StillRouted(hop):
                position.next = hop
            case Suspect(node):
                position.forget(node)
            case commands.Leave():
                self._depart()
                self._load(CRASHED, Store(self._parameters))
            case Crash():
                self._load(CRASHED, Store(self._parameters))

    def _depart(self) -> None:
        """Tell parent and children; one step is too short for handing publications over."""
        position = self._position
        if position.parent not in (None, self._me):
            self._tell(str(position.parent), Leave(self._me))
        for child in sorted(position.children.keys() - {self._me}):
            self._tell(child, Dead(self._me))

    def _tell(self, node: str, message: Struct) -> None:
        self._outputs.append(Send(node, message))


# By name, so that a method that is replaced in the class is replaced here as well.
_RULES: Mapping[type, Callable[[Node, Any], None]] = {
    Subscribe: lambda self, message: self._subscribe(message),
    Leave: lambda self, message: self._leave(message.sender),
    Heartbeat: lambda self, message: self._heartbeat(message),
    Request: lambda self, message: self._publishing.answer(message),
    Publish: lambda self, message: self._publishing.take(message),
    Submit: lambda self, message: self._publishing.take_submitted(message),
    Acknowledge: lambda self, message: self._publishing.acknowledged(message),
    MethodRequest: lambda self, message: self._publishing.answer_method(message),
    MethodReply: lambda self, message: self._publishing.take_method(message),
    Dead: lambda self, message: self._position.forget(message.node),
}


def _asleep(core: Core) -> bool:
    return isinstance(core, Node) and core.crashed


def _hears(_roles: Mapping[str, str], sender: str | None, _node: str) -> tuple[str, ...]:
    return () if sender is None else (sender,)


FAILING = Failing(("node",), Crash(), None, _asleep, _hears, suspect=Suspect, forgets=("node",))
