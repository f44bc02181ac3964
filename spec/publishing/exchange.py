"""Two nodes compare their tries in messages, and hand over what the other one lacks.

Source: Feldmann et al., Section 4.2
"""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.publishing import comparison
from gomboc.spec.publishing.publications import (
    Parameters,
    Publication,
    in_order,
    is_valid,
    right_set,
    with_offered,
)
from gomboc.spec.publishing.trie import InnerHash, Keys, Prefix, Summaries, Summary, root, summary
from gomboc.spec.types.fields import NodeName
from gomboc.spec.types.kinds import Kind

Holder = Any
"""The state of a node, with `publications` by key, and the false `hashes` of their trie."""


class CheckTrie(Kind, frozen=True):
    """`sender` has nodes of a trie with these labels and hashes."""

    sender: NodeName
    tuples: Summaries


class CheckAndPublish(Kind, frozen=True):
    """A CheckTrie in which `sender` also asks for all publications with that prefix."""

    sender: NodeName
    tuples: Summaries
    prefix: Prefix


class Publish(Kind, frozen=True):
    """Publications that the receiver may lack."""

    publications: tuple[Publication, ...]


def keys_of(u: Holder) -> Keys:
    """The keys in the trie of `u`, ascending."""
    return tuple(publication.key for publication in u.publications)


def audit(u: Holder, parameters: Parameters) -> Holder:
    """`u` with its trie rebuilt: only genuine publications, each under its right key, and only right hashes.

    Source: Feldmann et al., Section 4.2 (Deviation: variables may hold anything at first)
    """
    publications = right_set(u.publications, parameters)
    if publications == u.publications and not u.hashes:
        return u
    return replace(u, publications=publications, hashes=())


def compare(u: Holder, me: str, neighbours: Iterable[str], inner: InnerHash) -> Outcome:
    """Send the root of the trie to those neighbours."""
    message = CheckTrie(me, (root(keys_of(u), inner),))
    return Outcome(u, tuple(Send(node, message) for node in neighbours))


def held_summary(u: Holder, keys: Keys, label: str, inner: InnerHash) -> Summary:
    """The summary that `u` holds of the trie node with that label, whether its hash is right or not."""
    false = {entry.prefix: entry.hash for entry in u.hashes}
    return Summary(label, false[label]) if label in false else summary(keys, label, inner)


def check_trie(u: Holder, me: str, message: CheckTrie | CheckAndPublish, inner: InnerHash) -> Outcome:
    """Compare each received node of the sender's trie with the own trie."""
    if message.sender == me:
        return Outcome(u)
    keys = keys_of(u)
    answers = (answer(u, me, keys, asked, inner) for asked in message.tuples)
    return Outcome(u, tuple(Send(message.sender, reply) for reply in answers if reply is not None))


def answer(u: Holder, me: str, keys: Keys, asked: Summary, inner: InnerHash) -> CheckTrie | CheckAndPublish | None:
    """The answer to one tuple: none, the children of a trie node that differs, or a request for missing publications.

    Source: Feldmann et al., Section 4.2 (i) to (iii)
    """
    result = comparison.answer(keys, asked, lambda label: held_summary(u, keys, label, inner))
    if result is None:
        return None
    return CheckTrie(me, result.told) if result.lacks is None else CheckAndPublish(me, result.told, result.lacks)


def check_and_publish(
    u: Holder, me: str, message: CheckAndPublish, inner: InnerHash, parameters: Parameters
) -> Outcome:
    """Compare, and send every publication with that prefix, at most `chunk` in each message.

    Source: Feldmann et al., Section 4.2 (iii) (Deviation: messages of bounded size)
    """
    checked = check_trie(u, me, message, inner)
    if message.sender == me:
        return checked
    sent = [publication for publication in u.publications if publication.key.startswith(message.prefix)]
    return Outcome(u, checked.sends + tuple(Send(message.sender, chunk) for chunk in in_chunks(sent, parameters)))


def in_chunks(publications: Iterable[Publication], parameters: Parameters) -> Iterator[Publish]:
    """Messages that carry those publications, at most `chunk` each."""
    every = tuple(publications)
    for first in range(0, len(every), parameters.chunk):
        yield Publish(every[first : first + parameters.chunk])


def take_in(u: Holder, offered: Iterable[Publication], parameters: Parameters) -> Outcome:
    """Store valid publications and deliver new ones to the application.

    Source: Feldmann et al., Section 4.2 (Deviation: validity)
    """
    publications = with_offered(u.publications, offered, parameters)
    delivered = in_order(set(publications) - set(u.publications))
    return Outcome(replace(u, publications=publications), (), delivered)


def replacements(u: Holder, offered: Iterable[Publication], parameters: Parameters) -> tuple[Publication, ...]:
    """The kept publications of each publisher with an expired one among those offered.

    The sender would otherwise offer it for ever, and its trie node may hide publications that are missing there.

    Source: not in the paper (Deviation: `keep`)
    """
    stored = set(keys_of(u))
    behind = {item.publisher for item in offered if is_valid(item, parameters) and item.key not in stored}
    return in_order(item for item in u.publications if item.publisher in behind)
