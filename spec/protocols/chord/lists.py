"""The lists of all members, stored and in flight, and the members that they skip: the terms of Zave's invariant."""

from collections.abc import Iterator, Mapping, Set
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import InFlight, States
from gomboc.spec.protocols.chord.names import Circle
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.state import Dead, JoinReply, Outside, StabilizeReply, head

Named = TypeVar("Named", int, str)

Listed = tuple[str, tuple[str, ...]]
"""A node, and a list of successors that it has, or is about to take."""


class Lists(msgspec.Struct, frozen=True):
    """The stored list of each member, the lists in flight, and whether any of them names a crashed node.

    `coming` lists would be used now. `late` lists would not, since the head is nearer; once the head is gone they may
    be. Then all nodes between the member and the sender of a late answer are in the stored list; but a node may have
    joined between that sender and the nodes that it named: `named` has the latter, as lists of the sender.
    """

    stored: tuple[Listed, ...]
    coming: tuple[Listed, ...]
    late: tuple[Listed, ...]
    named: tuple[Listed, ...]
    crashed: bool


def lists_of(parameters: Parameters, states: States, in_flight: InFlight) -> Lists:
    """The lists in a state of the whole system. Source: Zave 2017; that lists in flight count is decided here."""
    stored = stored_lists(states)
    listed_in_flight = tuple(_lists_in_messages(parameters, states, in_flight))
    coming, late = (tuple(listed for soon, _, listed in listed_in_flight if soon is wanted) for wanted in (True, False))
    named = tuple(
        (listed[0], listed[1:]) for soon, by_answer, (_, listed) in listed_in_flight if by_answer and not soon
    )
    return Lists(stored, coming, late, named, name_a_crashed_node(states, (*stored, *coming, *late)))


def stored_lists(states: States) -> tuple[Listed, ...]:
    """The stored list of each member."""
    return tuple([(name, local.successors) for name, local in states.items() if local.status == "inside"])


def name_a_crashed_node(states: States, lists: tuple[Listed, ...]) -> bool:
    """Whether any of the lists does. A crash of a node that none names, as of one outside, is no loss."""
    gone = {name for name, local in states.items() if local.status == "crashed"}
    return bool(gone) and any(not gone.isdisjoint(listed) for _, listed in lists)


Words = Mapping[str, Set[str]]
"""By member: the live nodes for which a report of their crash is in flight to it."""


def false_words(states: States, in_flight: InFlight) -> Words:
    """The false reports in flight to members.

    Source: Section 2.2.3, crash; that reports in flight count is decided here
    """
    words: dict[str, set[str]] = {}
    for target, message in in_flight:
        if isinstance(message, Dead | Outside) and target in states and states[target].status == "inside":
            node = states.get(message.node)
            if node is not None and node.status == "inside" and message.node != target:
                words.setdefault(target, set()).add(message.node)
    return words


def doubted(lists: Lists, words: Words) -> Lists:
    """Those lists, and the rest of each after its member has received those reports, as if it were used at once."""
    if not words:
        return lists
    every = (*lists.stored, *lists.coming, *lists.late)
    left = ((name, tuple(node for node in listed if node not in words.get(name, ()))) for name, listed in every)
    return replace(lists, coming=(*lists.coming, *(entry for entry in left if entry not in every)))


def used_now(parameters: Parameters, states: States, in_flight: InFlight) -> InFlight:
    """The messages in flight, without lists that come too late to be used in this state."""
    late = [
        message
        for message in in_flight
        if any(not soon for soon, *_ in _lists_in_messages(parameters, states, (message,)))
    ]
    return tuple(message for message in in_flight if message not in late)


def _lists_in_messages(
    parameters: Parameters, states: States, in_flight: InFlight
) -> Iterator[tuple[bool, bool, Listed]]:
    """The lists in flight, whether each would be used now, and whether an answer has it.

    These are answers to members, and places for nodes outside.
    """
    for target, message in in_flight:
        if target not in states:
            continue
        if isinstance(message, StabilizeReply):
            local, sender = states[target], message.sender
            if local.status == "inside" and sender != target:
                first = head(target, local)
                soon = sender == first or parameters.circle.between(target, sender, first)
                yield soon, True, (target, _cut(parameters, target, (sender, *message.successors)))
        elif isinstance(message, JoinReply):
            local = states[target]
            if local.status == "outside" and message.sender != target:
                taken = _cut(parameters, target, message.successors) or (message.sender,)
                yield local.contact is not None, False, (target, taken)


def _cut(parameters: Parameters, me: str, nodes: tuple[str, ...]) -> tuple[str, ...]:
    end = nodes.index(me) if me in nodes else len(nodes)
    return nodes[: min(end, parameters.r)]


class Ring(msgspec.Struct, frozen=True):
    """The analysis of the lists of a system.

    `principals` are the members that no list skips, stored, coming, or named late, in the order of the circle; `firm`
    those that no stored one skips. `without` has each list, late ones too, without a live entry, `disordered` each
    stored one that is not in order. `rings` are the cycles of best successors, and `astray` the members that reach
    none.

    Source: Zave 2017, principal, best successor, ring member and appendage
    """

    principals: tuple[str, ...]
    firm: tuple[str, ...]
    without: tuple[Listed, ...]
    disordered: tuple[Listed, ...]
    rings: tuple[tuple[str, ...], ...]
    astray: tuple[str, ...]


def examined(circle: Circle, lists: Lists) -> Ring:
    """The analysis of those lists."""
    ring = examined_stored(circle, lists.stored)
    brought = (*lists.coming, *lists.late)
    if not brought:
        return ring
    principals = unskipped(circle, ring.firm, (*lists.coming, *lists.named))
    return replace(ring, principals=principals, without=(*ring.without, *_without(lists.stored, brought)))


# Most steps change no stored list.
@lru_cache(maxsize=1 << 12)
def examined_stored(circle: Circle, stored: tuple[Listed, ...]) -> Ring:
    """The analysis of the stored lists alone."""
    members = tuple(sorted((name for name, _ in stored), key=circle.id_of))
    live = frozenset(members)
    firm = unskipped(circle, members, stored)
    best = {name: _best(name, listed, live) for name, listed in stored}
    rings = rings_along(best)
    disordered = tuple(entry for entry in stored if not in_order(circle, *entry))
    return Ring(firm, firm, _without(stored, stored), disordered, rings, astray(best, rings))


def _without(stored: tuple[Listed, ...], lists: tuple[Listed, ...]) -> tuple[Listed, ...]:
    """The lists without a live entry."""
    live = frozenset(name for name, _ in stored)
    return tuple(entry for entry in lists if live.isdisjoint(entry[1]))


def unskipped(circle: Circle, members: tuple[str, ...], lists: tuple[Listed, ...]) -> tuple[str, ...]:
    """The members that no adjacent pair of any of those nodes and lists skips. Source: Zave 2017, principal."""
    skipped = frozenset[str]().union(*(_skipped(circle, members, listed) for listed in lists))
    return tuple(name for name in members if name not in skipped) if skipped else members


# Cached, since the same lists are in flight again and again.
@lru_cache(maxsize=1 << 16)
def _skipped(circle: Circle, members: tuple[str, ...], listed: Listed) -> frozenset[str]:
    pairs = tuple(pairwise((listed[0], *listed[1])))
    return frozenset(name for name in members if any(circle.between(low, name, high) for low, high in pairs))


def in_order(circle: Circle, name: str, listed: tuple[str, ...]) -> bool:
    """Whether a list goes around the circle once at most, and names no node twice, nor the node itself."""
    distances = [circle.distance(name, entry) for entry in listed]
    return all(low < high for low, high in pairwise(distances)) and name not in listed


def _best(name: str, listed: tuple[str, ...], live: frozenset[str]) -> str | None:
    """The first live entry; a node without successors is a ring of its own. None if no entry lives."""
    return next((entry for entry in listed if entry in live), None) if listed else name


def rings_along(best: Mapping[Named, Named | None]) -> tuple[tuple[Named, ...], ...]:
    """The cycles, each from one of its nodes on, along best successors."""
    done: set[Named] = set()
    rings = []
    for name in best:
        path: list[Named] = []
        at: Named | None = name
        while at is not None and at not in done:
            done.add(at)
            path.append(at)
            at = best[at]
        if at is not None and at in path:
            rings.append(tuple(path[path.index(at) :]))
    return tuple(rings)


def astray(best: Mapping[Named, Named | None], rings: tuple[tuple[Named, ...], ...]) -> tuple[Named, ...]:
    """The members from which no ring is reached."""
    good = {name for ring in rings for name in ring}
    bad: set[Named] = set()
    for name in best:
        path: list[Named] = []
        at: Named | None = name
        while at is not None and at not in good and at not in bad:
            path.append(at)
            at = best[at]
        (good if at in good else bad).update(path)
    return tuple(sorted(bad))
