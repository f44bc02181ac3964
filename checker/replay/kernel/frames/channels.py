"""Deliveries and timeouts that the channels of a protocol forbid; `checker/judge/order.py` does the same step by step.

Exact up to the first step of a trace that is wrong in another way; callers use no later position.
"""

import numpy as np

from gomboc.checker.distinct.arrays import NOTHING, Array, changes
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.replay.kernel.frames.awake import Sleep
from gomboc.checker.replay.kernel.frames.block import Block
from gomboc.checker.replay.kernel.frames.frame import Frame
from gomboc.checker.replay.kernel.frames.messages import FAR, Messages
from gomboc.spec.core.protocol import Discipline


def forbidden(block: Block) -> Array:
    """The positions of steps that the discipline forbids."""
    match block.pack.protocol.discipline:
        case Discipline.FIFO:
            return _out_of_order(block)
        case Discipline.ROUNDS:
            return _out_of_round(block)
        case _:
            return NOTHING


def _out_of_order(block: Block) -> Array:
    """Under FIFO: deliveries of messages that overtake another of the same link, or that were lost.

    A node that falls asleep begins new links when it wakes up, and messages on the way to it are lost. So links are
    distinguished by how often the sender had fallen asleep, which is 0 for every node where none sleeps.
    """
    frame, messages, sleep = block.frame, block.messages, block.sleep
    if sleep is None:
        session = np.zeros(len(messages.position), np.int64)
        return _taken(messages, _overtaking(block, session))
    session = sleep.falls_before(messages.sender, messages.position)
    wrong = _overtaking(block, session) | (messages.given_up < messages.matched.next_take)
    positions = _taken(messages, wrong | _of_ended_links(block, session, sleep))
    # Whatever a node takes while it is asleep has no effect, and keeps no order.
    takers = frame.slot[positions - frame.trace_at(positions) - 1]
    return positions[~sleep.at(takers, positions - 1)]


def _overtaking(block: Block, session: Array) -> Array:
    """A mask of the messages that are taken while an earlier one of the same link is still waited for.

    Sorted by link and then by sending, an earlier one is in the way if the latest end so far is later than this end.
    Ends are made to grow from link to link, so that one running maximum serves all links. Messages without a sender
    keep no order.
    """
    messages, width, given_up = block.messages, block.frame.size + 1, block.messages.given_up
    sent = np.flatnonzero(messages.sender != NONE)
    order, first, link = _links(messages, sent, sent, session[sent])
    taken = messages.matched.next_take[order]
    waited = np.minimum(taken, np.where(given_up == FAR, FAR - 1, given_up)[order] + 1)
    latest = np.maximum.accumulate(waited + link * width)
    overtaking = np.zeros(len(session), bool)
    overtaking[order[1:]] = ~first[1:] & (latest[:-1] > (taken + link * width)[1:])
    return overtaking


def _of_ended_links(block: Block, session: Array, sleep: Sleep) -> Array:
    """A mask of the messages that are taken after one that their sender sent when it was awake again."""
    messages, taken = block.messages, block.messages.matched.next_take
    awake = ~sleep.at(messages.slot, np.maximum(taken - 1, 0))
    heard = np.flatnonzero((messages.slot != NONE) & (messages.sender != NONE) & awake)
    order, first, link = _links(messages, heard, taken[heard])
    number = session[order] + link * (int(session.max(initial=0)) + 1)
    ended = np.zeros(len(session), bool)
    ended[order[1:]] = ~first[1:] & (np.maximum.accumulate(number)[:-1] > number[1:])
    return ended


def _links(messages: Messages, chosen: Array, by: Array, *session: Array) -> tuple[Array, Array, Array]:
    """The chosen messages by link, and then by the column `by`; which are the first of theirs, and the link's number.

    With `session`, every session of a link is one.
    """
    columns = messages.sender[chosen], *session, messages.target[chosen]
    order = np.lexsort((by, *reversed(columns)))
    first = np.any([changes(column[order]) for column in columns], axis=0)
    return chosen[order], first, np.cumsum(first) - 1


def _taken(messages: Messages, chosen: Array) -> Array:
    """The positions at which the messages of a mask are taken, of those that are."""
    taken, frame = messages.matched.taken, messages.frame
    there = taken != NONE
    positions: Array = frame.position[frame.takes[there][chosen[taken[there]]]]
    return positions


def _out_of_round(block: Block) -> Array:
    """Under ROUNDS: deliveries in the round of their sending, timeouts ahead of the round, and messages left behind.

    A timeout of a node that is asleep has no effect, and keeps no order.
    """
    timeouts, messages, sleep = block.turns.timeouts, block.messages, block.sleep
    awake = ... if sleep is None else ~sleep.at(timeouts.slot, timeouts.position - 1)
    slot, position = timeouts.slot[awake], timeouts.position[awake]
    rounds = _rounds_before(block.frame, slot, position, sleep)
    sent_in = np.where(messages.sender == NONE, NONE, rounds[messages.position])
    hasty = _taken(messages, sent_in >= np.append(rounds, 0)[messages.matched.next_take])
    again = (slot[1:] == slot[:-1]) & (rounds[position[1:]] == rounds[position[:-1]])
    return np.concatenate((hasty, position[1:][again], _overdue(block, (slot, position), rounds, sent_in)))


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


def _overdue(block: Block, timeouts: tuple[Array, Array], rounds: Array, sent_in: Array) -> Array:
    """Timeouts of nodes to which a message of an earlier round is still on its way."""
    frame, messages = block.frame, block.messages
    # Slot and position in one number: the first timeout of a slot from a position on is one search away.
    keys = timeouts[0] * (frame.size + 1) + timeouts[1]
    if not len(keys):
        return keys
    due = np.maximum(_due(frame, messages.trace, rounds, sent_in), messages.position + 1)
    following = np.searchsorted(keys, messages.slot * (frame.size + 1) + due)
    index = np.minimum(following, len(keys) - 1)
    at = timeouts[1][index]
    same = (messages.slot != NONE) & (following < len(keys)) & (timeouts[0][index] == messages.slot)
    overdue: Array = at[same & (at < messages.matched.next_take) & (at <= messages.given_up)]
    return overdue


def _due(frame: Frame, trace: Array, rounds: Array, sent_in: Array) -> Array:
    """The first position with a step in a later round than the message's sending."""
    steep = rounds + frame.trace_at(np.arange(frame.size)) * (frame.size + 1)
    return np.searchsorted(steep, trace * (frame.size + 1) + sent_in, "right")
