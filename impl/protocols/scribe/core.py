"""The automaton of a node in the tree of one topic: one input at a time."""

from collections.abc import Callable, Collection, Iterable, Mapping
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
    Refused,
    Send,
    SetTimer,
    Timeout,
)
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.routing import Routed, StillRouted
from gomboc.impl.core.vocabulary import Crash, Suspect, encode
from gomboc.impl.protocols.scribe import commands
from gomboc.impl.protocols.scribe.commands import Heard, Issue, Unsubscribe
from gomboc.impl.protocols.scribe.deliveries import Spread, Subscribed, Unsubscribed
from gomboc.impl.protocols.scribe.holdings import Holdings
from gomboc.impl.protocols.scribe.messages import (
    Acknowledge,
    Dead,
    Heartbeat,
    Leave,
    MethodReply,
    MethodRequest,
    Publish,
    Submit,
    Subscribe,
)
from gomboc.impl.protocols.scribe.parameters import TREE, Method, Parameters
from gomboc.impl.protocols.scribe.states import CRASHED, State
from gomboc.impl.publishing.comparison import one_of
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.store import Store


class Node:
    """The automaton; `store` has its publications."""

    __slots__ = (
        "_children",
        "_crashed",
        "_holdings",
        "_me",
        "_method",
        "_next",
        "_outputs",
        "_parameters",
        "_parent",
        "_random",
        "_wants",
    )

    def __init__(self, me: str, state: State, parameters: Parameters, store: Store, random: RandomSource) -> None:
        self._me, self._random = me, random
        self._parameters = parameters
        self._outputs: list[Output] = []
        self._load(state, store)

    def _load(self, state: State, store: Store) -> None:
        self._wants, self._next, self._parent = state.wants, state.next, state.parent
        self._children = dict(state.children)
        self._holdings = Holdings(self._me, self._parameters.keep, store, state)
        self._method: Method = state.method
        self._crashed = state.crashed

    @property
    def crashed(self) -> bool:
        """Whether the node has crashed."""
        return self._crashed

    @property
    def joined(self) -> bool:
        """Whether the node is the root of the tree, or has a parent in it."""
        return self._wants and (self._owns or self._parent is not None)

    @property
    def spare(self) -> bool:
        """Whether the node knows nothing of its topic but the next hop, as if it had just been told that."""
        related = self._wants or self._crashed or self._parent is not None or self._children or self._method != TREE
        return not related and not self._holdings.written()

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
        outputs, self._outputs = self._outputs, []
        return outputs

    def snapshot(self) -> Raw:
        """The variables, as JSON."""
        parts = [b'{"wants":%b,"next":%b' % (b"true" if self._wants else b"false", encode(self._next))]
        if self._parent is not None:
            parts.append(b',"parent":' + encode(self._parent))
        if self._children:
            parts.append(b',"children":' + encode(sorted(self._children.items())))
        parts.append(self._holdings.written())
        if self._method != TREE:
            parts.append(b',"method":' + encode(self._method))
        if self._crashed:
            parts.append(b',"crashed":true')
        return Raw(b"".join((*parts, b"}")))

    # The place of a node in the tree.

    @property
    def _owns(self) -> bool:
        return self._next == self._me

    @property
    def _idle(self) -> bool:
        """Whether the node is not the owner, and neither its application nor a child needs it in the tree."""
        return not self._owns and not self._wants and not self._children

    @property
    def _in_tree(self) -> bool:
        """Whether it is needed there, or holds publications that it has not handed over yet."""
        return not self._idle or self._holdings.are_the_trees()

    @property
    def _subscribers(self) -> int:
        return self._wants + sum(self._children.values())

    # The timeout.

    def _time_out(self) -> None:
        """Repair the variables, and restate them to parent and children.

        Source: Rowstron et al. 2001, Section 3.2 and 3.3; here no timer decides, and each timeout restates
        """
        self._repair()
        in_tree = self._in_tree
        above = self._next if in_tree and not self._owns else None
        if self._parent is not None and self._parent != above:
            self._tell(self._parent, Leave(self._me))
        self._parent = above
        if in_tree:
            keys = self._holdings.keys()
            if above is not None:
                self._tell(above, Subscribe(self._me, self._subscribers, keys))
            for child in sorted(self._children):
                self._tell(child, Heartbeat(self._me, keys))
        self._press_on()

    def _repair(self) -> None:
        """Correct a corrupted state: all variables but the wish and the next hop."""
        was_right = self._holdings.repair()
        self._children.pop(self._me, None)
        if self._parent == self._me:
            self._parent = None
        self._method = self._parameters.method(self._subscribers, self._method) if self._owns else TREE
        if not self._parameters.switches and not self._idle:
            self._holdings.pending.clear()
        if self._wants and not was_right:
            self._outputs += self._holdings.undelivered()

    def _press_on(self) -> None:
        """Try again to publish the pending publications."""
        if not self._holdings.pending:
            return
        if self._parameters.switches:
            self._ask()
        else:
            self._submit()

    def _ask(self) -> None:
        """Ask the owner for the method."""
        if self._owns:
            self._publish_by(self._method)
        elif self._next is not None:
            self._tell(self._next, MethodRequest(self._me))

    def _submit(self) -> None:
        """Send pending publications towards the tree, as many as a message may have; acknowledged ones make room."""
        if self._next is not None:
            for publication in self._holdings.waiting():
                self._tell(self._next, Submit(publication))

    # Publications.

    def _issue(self, command: Issue) -> None:
        """Publish: along the tree in it, else by way of the next hop; with a switch, as the owner says."""
        if self._holdings.store.is_too_large(command.payload):
            self._outputs.append(Refused(Reason.TOO_LARGE))
            return
        publication = self._holdings.store.sign(self._me, command.number, command.payload)
        in_tree, switches = self._in_tree, self._parameters.switches
        if publication.key in self._holdings.store.trie:
            self._outputs.append(Refused(Reason.KEY_TAKEN))
            return
        if not self._take_in((publication,)):
            return
        if not in_tree or switches:
            self._holdings.pending.add(publication.key)
            if switches:
                self._ask()
            elif self._next is not None:
                self._tell(self._next, Submit(publication))
        else:
            self._send_along((publication,))

    def _publish_by(self, method: Method) -> None:
        """Publish pending publications by the owner's method, as many as a message may have; the rest stays pending.

        Source: Vivoli, Costa and Silva, Section 3.1.1: the owner sends the method back
        """
        waiting, in_tree = self._holdings.waiting(), self._in_tree
        if method == TREE and not in_tree:
            self._submit()
            return
        keys = {publication.key for publication in waiting}
        if in_tree:
            self._holdings.pending -= keys
        else:
            self._holdings.drop(keys)
        if method == TREE:
            self._send_along(waiting)
        else:
            self._outputs += (Delivered(Spread(publication)) for publication in waiting)

    def _take_in(self, offered: Iterable[Publication]) -> list[Publication]:
        """Store and deliver the publications that are new, valid and not expired; return them."""
        added = self._holdings.take_in(offered, self._outputs)
        if self._wants:
            self._outputs += self._holdings.arrivals(added)
        return added

    def _send_along(self, publications: Iterable[Publication], sender: str | None = None) -> None:
        """Send publications to the next hop and the children, but not back to their sender.

        Of more than fit into one message, the rest comes by comparison of keys.
        """
        first = self._holdings.first(publications)
        above = () if self._owns or self._next is None else (self._next,)
        for node in dict.fromkeys((*above, *sorted(self._children))):
            if first and node not in (sender, self._me):
                self._tell(node, Publish(self._me, first))

    def _supply(self, node: str, keys: Collection[str]) -> None:
        """Send a neighbour in the tree one message of the publications that it lacks."""
        chunks = self._holdings.chunks(self._holdings.lacking(keys))
        self._outputs += one_of([Publish(self._me, chunk) for chunk in chunks], node, self._random)

    # Messages.

    def _answer_for_a_crashed_node(self, message: Struct) -> None:
        match message:
            case Subscribe(sender) | Heartbeat(sender) | Publish(sender):
                self._tell(sender, Dead(self._me))

    def _subscribe(self, message: Subscribe) -> None:
        """Add or renew a child, and send it the publications that it lacks.

        Source: Rowstron et al. 2001, Section 3.2, "Membership management"
        """
        if message.sender != self._me:
            self._children[message.sender] = message.count
            self._supply(message.sender, message.keys)

    def _heartbeat(self, message: Heartbeat) -> None:
        """Answer another than the next hop that one is no child of it; send the next hop its missing publications.

        A leaver that has nothing more to hand over leaves. The owner is none: it has no node to hand over to.
        """
        if message.sender == self._me:
            return
        if message.sender != self._next or not self._in_tree:
            self._tell(message.sender, Leave(self._me))
        elif self._idle and frozenset(message.keys).issuperset(self._holdings.keys()):
            self._tell(message.sender, Leave(self._me))
            self._parent = None
            self._holdings.leave_the_tree()
        else:
            self._supply(message.sender, message.keys)

    def _publish(self, message: Publish) -> None:
        """Take publications in, and send the new ones on along the tree."""
        if message.sender != self._me and self._in_tree:
            self._send_along(self._take_in(message.publications), message.sender)

    def _take_submitted(self, message: Submit) -> None:
        """Take a publication into the tree and acknowledge it, or send it on."""
        publication = message.publication
        if self._in_tree:
            self._send_along(self._take_in((publication,)))
            # One's own has come back by a route that turned: the tree has it here, and it is not to be dropped.
            self._holdings.pending.discard(publication.key)
            self._acknowledge(publication)
        elif self._next is not None:
            self._tell(self._next, message)

    def _acknowledge(self, publication: Publication) -> None:
        """Acknowledge a valid publication to its publisher, even an expired one, or it would come again and again."""
        if not self._holdings.is_valid(publication):
            return
        if publication.publisher == self._me:
            self._acknowledged(Acknowledge(publication.key))
        else:
            self._tell(publication.publisher, Acknowledge(publication.key))

    def _heard(self, publication: Publication) -> None:
        """Take in a broadcast publication, in the tree; comparing keys along the tree does the rest."""
        if self._parameters.switches and self._in_tree:
            self._take_in((publication,))

    def _acknowledged(self, message: Acknowledge) -> None:
        """Publish a publication no more; outside the tree, hold it no more."""
        if message.key in self._holdings.pending:
            self._holdings.pending.remove(message.key)
            if self._idle:
                self._holdings.drop((message.key,))

    def _answer_method(self, message: MethodRequest) -> None:
        if not self._parameters.switches or self._next is None:
            return
        if self._owns and message.asker == self._me:
            self._take_method(MethodReply(self._method))
        elif self._owns:
            self._tell(message.asker, MethodReply(self._method))
        else:
            self._tell(self._next, message)

    def _take_method(self, message: MethodReply) -> None:
        if self._parameters.switches and self._holdings.pending:
            self._publish_by(message.method)

    def _leave(self, child: str) -> None:
        if child != self._me:
            self._children.pop(child, None)

    def _lose(self, node: str) -> None:
        """Hear that a node has crashed."""
        self._children.pop(node, None)
        if self._parent == node:
            self._parent = None

    # Commands.

    def _obey(self, command: Struct) -> None:
        match command:
            case commands.Subscribe():
                self._wants = True
                self._outputs += (Delivered(Subscribed()), *self._holdings.undelivered())
            case Unsubscribe(forget):
                self._wants = False
                if forget:
                    self._holdings.delivered.clear()
                self._outputs.append(Delivered(Unsubscribed(forget)))
            case Issue():
                self._issue(command)
            case Heard(publication):
                self._heard(publication)
            case Routed(hop) | StillRouted(hop):
                self._next = hop
            case Suspect(node):
                self._lose(node)
            case commands.Leave():
                self._depart()
                self._load(CRASHED, Store(self._parameters))
            case Crash():
                self._load(CRASHED, Store(self._parameters))

    def _depart(self) -> None:
        """Tell parent and children, and send everything that is held towards the tree.

        All that the owner holds, its children hold: it has no node to send it to.
        """
        if self._parent not in (None, self._me):
            self._tell(str(self._parent), Leave(self._me))
        for child in sorted(self._children.keys() - {self._me}):
            self._tell(child, Dead(self._me))
        if self._next is not None and not self._owns:
            for publication in self._holdings:
                self._tell(self._next, Submit(publication))

    def _tell(self, node: str, message: Struct) -> None:
        self._outputs.append(Send(node, message))


# By name, so that a method that is replaced in the class is replaced here as well.
_RULES: Mapping[type, Callable[[Node, Any], None]] = {
    Subscribe: lambda self, message: self._subscribe(message),
    Leave: lambda self, message: self._leave(message.sender),
    Heartbeat: lambda self, message: self._heartbeat(message),
    Publish: lambda self, message: self._publish(message),
    Submit: lambda self, message: self._take_submitted(message),
    Acknowledge: lambda self, message: self._acknowledged(message),
    MethodRequest: lambda self, message: self._answer_method(message),
    MethodReply: lambda self, message: self._take_method(message),
    Dead: lambda self, message: self._lose(message.node),
}


def _asleep(core: Core) -> bool:
    return isinstance(core, Node) and core.crashed


def _hears(_roles: Mapping[str, str], sender: str | None, _node: str) -> tuple[str, ...]:
    return () if sender is None else (sender,)


FAILING = Failing(("node",), Crash(), None, _asleep, _hears, suspect=Suspect, forgets=("node",))
