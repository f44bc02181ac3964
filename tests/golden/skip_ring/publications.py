"""Figure 2 of the paper: two subscribers, of which v2 lacks P4, and the runs in which the one or the other begins."""

from itertools import count
from typing import Any

from gomboc.spec.publishing.publications import key_of
from tests.golden.drive import Header, Trace, simulated_on, taken
from tests.golden.skip_ring.starts import V1, V2, start, subscriber

BITS = 3
KEYS = {"P1": "000", "P2": "010", "P3": "100", "P4": "101"}
"""The publications of Figure 2, and their keys."""


def publication(payload: str) -> list[Any]:
    """The publication of v1 that says so, under the first number with which it has the key of Figure 2."""
    key = KEYS[payload]
    number = next(number for number in count() if key_of("v1", number, payload, BITS) == key)
    return [key, "v1", number, payload, "v1"]


def figure_2() -> Header:
    """A ring of two that is right, but for P4, which v2 lacks."""
    u, v = ([publication(payload) for payload in held] for held in (KEYS, ("P1", "P2", "P3")))
    ring = start(
        [V1, V2], subscriber("0", right=V2, ring=V2, publications=u), subscriber("1", left=V1, ring=V1, publications=v)
    )
    return {**ring, "parameters": {"key_bits": BITS}, "origin": {}}


def told_by(initiator: str, settle: int) -> Trace:
    """`initiator` times out, and the messages about tries that follow are delivered first; then any others.

    `settle` is how many rounds the simulator goes on once all is right, by its count, which begins with it.
    """
    trace = [figure_2()]
    trace.append(taken(trace, initiator, "timeout"))
    while asked := [message for message in trace[-1]["sent"] if message["message"]["kind"] in OF_PUBLICATIONS]:
        (message,) = asked
        trace.append(taken(trace, message["to"], message["id"]))
    origin = {"implementation": "gomboc skip_ring", "seed": SEED, "transport": "simulated"}
    first, *steps = simulated_on(trace, SEED, settle)
    return [{**first, "origin": origin}, *steps]


OF_PUBLICATIONS = ("CheckTrie", "CheckAndPublish", "Publish", "PublishNew")
SEED = 2


def figure_2_started_at_u() -> Trace:
    """v1, which has P4, begins: two messages, and nothing is delivered until v2 begins."""
    return told_by("v1", 3)


def figure_2_started_at_v() -> Trace:
    """v2, which lacks P4, begins: four messages, and P4 is delivered."""
    return told_by("v2", 4)


FIGURE_2 = {tell.__name__: tell for tell in (figure_2_started_at_u, figure_2_started_at_v)}
