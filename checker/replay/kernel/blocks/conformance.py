"""Composition: from right local steps to a right trace. Finds the first step of each trace that does not conform.

Every check is exact up to the first finding in its trace; callers use no later one.
"""

from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from gomboc.checker.distinct.arrays import NOTHING, Array
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.distinct.marks import Marks
from gomboc.checker.distinct.naming import Naming
from gomboc.checker.replay.kernel.blocks.findings import Violations
from gomboc.checker.replay.kernel.frames.block import Block
from gomboc.checker.replay.kernel.frames.channels import forbidden
from gomboc.checker.replay.kernel.frames.frame import Frame


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


class Composition(NamedTuple):
    """Traces composed of their local steps: the first violation of each, and the traces that it does not decide.

    `malformed` are the positions with a value that is not canonical: the start, or after a step. Later steps cannot be
    counted. `undecided` traces are left to the naive judge.
    """

    violations: Violations
    malformed: Array
    undecided: Array


def composed(block: Block, naming: Naming | None) -> Composition:
    """Compose the traces of a block."""
    first, malformed = first_findings(block, naming)
    return Composition(_violations(block, first), malformed, undecided_traces(block))


def _violations(block: Block, first: Array) -> Violations:
    """The rule and the conjunct that each trace breaks first."""
    found = Violations("conformance", np.where(first == NOTHING_FOUND, NONE, first // RULES))
    for trace in np.flatnonzero(first != NOTHING_FOUND).tolist():
        position, rule = divmod(int(first[trace]), RULES)
        found.rules[trace] = NAMES.get(CheckedRule(rule), "")
        if rule == CheckedRule.LOCAL:
            finding = block.pack.marks.findings.steps[int(block.frame.step[position - trace - 1])]
            found.rules[trace], found.conjuncts[trace] = finding.rule, finding.conjunct
    return found


def first_findings(block: Block, naming: Naming | None = None) -> tuple[Array, Array]:
    """For each trace its first finding, as `position * RULES + rule`, or NOTHING_FOUND.

    Also the positions with a value that is not canonical: the start, or after a step. Later steps cannot be counted.
    """
    frame, first = block.frame, np.full(block.frame.traces, NOTHING_FOUND)
    malformed = _malformed(frame, block.pack.marks)
    violations = [
        (CheckedRule.UNKNOWN_NODE, frame.position[frame.slot == NONE]),
        (CheckedRule.CHAIN, frame.position[block.turns.broken]),
        (CheckedRule.CANONICAL, malformed),
        *_deliveries(block),
        (CheckedRule.ORDER, forbidden(block)),
        *_sends(block),
    ]
    if block.pack.marks.any_wrong:
        violations.append((CheckedRule.LOCAL, frame.position[block.pack.marks.wrong_steps[frame.step]]))
    for rule, positions in violations:
        _note(frame, first, rule, positions)
    if naming is not None:
        strange = positions_of_strangers(block, naming, first)
        _note(frame, first, CheckedRule.CANONICAL, strange)
        malformed = np.concatenate((malformed, strange))
    return first, malformed


def _note(frame: Frame, first: Array, rule: CheckedRule, positions: Array) -> None:
    """Lower `first` to violations of that rule at these positions."""
    if len(positions):
        np.minimum.at(first, frame.trace_at(positions), positions * RULES + rule)


def _malformed(frame: Frame, marks: Marks) -> Array:
    """Positions with a value that its type does not allow."""
    steps = frame.position[marks.malformed_steps[frame.step]] if marks.any_malformed else NOTHING
    if not marks.any_malformed_start:
        return steps
    nodes, contents = _traces_that_start(frame, marks.malformed_states, marks.malformed_messages)
    return np.concatenate((frame.base[np.union1d(nodes, contents)], steps))


def _traces_that_start(frame: Frame, states: Array, contents: Array) -> tuple[Array, Array]:
    """The traces that start with one of those states, and those with one of those contents, given as masks."""
    initial = frame.batch.starts.initial_content
    return frame.slot_trace[states[frame.first]], initial.owner[contents[initial.values]]


def positions_of_strangers(block: Block, naming: Naming, first: Array) -> Array:
    """Positions at which a state or a sent message names a node that is not in its trace: the start, or after a step.

    The names in a step occur in the start, or in an earlier or this step as a new name, so only the start and steps
    with new names are compared. That holds as long as there is no other fault; in a trace with one (`first` has its
    first finding), each step is compared. The names of a step are compared with those of its trace's shape, all of one
    word of bits at once.
    """
    frame, initial = block.frame, block.frame.batch.starts.initial_content
    wrong = np.repeat(first != NOTHING_FOUND, frame.batch.events.lengths)
    asked = np.flatnonzero(block.pack.marks.naming_steps[frame.step] | wrong)
    step, trace = frame.step[asked], frame.trace_at(frame.position[asked])
    naming.learn(frame.first, initial.values, step)
    absent = np.array([naming.others(shape.numbers) for shape in frame.shapes.known])
    positions = []
    for word, others in enumerate(absent.T):
        lacking = others[frame.shape]
        states, contents = naming.states.bits[word][frame.first], naming.contents.bits[word][initial.values]
        positions.append(frame.base[frame.slot_trace[states & lacking[frame.slot_trace] != 0]])
        positions.append(frame.base[initial.owner[contents & lacking[initial.owner] != 0]])
        positions.append(frame.position[asked[naming.steps.bits[word][step] & lacking[trace] != 0]])
    return np.unique(np.concatenate(positions))


Found = tuple[CheckedRule, Array]


def _deliveries(block: Block) -> Iterator[Found]:
    frame, messages, distinct = block.frame, block.messages, block.frame.distinct
    matched = messages.matched
    yield CheckedRule.NEVER_SENT, frame.position[matched.unsent]
    yield CheckedRule.NOT_YET_SENT, frame.position[matched.early]
    yield CheckedRule.TWICE, frame.position[matched.twice]
    takes, taken = _taken(block)
    step = frame.step[takes]
    yield CheckedRule.TARGET, frame.position[takes[messages.target[taken] != distinct.node[step]]]
    said = np.flatnonzero(distinct.received[step] != NONE) if distinct.any_received else NOTHING
    altered = _altered(block, messages.content[taken[said]], distinct.received[step[said]])
    yield CheckedRule.ALTERED, frame.position[takes[said[altered]]]


def _taken(block: Block) -> tuple[Array, Array]:
    """The deliveries that take a message, and the messages that they take."""
    taken = block.messages.matched.taken
    there = taken != NONE
    return (block.frame.takes, taken) if there.all() else (block.frame.takes[there], taken[there])


def _altered(block: Block, sent: Array, received: Array) -> Array:
    """The indices at which another content is received than was sent."""
    places = np.flatnonzero(sent != received)
    comparable = received[places] != NONE
    altered = np.ones(len(places), bool)
    if len(places):
        both = sent[places[comparable]], received[places[comparable]]
        altered[comparable] = block.pack.same_message(*both) == 0
    return places[altered]


def _sends(block: Block) -> Iterator[Found]:
    """For each step, its first message with a used id or to an unknown node."""
    messages, again = block.messages, block.messages.matched.again
    wrong = np.union1d(again, np.flatnonzero(messages.slot == NONE))
    if not len(wrong):
        return
    wrong = wrong[np.unique(messages.position[wrong], return_index=True)[1]]
    is_again = np.isin(wrong, again)
    yield CheckedRule.FRESH, messages.position[wrong[is_again]]
    yield CheckedRule.UNKNOWN_TARGET, messages.position[wrong[~is_again]]


def undecided_traces(block: Block) -> Array:
    """Traces with values or steps that could not be judged or read, or with local steps that differ from
    their lines.
    """
    frame, marks, claimed = block.frame, block.pack.marks, block.frame.batch.claimed
    takes, taken = _taken(block)
    content, said = block.messages.content[taken], frame.distinct.input[frame.step[takes]]
    steps = [block.turns.unchained, takes[_altered(block, content, said)]]
    if claimed is not None:
        claims = np.flatnonzero(claimed.values != NONE)
        states = claimed.values[claims]
        # A state of another role means nothing where its node claims it, though it does elsewhere.
        roles = np.append(frame.slot_role, NONE)[frame.slot[claims]]
        steps.append(claims[marks.undecided_states[states] | (frame.distinct.state_role[states] != roles)])
    if marks.any_undecided:
        steps.append(np.flatnonzero(marks.undecided_steps[frame.step]))
    traces = _traces_that_start(frame, marks.undecided_states, marks.undecided_messages)
    return np.unique(np.concatenate((*traces, frame.trace_at(frame.position[np.concatenate(steps)]))))
