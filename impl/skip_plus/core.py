"""The automaton of a node: receiving only collects, and the timeout does the rest.

What a rule inserts is written as pairs: at this neighbour, these names.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise

from msgspec import Raw, Struct

from gomboc.impl.automaton import Commanded, Delivered, Input, Output, Received, Refused, Send, SetTimer, Timeout
from gomboc.impl.errors import UsageError
from gomboc.impl.neighbourhood import Moved, Stayed
from gomboc.impl.refusals import BAD_MESSAGE
from gomboc.impl.skip_plus.commands import Crash, Join, Leave
from gomboc.impl.skip_plus.messages import Gone, Update
from gomboc.impl.skip_plus.names import bits, common
from gomboc.impl.skip_plus.ranges import Classes, Ranges, classes_of, ranges_of, within
from gomboc.impl.skip_plus.states import State, Told, written

Insertions = Iterator[tuple[str, Collection[str]]]
"""insert(u, v): at which neighbour u, and which v."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a node sees at its timeout: all rules of one round look at this.

    `neighbours` are those that are not known to be gone; `classes` and `ranges` are worked out from them. `stable` are
    the neighbours in one's own ranges, and `flagged` those that were it at the last timeout.
    """

    me: str
    neighbours: frozenset[str]
    told: Mapping[str, Ranges]
    flagged: frozenset[str]
    classes: Classes
    ranges: Ranges
    stable: frozenset[str]

    @property
    def spoken(self) -> frozenset[str]:
        """The neighbours that have spoken for themselves: only these are introduced to others."""
        return self.neighbours & self.told.keys()


def look(me: str, neighbours: frozenset[str], told: Mapping[str, Ranges], flagged: frozenset[str]) -> Sight:
    """What a node with these neighbours sees.

    Source: slide 20, "For every i determine pred_i and succ_i"; slide 22, stable and temporary edges
    """
    classes = classes_of(neighbours)
    ranges = ranges_of(me, classes)
    return Sight(me, neighbours, told, flagged, classes, ranges, frozenset(within(me, ranges, classes)))


def create_reverse_edges(sight: Sight) -> Insertions:
    """Insert oneself at each stable neighbour.

    Source: slide 21, rule 1a
    """
    for each in sight.stable:
        yield each, (sight.me,)


def introduce_stable_edges(sight: Sight) -> Insertions:
    """Insert at each neighbour those that are in a range that it has told, and it at them.

    Who has not told its own ranges takes no part, neither as the one nor as the other.

    Source: slide 21, rules 1b and 1c
    """
    spoken = sight.spoken
    for each in spoken:
        found = within(each, sight.told[each], sight.classes) & spoken
        yield each, found
        for other in found:
            yield other, (each,)


def forward_temporary_edges(sight: Sight) -> Insertions:
    """Insert each temporary neighbour at the stable one that is most like it.

    Source: slide 22, rule 2
    """
    for each in sight.neighbours - sight.stable:
        yield _most_like(each, sight), (each,)


def _most_like(temporary: str, sight: Sight) -> str:
    """The stable neighbour with the longest common prefix, and of those the nearest one.

    There is one, and all of those are on one side of the temporary neighbour, oneself's: beyond it nobody is in a
    range of a level that they have in common.
    """
    longest = max(common(each, temporary) for each in sight.stable)
    candidates = [each for each in sight.stable if common(each, temporary) == longest]
    return max(candidates) if sight.me < temporary else min(candidates)


def introduce_all(sight: Sight) -> Insertions:
    """Insert every neighbour at every other if other ones are stable than at the last timeout.

    Source: slide 23, rule 3a
    """
    if sight.stable != sight.flagged:
        spoken = sight.spoken
        for each in sight.neighbours:
            yield each, spoken - {each}


def linearize(sight: Sight) -> Insertions:
    """Insert each stable neighbour at the one before it, among those whose common prefix with oneself is as long.

    Source: slide 23, rule 3b
    """
    levels: dict[int, list[str]] = {level: [] for level in range(bits(sight.me))}
    for each in sorted(sight.stable):
        level = common(sight.me, each)
        # An equal string has no level: neighbours with one are not always neighbours of each other.
        if level in levels:
            levels[level].append(each)
    for members in levels.values():
        for former, latter in pairwise(members):
            if latter in sight.told:
                yield former, (latter,)


RULES = (create_reverse_edges, introduce_stable_edges, forward_temporary_edges, introduce_all, linearize)


class Node:
    """The automaton of a node. With a layer above it, it delivers who its neighbours are, at each timeout."""

    __slots__ = ("_gone", "_is_layered", "_live", "_me", "_neighbours", "_stable", "_told")

    def __init__(self, me: str, state: State, *, is_layered: bool = False) -> None:
        self._me = me
        self._is_layered = is_layered
        self._live = state.live
        self._neighbours = set(state.neighbours)
        self._stable = frozenset(state.stable)
        self._told = Told(state.told)
        self._gone = set(state.gone)

    def handle(self, now: float, given: Input) -> list[Output]:
        """Take one step; `UsageError` for a contact that is oneself, or has a string of another length."""
        match given:
            case Timeout():
                return [*self._timeout(), SetTimer(now + 1.0)]
            case Received(message):
                return self._receive(message)
            case Commanded(command):
                return self._obey(command)

    def snapshot(self) -> Raw:
        """The whole local state as JSON."""
        return written(
            live=self._live, neighbours=self._neighbours, stable=self._stable, told=self._told, gone=self._gone
        )

    def _receive(self, message: Struct) -> list[Output]:
        match message:
            # Within a message all strings are as long as that of whoever it is from.
            case Update(origin) | Gone(origin) if bits(origin) != bits(self._me):
                return [Refused(BAD_MESSAGE)]
            case Update() | Gone() if self._live:
                self._collect(message)
            case Update(sender, _, inserts):
                return [Send(sender, Gone(self._me, inserts))]
        return []

    def _collect(self, message: Update | Gone) -> None:
        """Keep what a message says until the timeout; so messages of one round may come in any order.

        Source: slide 20, "Process all insert(u, v) requests"
        """
        self._neighbours.update(message.inserts)
        match message:
            case Update(sender, ranges):
                self._told.tell(sender, ranges)
            case Gone(node):
                self._gone.add(node)

    def _timeout(self) -> list[Output]:
        """Send each neighbour one's ranges and what the rules insert at it, and keep only the stable ones.

        Who is not live has no neighbours, so that this has no effect.

        Source: slide 20
        """
        sight = look(self._me, self._present(), self._told.ranges, self._stable)
        inserts: dict[str, set[str]] = {each: set() for each in sorted(sight.neighbours)}
        for neighbour, names in chain.from_iterable(rule(sight) for rule in RULES):
            inserts[neighbour].update(names)
        handed = self._hand_up(sight) if self._live else []
        self._keep(sight.stable)
        sent = [Send(to, Update(self._me, sight.ranges, tuple(sorted(names)))) for to, names in inserts.items()]
        return handed + sent

    def _hand_up(self, sight: Sight) -> list[Output]:
        if not self._is_layered:
            return []
        neighbours = tuple(sorted(sight.stable))
        return [Delivered(Stayed(neighbours) if sight.stable == sight.flagged else Moved(neighbours))]

    def _present(self) -> frozenset[str]:
        """The neighbours that are not known to be gone; oneself is none."""
        return frozenset(self._neighbours - self._gone - {self._me})

    def _keep(self, stable: frozenset[str]) -> None:
        self._neighbours = set(stable)
        self._stable = stable
        self._told.keep(stable)
        self._gone = set()

    def _obey(self, command: Struct) -> list[Output]:
        match command:
            case Join(contact):
                self._join(contact)
            case Leave():
                return self._leave()
            case Crash():
                self._forget_everything()
        return []

    def _join(self, contact: str | None) -> None:
        """Be live and know the contact, if there is one; who is live already knows it besides the others.

        Source: slide 33
        """
        if contact == self._me:
            raise UsageError(f"The node {self._me!r} cannot join through itself: give it another contact.")
        if contact is not None and bits(contact) != bits(self._me):
            raise UsageError(
                f"The node {self._me!r} cannot join through {contact!r}: all strings of a system are equally long."
            )
        self._live = True
        if contact is not None:
            self._neighbours.add(contact)

    def _leave(self) -> list[Output]:
        """Tell each neighbour that one is gone and who the others are, and be as if one had never been.

        Source: slide 33
        """
        others = sorted(self._present())
        handed: list[Output] = [Delivered(Moved(()))] if self._is_layered and self._live else []
        self._forget_everything()
        return handed + [Send(to, Gone(self._me, tuple(each for each in others if each != to))) for to in others]

    def _forget_everything(self) -> None:
        self._live = False
        self._keep(frozenset())
