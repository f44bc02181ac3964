"""Scenes of Skip+: so many rounds from a start, in which everything arrives in order and then all nodes time out."""

import msgspec

from gomboc.checker.errata.scene import Script, with_rounds
from gomboc.checker.evidence.skip_plus.experiments.rounds import System, system
from gomboc.checker.evidence.skip_plus.experiments.starts import from_arrows, named, right
from gomboc.spec.core.protocol import variant
from gomboc.spec.protocols.skip_plus import PROTOCOL
from gomboc.spec.protocols.skip_plus.ranges import UNBOUNDED
from gomboc.spec.protocols.skip_plus.state import ABSENT, Node, Update

GONE, ONE, OTHER = named("0", "0", "0")
FOUR = named("0", "1", "0", "0")
MISFITS = named("000", "011", "110", "101", "010", "000", "000")
"""Seven nodes of which two that are no neighbours share one more bit than others in between."""

PASSED_AROUND = from_arrows((ONE, OTHER), [(ONE, OTHER), (OTHER, GONE)], [GONE])
"""Two nodes, of which one knows the other, and that one a third, which does not take part."""

GO_BETWEEN = system(
    {GONE: ABSENT, ONE: Node(True, (GONE,)), OTHER: Node()}, {GONE: (Update(ONE, (UNBOUNDED,), (OTHER,)),)}
)
"""One node knows another that is about to introduce a third to one that does not take part."""

TOO_MANY = system({**right(FOUR).states, FOUR[0]: Node(True, FOUR[1:])})
"""A right graph of four, but that the first node knows the last, which is no neighbour of it."""


class Scene(msgspec.Struct, frozen=True):
    """So many rounds from a start, by our rules or with a printed one, and those within which it is to be right."""

    start: System
    rounds: int
    printed: str | None = None
    bound: int | None = None


SCENES = {
    "departed_node_is_passed_around": Scene(PASSED_AROUND, 6, "printed_introduction", 6),
    "departed_node_is_found_out": Scene(PASSED_AROUND, 6),
    "go_between_loses": Scene(GO_BETWEEN, 6, "nothing_comes_back", 6),
    "go_between_gives_back": Scene(GO_BETWEEN, 6),
    "forwarded_edge_stays": Scene(TOO_MANY, 8, "forwarded_edges_stay", 8),
    "forwarded_edge_is_moved": Scene(TOO_MANY, 8),
    "misfits_are_introduced": Scene(right(MISFITS), 2, "linearize_at_least"),
}
"""The scenes of the claims, by name."""


def scene(name: str) -> Script:
    """The script of the scene of that name."""
    played = SCENES[name]
    return with_rounds(variant(PROTOCOL, played.printed), Script(played.start.start(), (), played.bound), played.rounds)
