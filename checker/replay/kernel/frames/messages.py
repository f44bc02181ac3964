"""Messages: each one that is given to the network, until when it is in flight, and the delivery that takes it."""

from dataclasses import dataclass

import numpy as np

from gomboc.checker.distinct.arrays import Array, spread
from gomboc.checker.distinct.distinct import DELIVERY, NONE
from gomboc.checker.replay.kernel.frames.contested import MatchedIds, settled
from gomboc.checker.replay.kernel.frames.frame import Frame

FAR = np.iinfo(np.int64).max

ROOM = 64
"""Ids of a trace may go this far beyond the number of its messages, and still be used as indices."""


@dataclass(frozen=True)
class Messages:
    """The messages of a block: those in flight at the start, then those sent, in the order of time.

    A message is in flight from `position` to before `end`; its id is next taken at `next_take` (events that never come
    are at the first position after the trace). `event` is the step that sent it, -1 for none. From `lost` on it is lost
    because sender or target is asleep; `FAR` if it is not lost.

    `takes` are the deliveries, by step; `taken` is the message that each takes, -1 if it was not in flight. The lists
    `unsent`, `early`, `twice` are the deliveries that took none, by fault; `again` are the messages with an id that had
    been given before.
    """

    position: Array
    target: Array
    content: Array
    event: Array
    trace: Array
    end: Array
    next_take: Array
    lost: Array
    takes: Array
    taken: Array
    unsent: Array
    early: Array
    twice: Array
    again: Array


def messages_of(frame: Frame) -> Messages:
    """Match deliveries with messages."""
    distinct = frame.distinct
    counts = distinct.sends[frame.step]
    sends = spread(distinct.send_starts[frame.step], counts)
    event = np.repeat(np.arange(len(frame.step)), counts)
    early = len(frame.initial.values)
    trace = np.concatenate((_owner(frame.initial.lengths), _owner(frame.sent.lengths)))
    position = np.concatenate((frame.base[trace[:early]], frame.position[event]))
    takes = np.flatnonzero(frame.took == DELIVERY)
    ids = np.concatenate((frame.initial.values, frame.sent.values))
    matched = _match(frame, trace, position, ids, takes)
    return Messages(
        position=position,
        target=np.concatenate((frame.initial_to, distinct.send_target[sends])),
        content=np.concatenate((frame.initial_content, distinct.send_content[sends])),
        event=np.concatenate((np.full(early, NONE), event)),
        trace=trace,
        end=matched.end,
        next_take=matched.next_take,
        lost=np.full(len(position), FAR),
        takes=takes,
        taken=matched.taken,
        unsent=takes[matched.unsent],
        early=takes[matched.early],
        twice=takes[matched.twice],
        again=matched.again,
    )


def _owner(lengths: Array) -> Array:
    return np.repeat(np.arange(len(lengths)), lengths)


def _match(frame: Frame, trace: Array, position: Array, ids: Array, takes: Array) -> MatchedIds:
    """Match as if every id were given once, and taken once after that; other ids are settled separately."""
    where = frame.position[takes]
    put, take, size = _keys(frame, trace, ids, np.repeat(np.arange(frame.traces), _per_trace(frame, takes)), takes)
    last = np.full(size, NONE)
    number = np.arange(len(ids))
    last[put] = number
    taken = np.where(take == NONE, NONE, last[take])
    end = frame.base[trace + 1]
    end[taken[taken != NONE]] = where[taken != NONE]
    wrong = (
        (taken == NONE) | (end[taken] != where) | (position[taken] >= where) if len(ids) else np.ones(len(takes), bool)
    )
    doubtful = np.zeros(size + 1, bool)
    doubtful[put[last[put] != number]] = True
    doubtful[take[wrong]] = True
    puts, deliveries = np.flatnonzero(doubtful[put]), np.flatnonzero(doubtful[take])
    simple = MatchedIds(end, end.copy(), taken, *(np.zeros(0, np.int64),) * 4)
    if not len(puts) and not len(deliveries):
        return simple
    return settled(
        simple,
        frame.base[trace + 1],
        (puts, put[puts], position[puts]),
        (deliveries, take[deliveries], where[deliveries]),
    )


def _per_trace(frame: Frame, events: Array) -> Array:
    """The number of those steps in each trace."""
    return np.diff(np.searchsorted(events, frame.starts))


def _keys(frame: Frame, trace: Array, ids: Array, taker: Array, takes: Array) -> tuple[Array, Array, int]:
    """A small number for each (trace, id), for messages and for deliveries; -1 for an id that is never given."""
    room = np.bincount(trace, minlength=frame.traces) + ROOM
    offset = np.cumsum(room) - room
    wanted = frame.ids[takes]
    if np.all(ids < room[trace]):
        known = wanted < room[taker]
        return ids + offset[trace], np.where(known, wanted + offset[taker], NONE), int(room.sum())
    distinct, codes = np.unique(np.concatenate((ids, wanted)), return_inverse=True)
    codes = codes + np.concatenate((trace, taker)) * len(distinct)
    pairs, dense = np.unique(codes, return_inverse=True)
    return dense[: len(ids)], dense[len(ids) :], len(pairs)
