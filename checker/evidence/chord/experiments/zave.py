"""The machine on which Zave ran Chord, as far as it differs from ours: its events, and her executions.

A state is that of `published`: for each node the first and the second successor, and the predecessor. `stabilizes`
changes the first successor alone: the head of before is not kept as second. Only `fails`, `updates` and `reconciles`
change the second. With `checks`, a joiner asks whether its successor is there, and `stabilizes` whether the candidate
is: the two fixes that Zave makes before she goes on. Names are fresh: no node joins after it has failed.

Source: Zave 2012; the model chordfull.als of 15 June 2010, in which each execution is listed event by event
"""

from collections.abc import Callable, Iterator

import msgspec
from msgspec.structs import replace

from gomboc.checker.evidence.chord.experiments.published import Claimed, Known, System
from gomboc.spec.protocols.chord.names import between


def alone(nodes: int) -> System:
    """Node 0 by itself: its own successor, without a second one or a predecessor; the others have never been there."""
    return System((Known(0), *(None for _ in range(nodes - 1))))


def _with(system: System, name: int, known: Known | None) -> System:
    return replace(system, known=(*system.known[:name], known, *system.known[name + 1 :]))


def _is_member(system: System, name: int | None) -> bool:
    return name is not None and system.known[name] is not None


def joins(system: System, name: int, successor: int, checks: bool) -> System | None:
    """A node takes the successor of a member before it, and nothing else."""
    if _is_member(system, name) or name in system.dead or (checks and not _is_member(system, successor)):
        return None
    heads = ((member, known.first) for member, known in enumerate(system.known) if known is not None)
    if not any(first == successor and between(member, name, first) for member, first in heads):
        return None
    return _with(system, name, Known(successor))


def stabilizes(system: System, name: int, checks: bool) -> System | None:
    """The head's predecessor becomes the head if it lies between; and the resulting head is to be notified."""
    known = system.known[name]
    head = None if known is None else system.known[known.first]
    if known is None or head is None:
        return None
    candidate = head.before
    nearer = candidate is not None and between(name, candidate, known.first)
    if candidate is not None and nearer and (_is_member(system, candidate) or not checks):
        known = replace(known, first=candidate)
    return replace(_with(system, name, known), notices=system.notices | {(known.first, name)})


def is_notified(system: System, name: int, by: int) -> System | None:
    """A member adopts the node that notifies it as predecessor, if it has none or that one is nearer."""
    if (name, by) not in system.notices:
        return None
    left = replace(system, notices=system.notices - {(name, by)})
    known = system.known[name]
    if known is None or not (known.before is None or between(known.before, by, name)) or by == name:
        return left
    return _with(left, name, replace(known, before=by))


def fails(system: System, name: int) -> System | None:
    """A member goes if each list that names it has another live entry, and its own has two entries.

    Source: Zave 2012, on Stoica et al. 2003, Section IV-E.3
    """
    mine = system.known[name]
    if mine is None or mine.first == mine.second:
        return None
    for known in filter(None, system.known):
        if known.first == name and not _is_member(system, known.second):
            return None
        if known.second == name and not _is_member(system, known.first):
            return None
    return replace(_with(system, name, None), dead=system.dead | {name})


def updates(system: System, name: int) -> System | None:
    """A first successor that has failed is replaced by the second one."""
    known = system.known[name]
    if known is None:
        return None
    if _is_member(system, known.first) or known.second is None:
        return system
    return _with(system, name, Known(known.second, None, known.before))


def reconciles(system: System, name: int) -> System | None:
    """The second successor is the first one's first, alive or not."""
    known = system.known[name]
    head = None if known is None else system.known[known.first]
    if known is None:
        return None
    if head is None or (head.first == known.first and known.first != name):
        return system
    return _with(system, name, replace(known, second=head.first))


def flushes(system: System, name: int) -> System | None:
    """A predecessor that has failed is forgotten."""
    known = system.known[name]
    if known is None:
        return None
    if _is_member(system, known.before):
        return system
    return _with(system, name, replace(known, before=None))


# A member may update, reconcile and flush at any time; where there is nothing to do, nothing changes.
ALONE: dict[str, Callable[[System, int], System | None]] = {
    "fails": fails,
    "updates": updates,
    "reconciles": reconciles,
    "flushes": flushes,
}


def after(system: System, event: str, checks: bool) -> System | None:
    """The system after an event, such as `1 joins before 0` or `2 is notified by 0`; None if it cannot happen."""
    words = event.split()
    name, happens = int(words[0]), words[1]
    match happens:
        case "is":
            return is_notified(system, name, int(words[-1]))
        case "joins":
            return joins(system, name, int(words[-1]), checks)
        case "stabilizes":
            return stabilizes(system, name, checks)
    return ALONE[happens](system, name)


def steps(system: System, checks: bool) -> Iterator[tuple[str, System]]:
    """Everything that can happen next and changes something."""
    for event in _thinkable(system):
        following = after(system, event, checks)
        if following is not None and following != system:
            yield event, following


def _thinkable(system: System) -> Iterator[str]:
    names = range(len(system.known))
    for name in names:
        yield from (f"{name} joins before {successor}" for successor in names)
        yield from (f"{name} {happens}" for happens in ("stabilizes", *ALONE))
    yield from (f"{name} is notified by {by}" for name, by in sorted(system.notices))


class Run(msgspec.Struct, frozen=True):
    """An execution from node 0 alone: the number of nodes, the events, and whether joiners and heads ask."""

    nodes: int
    happens: tuple[str, ...]
    checks: bool = True
    hers: bool = True


def played(run: Run) -> tuple[System, ...]:
    """The systems of a run, the first one before any event. Raises ValueError for an event that cannot happen."""
    systems = [alone(run.nodes)]
    for event in run.happens:
        following = after(systems[-1], event, run.checks)
        if following is None:
            raise ValueError(f"after {len(systems) - 1} events, {event!r} cannot happen")
        systems.append(following)
    return tuple(systems)


def breaks_at(run: Run, claimed: Claimed) -> int | None:
    """The number of events after which that is false first; None if it never is."""
    return next((count for count, system in enumerate(played(run)) if not claimed(system)), None)


def _events(words: str) -> tuple[str, ...]:
    """Events in short: `3+0` joins before 0, `3s0` stabilizes and notifies 0, `3!` fails, `3u`, `3r`, `3f`."""
    kinds = {"!": "fails", "u": "updates", "r": "reconciles", "f": "flushes"}
    made: list[str] = []
    for word in words.split():
        name, kind, other = word[0], word[1], word[2:]
        match kind:
            case "+":
                made.append(f"{name} joins before {other}")
            case "s":
                made += [f"{name} stabilizes", f"{other} is notified by {name}"]
            case _:
                made.append(f"{name} {kinds[kind]}")
    return tuple(made)


RING_OF_TWO = "2+0 2s0 0s2"
"""Node 2 joins node 0, and both know each other."""

RUNS: dict[str, Run] = {
    "ordered_merges": Run(4, _events("3+0 3s0 0s3 1+3 2+3 1s3 2s3 0s2")),
    "ordered_appendages": Run(4, _events("1+0 2+0 3+0 2s0 0s2 3s0 1s3 2r 3r 0! 2u 3u 3f 3s2")),
    "valid_lists": Run(4, _events(f"{RING_OF_TWO} 1+2 1r 3+0 3s0 2s3 0r 1s2 0s1 2! 1u")),
    "connected_appendages": Run(4, _events(f"{RING_OF_TWO} 0r 2! 1+2 0u"), checks=False),
    "at_least_one_ring": Run(4, _events(f"{RING_OF_TWO} 1+2 1s2 1! 0s1 2f"), checks=False),
    "at_most_one_ring": Run(4, _events(f"{RING_OF_TWO} 0r 2r 1+2 1s2 0s1 3+0 3s0 2s3 1! 3! 0u 2u")),
    "ordered_ring": Run(
        6,
        _events(f"{RING_OF_TWO} 4+0 4s0 2s4 0r 2r 4r 1+2 1s2 0s1 3+4 3s4 2s3 5+0 5s0 4s5 1! 3! 5! 0u 2u 4u"),
        hers=False,
    ),
}
"""The executions of Zave, by the property they break; that of `ordered_ring`, not listed by her, is like her last."""
