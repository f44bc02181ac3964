"""Publications (Algorithm 5): compare tries with a neighbour, send it missing publications, flood new ones."""

from msgspec.structs import replace

from gomboc.spec.core.model import Choice, Outcome, Send
from gomboc.spec.protocols.skip_ring.build_list import one, slots
from gomboc.spec.protocols.skip_ring.state import PublishNew, PublishRequest, RemoveConnections, Subscriber
from gomboc.spec.protocols.skip_ring.subscriber import references
from gomboc.spec.publishing import exchange
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie
from gomboc.spec.publishing.publications import Parameters, Publication, is_within_limit, published


def ring_neighbours(u: Subscriber, me: str) -> tuple[str, ...]:
    """The distinct nodes, other than `me`, with which `u` compares tries: those of left, right and ring.

    Source: Algorithm 5, line 2
    """
    return tuple(dict.fromkeys(claim.node for claim in slots(u) if claim.node != me))


def with_neighbour(tossed: tuple[Choice, ...], neighbours: tuple[str, ...]) -> tuple[Choice, ...]:
    """The coin of a timeout, together with the neighbour that is chosen, each with the same chance.

    Source: Algorithm 5, line 2
    """
    if not neighbours:
        return tossed
    chances = tuple(replace(choice, probability=choice.probability / len(neighbours)) for choice in tossed)
    return tuple(replace(choice, name=f"{choice.name} {node}") for choice in chances for node in neighbours)


def parts_of(choice: Choice) -> tuple[Choice, str | None]:
    """The coin of the ring's own timeout, and the chosen neighbour, if there is one."""
    name, _, node = choice.name.partition(" ")
    return Choice(name, choice.probability), node or None


def disclaim(u: Subscriber, me: str, sender: str) -> Outcome:
    """Without a label: have the node that compares forget this node. Source: Algorithm 1, line 30."""
    return Outcome(u) if sender == me else one(u, sender, RemoveConnections(me))


def take_in(u: Subscriber, offered: tuple[Publication, ...], parameters: Parameters) -> Outcome:
    """Store valid publications and deliver new ones to the application, if it wants to belong.

    Source: Algorithm 5, lines 6-9 (Deviation: `wants`, and validity)
    """
    return exchange.take_in(u, offered, parameters) if u.wants else Outcome(u)


def asked_by(u: Subscriber, outcome: Outcome) -> Outcome:
    """The outcome of a comparison, in which a node that does not want to belong asks for nothing: it would store none.

    It tells the same nodes of its trie, so that what only it has is still found.

    Source: not in the paper (Decision 10)
    """
    if u.wants:
        return outcome
    return replace(outcome, sends=tuple(send for asked in outcome.sends for send in without_question(asked)))


def without_question(send: Send) -> tuple[Send, ...]:
    """A message without the question in it: what it tells besides, if there is anything."""
    match send.message:
        case CheckAndPublish(sender, tuples):
            return (replace(send, message=CheckTrie(sender, tuples)),) if tuples else ()
    return (send,)


def publish_new(u: Subscriber, me: str, message: PublishNew, parameters: Parameters) -> Outcome:
    """Store a publication that is flooded and not known yet, and flood it further.

    Source: Section 4.3; Algorithm 5, lines 30-34
    """
    return flood(u, me, message.publication, message.sender, parameters)


def publish_request(u: Subscriber, me: str, command: PublishRequest, parameters: Parameters) -> Outcome:
    """Store a publication of this node, and flood it.

    Source: Section 4.2, "inserts p into its own Patricia trie"; Section 4.3
    """
    if not is_within_limit(command.payload, parameters):
        return Outcome(u)
    return flood(u, me, published(me, command.number, command.payload, parameters), me, parameters)


def flood(u: Subscriber, me: str, publication: Publication, sender: str, parameters: Parameters) -> Outcome:
    """Store a publication; if it was new, send it to all known nodes except its sender.

    Source: Section 4.3; Algorithm 5, lines 31-34 (Deviation: not back to the sender)
    """
    taken = take_in(u, (publication,), parameters)
    if publication not in taken.delivered:
        return Outcome(u)
    known = dict.fromkeys(claim.node for claim in references(u))
    sends = tuple(Send(node, PublishNew(me, publication)) for node in known if node not in (me, sender))
    return Outcome(taken.local, sends, taken.delivered)
