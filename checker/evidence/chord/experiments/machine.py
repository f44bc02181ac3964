"""The published rules for two successors, event by event: each reads another node's variables at once.

Nodes are the numbers 0, 1, 2, ... on a circle of as many places. A dead first successor is replaced by the second one
(updates), a dead predecessor is forgotten (flushes), the second successor is the first one's first (reconciles).

There are two machines. On `published`, the old head moves into the second place. On Zave's, `stabilizes` changes the
first successor alone, and names are fresh: no node joins after it has failed.

Source: Stoica et al. 2003, Figures 6 and 7, Section IV-E; Zave 2012, with the model chordfull.als of 15 June 2010
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

import msgspec
from msgspec.structs import replace

from gomboc.spec.protocols.chord.names import between


class Known(msgspec.Struct, frozen=True):
    """The state of a member: its successors, nearest first, and its predecessor; all may be dead."""

    first: int
    second: int | None = None
    before: int | None = None


class System(msgspec.Struct, frozen=True):
    """The state of each node, None without membership; the dead nodes; and the notices in flight, as (to, from)."""

    known: tuple[Known | None, ...]
    dead: frozenset[int] = frozenset()
    notices: frozenset[tuple[int, int]] = frozenset()

    def members(self) -> tuple[int, ...]:
        """The members, ascending."""
        return tuple([name for name, known in enumerate(self.known) if known is not None])

    def has(self, name: int | None) -> bool:
        """Whether there is such a node, and it is a member."""
        return name is not None and self.known[name] is not None

    def best(self, name: int) -> int | None:
        """The first live successor of a member."""
        known = self.known[name]
        assert known is not None
        if self.known[known.first] is not None:
            return known.first
        return known.second if self.has(known.second) else None

    def with_known(self, name: int, known: Known | None) -> "System":
        """The same with another state of one node."""
        return System((*self.known[:name], known, *self.known[name + 1 :]), self.dead, self.notices)


def alone(nodes: int) -> System:
    """Node 0 by itself: its own successor, without a second one or a predecessor; the others have never been there."""
    return System((Known(0), *(None for _ in range(nodes - 1))))


def ideal(members: int, outside: int) -> Iterator[System]:
    """Every ideal ring of so many members, the nodes outside anywhere among them."""
    nodes = members + outside
    for mask in range(1 << nodes):
        there = [name for name in range(nodes) if mask >> name & 1]
        if len(there) == members and 0 in there:
            after = dict(zip(there, (*there[1:], *there[:1]), strict=True))
            before = {other: name for name, other in after.items()}
            states = {name: Known(after[name], after[after[name]], before[name]) for name in there}
            yield System(tuple(states.get(name) for name in range(nodes)))


Step = tuple[str, System]
"""An event, in words, and the system after it."""

Event = Callable[[System, int, Known], System | None]
"""What a member may do: the system after it, the same one if there is nothing to do, None if it cannot happen."""


class Machine(msgspec.Struct, frozen=True, eq=False):
    """The ways in which a node joins, and the events of a member by their verbs, in the order of a search."""

    joins: Callable[[System, int], Iterator[Step]]
    events: Mapping[str, Event]

    def steps(self, system: System) -> Iterator[Step]:
        """Everything that can happen next and changes something."""
        for happens, changed in _alone(self, system.known, system.dead):
            notices = system.notices | changed.notices if changed.notices else system.notices
            following = System(changed.known, changed.dead, notices)
            if following != system:
                yield happens, following
        for name, by in sorted(system.notices):
            yield f"{name} is notified by {by}", _notified(system, name, by)

    def after(self, system: System, event: str) -> System | None:
        """The system after an event, such as `1 stabilizes` or `2 is notified by 0`; None if it cannot happen."""
        first, verb, *others = event.split()
        name, known = int(first), system.known[int(first)]
        if verb == "is":
            by = int(others[-1])
            return _notified(system, name, by) if (name, by) in system.notices else None
        if known is None:
            return dict(self.joins(system, name)).get(event)
        return self.events[verb](system, name, known) if verb in self.events else None


@cache
def _alone(machine: Machine, known: tuple[Known | None, ...], dead: frozenset[int]) -> tuple[Step, ...]:
    """What nodes can do by themselves, as where no notice is in flight; systems differ mostly by their notices."""
    steps: list[Step] = []
    system = System(known, dead)
    for name, mine in enumerate(known):
        if mine is None:
            steps += machine.joins(system, name)
            continue
        for verb, event in machine.events.items():
            following = event(system, name, mine)
            if following is not None:
                steps.append((f"{name} {verb}", following))
    return tuple(steps)


def _notified(system: System, name: int, by: int) -> System:
    """A member adopts the node that notifies it as predecessor, if it has none or that one is nearer."""
    left = replace(system, notices=system.notices - {(name, by)})
    known = system.known[name]
    if known is None or not (known.before is None or between(known.before, by, name)) or by == name:
        return left
    return left.with_known(name, replace(known, before=by))


def _places(system: System, name: int) -> Iterator[tuple[int, int]]:
    """Each member before a node that joins, and its successor, dead or alive, which becomes that of the node."""
    for member, known in enumerate(system.known):
        if known is not None and between(member, name, known.first):
            yield member, known.first


def _joins_between(system: System, name: int, *, returns: bool) -> Iterator[Step]:
    if returns or name not in system.dead:
        for member, first in _places(system, name):
            yield f"{name} joins between {member} and {first}", system.with_known(name, Known(first))


def _joins_before(system: System, name: int, *, checks: bool) -> Iterator[Step]:
    if name not in system.dead:
        for first in sorted({first for _, first in _places(system, name)}):
            if system.has(first) or not checks:
                yield f"{name} joins before {first}", system.with_known(name, Known(first))


def _stabilizes(system: System, name: int, known: Known, *, moves: bool, checks: bool) -> System | None:
    """The head's predecessor becomes the head if it lies between; and the resulting head is to be notified."""
    head = system.known[known.first]
    if head is None:
        return None
    candidate = head.before
    if candidate is not None and between(name, candidate, known.first) and (system.has(candidate) or not checks):
        known = Known(candidate, known.first if moves else known.second, known.before)
    return replace(system.with_known(name, known), notices=system.notices | {(known.first, name)})


def _updates(system: System, name: int, known: Known) -> System:
    """A first successor that has failed is replaced by the second one."""
    if system.has(known.first) or known.second is None:
        return system
    return system.with_known(name, Known(known.second, None, known.before))


def _reconciles(system: System, name: int, known: Known, *, once: bool) -> System:
    """The second successor is the first one's first, dead or alive; with `once`, no other node is listed twice."""
    head = system.known[known.first]
    if head is None or (once and head.first == known.first != name):
        return system
    return system.with_known(name, replace(known, second=head.first))


def _flushes(system: System, name: int, known: Known) -> System:
    """A predecessor that has failed is forgotten."""
    return system if system.has(known.before) else system.with_known(name, replace(known, before=None))


def _gone(system: System, name: int) -> System:
    return replace(system.with_known(name, None), dead=system.dead | {name})


def _dies(system: System, name: int, _known: Known) -> System | None:
    """A member goes if all others still have a live successor; a node that is alone counts as its own.

    Source: Stoica et al. 2003, Section IV-E.3, read as Zave 2012 does
    """
    left = _gone(system, name)
    others = left.members()
    return left if others and all(left.best(other) is not None for other in others) else None


def _fails(system: System, name: int, known: Known) -> System | None:
    """A member goes if each list that names it has another live entry, and its own has two entries.

    Source: Zave 2012, on Stoica et al. 2003, Section IV-E.3
    """
    if known.first == known.second:
        return None
    for one in system.known:
        if one is not None and (
            (one.first == name and not system.has(one.second)) or (one.second == name and not system.has(one.first))
        ):
            return None
    return _gone(system, name)


@cache
def published(returns: bool = True) -> Machine:
    """The rules as published; without `returns`, a node that has died does not join again."""
    events: dict[str, Event] = {
        "updates": _updates,
        "reconciles": partial(_reconciles, once=False),
        "stabilizes": partial(_stabilizes, moves=True, checks=False),
        "flushes": _flushes,
        "dies": _dies,
    }
    return Machine(partial(_joins_between, returns=returns), events)


@cache
def zave(checks: bool) -> Machine:
    """Zave's machine.

    With `checks`, a joiner asks whether its successor is there, and `stabilizes` whether the candidate is: the two
    fixes that she makes before she goes on.
    """
    events: dict[str, Event] = {
        "stabilizes": partial(_stabilizes, moves=False, checks=checks),
        "fails": _fails,
        "updates": _updates,
        "reconciles": partial(_reconciles, once=True),
        "flushes": _flushes,
    }
    return Machine(partial(_joins_before, checks=checks), events)
