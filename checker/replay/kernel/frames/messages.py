"""Messages: each one that is given to the network, until when it is in flight, and the delivery that takes it."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gomboc.checker.distinct.arrays import NOTHING, Array, changes, spread
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.replay.kernel.frames.awake import Sleep
from gomboc.checker.replay.kernel.frames.frame import Frame

FAR = np.iinfo(np.int64).max

ROOM = 64
"""Ids of a trace may go this far beyond the number of its messages, and still be used as indices."""


class Matched(NamedTuple):
    """Messages and deliveries, matched by their ids.

    A message is in flight until position `end`, and its id is next taken at `next_take` (events that never come are at
    the first position after the trace). `taken` is the message that each delivery takes, -1 if it was not in flight.
    The steps `unsent`, `early`, `twice` are the deliveries that took none, by fault; `again` are the messages with an
    id that had been given before.
    """

    end: Array
    next_take: Array
    taken: Array
    unsent: Array = NOTHING
    early: Array = NOTHING
    twice: Array = NOTHING
    again: Array = NOTHING


@dataclass(frozen=True)
class Messages:
    """The messages of a block: those in flight at the start, then those sent, in the order of time.

    A message is in flight from `position` on. `sleep` is None if no node is ever asleep. Messages can be lost to nodes
    that sleep if they arrive `in_order`, since links end then.
    """

    frame: Frame
    position: Array
    target: Array
    content: Array
    matched: Matched
    sleep: Sleep | None
    in_order: bool

    @property
    def initial(self) -> int:
        """The number of messages that are in flight at the start."""
        return len(self.frame.batch.starts.initial.values)

    @cached_property
    def trace(self) -> Array:
        """The trace of each message."""
        return _traces(self.frame)

    @cached_property
    def sender(self) -> Array:
        """The slot that sent each message; -1 for none, and for a node that its trace lacks."""
        steps = (self.position - self.trace - 1)[self.initial :]
        return np.concatenate((np.full(self.initial, NONE), self.frame.slot[steps]))

    @cached_property
    def slot(self) -> Array:
        """The slot of the target of each message; -1 for a target that its trace lacks."""
        node = self.frame.shapes.places()[self.frame.shape[self.trace], self.target]
        return np.where(node == NONE, NONE, node + self.frame.node_starts[self.trace])

    @cached_property
    def given_up(self) -> Array:
        """The position from which on each message is not waited for: its target has been asleep since it was sent."""
        if self.sleep is None:
            return np.full(len(self.position), FAR)
        return self.sleep.since(self.slot, self.position)

    @cached_property
    def lost(self) -> Array:
        """The position from which on each message is lost; FAR if it is not.

        Under FIFO that is so once its sender or its target has been asleep since it was sent, as in `System`.
        """
        if self.sleep is None or not self.in_order:
            return np.full(len(self.position), FAR)
        return np.minimum(self.given_up, self.sleep.since(self.sender, self.position))

    @cached_property
    def end(self) -> Array:
        """The position before which each message is in flight."""
        return np.minimum(self.matched.end, self.lost)


def messages_of(frame: Frame, sleep: Sleep | None, in_order: bool) -> Messages:
    """Match deliveries with messages."""
    distinct, starts = frame.distinct, frame.batch.starts
    counts = distinct.sends[frame.step]
    sends = spread(distinct.send_starts[frame.step], counts)
    position = np.concatenate((frame.base[starts.initial.owner], np.repeat(frame.position, counts)))
    return Messages(
        frame,
        position,
        np.concatenate((frame.initial_to, distinct.send_target[sends])),
        np.concatenate((starts.initial_content.values, distinct.send_content[sends])),
        _match(frame, position),
        sleep,
        in_order,
    )


def _traces(frame: Frame) -> Array:
    return np.concatenate((frame.batch.starts.initial.owner, frame.batch.sent.owner))


def _match(frame: Frame, position: Array) -> Matched:
    """Match as if every id were given once, and taken once after that; other ids are settled separately."""
    trace, where = _traces(frame), frame.position[frame.takes]
    put, take, size = _keys(frame, trace)
    number = np.arange(len(put))
    last = np.full(size, NONE)
    last[put] = number
    taken = np.where(take == NONE, NONE, last[take])
    end = frame.base[trace + 1]
    end[taken[taken != NONE]] = where[taken != NONE]
    wrong = (
        (taken == NONE) | (end[taken] != where) | (position[taken] >= where) if len(put) else np.ones(len(take), bool)
    )
    doubtful = np.zeros(size + 1, bool)
    doubtful[put[last[put] != number]] = True
    doubtful[take[wrong]] = True
    puts, takes = np.flatnonzero(doubtful[put]), np.flatnonzero(doubtful[take])
    simple = Matched(end, end.copy(), taken)
    if not len(puts) and not len(takes):
        return simple
    given, taking = (puts, put[puts], position[puts]), (takes, take[takes], where[takes])
    return _settled(frame, simple, frame.base[trace + 1], given, taking)


def _keys(frame: Frame, trace: Array) -> tuple[Array, Array, int]:
    """A small number for each (trace, id), for messages and for deliveries; -1 for an id that is never given."""
    ids = np.concatenate((frame.batch.starts.initial.values, frame.batch.sent.values))
    room = np.bincount(trace, minlength=frame.traces) + ROOM
    offset = np.cumsum(room) - room
    wanted, taker = frame.batch.took.values[frame.takes], frame.trace_at(frame.position[frame.takes])
    if np.all(ids < room[trace]):
        known = wanted < room[taker]
        return ids + offset[trace], np.where(known, wanted + offset[taker], NONE), int(room.sum())
    distinct, codes = np.unique(np.concatenate((ids, wanted)), return_inverse=True)
    codes = codes + np.concatenate((trace, taker)) * len(distinct)
    pairs, dense = np.unique(codes, return_inverse=True)
    return dense[: len(ids)], dense[len(ids) :], len(pairs)


Events = tuple[Array, Array, Array]
"""Numbers of messages or deliveries, the key of the id of each, and the position of each."""


def _settled(frame: Frame, simple: Matched, never: Array, puts: Events, takes: Events) -> Matched:
    """`simple`, corrected for those messages and deliveries, which are all those of their ids.

    All events of one id are put in the order of time: within a step, it is taken before it is given. A message is in
    flight until its id is next taken or given; a delivery takes the message that was given last, unless another
    delivery did.
    """
    number = np.concatenate((puts[0], takes[0]))
    key, position = (np.concatenate((puts[column], takes[column])) for column in (1, 2))
    is_given = np.arange(len(number)) < len(puts[0])
    order = np.lexsort((number, is_given, position, key))
    number, key, position, is_given = number[order], key[order], position[order], is_given[order]
    new = changes(key)
    group = np.cumsum(new) - 1
    _put_ends(simple, never, number, position, is_given, group)
    before = _given_before(is_given, new, group)
    later = _last_given(position, is_given, group) >= position
    follows = np.zeros(len(number), bool)
    follows[1:] = is_given[:-1] & ~new[1:]
    taking = ~is_given
    simple.taken[number[taking]] = NONE
    effective = taking & follows
    simple.taken[number[effective]] = number[np.flatnonzero(effective) - 1]
    return simple._replace(
        unsent=frame.takes[number[taking & ~before & ~later]],
        early=frame.takes[number[taking & ~before & later]],
        twice=frame.takes[number[taking & before & ~follows]],
        again=np.sort(number[is_given & before]),
    )


def _put_ends(simple: Matched, never: Array, number: Array, position: Array, is_given: Array, group: Array) -> None:
    """Enter the position until which each message is in flight, and the position at which its id is next taken."""
    size = len(number)
    following = np.append(np.arange(1, size), size - 1)
    next_take = np.minimum.accumulate(np.where(is_given, size, np.arange(size))[::-1])[::-1]
    for column, at in ((simple.end, following), (simple.next_take, next_take)):
        there = np.minimum(at, size - 1)
        ours = is_given & (at < size) & (there != np.arange(size)) & (group[there] == group)
        column[number[is_given]] = never[number[is_given]]
        column[number[ours]] = position[there[ours]]


def _given_before(is_given: Array, new: Array, group: Array) -> Array:
    """Whether the id was given by an earlier event in the order."""
    running = np.cumsum(is_given) - is_given
    before: Array = running - running[np.flatnonzero(new)][group] > 0
    return before


def _last_given(position: Array, is_given: Array, group: Array) -> Array:
    """The position at which the id is given last; -1 if it never is."""
    last = np.full(int(group[-1]) + 1, NONE)
    np.maximum.at(last, group[is_given], position[is_given])
    positions: Array = last[group]
    return positions
