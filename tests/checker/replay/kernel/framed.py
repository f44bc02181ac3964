"""A few traces of the toy, as far into the pipelines as a test of one stage needs."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.judging import LocalJudge, judge_all
from gomboc.checker.distinct.marks import Marks
from gomboc.checker.distinct.naming import Naming, naming_of
from gomboc.checker.distinct.spelling import PackValues
from gomboc.checker.replay.kernel.blocks.anchors import Anchors
from gomboc.checker.replay.kernel.blocks.conformance import first_findings
from gomboc.checker.replay.kernel.blocks.legitimacy import KnownFaults, legitimate_positions
from gomboc.checker.replay.kernel.frames.batch import batch_of
from gomboc.checker.replay.kernel.frames.block import Block, KnownPack, block_of
from gomboc.checker.replay.kernel.frames.frame import Frame
from gomboc.checker.replay.kernel.frames.headers import Shapes
from gomboc.spec.core.protocol import Protocol
from tests.checker.replay.kernel.packed import known, packed
from tests.toys.words import spec as toy

Lines = Sequence[dict[str, Any]]


class Stages:
    """All stages of one block of traces, each made when it is asked for; a trace is a list of lines."""

    def __init__(self, *traces: Lines, protocol: Protocol = toy.UNORDERED, bound: int | None = None) -> None:
        self.protocol = protocol
        with known(protocol):
            self.distinct, self.table = packed([toy.written(*lines) for lines in traces])
        self.judge, self.bound = LocalJudge(protocol), bound
        self.values = PackValues(self.judge.decoders, self.distinct)
        self.batch = batch_of(self.table)
        self.shapes = Shapes(protocol, {}, self.distinct)

    @cached_property
    def marks(self) -> Marks:
        return Marks(self.distinct, judge_all(self.judge, self.distinct))

    @cached_property
    def headers(self) -> tuple[Array, Array]:
        return self.shapes.read(self.batch, self.bound)

    @cached_property
    def frame(self) -> Frame:
        return Frame(self.distinct, self.shapes, self.batch, *self.headers, np.zeros(len(self.batch), bool))

    @cached_property
    def block(self) -> Block:
        return block_of(KnownPack(self.protocol, self.values, self.marks), self.frame)

    @cached_property
    def naming(self) -> Naming | None:
        return naming_of(self.protocol, self.values, self.marks.unfit_states, self.marks.unfit_messages)

    @cached_property
    def first(self) -> Array:
        return first_findings(self.block)[0]

    @cached_property
    def malformed(self) -> Array:
        return first_findings(self.block)[1]

    @cached_property
    def last(self) -> Array:
        return self.frame.base[1:] - 1

    @cached_property
    def anchors(self) -> Anchors:
        return Anchors(self.protocol, self.values)

    @cached_property
    def good(self) -> Array:
        return legitimate_positions(self.block, self.last, KnownFaults(self.protocol, self.values))
