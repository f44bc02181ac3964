"""Small instances of the protocol, with their recorded results.

The claims are settled for any number of messages in flight; `leaving` states lead beyond the bound of their model.
"""

from gomboc.spec import Instance, OneOf, Pinned, Protocol, Results
from spanning_tree.spec import MISTAKE, PROTOCOL
from spanning_tree.spec.space import Links, line, messages, ring, roles, state

SMALL = OneOf((0, 1, 2))


def model(protocol: Protocol, links: Links, in_flight: int, own: OneOf = SMALL, most: int | None = None) -> Instance:
    """A network in which no register holds more than 2 at first, with at most `most` messages in flight."""
    states = tuple((name, role, state(links, name, own, SMALL)) for name, role in roles(len(links) - 1))
    return Instance(protocol, states, messages(links, SMALL), in_flight=in_flight, copies=1, most=most)


MODELS = (
    Pinned(
        "pair",
        "the root and a node, from any state, with any two messages in flight",
        model(PROTOCOL, line(1), 2),
        Results(starts=7128, states=10622, transitions=41762, legitimate=4, verdicts=("holds",) * 5),
    ),
    Pinned(
        "line",
        "the root at the end of a line of three, from any registers",
        model(PROTOCOL, line(2), 0, OneOf((0,)), most=4),
        Results(starts=972, states=82017, transitions=479371, legitimate=16, verdicts=("holds",) * 5, leaving=37412),
    ),
    Pinned(
        "triangle",
        "the root and two nodes, all linked, from any registers",
        model(PROTOCOL, ring(2), 0, OneOf((0,)), most=4),
        Results(
            starts=19683, states=434310, transitions=2502442, legitimate=57, verdicts=("holds",) * 5, leaving=277506
        ),
        long=True,
    ),
    Pinned(
        "pair_only_shorter",
        "the root and a node that takes shorter distances only: too short a distance stays",
        model(MISTAKE, line(1), 1),
        Results(
            starts=2268,
            states=4194,
            transitions=14430,
            legitimate=4,
            verdicts=("holds", "violated", "violated", "holds", "holds"),
        ),
        variant="only_shorter",
    ),
)
