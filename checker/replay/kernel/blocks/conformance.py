"""Composition: from right local steps to a right trace. Finds the first step of each trace that does not conform.

Every check is exact up to the first finding in its trace; callers use no later one.
"""

from collections.abc import Iterator
from enum import IntEnum

import numpy as np

from gomboc.checker.distinct.arrays import Array, changes
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.distinct.marks import Marks
from gomboc.checker.replay.kernel.frames.awake import Sleep
from gomboc.checker.replay.kernel.frames.channels import forbidden
from gomboc.checker.replay.kernel.frames.frame import Frame
from gomboc.checker.replay.kernel.frames.messages import Messages
from gomboc.checker.replay.kernel.frames.turns import Turns
from gomboc.checker.replay.kernel.memo import Memo
from gomboc.spec.core.protocol import Discipline


class CheckedRule(IntEnum):
    """The rule that a step breaks, in the order in which the naive judge checks them."""

    UNKNOWN_NODE = 1
    """A node takes a step that is not in the trace."""
    CHAIN = 2
    """The state before is not the one after the node's previous step."""
    CANONICAL = 3
    """A value is not allowed by its type, or names a node that is not in the trace."""
    NEVER_SENT = 4
    """A message is delivered that no step of the trace sends."""
    NOT_YET_SENT = 5
    """A message is delivered that this step or a later one sends."""
    TWICE = 6
    """A message is delivered that was delivered before."""
    TARGET = 7
    """A message is delivered to another node than it was sent to."""
    ALTERED = 8
    """A message is delivered with another content."""
    ORDER = 9
    """The network's discipline forbids the step."""
    FRESH = 10
    """An id is given again."""
    UNKNOWN_TARGET = 11
    """A message is sent to a node that is not in the trace."""
    LOCAL = 12
    """The specification does not allow the local step."""


NAMES = {
    CheckedRule.UNKNOWN_NODE: "known_node",
    CheckedRule.CHAIN: "steps_chain",
    CheckedRule.CANONICAL: "canonical",
    CheckedRule.NEVER_SENT: "known_message",
    CheckedRule.NOT_YET_SENT: "sent_before_delivered",
    CheckedRule.TWICE: "delivered_once",
    CheckedRule.TARGET: "delivered_to_target",
    CheckedRule.ALTERED: "delivered_unaltered",
    CheckedRule.ORDER: "delivered_in_order",
    CheckedRule.FRESH: "fresh_id",
    CheckedRule.UNKNOWN_TARGET: "known_node",
}
"""The rules of any trace, as `traces/README.md` names them."""

RULES = 16
"""More than there are; a finding is `position * RULES + rule`."""

NOTHING_FOUND = np.iinfo(np.int64).max


def first_findings(
    discipline: Discipline,
    frame: Frame,
    turns: Turns,
    messages: Messages,
    marks: Marks,
    malformed: Array,
    same_message: Memo,
    sleep: Sleep | None = None,
) -> Array:
    """For each trace its first finding, as `position * RULES + rule`, or NOTHING_FOUND; unknown nodes are found later.

    `malformed` are the `malformed_positions` of the block.
    """
    first = np.full(frame.traces, NOTHING_FOUND)
    timeouts = turns.timeouts
    violations = [
        (CheckedRule.UNKNOWN_NODE, frame.position[frame.slot == NONE]),
        (CheckedRule.CHAIN, frame.position[turns.broken]),
        (CheckedRule.CANONICAL, malformed),
        *_deliveries(frame, messages, same_message),
        (CheckedRule.ORDER, forbidden(discipline, frame, messages, timeouts, sleep)),
        *_sends(frame, messages),
        *_local(frame, marks),
    ]
    for rule, positions in violations:
        note(frame, first, rule, positions)
    return first


def note(frame: Frame, first: Array, rule: CheckedRule, positions: Array) -> None:
    """Lower `first` to violations of that rule at these positions."""
    if len(positions):
        np.minimum.at(first, frame.trace_at(positions), positions * RULES + rule)


def malformed_positions(frame: Frame, marks: Marks) -> Array:
    """Positions with a value that its type does not allow: the start, or after a step. Later steps
    cannot be counted.
    """
    steps = frame.position[marks.malformed_steps[frame.step]] if marks.any_malformed else frame.step[:0]
    return np.concatenate((_malformed_starts(frame, marks), steps))


def _malformed_starts(frame: Frame, marks: Marks) -> Array:
    if not marks.any_malformed_start:
        return frame.base[:0]
    nodes = frame.slot_trace[marks.malformed_states[frame.first]]
    owner = np.repeat(np.arange(frame.traces), frame.initial.lengths)
    contents = owner[marks.malformed_messages[frame.initial_content]]
    starts: Array = frame.base[np.union1d(nodes, contents)]
    return starts


Found = tuple[CheckedRule, Array]


def _deliveries(frame: Frame, messages: Messages, same: Memo) -> Iterator[Found]:
    yield CheckedRule.NEVER_SENT, frame.position[messages.unsent]
    yield CheckedRule.NOT_YET_SENT, frame.position[messages.early]
    yield CheckedRule.TWICE, frame.position[messages.twice]
    distinct, there = frame.distinct, messages.taken != NONE
    takes, taken = (messages.takes, messages.taken) if there.all() else (messages.takes[there], messages.taken[there])
    step = frame.step[takes]
    yield CheckedRule.TARGET, frame.position[takes[messages.target[taken] != distinct.node[step]]]
    content = messages.content[taken]
    said = np.flatnonzero(distinct.received[step] != NONE) if distinct.any_received else step[:0]
    yield CheckedRule.ALTERED, frame.position[takes[said[_altered(content[said], distinct.received[step[said]], same)]]]


def _disowned(frame: Frame, messages: Messages, same: Memo) -> Array:
    """Deliveries whose local step takes another content than that of the delivered message."""
    there = messages.taken != NONE
    takes, content = messages.takes[there], messages.content[messages.taken[there]]
    disowned: Array = takes[_altered(content, frame.distinct.input[frame.step[takes]], same)]
    return disowned


def _altered(sent: Array, received: Array, same: Memo) -> Array:
    places = np.flatnonzero(sent != received)
    if not len(places):
        return places
    comparable = received[places] != NONE
    altered = np.ones(len(places), bool)
    altered[comparable] = same(sent[places[comparable]], received[places[comparable]]) == 0
    return places[altered]


def _sends(frame: Frame, messages: Messages) -> Iterator[Found]:
    """For each step, its first message with a used id or to an unknown node."""
    strangers = _to_strangers(frame, messages)
    wrong = np.union1d(messages.again, strangers)
    if not len(wrong):
        return
    where = messages.position[wrong]
    wrong = wrong[np.lexsort((wrong, where))]
    wrong = wrong[changes(messages.position[wrong])]
    again = np.isin(wrong, messages.again)
    yield CheckedRule.FRESH, messages.position[wrong[again]]
    yield CheckedRule.UNKNOWN_TARGET, messages.position[wrong[~again]]


def _to_strangers(frame: Frame, messages: Messages) -> Array:
    places = frame.shapes.places()
    if (places != NONE).all():
        return messages.event[:0]
    node = places.ravel()[(frame.shape * places.shape[1])[messages.trace] + messages.target]
    return np.flatnonzero(node == NONE)


def _local(frame: Frame, marks: Marks) -> Iterator[Found]:
    if marks.any_wrong:
        yield CheckedRule.LOCAL, frame.position[marks.wrong_steps[frame.step]]


def undecided_traces(frame: Frame, turns: Turns, messages: Messages, marks: Marks, same_message: Memo) -> Array:
    """Traces with values or steps that could not be judged or read, or with local steps that differ from
    their lines.
    """
    traces = [frame.slot_trace[marks.undecided_states[frame.first]]]
    owner = np.repeat(np.arange(frame.traces), frame.initial.lengths)
    traces.append(owner[marks.undecided_messages[frame.initial_content]])
    traces.append(frame.trace_at(frame.position[turns.unchained]))
    traces.append(frame.trace_at(frame.position[_disowned(frame, messages, same_message)]))
    if frame.claimed is not None:
        claims = np.flatnonzero(frame.claimed != NONE)
        states = frame.claimed[claims]
        # A state of another role means nothing where its node claims it, though it does elsewhere.
        roles = np.append(frame.slot_role, NONE)[frame.slot[claims]]
        claims = claims[marks.undecided_states[states] | (frame.distinct.state_role[states] != roles)]
        traces.append(frame.trace_at(frame.position[claims]))
    if marks.any_undecided:
        traces.append(frame.trace_at(frame.position[marks.undecided_steps[frame.step]]))
    return np.unique(np.concatenate(traces))
