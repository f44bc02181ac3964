"""Deliveries and timeouts that the channels of a protocol forbid, as `checker/judge/order.py` says it step by step.

Exact as far as the first step of a trace that is wrong in another way, and that is how far anybody asks.
"""

import numpy as np

from checker.replay.kernel.arrays import NOTHING, Array, changes
from checker.replay.kernel.blocks.frame import Frame
from checker.replay.kernel.blocks.messages import Messages
from checker.replay.kernel.blocks.turns import Timeouts
from checker.replay.kernel.values.distinct import NONE
from spec.protocol import Discipline


def forbidden(discipline: Discipline, frame: Frame, messages: Messages, timeouts: Timeouts) -> Array:
    """The positions of steps that the discipline forbids."""
    match discipline:
        case Discipline.FIFO:
            return _overtaking(frame, messages)
        case Discipline.ROUNDS:
            return _out_of_round(frame, messages, timeouts)
        case _:
            return NOTHING


def _overtaking(frame: Frame, messages: Messages) -> Array:
    """Deliveries of messages while one of the same link that was sent earlier is still to be delivered."""
    sent = np.flatnonzero(messages.event != NONE)
    sender = frame.slot[messages.event[sent]]
    order = np.lexsort((sent, messages.target[sent], sender))
    sent, sender = sent[order], sender[order]
    link = np.cumsum(changes(sender) | changes(messages.target[sent])) - 1
    until = messages.next_take[sent] + link * (frame.size + 1)
    latest = np.maximum.accumulate(until)
    overtakes = np.zeros(len(sent), bool)
    overtakes[1:] = (link[1:] == link[:-1]) & (latest[:-1] > until[1:]) & (sender[1:] != NONE)
    chosen = np.zeros(len(messages.event), bool)
    chosen[sent[overtakes]] = True
    return _deliveries_of(frame, messages, chosen)


def _deliveries_of(frame: Frame, messages: Messages, chosen: Array) -> Array:
    """The positions at which the chosen messages are taken, of those that are."""
    there = messages.taken != NONE
    found: Array = frame.position[messages.takes[there][chosen[messages.taken[there]]]]
    return found


def _out_of_round(frame: Frame, messages: Messages, timeouts: Timeouts) -> Array:
    """Under ROUNDS: deliveries in the round of their sending, timeouts ahead of the round, and messages left behind."""
    rounds = _rounds_before(frame, timeouts)
    sent = np.flatnonzero(messages.event != NONE)
    sent_in = np.full(len(messages.event), NONE)
    sent_in[sent] = rounds[messages.position[sent]]
    sent_in[sent[frame.slot[messages.event[sent]] == NONE]] = NONE
    hasty = _deliveries_of(frame, messages, sent_in >= np.append(rounds, 0)[messages.next_take])
    early = timeouts.position[_ordinals(timeouts) > rounds[timeouts.position]]
    overdue = _overdue(frame, messages, timeouts, rounds, sent_in)
    return np.concatenate((hasty, early, overdue))


def _ordinals(timeouts: Timeouts) -> Array:
    """How many timeouts the slot has had before each."""
    new = np.flatnonzero(changes(timeouts.slot))
    lengths = np.diff(np.append(new, len(timeouts.slot)))
    return np.arange(len(timeouts.slot)) - np.repeat(new, lengths)


def _rounds_before(frame: Frame, timeouts: Timeouts) -> Array:
    """For each position, the rounds completed before the step that leads to it: timeouts that every node has had."""
    trace = frame.slot_trace[timeouts.slot]
    ordinal = _ordinals(timeouts)
    order = np.lexsort((timeouts.position, ordinal, trace))
    trace, ordinal = trace[order], ordinal[order]
    last = np.ones(len(order), bool)
    last[:-1] = (trace[1:] != trace[:-1]) | (ordinal[1:] != ordinal[:-1])
    ends = np.flatnonzero(last)
    complete = np.diff(np.append(-1, ends)) == np.diff(frame.node_starts)[trace[ends]]
    completed = np.zeros(frame.size + 1, np.int64)
    completed[timeouts.position[order][ends[complete]] + 1] = 1
    running = np.cumsum(completed)[:-1]
    return running - np.repeat(running[frame.base[:-1]], np.diff(frame.base))


def _overdue(frame: Frame, messages: Messages, timeouts: Timeouts, rounds: Array, sent_in: Array) -> Array:
    """Timeouts of nodes to which a message of an earlier round is still on its way."""
    places = frame.shapes.places()
    node = places[frame.shape[messages.trace], messages.target]
    known = np.flatnonzero(node != NONE)
    slot = node[known] + frame.node_starts[messages.trace[known]]
    due = np.maximum(_due(frame, messages.trace[known], rounds, sent_in[known]), messages.position[known] + 1)
    order = np.lexsort((timeouts.position, timeouts.slot))
    keys = timeouts.slot[order] * (frame.size + 1) + timeouts.position[order]
    if not len(keys):
        return keys
    following = np.searchsorted(keys, slot * (frame.size + 1) + due)
    place = order[np.minimum(following, len(keys) - 1)]
    at = timeouts.position[place]
    same = (following < len(keys)) & (timeouts.slot[place] == slot)
    found: Array = at[same & (at < messages.next_take[known])]
    return found


def _due(frame: Frame, trace: Array, rounds: Array, sent_in: Array) -> Array:
    """The first position whose step is taken in a later round than the message was sent in."""
    steep = rounds + frame.trace_at(np.arange(frame.size)) * (frame.size + 1)
    return np.searchsorted(steep, trace * (frame.size + 1) + sent_in, "right")
