"""Every session of two subscribers that have publications with keys of three bits, by either formula for hashes."""

from functools import cache
from typing import Any

from gomboc.spec.core.model import CERTAIN, Received, Timeout
from gomboc.spec.protocols.skip_ring.state import Subscriber
from tests.spec.protocols.skip_ring.reconciling import BITS, EVERY, PUBLISHED_HASHES, PUBLISHING, sends_of
from tests.spec.protocols.skip_ring.starts import right_states

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
