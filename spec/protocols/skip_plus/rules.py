"""ALG+: the steps of a node in a round. Receiving only collects; the timeout ends the round and applies the rules."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise, permutations
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Choice, Commanded, Input, Outcome, Received, Send, Timeout
from gomboc.spec.core.protocol import Cited
from gomboc.spec.layers.neighbourhood import Moved, Stayed
from gomboc.spec.protocols.skip_plus import bounded
from gomboc.spec.protocols.skip_plus.names import prefix_length, string_of
from gomboc.spec.protocols.skip_plus.ranges import Ranges, meets, neighbours, ranges
from gomboc.spec.protocols.skip_plus.state import ABSENT, Gone, Join, Leave, NeighbourRanges, Node, Update, ascending
from gomboc.spec.types.kinds import Crash, Suspect

Insert = tuple[str, str]
"""insert(v, w): v is to take w among its neighbours. Source: Slide 19."""


class View(msgspec.Struct, frozen=True):
    """The view of a node at the end of a round, before any rule is applied: all rules read the same view.

    `known` is N(u), `stable` the neighbours with stable edges, `before` those with stable edges in the last round,
    `told` the known ranges, of nodes in N(u) only.
    """

    me: str
    known: tuple[str, ...]
    stable: tuple[str, ...]
    before: tuple[str, ...]
    told: dict[str, Ranges]

    def temporary(self) -> tuple[str, ...]:
        """The neighbours that will not be neighbours in Skip+, as far as this node can see."""
        return tuple(node for node in self.known if node not in self.stable)


def create_reverse_edges(view: View) -> Iterator[Insert]:
    """Insert this node at every stable neighbour. Source: Slide 21, Rule 1a."""
    return ((node, view.me) for node in view.stable)


def introduce_stable_edges(view: View) -> Iterator[Insert]:
    """Introduce two neighbours to each other if one lies in a range that the other has told.

    Only neighbours that have told their ranges are introduced.

    Source: Slide 21, Rules 1b and 1c; that both have spoken is ours
    """
    for node, other in permutations(view.told, 2):
        if meets(node, view.told[node], other):
            yield node, other
            yield other, node


def forward_temporary_edges(view: View) -> Iterator[Insert]:
    """Move every temporary neighbour to the stable one with the longest common prefix, of those to the nearest.

    Source: Slide 22, Rule 2
    """
    for node in view.temporary():
        yield next_hop(view, node), node


def next_hop(view: View, node: str) -> str:
    """The stable neighbour to which a temporary neighbour is moved.

    It shares a longer prefix with the temporary neighbour than this node does, or both have equal strings. All stable
    neighbours with the longest prefix lie on one side of the temporary one, since those beyond it share less.

    Source: Slide 22, Rule 2
    """
    # By the longest prefix first: each move lengthens the common prefix, so a temporary edge ends after as many moves
    # as there are bits.
    most = max(prefix_length(neighbour, node) for neighbour in view.stable)
    nearest = max if node > view.me else min
    return nearest(neighbour for neighbour in view.stable if prefix_length(neighbour, node) == most)


def introduce_all(view: View) -> Iterator[Insert]:
    """Introduce all neighbours to each other if the stable edges differ from those of the last round.

    Only neighbours that have told their ranges are introduced.

    Source: Slide 23, Rule 3a; that they have spoken is ours
    """
    if view.stable == view.before:
        return iter(())
    return ((node, other) for node in view.known for other in view.told if other != node)


def linearize(view: View) -> Iterator[Insert]:
    """For each i, introduce each stable neighbour with a common prefix of exactly i bits to the next one.

    Only neighbours that have told their ranges are introduced.

    Source: Slide 23, Rule 3b; that they have spoken is ours
    """
    for members in classes(view, exactly):
        yield from ((node, after) for node, after in pairwise(members) if after in view.told)


def exactly(common: int, level: int) -> bool:
    """Rule 3b as we read it: "common prefix of length i" is no longer than that."""
    return common == level


def classes(view: View, belongs: Callable[[int, int], bool]) -> Iterator[list[str]]:
    """For each level, the stable neighbours that belong to it, ascending.

    Neighbours with this node's own string belong to none: the node itself lies between them.

    Source: Slide 23, Rule 3b
    """
    for level in range(len(string_of(view.me))):
        yield [node for node in view.stable if belongs(prefix_length(view.me, node), level)]


RULES_BY_SLIDE = {
    "1a": Cited("create_reverse_edges", "Slide 21, Rule 1a"),
    "1b and 1c": Cited("introduce_stable_edges", "Slide 21, Rules 1b and 1c"),
    "2": Cited("forward_temporary_edges", "Slide 22, Rule 2"),
    "3a": Cited("introduce_all", "Slide 23, Rule 3a"),
    "3b": Cited("linearize", "Slide 23, Rule 3b"),
}
"""The rules by their numbers on the slides, with their functions."""

Rule = Callable[[View], Iterable[Insert]]


def bounce(me: str, local: Node, update: Update) -> Outcome:
    """An absent node answers that it is gone, and sends the inserts back.

    Source: Slide 20, "Check liveness of neighbors and remove failed ones"; the way is ours
    """
    return Outcome(local, (Send(update.sender, Gone(me, update.inserts)),))


class Rules(msgspec.Struct, frozen=True):
    """The rules that errata override. The defaults are our reading.

    With `layered`, a node delivers its neighbours to the layer above it. `most_names` bounds the inserts of a message.
    """

    create_reverse_edges: Rule = create_reverse_edges
    introduce_stable_edges: Rule = introduce_stable_edges
    forward_temporary_edges: Rule = forward_temporary_edges
    introduce_all: Rule = introduce_all
    linearize: Rule = linearize
    ranges: Callable[[str, tuple[str, ...]], Ranges] = ranges
    neighbours: Callable[[str, tuple[str, ...]], tuple[str, ...]] = neighbours
    kept: Callable[[View], tuple[str, ...]] = lambda view: view.stable
    bounce: Callable[[str, Node, Update], Outcome] = bounce
    layered: bool = False
    most_names: int | None = None

    def in_order(self) -> tuple[Rule, ...]:
        """Every rule, in the order of the slides; all see the same neighbours, so the order does not matter."""
        return (
            self.create_reverse_edges,
            self.introduce_stable_edges,
            self.forward_temporary_edges,
            self.introduce_all,
            self.linearize,
        )

    def react(self, me: str, local: Node, taken: Input, choice: Choice) -> Outcome:
        """The outcome of one step of node `me`. Raises ValueError for an input that has no rule.

        Source: Slides 19 to 23, and 33
        """
        match taken:
            case Timeout():
                return self.end_round(me, local, choice) if local.live else Outcome(local)
            case Received(Update() as update):
                return collect(local, update) if local.live else self.bounce(me, local, update)
            case Received(Gone() as gone):
                return lose(local, gone)
            case Commanded(Join(contact)) if contact != me:
                return join(local, contact)
            case Commanded(Join()):
                raise ValueError(f"node {me!r} cannot join through itself: its contact must be another node")
            case Commanded(Leave()):
                deliveries = (Moved(()),) if self.layered and local.live else ()
                return replace(leave(me, local, self.most_names), delivered=deliveries)
            case Commanded(Crash()):
                return Outcome(ABSENT)
            case Commanded(Suspect(node)):
                return suspect(local, node)
        raise ValueError(f"node {me!r} has no rule for {taken!r}")

    def choices(self, me: str, local: Node, taken: Input) -> tuple[Choice, ...]:
        """The results of a step's coin: which names a timeout leaves to later ones. Source: ours; bounded messages."""
        if self.most_names is None or not isinstance(taken, Timeout) or not local.live:
            return CERTAIN
        return bounded.choices(self.inserts(self.view(me, local)), self.most_names)

    def inserts(self, view: View) -> dict[str, tuple[str, ...]]:
        """The names that all rules together insert at each neighbour, ascending. Source: Slides 21 to 23."""
        inserts: dict[str, set[str]] = defaultdict(set)
        for rule in self.in_order():
            for node, other in rule(view):
                inserts[node].add(other)
        return {node: ascending(inserts[node]) for node in view.known}

    def end_round(self, me: str, local: Node, choice: Choice) -> Outcome:
        """Drop the nodes that are gone, apply all rules, send each neighbour an Update, and keep only the stable edges.

        Source: Slides 20 to 23
        """
        view = self.view(me, local)
        inserts = self.inserts(view)
        said = inserts if self.most_names is None else bounded.drawn(inserts, self.most_names, choice)
        bounds = self.ranges(me, view.known)
        sends = tuple(Send(node, Update(me, bounds, said[node])) for node in view.known)
        kept = self.kept(view)
        known = kept if said == inserts else ascending((*kept, *self.not_moved(view, said)))
        known_ranges = tuple(entry for entry in local.told if entry.node in known)
        return Outcome(Node(True, known, view.stable, known_ranges), sends, self.handed_up(view, kept))

    def not_moved(self, view: View, said: bounded.Inserts) -> Iterator[str]:
        """The temporary neighbours that are left out of the message that would move them: they stay. Source: ours."""
        return (other for node, other in self.forward_temporary_edges(view) if other not in said[node])

    def handed_up(self, view: View, kept: tuple[str, ...]) -> tuple[Moved | Stayed, ...]:
        """The deliveries to the layer above at the end of a round, if there is one; ours, as that layer is."""
        if not self.layered:
            return ()
        return (Stayed(kept) if view.stable == view.before else Moved(kept),)

    def view(self, me: str, local: Node) -> View:
        """The view of `me` at the end of a round. Source: Slide 20, preprocessing."""
        known = ascending(set(local.neighbours) - {*local.gone, me})
        told_ranges = {entry.node: entry.ranges for entry in local.told if entry.node in known}
        return View(me, known, self.neighbours(me, known), local.stable, told_ranges)


def collect(local: Node, update: Update) -> Outcome:
    """Add every insert as a temporary neighbour, and store the sender's ranges.

    A node drops an insert of itself when the round ends.

    Source: Slide 20, "Process all insert(u, v) requests by adding them as temporary"
    """
    news = NeighbourRanges(update.sender, update.ranges)
    entries = {entry.node: entry for entry in local.told} | {update.sender: news}
    known = ascending((*local.neighbours, *update.inserts))
    return Outcome(replace(local, neighbours=known, told=tuple(entries[node] for node in sorted(entries))))


def lose(local: Node, gone: Gone) -> Outcome:
    """Remember until the round ends that the node is gone, and take back the inserts.

    Source: Slide 20; that nothing is lost with it is ours
    """
    if not local.live:
        return Outcome(local)
    known = ascending((*local.neighbours, *gone.inserts))
    return Outcome(replace(local, neighbours=known, gone=ascending((*local.gone, gone.node))))


def suspect(local: Node, node: str) -> Outcome:
    """Take a suspected neighbour for gone. With it go the inserts that it was sent, which a transport would give back.

    A suspicion of another node has no effect: its reference would come later, and be suspected then.

    Source: Slide 20, "Check liveness of neighbors and remove failed ones"
    """
    return lose(local, Gone(node, ())) if node in local.neighbours else Outcome(local)


def join(local: Node, contact: str | None) -> Outcome:
    """Take part, and add the contact, if there is one, to the known nodes. Source: Slide 33."""
    met = () if contact is None else (contact,)
    return Outcome(replace(local, live=True, neighbours=ascending((*local.neighbours, *met))))


def leave(me: str, local: Node, most: int | None = None) -> Outcome:
    """Tell each neighbour of all others, or of so many that come next, and return to the absent state.

    Source: Slide 33; the bound is ours
    """
    known = ascending(set(local.neighbours) - {*local.gone, me})
    others = bounded.following(known, most)
    return Outcome(ABSENT, tuple(Send(node, Gone(me, next_ones)) for node, next_ones in others.items()))


def rule(local: Any, taken: Input) -> Cited:
    """The rule for an input. Raises KeyError if there is none."""
    live = isinstance(local, Node) and local.live
    match taken:
        case Timeout():
            return Cited("end_round", "Slides 20 to 23") if live else Cited("absent_timeout", "Slide 20")
        case Received(Update()):
            return Cited("collect", "Slide 20") if live else Cited("bounce", "Slide 20")
        case Received(Gone()):
            return Cited("lose", "Slide 20")
        case Commanded(Join()):
            return Cited("join", "Slide 33")
        case Commanded(Leave()):
            return Cited("leave", "Slide 33")
        case Commanded(Crash()):
            return Cited("crash", "Slide 20")
        case Commanded(Suspect()):
            return Cited("suspect", "Slide 20")
    raise KeyError(f"there is no rule for {taken!r}")


def fired(rules: Rules, me: str, local: Any, taken: Input) -> tuple[Cited, ...]:
    """The rules that fire in one step; the end of a round includes every rule that inserts a node.

    Source: Slides 21 to 23
    """
    named = (rule(local, taken),)
    if not isinstance(taken, Timeout) or not local.live:
        return named
    view = rules.view(me, local)
    cited = zip(RULES_BY_SLIDE.values(), rules.in_order(), strict=True)
    return named + tuple(cite for cite, inserts in cited if any(True for _ in inserts(view)))
