"""Messages with ids that are given twice, taken twice, or taken before they are given: when each is in flight all the
same.
"""

from typing import NamedTuple

import numpy as np

from gomboc.checker.distinct.arrays import Array, changes
from gomboc.checker.distinct.distinct import NONE


class MatchedIds(NamedTuple):
    """Per message `end` and `next_take`, per delivery `taken`, as in `Messages`; and the wrong deliveries.

    `unsent`, `early` and `twice` are numbers of deliveries, by fault; `again` are messages with a used id.
    """

    end: Array
    next_take: Array
    taken: Array
    unsent: Array
    early: Array
    twice: Array
    again: Array


Events = tuple[Array, Array, Array]
"""Numbers of messages or deliveries, the key of the id of each, and the position of each."""


def settled(simple: MatchedIds, never: Array, puts: Events, takes: Events) -> MatchedIds:
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
        unsent=number[taking & ~before & ~later],
        early=number[taking & ~before & later],
        twice=number[taking & before & ~follows],
        again=np.sort(number[is_given & before]),
    )


def _put_ends(simple: MatchedIds, never: Array, number: Array, position: Array, is_given: Array, group: Array) -> None:
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
