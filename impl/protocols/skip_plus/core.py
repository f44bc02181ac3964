"""The automaton of a node: receiving only collects, and the timeout does the rest.

The inserts of a rule are pairs of a neighbour and the names to be inserted at it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from msgspec import Raw, Struct

from gomboc.impl.core.automaton import (
    Commanded,
    Core,
    Delivered,
    Failing,
    Input,
    Output,
    RandomSource,
    Received,
    Refused,
    Send,
    SetTimer,
    Timeout,
    Traced,
)
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.neighbourhood import Moved, Stayed
from gomboc.impl.core.refusals import BAD_MESSAGE
from gomboc.impl.core.vocabulary import Crash, Suspect
from gomboc.impl.protocols.skip_plus.commands import Join, Leave
from gomboc.impl.protocols.skip_plus.messages import Gone, Update
from gomboc.impl.protocols.skip_plus.names import bits, common
from gomboc.impl.protocols.skip_plus.ranges import Classes, Ranges, classes_of, ranges_of, within
from gomboc.impl.protocols.skip_plus.states import RangeTable, State, written

Insertions = Iterator[tuple[str, Collection[str]]]
"""insert(u, v): pairs of a neighbour u and its nodes v."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The view of a node at its timeout: all rules of one round read this.

    `neighbours` are those that are not known to be gone; `classes` and `ranges` are computed from them. `stable` are
    the neighbours in the node's own ranges, and `flagged` those that were stable at the last timeout.
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
        """The neighbours that have told their ranges: only these are introduced to others."""
        return self.neighbours & self.told.keys()


def look(me: str, neighbours: frozenset[str], told_ranges: Mapping[str, Ranges], flagged: frozenset[str]) -> Sight:
    """The view of a node with these neighbours.

    Source: slide 20, "For every i determine pred_i and succ_i"; slide 22, stable and temporary edges
    """
    classes = classes_of(neighbours)
    ranges = ranges_of(me, classes)
    return Sight(me, neighbours, told_ranges, flagged, classes, ranges, frozenset(within(me, ranges, classes)))


def create_reverse_edges(sight: Sight) -> Insertions:
    """Insert this node at each stable neighbour. Source: slide 21, rule 1a."""
    for neighbour in sight.stable:
        yield neighbour, (sight.me,)


def introduce_stable_edges(sight: Sight) -> Insertions:
    """Insert at each neighbour those in a range that it has told, and it at them.

    A neighbour that has not told its ranges takes part in neither role.

    Source: slide 21, rules 1b and 1c
    """
    spoken = sight.spoken
    for neighbour in spoken:
        members = within(neighbour, sight.told[neighbour], sight.classes) & spoken
        yield neighbour, members
        for other in members:
            yield other, (neighbour,)


def forward_temporary_edges(sight: Sight) -> Insertions:
    """Insert each temporary neighbour at the stable one with the longest common prefix. Source: slide 22, rule 2."""
    for temporary in sight.neighbours - sight.stable:
        yield _most_like(temporary, sight), (temporary,)


def _most_like(temporary: str, sight: Sight) -> str:
    """The stable neighbour with the longest common prefix, and of those the nearest one.

    There is one, and all of those are on this node's side of the temporary neighbour: beyond it no neighbour is in a
    range of a level that they have in common.
    """
    longest = max(common(neighbour, temporary) for neighbour in sight.stable)
    candidates = [neighbour for neighbour in sight.stable if common(neighbour, temporary) == longest]
    return max(candidates) if sight.me < temporary else min(candidates)


def introduce_all(sight: Sight) -> Insertions:
    """Insert every neighbour at every other if the stable ones differ from those at the last timeout.

    Source: slide 23, rule 3a
    """
    if sight.stable != sight.flagged:
        spoken = sight.spoken
        for neighbour in sight.neighbours:
            yield neighbour, spoken - {neighbour}


def linearize(sight: Sight) -> Insertions:
    """Insert each stable neighbour at the one before it, among those with equally long common prefixes with this node.

    Source: slide 23, rule 3b
    """
    levels: dict[int, list[str]] = {level: [] for level in range(bits(sight.me))}
    for neighbour in sorted(sight.stable):
        level = common(sight.me, neighbour)
        # An equal string has no level: neighbours with one are not always neighbours of each other.
        if level in levels:
            levels[level].append(neighbour)
    for members in levels.values():
        for former, latter in pairwise(members):
            if latter in sight.told:
                yield former, (latter,)


def left_out(sight: Sight, fitting: Mapping[str, Collection[str]]) -> frozenset[str]:
    """The temporary neighbours of which the receivers in their places do not hear in this round."""
    moves = forward_temporary_edges(sight)
    return frozenset(temporary for to, (temporary,) in moves if temporary not in fitting[to])


def portions(number: int, most: int) -> int:
    """The number of messages that so many inserts fill."""
    return -(-number // most)


def behind(name: str, circle: Sequence[str], most: int | None) -> tuple[str, ...]:
    """The next `most` names in an ascending circle, or all the others, ascending."""
    index = circle.index(name)
    others = [*circle[index + 1 :], *circle[:index]]
    return tuple(sorted(others[:most]))


RULES = (create_reverse_edges, introduce_stable_edges, forward_temporary_edges, introduce_all, linearize)


class Node:
    """The automaton of a node. With a layer above it, it delivers its neighbours at each timeout.

    With `most_names` no message inserts more; what does not fit is left to later timeouts, which a coin decides.
    """

    __slots__ = (
        *("_gone", "_is_layered", "_live", "_me", "_most_names"),
        *("_neighbours", "_random", "_stable", "_told"),
    )

    def __init__(
        self, me: str, state: State, random: RandomSource, *, is_layered: bool = False, most_names: int | None = None
    ) -> None:
        self._me = me
        self._random = random
        self._is_layered = is_layered
        self._most_names = most_names
        self._live = state.live
        self._neighbours = set(state.neighbours)
        self._stable = frozenset(state.stable)
        self._told = RangeTable(state.told)
        self._gone = set(state.gone)

    def handle(self, now: float, event: Input) -> list[Output]:
        """Take one step; `UsageError` for a contact that is the node itself, or has a string of another length."""
        match event:
            case Timeout():
                return [*self._timeout(), SetTimer(now + 1.0)]
            case Received(message):
                return self._receive(message)
            case Commanded(command):
                return self._obey(command)

    def snapshot(self) -> Raw:
        """The whole local state as JSON."""
        return written(
            live=self._live, neighbours=self._neighbours, stable=self._stable, entries=self._told, gone=self._gone
        )

    def _receive(self, message: Struct) -> list[Output]:
        match message:
            # The decoder ensures that all strings within a message are as long as its sender's.
            case Update(origin) | Gone(origin) if bits(origin) != bits(self._me):
                return [Refused(BAD_MESSAGE)]
            case Update() | Gone() if self._live:
                self._collect(message)
            case Update(sender, _, inserts):
                return [Send(sender, Gone(self._me, inserts))]
        return []

    def _collect(self, message: Update | Gone) -> None:
        """Store the contents of a message until the timeout; so messages of one round may come in any order.

        Source: slide 20, "Process all insert(u, v) requests"
        """
        self._neighbours.update(message.inserts)
        match message:
            case Update(sender, ranges):
                self._told.tell(sender, ranges)
            case Gone(node):
                self._gone.add(node)

    def _timeout(self) -> list[Output]:
        """Send each neighbour this node's ranges and the inserts of the rules, and keep only the stable ones.

        A temporary neighbour whose move does not fit in the message stays, too. A node that is not live has no
        neighbours, so this has no effect.

        Source: slide 20
        """
        sight = look(self._me, self._present(), self._told.ranges, self._stable)
        inserts: dict[str, set[str]] = {name: set() for name in sorted(sight.neighbours)}
        for neighbour, names in chain.from_iterable(rule(sight) for rule in RULES):
            inserts[neighbour].update(names)
        handed = self._hand_up(sight) if self._live else []
        fitting, toss = self._fitting({to: sorted(names) for to, names in inserts.items()})
        self._keep(sight.stable, sight.stable | left_out(sight, fitting) if toss else sight.stable)
        sent = [Send(to, Update(self._me, sight.ranges, tuple(names))) for to, names in fitting.items()]
        return [*toss, *handed, *sent]

    def _fitting(self, inserts: dict[str, list[str]]) -> tuple[dict[str, list[str]], list[Output]]:
        """The inserts that fit in this round's messages, and the coin if they are not all.

        Each list is cut into portions, and one number says for all neighbours which portion it is; where there are
        fewer, counting begins again.
        """
        most, longest = self._most_names, max(map(len, inserts.values()), default=0)
        if most is None or longest <= most:
            return inserts, []
        drawn = int(self._random.random() * portions(longest, most))
        fitting = {}
        for to, names in inserts.items():
            first = drawn % max(1, portions(len(names), most)) * most
            fitting[to] = names[first : first + most]
        return fitting, [Traced(f"part {drawn}")]

    def _hand_up(self, sight: Sight) -> list[Output]:
        if not self._is_layered:
            return []
        neighbours = tuple(sorted(sight.stable))
        return [Delivered(Stayed(neighbours) if sight.stable == sight.flagged else Moved(neighbours))]

    def _present(self) -> frozenset[str]:
        """The neighbours that are not known to be gone, without the node itself."""
        return frozenset(self._neighbours - self._gone - {self._me})

    def _keep(self, stable: frozenset[str], known: frozenset[str]) -> None:
        self._neighbours = set(known)
        self._stable = stable
        self._told.keep(known)
        self._gone = set()

    def _obey(self, command: Struct) -> list[Output]:
        match command:
            case Join(contact):
                self._join(contact)
            case Leave():
                return self._leave()
            case Crash():
                self._forget_everything()
            case Suspect(node) if node in self._neighbours:
                # As a `Gone` that gives nothing back. Any other suspect is no matter of this node, and may be no name.
                self._gone.add(node)
        return []

    def _join(self, contact: str | None) -> None:
        """Become live and add the contact, if there is one; a live node keeps its other neighbours.

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
        """Tell each neighbour that this node is gone, and the other neighbours; then return to the blank state.

        If not all fit in a message, each is told of those behind it in a circle, so the circle holds together.

        Source: slide 33
        """
        others = sorted(self._present())
        handed: list[Output] = [Delivered(Moved(()))] if self._is_layered and self._live else []
        self._forget_everything()
        return handed + [Send(to, Gone(self._me, behind(to, others, self._most_names))) for to in others]

    def _forget_everything(self) -> None:
        self._live = False
        self._keep(frozenset(), frozenset())

    @property
    def is_live(self) -> bool:
        """Whether the node takes part."""
        return self._live


def _asleep(core: Core) -> bool:
    return isinstance(core, Node) and not core.is_live


def _hears(_roles: Mapping[str, str], sender: str | None, _node: str) -> tuple[str, ...]:
    return () if sender is None else (sender,)


FAILING = Failing(("node",), Crash(), None, _asleep, _hears, suspect=Suspect, forgets=("node",))
