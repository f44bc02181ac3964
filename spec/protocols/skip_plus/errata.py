"""The rules as printed on the slides, or as one may read them, for each of our deviations: overrides of functions."""

from collections.abc import Iterator, Mapping
from itertools import pairwise, permutations

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.skip_plus.names import string_of
from gomboc.spec.protocols.skip_plus.ranges import Range, Ranges, meets, predecessor, successor
from gomboc.spec.protocols.skip_plus.rules import Insert, Rules, View, classes, exactly
from gomboc.spec.protocols.skip_plus.state import Gone, Node, Update


def linearize_at_least(view: View) -> Iterator[Insert]:
    """Rule 3b, with a "common prefix of length i" that may be longer than i. Source: Slide 23, Rule 3b."""
    for members in classes(view, lambda common, level: common >= level):
        yield from ((node, after) for node, after in pairwise(members) if after in view.told)


def introduce_stable_edges_unverified(view: View) -> Iterator[Insert]:
    """Rules 1b and 1c as printed: each neighbour in a told range is introduced, whether or not it has sent an Update.

    Source: Slide 21, Rules 1b and 1c
    """
    for node, other in permutations(view.known, 2):
        if node in view.told and meets(node, view.told[node], other):
            yield node, other
            yield other, node


def introduce_all_unverified(view: View) -> Iterator[Insert]:
    """Rule 3a as printed: all neighbours, whether or not they have sent an Update. Source: Slide 23, Rule 3a."""
    return permutations(view.known, 2) if view.stable != view.before else iter(())


def linearize_unverified(view: View) -> Iterator[Insert]:
    """Rule 3b as printed: all stable neighbours, whether or not they have sent an Update. Source: Slide 23, Rule 3b."""
    return (pair for members in classes(view, exactly) for pair in pairwise(members))


def ranges_that_end_at_oneself(me: str, nodes: tuple[str, ...]) -> Ranges:
    """Ranges that end at the node itself, or at the other predecessor or successor, if one is missing.

    Source: Slide 15, which does not define the least of nothing
    """

    def at(level: int) -> Range:
        before = [predecessor(me, nodes, level, bit) or me for bit in "01"]
        after = [successor(me, nodes, level, bit) or me for bit in "01"]
        return min(before), max(after)

    return tuple(at(level) for level in range(len(string_of(me))))


def neighbours_within_oneself(me: str, nodes: tuple[str, ...]) -> tuple[str, ...]:
    """The neighbours by ranges that end at the node itself. Source: Slide 15."""
    bounds = ranges_that_end_at_oneself(me, nodes)
    return tuple(sorted(node for node in set(nodes) - {me} if meets(me, bounds, node)))


def keep_everything(view: View) -> tuple[str, ...]:
    """Rule 2 as a copy: a temporary edge is forwarded, and kept. Source: Slide 22, "forwarded"."""
    return view.known


def bounce_nothing(me: str, local: Node, update: Update) -> Outcome:
    """An absent node answers that it is gone; the inserts that it was sent are lost.

    Source: Slide 20, "Check liveness of neighbors and remove failed ones", which says no more
    """
    return Outcome(local, (Send(update.sender, Gone(me, ())),))


VARIANTS: Mapping[str, Rules] = {
    "linearize_at_least": Rules(linearize=linearize_at_least),
    "printed_introduction": Rules(
        introduce_stable_edges=introduce_stable_edges_unverified,
        introduce_all=introduce_all_unverified,
        linearize=linearize_unverified,
    ),
    "ranges_end_at_oneself": Rules(ranges=ranges_that_end_at_oneself, neighbours=neighbours_within_oneself),
    "forwarded_edges_stay": Rules(kept=keep_everything),
    "nothing_comes_back": Rules(bounce=bounce_nothing),
}
"""Each variant; its words are in `errata.toml`."""
