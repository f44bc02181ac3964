"""Publications (Algorithm 5): compare tries with a neighbour, send it missing publications, flood new ones."""

from msgspec.structs import replace

from gomboc.spec.core.model import Choice, Outcome, Send
from gomboc.spec.protocols.skip_ring.build_list import one, slots
from gomboc.spec.protocols.skip_ring.state import (
    CheckAndPublish,
    CheckTrie,
    Publish,
    PublishNew,
    PublishRequest,
    RemoveConnections,
    Subscriber,
)
from gomboc.spec.protocols.skip_ring.subscriber import references
from gomboc.spec.publishing import comparison
from gomboc.spec.publishing.publications import (
    Parameters,
    Publication,
    in_order,
    is_valid,
    is_within_limit,
    published,
    right_set,
    with_offered,
)
from gomboc.spec.publishing.trie import InnerHash, Keys, Summary, root, summary


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


def keys_of(u: Subscriber) -> Keys:
    """The keys in the trie of `u`, ascending."""
    return tuple(publication.key for publication in u.publications)


def audit(u: Subscriber, parameters: Parameters) -> Subscriber:
    """`u` with its trie rebuilt: only genuine publications, each under its right key, and only right hashes.

    Source: Section 4.2 (Deviation: variables may hold anything at first)
    """
    publications = right_set(u.publications, parameters)
    if publications == u.publications and not u.hashes:
        return u
    return replace(u, publications=publications, hashes=())


def publish_timeout(u: Subscriber, me: str, neighbour: str, inner: InnerHash) -> Outcome:
    """Send the root of the trie to the neighbour that was chosen. Source: Algorithm 5, lines 1-4."""
    return one(u, neighbour, CheckTrie(me, (root(keys_of(u), inner),)))


def held_summary(u: Subscriber, keys: Keys, label: str, inner: InnerHash) -> Summary:
    """The summary that `u` holds of the trie node with that label, whether its hash is right or not."""
    false = {entry.prefix: entry.hash for entry in u.hashes}
    return Summary(label, false[label]) if label in false else summary(keys, label, inner)


def check_trie(u: Subscriber, me: str, message: CheckTrie | CheckAndPublish, inner: InnerHash) -> Outcome:
    """Compare each received node of the sender's trie with the own trie. Source: Algorithm 5, lines 11-23."""
    if message.sender == me:
        return Outcome(u)
    if u.label is None:
        return one(u, message.sender, RemoveConnections(me))
    keys = keys_of(u)
    answers = (answer(u, me, keys, asked, inner) for asked in message.tuples)
    return Outcome(u, tuple(Send(message.sender, reply) for reply in answers if reply is not None))


def answer(u: Subscriber, me: str, keys: Keys, asked: Summary, inner: InnerHash) -> CheckTrie | CheckAndPublish | None:
    """The answer to one tuple: none, the children of a trie node that differs, or a request for missing publications.

    Source: Section 4.2 (i) to (iii); Algorithm 5, lines 13-23
    """
    result = comparison.answer(keys, asked, lambda label: held_summary(u, keys, label, inner))
    if result is None:
        return None
    return CheckTrie(me, result.told) if result.lacks is None else CheckAndPublish(me, result.told, result.lacks)


def check_and_publish(
    u: Subscriber, me: str, message: CheckAndPublish, inner: InnerHash, parameters: Parameters
) -> Outcome:
    """Compare, and send every publication with that prefix, at most `chunk` in each message.

    Source: Algorithm 5, lines 25-28 (Deviation: messages of bounded size)
    """
    checked = check_trie(u, me, message, inner)
    if message.sender == me or u.label is None:
        return checked
    sent = [publication for publication in u.publications if publication.key.startswith(message.prefix)]
    chunks = [tuple(sent[at : at + parameters.chunk]) for at in range(0, len(sent), parameters.chunk)]
    return Outcome(u, checked.sends + tuple(Send(message.sender, Publish(chunk)) for chunk in chunks))


def take_in(u: Subscriber, offered: tuple[Publication, ...], parameters: Parameters) -> Outcome:
    """Store valid publications and deliver new ones to the application, if it wants to belong.

    Source: Algorithm 5, lines 6-9 (Deviation: `wants`, and validity)
    """
    if not u.wants:
        return Outcome(u)
    publications = with_offered(u.publications, offered, parameters)
    delivered = in_order(set(publications) - set(u.publications))
    return Outcome(replace(u, publications=publications), (), delivered)


def publish(u: Subscriber, me: str, message: Publish, parameters: Parameters) -> Outcome:
    """Store publications from a neighbour, and send the replacements of expired ones to the ring neighbours.

    Source: Algorithm 5, lines 6-9 (Deviation: `keep`)
    """
    taken = take_in(u, message.publications, parameters)
    return taken.then(replace_expired, me, message.publications, parameters) if u.wants else taken


def replace_expired(u: Subscriber, me: str, offered: tuple[Publication, ...], parameters: Parameters) -> Outcome:
    """Send the ring neighbours the kept publications of each publisher with an expired one among those offered.

    The sender would otherwise offer it for ever, and its trie node may hide publications that are missing there.

    Source: not in the paper (Deviation: `keep`)
    """
    stored = set(keys_of(u))
    behind = {item.publisher for item in offered if is_valid(item, parameters) and item.key not in stored}
    kept = in_order(item for item in u.publications if item.publisher in behind)
    neighbours = ring_neighbours(u, me)
    return Outcome(u, tuple(Send(node, PublishNew(me, item)) for item in kept for node in neighbours))


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
