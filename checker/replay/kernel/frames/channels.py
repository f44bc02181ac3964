"""Deliveries and timeouts that the channels of a protocol forbid; `checker/judge/order.py` does the same step by step.

Exact up to the first step of a trace that is wrong in another way; callers use no later position.
"""

from dataclasses import replace

import numpy as np

from gomboc.checker.distinct.arrays import NOTHING, Array, changes
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.replay.kernel.frames.awake import Sleep
from gomboc.checker.replay.kernel.frames.frame import Frame
from gomboc.checker.replay.kernel.frames.messages import FAR, Messages
from gomboc.checker.replay.kernel.frames.rounds import slots_of_targets
from gomboc.checker.replay.kernel.frames.turns import Timeouts
from gomboc.spec.core.protocol import Discipline


def forbidden(
    discipline: Discipline, frame: Frame, messages: Messages, timeouts: Timeouts, sleep: Sleep | None
) -> Array:
    """The positions of steps that the discipline forbids."""
    match discipline:
        case Discipline.FIFO:
            return _out_of_order(frame, messages, sleep)
        case Discipline.ROUNDS:
            return _out_of_round(frame, messages, timeouts, sleep)
        case _:
            return NOTHING


def _given_up(frame: Frame, messages: Messages, sleep: Sleep | None) -> Array:
    """The position from which on a message is not waited for: its target has been asleep since it was sent."""
    if sleep is None:
        return np.full(len(messages.position), FAR)
    return sleep.since(slots_of_targets(frame, messages), messages.position)


def without_lost(discipline: Discipline, frame: Frame, messages: Messages, sleep: Sleep | None) -> Messages:
    """The messages, where lost ones are no longer in flight.

    Under FIFO a message is lost once its sender or target has been asleep since it was sent, as in `System`.
    """
    if discipline is not Discipline.FIFO or sleep is None:
        return messages
    sender = np.full(len(messages.event), NONE)
    sent = messages.event != NONE
    sender[sent] = frame.slot[messages.event[sent]]
    lost = np.minimum(_given_up(frame, messages, sleep), sleep.since(sender, messages.position))
    return replace(messages, end=np.minimum(messages.end, lost), lost=lost)


def returns(frame: Frame, messages: Messages, sleep: Sleep | None) -> Array:
    """The positions at which a lost message arrives at a node that is awake."""
    if sleep is None:
        return NOTHING
    took = messages.taken != NONE
    takes, taken = messages.takes[took], messages.taken[took]
    position, slot = frame.position[takes], frame.slot[takes]
    returning: Array = position[(messages.lost[taken] < position) & ~sleep.at(slot, position)]
    return returning


def _out_of_order(frame: Frame, messages: Messages, sleep: Sleep | None) -> Array:
    """Under FIFO: deliveries of messages that overtake another of the same link, or that were lost.

    A node that falls asleep begins new links when it wakes up, and messages on the way to it are lost. So links are
    distinguished by how often the sender had fallen asleep, which is 0 for every node where none sleeps.
    """
    given_up = _given_up(frame, messages, sleep)
    sent = np.flatnonzero(messages.event != NONE)
    sender = frame.slot[messages.event[sent]]
    session = np.zeros(len(sent), np.int64) if sleep is None else sleep.falls_before(sender, messages.position[sent])
    wrong = np.zeros(len(messages.event), bool)
    wrong[sent[_overtaking(frame, messages, sent, (sender, session), given_up[sent])]] = True
    positions = _deliveries_of(frame, messages, wrong)
    if sleep is None:
        return positions
    lost = _deliveries_of(frame, messages, given_up < messages.next_take)
    stale = np.zeros(len(messages.event), bool)
    stale[sent[_of_ended_links(frame, messages, sent, (sender, session), sleep)]] = True
    positions = np.concatenate((positions, lost, _deliveries_of(frame, messages, stale)))
    # Whatever a node takes while it is asleep has no effect, and keeps no order.
    takers = frame.slot[positions - frame.trace_at(positions) - 1]
    return positions[~sleep.at(takers, positions - 1)]


def _overtaking(frame: Frame, messages: Messages, sent: Array, link: tuple[Array, Array], given_up: Array) -> Array:
    """The messages among `sent` that are taken while an earlier one of the same link is still waited for.

    Sorted by link and then by sending, an earlier one is in the way if the latest end so far is later than this end.
    Ends are made to grow from link to link, so that one running maximum serves all links.
    """
    sender, session = link
    target = messages.target[sent]
    order = np.lexsort((sent, target, session, sender))
    starts = changes(sender[order]) | changes(session[order]) | changes(target[order])
    number = np.cumsum(starts) - 1
    taken = messages.next_take[sent][order]
    waited = np.minimum(taken, np.where(given_up == FAR, FAR - 1, given_up)[order] + 1) + number * (frame.size + 1)
    latest = np.maximum.accumulate(waited)
    overtakes = np.zeros(len(sent), bool)
    overtakes[1:] = (
        ~starts[1:] & (latest[:-1] > taken[1:] + number[1:] * (frame.size + 1)) & (sender[order][1:] != NONE)
    )
    overtaking: Array = order[overtakes]
    return overtaking


def _of_ended_links(frame: Frame, messages: Messages, sent: Array, link: tuple[Array, Array], sleep: Sleep) -> Array:
    """The messages among `sent` that are taken after one that their sender sent when it was awake again."""
    sender, session = link
    target, taken = messages.target[sent], messages.next_take[sent]
    slot = slots_of_targets(frame, messages)[sent]
    heard = np.flatnonzero((slot != NONE) & (sender != NONE) & ~sleep.at(slot, np.maximum(taken - 1, 0)))
    order = heard[np.lexsort((taken[heard], target[heard], sender[heard]))]
    starts = changes(sender[order]) | changes(target[order])
    number = (np.cumsum(starts) - 1) * (int(session.max(initial=0)) + 1)
    latest = np.maximum.accumulate(session[order] + number)
    ended = np.zeros(len(order), bool)
    ended[1:] = ~starts[1:] & (latest[:-1] > (session[order] + number)[1:])
    return order[ended]


def _deliveries_of(frame: Frame, messages: Messages, chosen: Array) -> Array:
    """The positions at which the chosen messages are taken, of those that are."""
    there = messages.taken != NONE
    positions: Array = frame.position[messages.takes[there][chosen[messages.taken[there]]]]
    return positions


def _out_of_round(frame: Frame, messages: Messages, timeouts: Timeouts, sleep: Sleep | None) -> Array:
    """Under ROUNDS: deliveries in the round of their sending, timeouts ahead of the round, and messages left behind.

    A timeout of a node that is asleep has no effect, and keeps no order.
    """
    awake = np.ones(len(timeouts.slot), bool) if sleep is None else ~sleep.at(timeouts.slot, timeouts.position - 1)
    slot, position = timeouts.slot[awake], timeouts.position[awake]
    rounds = _rounds_before(frame, slot, position, sleep)
    sent = np.flatnonzero(messages.event != NONE)
    sent_in = np.full(len(messages.event), NONE)
    sent_in[sent] = rounds[messages.position[sent]]
    sent_in[sent[frame.slot[messages.event[sent]] == NONE]] = NONE
    hasty = _deliveries_of(frame, messages, sent_in >= np.append(rounds, 0)[messages.next_take])
    again = (slot[1:] == slot[:-1]) & (rounds[position[1:]] == rounds[position[:-1]])
    overdue = _overdue(frame, messages, (slot, position), rounds, sent_in, _given_up(frame, messages, sleep))
    return np.concatenate((hasty, position[1:][again], overdue))


def _rounds_before(frame: Frame, slot: Array, position: Array, sleep: Sleep | None) -> Array:
    """For each position, the number of rounds completed before the step that leads to it, from the timeouts that count.

    A round ends when every node that is awake has had its timeout in it. Each round depends on the end of the one
    before and on the nodes that woke up in between, so arrays gain nothing: one pass over the steps.
    """
    had = np.full(frame.size, NONE)
    had[position] = slot
    moves = _sleeping_and_waking(sleep)
    rounds = np.zeros(frame.size, np.int64)
    counted = memoryview(rounds)  # type: ignore[arg-type]
    base = frame.base.tolist()
    for trace, turns in enumerate(np.split(had, frame.base[1:-1])):
        asleep = set(moves.get(base[trace], ((), ()))[0])
        acted: set[int] = set()
        nodes = range(int(frame.node_starts[trace]), int(frame.node_starts[trace + 1]))
        waiting = set(nodes) - asleep
        completed = 0
        for position_of_step, turn in enumerate(turns.tolist()[1:], base[trace] + 1):
            counted[position_of_step] = completed
            acted.add(turn)
            waiting.discard(turn)
            if position_of_step in moves:
                falls, wakes = moves[position_of_step]
                waiting.difference_update(falls)
                waiting.update(slot for slot in wakes if slot not in acted)
                asleep = (asleep | set(falls)) - set(wakes)
            if not waiting:
                completed += 1
                acted.clear()
                waiting = set(nodes) - asleep
    return rounds


def _sleeping_and_waking(sleep: Sleep | None) -> dict[int, tuple[list[int], list[int]]]:
    """Slots that fall asleep, and slots that wake up, by position; a slot asleep at the start falls asleep there."""
    moves: dict[int, tuple[list[int], list[int]]] = {}
    if sleep is not None:
        columns = sleep.asleep.slot, sleep.asleep.start, sleep.asleep.end
        for slot, start, end in zip(*(column.tolist() for column in columns), strict=True):
            moves.setdefault(start, ([], []))[0].append(slot)
            moves.setdefault(end, ([], []))[1].append(slot)
    return moves


def _overdue(
    frame: Frame, messages: Messages, timeouts: tuple[Array, Array], rounds: Array, sent_in: Array, given_up: Array
) -> Array:
    """Timeouts of nodes to which a message of an earlier round is still on its way."""
    slots = slots_of_targets(frame, messages)
    known = np.flatnonzero(slots != NONE)
    slot = slots[known]
    due = np.maximum(_due(frame, messages.trace[known], rounds, sent_in[known]), messages.position[known] + 1)
    # Slot and position in one number: the first timeout of a slot from a position on is one search away.
    keys = timeouts[0] * (frame.size + 1) + timeouts[1]
    if not len(keys):
        return keys
    following = np.searchsorted(keys, slot * (frame.size + 1) + due)
    index = np.minimum(following, len(keys) - 1)
    at = timeouts[1][index]
    same = (following < len(keys)) & (timeouts[0][index] == slot)
    overdue: Array = at[same & (at < messages.next_take[known]) & (at <= given_up[known])]
    return overdue


def _due(frame: Frame, trace: Array, rounds: Array, sent_in: Array) -> Array:
    """The first position with a step in a later round than the message's sending."""
    steep = rounds + frame.trace_at(np.arange(frame.size)) * (frame.size + 1)
    return np.searchsorted(steep, trace * (frame.size + 1) + sent_in, "right")
