"""One exchange of CheckTrie and CheckAndPublish by the specification's own functions, and the queries on its tries."""

from collections import deque
from collections.abc import Iterable

from gomboc.spec.core.model import CERTAIN, Outcome
from gomboc.spec.protocols.skip_ring.state import Message, Subscriber
from gomboc.spec.publishing import comparison
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish, check_and_publish, check_trie, compare
from gomboc.spec.publishing.publications import MOST_BITS, Parameters, Publication
from gomboc.spec.publishing.trie import InnerHash, Keys, has_node, hash_of_children, least_extension, summary

ANY = Parameters(key_bits=MOST_BITS)
NAMES = "u", "v"


def subscriber(keys: Iterable[str]) -> Subscriber:
    """A subscriber with a publication under each of these keys."""
    return Subscriber("0", publications=tuple(Publication(key, "w", 0, "", "w") for key in sorted(keys)))


def exchange(first: set[str], second: set[str], inner: InnerHash = hash_of_children) -> tuple[set[str], set[str]]:
    """The keys sent to each of two subscribers in one exchange that the first one starts with its timeout.

    Arriving keys are not stored before the exchange is over.
    """
    nodes = dict(zip(NAMES, map(subscriber, (first, second)), strict=True))
    delivered: dict[str, set[str]] = {name: set() for name in NAMES}
    sends = deque(compare(nodes["u"], "u", ["v"], inner).sends)
    while sends:
        send = sends.popleft()
        if isinstance(send.message, Publish):
            delivered[send.target].update(publication.key for publication in send.message.publications)
        else:
            sends.extend(_received(nodes[send.target], send.target, send.message, inner).sends)
    return delivered["u"], delivered["v"]


def _received(u: Subscriber, me: str, message: Message, inner: InnerHash) -> Outcome:
    match message:
        case CheckTrie():
            return check_trie(u, me, message, inner)
        case CheckAndPublish():
            return check_and_publish(u, me, message, inner, ANY, CERTAIN[0])
    raise AssertionError(f"{message} is no part of an exchange")


def asked(held: set[str], label: str) -> str:
    """The prefix that a subscriber with these keys asks for when it is to check a node that it has not."""
    keys = in_order(held)
    lacks = comparison.request(keys, label, lambda prefix: summary(keys, prefix, hash_of_children)).lacks
    assert lacks is not None, "a request names the lacking publications"
    return lacks


def nodes_of(keys: set[str]) -> list[str]:
    """The labels of all nodes of the trie, from above."""
    prefixes = {key[:end] for key in keys for end in range(len(key) + 1)}
    return sorted((label for label in prefixes if has_node(in_order(keys), label)), key=len)


def closest(keys: set[str], label: str) -> str | None:
    """The shortest label of a node below that one, or of it itself, if there is any."""
    return least_extension(in_order(keys), label)


def in_order(keys: set[str]) -> Keys:
    """Keys as the specification's tries have them."""
    return tuple(sorted(keys))
