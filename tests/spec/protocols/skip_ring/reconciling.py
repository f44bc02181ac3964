"""Two neighbours that compare their tries: building blocks of the tests of Algorithm 5."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.model import Received, Timeout
from gomboc.spec.core.protocol import Protocol, configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.rules import OF_PUBLICATIONS
from gomboc.spec.publishing.holdings import universe
from gomboc.spec.publishing.publications import Parameters
from tests.spec.protocols.skip_ring.starts import right_states

BITS = 3
THREE_BITS = Parameters(BITS)
PUBLISHING = configured(PROTOCOL, {"key_bits": BITS})
PUBLISHED_HASHES = {each.name: each.protocol for each in PUBLISHING.variants.errata}["printed_hashes"]
LONG = Parameters(64)
LONG_KEYS = configured(PROTOCOL, {"key_bits": 64})
MEMBERS = ("v1", "v2")
EVERY = tuple(sorted(universe(MEMBERS, 2**BITS, THREE_BITS)))
"""A valid publication for each key of three bits, ascending by key."""

OTHER = {"v1": "v2", "v2": "v1"}


def holding(keys: Sequence[str]) -> tuple[Any, ...]:
    """The publications with those keys."""
    return tuple(publication for publication in EVERY if publication.key in keys)


@cache
def members() -> dict[str, Any]:
    """The two subscribers of SR(2), without publications."""
    return {node: u for node, u in right_states(2).items() if node in MEMBERS}


def sends_of(protocol: Protocol, u: Any, node: str, taken: Any) -> tuple[Any, ...]:
    """A step of `node`, in which it asks no node, and answers a request with the first of the publications.

    Returns its state afterwards, and the publication messages that it sends.
    """
    choice = silent(protocol, u, node) if isinstance(taken, Timeout) else protocol.actor.choices(node, u, taken)[0]
    outcome = protocol.actor.react(node, u, taken, choice)
    sent = [(send.target, send.message) for send in outcome.sends if isinstance(send.message, OF_PUBLICATIONS)]
    return outcome.local, sent


def silent(protocol: Protocol, u: Any, node: str) -> Any:
    """The fall of the coin by which `node` asks no node and compares its trie with its only neighbour."""
    (choice,) = (
        option for option in protocol.actor.choices(node, u, Timeout()) if option.name == f"silent {OTHER[node]}"
    )
    return choice


def session(protocol: Protocol, sets: Any, initiator: str = "v1") -> tuple[Any, ...]:
    """The session that `initiator` begins, each message in its turn: the sets afterwards, the messages."""
    states = {node: replace(u, publications=sets[node]) for node, u in members().items()}
    states[initiator], messages = sends_of(protocol, states[initiator], initiator, Timeout())
    for target, message in messages:
        states[target], sent = sends_of(protocol, states[target], target, Received(message))
        messages += sent
    return {node: u.publications for node, u in states.items()}, messages
