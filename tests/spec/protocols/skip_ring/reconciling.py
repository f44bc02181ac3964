"""Two neighbours that compare their tries, for the tests of Algorithm 5; and every session of two with short keys."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Received, Timeout
from gomboc.spec.core.protocol import Protocol, configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.rules import OF_PUBLICATIONS
from gomboc.spec.protocols.skip_ring.state import Subscriber
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


SETS = range(2 ** (2**BITS))
"""Every set of publications with keys of three bits, as a number: bit k stands for the key with the number k."""


@cache
def chosen(number: int) -> tuple[Any, ...]:
    """The set of publications with that number."""
    return tuple(publication for index, publication in enumerate(EVERY) if number >> index & 1)


@cache
def number_of(publications: Any) -> Any:
    return sum(1 << int(publication.key, 2) for publication in publications)


OURS, PRINTED = "ours", "printed"
FORMULAS = {OURS: PUBLISHING, PRINTED: PUBLISHED_HASHES}


@cache
def opening_of(formula: Any, number: int) -> Any:
    """The CheckTrie that a holder of that set sends in its timeout."""
    u = Subscriber("1", left=right_states(2)["v2"].left, ring=right_states(2)["v2"].ring, publications=chosen(number))
    _, ((_, message),) = sends_of(FORMULAS[formula], u, "v2", Timeout())
    return message


@cache
def answered(formula: Any, number: int, message: Any) -> tuple[Any, ...]:
    """The outcome of a message at a labelled holder of that set: the set afterwards, and its answers."""
    u, me = Subscriber("0", publications=chosen(number)), "v1" if getattr(message, "sender", "") == "v2" else "v2"
    outcome = FORMULAS[formula].actor.react(me, u, Received(message), CERTAIN[0])
    return number_of(outcome.local.publications), tuple(send.message for send in outcome.sends)


def after_session(formula: Any, initiator: Any, other: Any) -> tuple[Any, ...]:
    """The two sets after the first has compared its trie with that of the second, messages in the order of sending."""
    sets, messages = {"v2": initiator, "v1": other}, [("v1", opening_of(formula, initiator))]
    for target, message in messages:
        sets[target], sent = answered(formula, sets[target], message)
        back = "v1" if target == "v2" else "v2"
        messages += [(back, message) for message in sent]
    return sets["v2"], sets["v1"]


@cache
def every_session(formula: Any) -> dict[tuple[int, int], Any]:
    """The end of each session of two different sets, by the sets of the initiator and of the other one."""
    return {(one, other): after_session(formula, one, other) for one in SETS for other in SETS if one != other}
