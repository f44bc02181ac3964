"""The publications of a node in the tree of one topic: issuing, passing on, recovery by keys, and the switch."""

from collections.abc import Iterable

from msgspec import Struct

from gomboc.impl.core.automaton import Delivered, Output, RandomSource, Refused, Send
from gomboc.impl.core.reasons import Reason
from gomboc.impl.protocols.scribe.commands import Issue
from gomboc.impl.protocols.scribe.deliveries import Spread
from gomboc.impl.protocols.scribe.holdings import Holdings
from gomboc.impl.protocols.scribe.messages import Acknowledge, MethodReply, MethodRequest, Publish, Request, Submit
from gomboc.impl.protocols.scribe.parameters import TREE, Method, Parameters
from gomboc.impl.protocols.scribe.position import Position
from gomboc.impl.publishing.comparison import one_of
from gomboc.impl.publishing.publication import Publication


class Publishing:
    """What a node does with publications, by its place in the tree; all that is sent and delivered goes to `outputs`.

    `method` is the owner's.
    """

    __slots__ = ("_outputs", "_parameters", "_position", "_random", "holdings", "method")

    def __init__(
        self,
        position: Position,
        holdings: Holdings,
        method: Method,
        parameters: Parameters,
        random: RandomSource,
        outputs: list[Output],
    ) -> None:
        self._position, self.holdings, self.method = position, holdings, method
        self._parameters, self._random, self._outputs = parameters, random, outputs

    @property
    def in_tree(self) -> bool:
        """Whether the node is needed in the tree, or holds publications that it has not handed over yet."""
        return not self._position.idle or self.holdings.are_the_trees()

    def repair(self) -> None:
        """Correct a corrupted state, and deliver what is held undelivered in it."""
        position = self._position
        was_right = self.holdings.repair()
        self.method = self._parameters.method(position.subscribers, self.method) if position.owns else TREE
        if not self._parameters.switches and not position.idle:
            self.holdings.pending.clear()
        if position.wants and not was_right:
            self._outputs += self.holdings.undelivered()

    def press_on(self) -> None:
        """Try again to publish the pending publications."""
        if not self.holdings.pending:
            return
        if self._parameters.switches:
            self._ask()
        else:
            self._submit()

    def _ask(self) -> None:
        """Ask the owner for the method."""
        if self._position.owns:
            self._publish_by(self.method)
        elif self._position.next is not None:
            self._tell(self._position.next, MethodRequest(self._position.me))

    def _submit(self) -> None:
        """Send pending publications towards the tree, as many as a message may have; acknowledged ones make room."""
        if self._position.next is not None:
            for publication in self.holdings.waiting():
                self._tell(self._position.next, Submit(publication))

    def issue(self, command: Issue) -> None:
        """Publish: along the tree in it, else by way of the next hop; with a switch, as the owner says."""
        position, store = self._position, self.holdings.store
        if store.is_too_large(command.payload):
            self._outputs.append(Refused(Reason.TOO_LARGE))
            return
        publication = store.sign(position.me, command.number, command.payload)
        in_tree, switches = self.in_tree, self._parameters.switches
        if publication.key in store.trie:
            self._outputs.append(Refused(Reason.KEY_TAKEN))
            return
        if not self._take_in((publication,)):
            return
        if not in_tree or switches:
            self.holdings.pending.add(publication.key)
            if switches:
                self._ask()
            elif position.next is not None:
                self._tell(position.next, Submit(publication))
        else:
            self._send_along((publication,))

    def _publish_by(self, method: Method) -> None:
        """Publish pending publications by the owner's method, as many as a message may have; the rest stays pending.

        Source: Vivoli, Costa and Silva, Section 3.1.1: the owner sends the method back
        """
        waiting, in_tree = self.holdings.waiting(), self.in_tree
        if method == TREE and not in_tree:
            self._submit()
            return
        keys = {publication.key for publication in waiting}
        if in_tree:
            self.holdings.pending -= keys
        else:
            self.holdings.drop(keys)
        if method == TREE:
            self._send_along(waiting)
        else:
            self._outputs += (Delivered(Spread(publication)) for publication in waiting)

    def _take_in(self, offered: Iterable[Publication]) -> list[Publication]:
        """Store and deliver the publications that are new, valid and not expired; return them."""
        added = self.holdings.take_in(offered, self._outputs)
        if self._position.wants:
            self._outputs += self.holdings.arrivals(added)
        return added

    def _send_along(self, publications: Iterable[Publication], sender: str | None = None) -> None:
        """Send publications to the next hop and the children with subscribers, but not back to their sender.

        Of more than fit into one message, the rest is asked for when it is named.
        """
        first = self.holdings.first(publications)
        for node in self._position.on_ways_of_news():
            if first and node != sender:
                self._tell(node, Publish(self._position.me, first))

    def ask_for_missing(self, node: str, keys: tuple[str, ...]) -> None:
        """Ask a neighbour for those of the publications that it has named which are not held here."""
        missing = self.holdings.missing(keys)
        if missing:
            self._tell(node, Request(self._position.me, missing))

    def answer(self, message: Request) -> None:
        """Send a neighbour in the tree one message of what it asks for."""
        if self._position.borders(message.sender) and self.in_tree:
            chunks = self.holdings.chunks(self.holdings.named(message.keys))
            messages = [Publish(self._position.me, chunk) for chunk in chunks]
            self._outputs += one_of(messages, message.sender, self._random)

    def take(self, message: Publish) -> None:
        """Take publications in, and send the new ones on along the tree; tell the sender which have expired here."""
        if message.sender == self._position.me or not self.in_tree:
            return
        self._send_along(self._take_in(message.publications), message.sender)
        for publication in message.publications:
            if publication.key not in self.holdings.store and self.holdings.is_valid(publication):
                self._tell(message.sender, Acknowledge(publication.key))

    def take_submitted(self, message: Submit) -> None:
        """Take a publication into the tree and acknowledge it, or send it on."""
        publication = message.publication
        if self.in_tree:
            self._send_along(self._take_in((publication,)))
            # One's own has come back by a route that turned: the tree has it here, and it is not to be dropped.
            self.holdings.pending.discard(publication.key)
            self._acknowledge(publication)
        elif self._position.next is not None:
            self._tell(self._position.next, message)

    def _acknowledge(self, publication: Publication) -> None:
        """Acknowledge a valid publication to its publisher, even an expired one, or it would come again and again."""
        if publication.publisher != self._position.me and self.holdings.is_valid(publication):
            self._tell(publication.publisher, Acknowledge(publication.key))

    def hear(self, publication: Publication) -> None:
        """Take in a broadcast publication, in the tree; comparing keys along the tree does the rest."""
        if self._parameters.switches and self.in_tree:
            self._take_in((publication,))

    def acknowledged(self, message: Acknowledge) -> None:
        """Publish a publication no more; outside the tree, and as a leaver, hold it no more."""
        self.holdings.pending.discard(message.key)
        if self._position.idle:
            self.holdings.hand_over((message.key,))

    def answer_method(self, message: MethodRequest) -> None:
        """Tell the method to a node that asks for it, or send the question on."""
        position = self._position
        if not self._parameters.switches or position.next is None:
            return
        if position.owns and message.asker == position.me:
            self.take_method(MethodReply(self.method))
        elif position.owns:
            self._tell(message.asker, MethodReply(self.method))
        else:
            self._tell(position.next, message)

    def take_method(self, message: MethodReply) -> None:
        """Publish by the owner's method."""
        if self._parameters.switches and self.holdings.pending:
            self._publish_by(message.method)

    def _tell(self, node: str, message: Struct) -> None:
        self._outputs.append(Send(node, message))
