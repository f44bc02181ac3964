"""Legitimate positions of a block: the number of faults over time, counted only as far as it matters.

A system is legitimate if its anchor, every node, and every message in flight are without faults. If the anchor is
wrong, nodes are not evaluated; if a node is wrong, neither are other nodes and messages. Each evaluation is kept for
the whole pack.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gomboc.checker.distinct.arrays import Array, spread
from gomboc.checker.distinct.distinct import NONE, Names
from gomboc.checker.distinct.spelling import PackValues
from gomboc.checker.replay.kernel.blocks.anchors import Anchors, Stretches
from gomboc.checker.replay.kernel.frames.block import Block
from gomboc.checker.replay.kernel.memo import Memo
from gomboc.spec.core.model import Fault
from gomboc.spec.core.protocol import Protocol

ALONE = 3
"""Nodes of each trace that are evaluated one after another, before all others at once."""

NAME_BITS = 32
"""A node and a state, or a target and a content, make one number: the name stands above the others' bits."""


class KnownFaults:
    """Known results of one pack: whether nodes and messages are faulty, by anchor."""

    def __init__(self, protocol: Protocol, values: PackValues) -> None:
        self.anchors = Anchors(protocol, values)
        anchors, names = self.anchors.known, values.distinct.names
        self.nodes = Memo(_asked_of(protocol.legitimacy.node_faults, anchors, names, values.state))
        self.messages = Memo(_asked_of(protocol.legitimacy.message_faults, anchors, names, values.message))


def _asked_of(
    faults: Callable[[Any, str, Any], tuple[Fault, ...]], anchors: list[Any], names: Names, value: Callable[[int], Any]
) -> Callable[[int, int], int]:
    """A predicate on two numbers: whether the value with the second is faulty under the anchor with the first."""

    def is_faulty(anchor: int, named: int) -> int:
        name, number = divmod(named, 1 << NAME_BITS)
        return int(bool(faults(anchors[anchor], names.known[name], value(number))))

    return is_faulty


@dataclass(frozen=True)
class Span:
    """A value that may be faulty from position `start` to before `end`; `named` identifies it."""

    start: Array
    end: Array
    named: Array


def legitimate_positions(block: Block, last: Array, faults: KnownFaults) -> Array:
    """For each position, whether the system is legitimate there. After the position `last` of its trace, it is not.

    Messages in flight to a node that is asleep are no fault.
    """
    stretches = faults.anchors.stretches(block, last)
    if not len(stretches.start):
        return np.zeros(block.frame.size, bool)
    faulty = _without_anchor(block, stretches, faults.anchors.sane, last)
    for nodes in _nodes(block):
        faulty = _add(faulty, nodes, stretches, faults.nodes)
    faulty = _add(faulty, _sent(block), stretches, faults.messages)
    good: Array = ~faulty
    return good


def _sent(block: Block) -> Span:
    """The messages while they are in flight to a node that is awake, or that their trace lacks."""
    messages = block.messages
    start, end, named = messages.position, messages.end, (messages.target << NAME_BITS) + messages.content
    if block.sleep is None:
        return Span(start, end, named)
    since, until, owner = block.sleep.while_awake(messages.slot, start, end)
    apart = messages.slot == NONE
    columns = (since, start[apart]), (until, end[apart]), (named[owner], named[apart])
    return Span(*(np.concatenate(column) for column in columns))


def _nodes(block: Block) -> Iterator[Span]:
    """The states of all nodes; of a few nodes first, because one faulty node makes evaluating the others
    unnecessary.
    """
    frame, intervals = block.frame, block.turns.intervals
    node = (np.arange(len(frame.first)) - frame.node_starts[frame.slot_trace])[intervals.slot]
    named = (frame.slot_name[intervals.slot] << NAME_BITS) + intervals.state
    for chosen in (*(node == number for number in range(ALONE)), node >= ALONE):
        yield Span(intervals.start[chosen], intervals.end[chosen], named[chosen])


def _without_anchor(block: Block, stretches: Stretches, sane: Array, last: Array) -> Array:
    """A mask of the positions at which the anchor is wrong, or that are not judged."""
    faulty = np.repeat(~sane[stretches.anchor], np.diff(np.append(stretches.start, block.frame.size)))
    faulty = np.concatenate((np.ones(stretches.start[0], bool), faulty))
    if (last < block.frame.base[1:] - 1).any():
        faulty |= np.arange(block.frame.size) > np.repeat(last, np.diff(block.frame.base))
    return faulty


def _add(faulty: Array, spans: Span, stretches: Stretches, memo: Memo) -> Array:
    """`faulty`, extended by the spans that are faulty. Spans without a position that is still good are
    not evaluated.
    """
    good = np.zeros(len(faulty) + 1, np.int64)
    np.cumsum(~faulty, out=good[1:])
    chosen = np.flatnonzero(good[spans.end] > good[spans.start])
    if not len(chosen):
        return faulty
    start, end, stretch, named = _cut(spans, chosen, stretches)
    asked = np.flatnonzero(good[end] > good[start])
    wrong = asked[memo(stretches.anchor[stretch[asked]], named[asked]) > 0]
    size = len(faulty) + 1
    running = np.bincount(start[wrong], minlength=size) - np.bincount(end[wrong], minlength=size)
    extended: Array = faulty | (np.cumsum(running[:-1]) > 0)
    return extended


def _cut(spans: Span, chosen: Array, stretches: Stretches) -> tuple[Array, Array, Array, Array]:
    """Those spans, cut where the anchor changes: start, end, number of the stretch, and the value's number."""
    start, end, named = spans.start[chosen], spans.end[chosen], spans.named[chosen]
    first, last = stretches.at[start], stretches.at[end - 1]
    pieces = last - first + 1
    if (pieces == 1).all():
        return start, end, first, named
    stretch = spread(first, pieces)
    since = np.maximum(np.repeat(start, pieces), stretches.start[stretch])
    until = np.minimum(np.repeat(end, pieces), np.append(stretches.start[1:], np.iinfo(np.int64).max)[stretch])
    return since, until, stretch, np.repeat(named, pieces)
