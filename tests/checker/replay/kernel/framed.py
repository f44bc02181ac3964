"""A few traces of the toy, as far into the pipelines as a test of one stage needs."""

from functools import cached_property

from gomboc.checker.distinct.judging import LocalJudge, judge_all
from gomboc.checker.distinct.marks import Marks
from gomboc.checker.distinct.naming import naming_of
from gomboc.checker.distinct.spelling import PackValues
from gomboc.checker.replay.kernel.blocks.anchors import Anchors
from gomboc.checker.replay.kernel.blocks.conformance import first_findings, malformed_positions
from gomboc.checker.replay.kernel.blocks.legitimacy import KnownFaults
from gomboc.checker.replay.kernel.blocks.snapshots import Snapshots
from gomboc.checker.replay.kernel.frames.awake import sleep_of
from gomboc.checker.replay.kernel.frames.batch import batch_of
from gomboc.checker.replay.kernel.frames.frame import frame_of
from gomboc.checker.replay.kernel.frames.headers import Shapes
from gomboc.checker.replay.kernel.frames.messages import messages_of
from gomboc.checker.replay.kernel.frames.rounds import ends_of_rounds
from gomboc.checker.replay.kernel.frames.turns import turns_of
from gomboc.checker.replay.kernel.memo import Memo
from tests.checker.replay.kernel.packed import known, packed
from tests.toys.words import spec as toy


class Stages:
    """All stages of one block of traces, each made when it is asked for; a trace is a list of lines."""

    def __init__(self, *traces, protocol=toy.UNORDERED):
        self.protocol = protocol
        with known(protocol):
            self.distinct, self.table = packed([toy.written(*lines) for lines in traces])
        self.judge = LocalJudge(protocol)
        self.values = PackValues(self.judge.decoders, self.distinct)
        self.batch = batch_of(self.table)
        self.shapes = Shapes(protocol, {}, self.distinct)

    @cached_property
    def marks(self):
        return Marks(self.distinct, judge_all(self.judge, self.distinct))

    @cached_property
    def headers(self):
        return self.shapes.read(self.batch, None)

    @cached_property
    def frame(self):
        return frame_of(self.batch, 0, len(self.batch), self.distinct, self.shapes, self.headers[0])

    @cached_property
    def same_state(self):
        return Memo(self.values.same_state)

    @cached_property
    def same_message(self):
        return Memo(self.values.same_message)

    @cached_property
    def turns(self):
        return turns_of(self.frame, self.same_state)

    @cached_property
    def sleep(self):
        return sleep_of(self.protocol, self.frame, self.turns.intervals, self.values, self.marks.unfit_states)

    @cached_property
    def naming(self):
        return naming_of(self.protocol, self.values, self.marks.unfit_states, self.marks.unfit_messages)

    @cached_property
    def malformed(self):
        return malformed_positions(self.frame, self.marks)

    @cached_property
    def first(self):
        marks, malformed = self.marks, self.malformed
        discipline, same, sleep = self.protocol.discipline, self.same_message, self.sleep
        return first_findings(discipline, self.frame, self.turns, self.messages, marks, malformed, same, sleep)

    @cached_property
    def snapshots(self):
        return Snapshots(self.frame, self.turns.intervals, self.messages, self.values)

    @cached_property
    def ends(self):
        return ends_of_rounds(self.frame, self.turns, self.messages, self.sleep)

    @cached_property
    def messages(self):
        return messages_of(self.frame)

    @cached_property
    def last(self):
        return self.frame.base[1:] - 1

    @cached_property
    def anchors(self):
        return Anchors(self.protocol, self.values)

    @cached_property
    def faults(self):
        return KnownFaults(self.protocol, self.values, self.distinct.names)
