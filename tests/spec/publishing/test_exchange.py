"""Two nodes that compare their tries, where one of them refuses some of what the other one holds."""

from collections import deque
from itertools import product
from random import Random

import pytest

from gomboc.spec.core.model import CERTAIN
from gomboc.spec.protocols.skip_ring.state import Subscriber
from gomboc.spec.publishing.exchange import CheckTrie, Publish, check, check_and_publish, compare
from gomboc.spec.publishing.publications import Parameters, Publication
from gomboc.spec.publishing.trie import hash_of_children
from tests.sampling import share

NOWHERE, REFUSED, AT_U, AT_V, AT_BOTH = range(5)
"""Where a publication is at first: nowhere; at u alone, and v refuses it or not; at v alone; at both."""


def holder(keys):
    return Subscriber("0", publications=tuple(Publication(key, "w", 0, "", "w") for key in sorted(keys)))


def session(held, refused, begins, parameters):
    """Let one node begin, and deliver all messages in turn."""
    (other,) = held.keys() - {begins}
    waiting = deque(compare(holder(held[begins]), begins, [other], hash_of_children).sends)
    while waiting:
        send = waiting.popleft()
        me, message = send.target, send.message
        if isinstance(message, Publish):
            offered = {publication.key for publication in message.publications}
            held[me] |= offered - (refused if me == "v" else set())
        elif isinstance(message, CheckTrie):
            waiting += check(holder(held[me]), me, message, hash_of_children, parameters.keep).sends
        else:
            node = holder(held[me])
            waiting += check_and_publish(node, me, message, hash_of_children, parameters, CERTAIN[0]).sends


def complete(places, bits, keep):
    """Whether each of two nodes has in the end all that the other one holds, but for what it refuses."""
    keys = [f"{number:0{bits}b}" for number in range(2**bits)]
    first = {place: {key for key, where in zip(keys, places, strict=True) if where == place} for place in range(5)}
    held = {"u": first[REFUSED] | first[AT_U] | first[AT_BOTH], "v": first[AT_V] | first[AT_BOTH]}
    wanted, parameters = held["u"] | held["v"], Parameters(bits, keep=keep)
    for begins in "uv" * 2**bits:
        session(held, first[REFUSED], begins, parameters)
    return held == {"u": wanted, "v": wanted - first[REFUSED]}


@pytest.mark.parametrize("bits", [2, 3])
def test_whatever_is_refused_each_gets_all_else_that_the_other_holds(bits):
    """Of two bits these are all, of three a sample of 390,625, of which all were tried."""
    random = Random(3)
    drawn = ([random.randrange(5) for _ in range(2**bits)] for _ in range(share(300)))
    for places in product(range(5), repeat=4) if bits == 2 else drawn:
        assert complete(places, bits, keep=1), places


def test_where_nothing_expires_the_comparison_is_that_of_the_paper():
    assert not complete([NOWHERE, REFUSED, AT_U, AT_V], 2, keep=None)
    assert complete([NOWHERE, AT_U, AT_U, AT_V], 2, keep=None)
