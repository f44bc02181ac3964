"""Two nodes compare their tries in messages, and hand over what the other one lacks.

Source: Feldmann et al., Section 4.2
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from msgspec.structs import replace

from gomboc.spec.core.model import Choice, Outcome, Send
from gomboc.spec.publishing import answers, comparison
from gomboc.spec.publishing.publications import Parameters, Publication, in_messages, in_order, right_set, with_offered
from gomboc.spec.publishing.trie import (
    InnerHash,
    Keys,
    Prefix,
    Summaries,
    Summary,
    common_prefix,
    least_extension,
    root,
    summary,
)
from gomboc.spec.types.fields import Holds, NodeName
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


def _too_many(parameters: Any, publications: tuple[Publication, ...]) -> str | None:
    # Without parameters nothing is published, but a message may be there at the start: it has no bound then.
    chunk = getattr(parameters, "chunk", None)
    return f"publications, at most {chunk}" if chunk is not None and len(publications) > chunk else None


class Publish(Kind, frozen=True):
    """Publications that the receiver may lack."""

    publications: Annotated[tuple[Publication, ...], Holds(_too_many, source="ours: messages of bounded size")]


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


def check(u: Holder, me: str, message: CheckTrie | CheckAndPublish, inner: InnerHash, keep: int | None) -> Outcome:
    """Compare as `check_trie` does; where publications expire, tell also what is held beside the received nodes.

    An expired publication is refused, and may hide what its holder lacks.

    Source: Feldmann et al., Section 4.2 (Deviation: `keep`)
    """
    checked = check_trie(u, me, message, inner)
    if keep is None or message.sender == me:
        return checked
    keys = keys_of(u)
    told = (CheckTrie(me, (held_summary(u, keys, label, inner),)) for label in beside(keys, message))
    return Outcome(u, checked.sends + tuple(Send(message.sender, each) for each in told))


def beside(keys: Keys, message: CheckTrie | CheckAndPublish) -> Iterator[str]:
    """The labels of trie nodes here with keys that the received nodes leave out.

    Two nodes are the children of their common prefix, and one with a request is the sibling of what is lacking. So on
    its side of that label the sender holds nothing but what begins with the node's label.

    Source: not in the paper (Deviation: `keep`)
    """
    labels = [asked.prefix for asked in message.tuples]
    if len(labels) == 2:
        above = common_prefix(*labels)
    elif isinstance(message, CheckAndPublish):
        above = message.prefix[:-1]
    else:
        return
    for label in labels:
        here = least_extension(keys, label[: len(above) + 1])
        if here is not None and not here.startswith(label):
            yield here


def check_and_publish(
    u: Holder, me: str, message: CheckAndPublish, inner: InnerHash, parameters: Parameters, choice: Choice
) -> Outcome:
    """Compare, and send some of the publications with that prefix; those that are left come by later comparisons.

    Source: Feldmann et al., Section 4.2 (iii) (Deviation: steps of bounded size)
    """
    checked = check(u, me, message, inner, parameters.keep)
    parts = answers.drawn(requested(u, me, message, parameters), choice)
    return Outcome(u, (*checked.sends, *(Send(message.sender, Publish(part)) for part in parts)))


def requested(
    u: Holder, me: str, message: CheckAndPublish, parameters: Parameters
) -> tuple[tuple[Publication, ...], ...]:
    """The publications with the requested prefix, divided into messages; none for a node's own request."""
    if message.sender == me:
        return ()
    wanted = (publication for publication in u.publications if publication.key.startswith(message.prefix))
    return tuple(in_messages(wanted, parameters.chunk))


def choices(u: Holder, me: str, message: CheckAndPublish, parameters: Parameters) -> tuple[Choice, ...]:
    """The choices of an answer to a request: one of the messages is sent, each with the same chance.

    A fixed one might be refused by the receiver for ever.

    Source: Feldmann et al., Section 4.2 (iii) (Deviation: steps of bounded size)
    """
    return answers.choices(requested(u, me, message, parameters))


def take_in(u: Holder, offered: Iterable[Publication], parameters: Parameters) -> Outcome:
    """Store valid publications and deliver new ones to the application.

    Source: Feldmann et al., Section 4.2 (Deviation: validity)
    """
    publications = with_offered(u.publications, offered, parameters)
    delivered = in_order(set(publications) - set(u.publications))
    return Outcome(replace(u, publications=publications), (), delivered)
