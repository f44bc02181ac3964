"""Scenes of Skip+: so many rounds from a start, in which everything arrives in order and then all nodes time out."""

from gomboc.checker.errata.scene import Script, with_rounds
from gomboc.checker.evidence.skip_plus.experiments.rounds import system
from gomboc.checker.evidence.skip_plus.experiments.starts import from_arrows, right
from gomboc.spec.core.protocol import variant as chosen
from gomboc.spec.protocols.skip_plus import PROTOCOL
from gomboc.spec.protocols.skip_plus.models import MISFITS, named
from gomboc.spec.protocols.skip_plus.ranges import UNBOUNDED
from gomboc.spec.protocols.skip_plus.state import ABSENT, Node, Update

GONE, ONE, OTHER = named("0", "0", "0")
FOUR = named("0", "1", "0", "0")

PASSED_AROUND = from_arrows((ONE, OTHER), [(ONE, OTHER), (OTHER, GONE)], [GONE])
"""Two nodes, of which one knows the other, and that one a third, which does not take part."""

GO_BETWEEN = system(
    {GONE: ABSENT, ONE: Node(True, (GONE,)), OTHER: Node()}, {GONE: (Update(ONE, (UNBOUNDED,), (OTHER,)),)}
)
"""One node knows another that is about to introduce a third to one that does not take part."""

TOO_MANY = system({**right(FOUR).states, FOUR[0]: Node(True, FOUR[1:])})
"""A right graph of four, but that the first node knows the last, which is no neighbour of it."""

STARTS = {"passed_around": PASSED_AROUND, "go_between": GO_BETWEEN, "too_many": TOO_MANY, "misfits": right(MISFITS)}
"""Where the scenes of the claims begin."""


def played(variant: str | None, start: str, rounds: int, bound: int | None = None) -> Script:
    """So many rounds from a start, by our rules or a variant; `bound`: those within which it is to be right."""
    script = Script(STARTS[start].start(), (), bound)
    return with_rounds(chosen(PROTOCOL, variant), script, rounds)
