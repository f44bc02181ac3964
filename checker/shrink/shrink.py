"""The search for a smaller trace: continue from each smaller trace with the same violation, until no
change gives one.
"""

import time
from collections.abc import Callable, Iterator
from hashlib import blake2b

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.naive import DEFAULT, Options
from gomboc.checker.judge.verdict import Judgement, Violated
from gomboc.checker.shrink.case import Redo, Size, TraceCase, judged
from gomboc.checker.shrink.kept import KeptCopy, kept_of
from gomboc.checker.shrink.kind import ViolationKind, is_same, kind_of
from gomboc.checker.shrink.nodes import merged_nodes, without_nodes
from gomboc.checker.shrink.schedule import begun_later, without_messages, without_steps
from gomboc.checker.shrink.values import simpler_messages, simpler_states, without_extras
from gomboc.spec.core.registry import find_protocol

Pass = Callable[[TraceCase], Iterator[TraceCase]]

Note = Callable[[TraceCase, int, bool], None]
"""Called with each trace from which the search continues, the number of trials, and whether it is a new run."""

DONE = "no smaller failing trace found"


class Shrunk(msgspec.Struct, frozen=True):
    """The result of shrinking: the smallest trace, its judgement, and the kind of its violation.

    `was` and `now` are the sizes, `tried` is the number of traces judged, `why` the reason why it stopped. `run` is
    true if it is a run of the implementation; otherwise it is cut out of the trace, and nothing was run.
    """

    case: TraceCase
    judgement: Judgement
    kind: ViolationKind
    was: Size
    now: Size
    tried: int
    why: str
    run: bool = False


def shrink(
    case: TraceCase,
    options: Options = DEFAULT,
    redo: Redo | None = None,
    seconds: float = 60.0,
    clock: Callable[[], float] = time.monotonic,
    note: Note | None = None,
) -> Shrunk:
    """The smallest trace that is found in that time, with a first violation of the same kind.

    With `redo`, each changed start and schedule is run anew, and only that run is judged. Without it, or if a new run
    of the trace itself does not have the same violation, the trace is cut: the step that is wrong, its node's state
    before it and its input stay as they are. A change on which the specification or the implementation raises an
    exception is dropped. `note` is called with each trace from which the search continues. Raises UsageError if nothing
    is violated.
    """
    judgement, kind = violated(case, options)
    search = ShrinkSearch(case, judgement, kind, options, redo, clock() + seconds, clock, note)
    try:
        search.run(_passes(case))
    except Exception as error:  # noqa: BLE001  # the smallest trace so far is reported even if the search fails
        return search.result(case, f"the search ended with {type(error).__name__}: {error}")
    return search.result(case, f"{seconds:g} seconds were over" if search.is_late() else DONE)


def violated(case: TraceCase, options: Options) -> tuple[Judgement, ViolationKind]:
    """The judgement of a trace, and the kind of its violation. Raises UsageError if nothing is violated."""
    judgement = judged(case, options)
    kind = None if judgement is None else kind_of(judgement)
    if judgement is None or kind is None:
        raise UsageError("Nothing is violated in this trace, so there is nothing to shrink.")
    return judgement, kind


def shrunk(
    was: TraceCase, now: TraceCase, judgement: Judgement, kind: ViolationKind, tried: int, why: str, run: bool
) -> Shrunk:
    """The result of shrinking; if the trace has an expected verdict, it is updated for the smaller one."""
    case = _expected(now, judgement)
    return Shrunk(case, judgement, kind, was.size(), case.size(), tried, why, run)


def _passes(case: TraceCase) -> tuple[Pass, ...]:
    """The changes in the order of their benefit: later ones judge a trace that earlier ones have made small."""
    fixed = frozenset(find_protocol(case.header["protocol"]).vocabulary.fixed)
    return (
        begun_later,
        without_steps,
        without_messages,
        lambda smaller: without_nodes(smaller, fixed),
        lambda smaller: merged_nodes(smaller, fixed),
        without_extras,
        simpler_messages,
        simpler_states,
    )


class ShrinkSearch:
    """The smallest trace so far, and the traces that need not be tried again."""

    def __init__(
        self,
        case: TraceCase,
        judgement: Judgement,
        kind: ViolationKind,
        options: Options,
        redo: Redo | None,
        until: float,
        clock: Callable[[], float],
        note: Note | None,
    ) -> None:
        self._listener = note
        self.case, self.judgement = case, judgement
        self._kind, self._options, self._redo = kind, options, redo
        self._until, self._clock = until, clock
        self._size, self._tried, self._seen = case.size(), 0, set[bytes]()
        self._kept: KeptCopy | None = None

    def is_late(self) -> bool:
        """Whether the time is over."""
        return self._clock() >= self._until

    def run(self, passes: tuple[Pass, ...]) -> None:
        """Apply one change after the other, each as long as it succeeds, until none does."""
        if not self._is_run_anew():
            self._redo = None
            self._end_at_the_violation()
            self._kept = kept_of(self.case, self.judgement.violations()[0].step)
        self._note()
        size = None
        while size != self._size and not self.is_late():
            size = self._size
            for changes in passes:
                self._exhaust(changes)

    def result(self, was: TraceCase, why: str) -> Shrunk:
        """The result."""
        return shrunk(was, self.case, self.judgement, self._kind, self._tried, why, self._redo is not None)

    def _is_run_anew(self) -> bool:
        """Whether a new run of the trace has the same violation; the search then continues from it."""
        again = self._rerun(self.case)
        return again is not None and self._go_on_from(again)

    def _rerun(self, case: TraceCase) -> TraceCase | None:
        """A new run of a start and schedule, up to its violation; None if there is none.

        No run begins from a start that the types of the protocol, or its form of values, forbid.
        """
        if self._redo is None:
            return None
        try:
            start = judged(TraceCase(case.header, ()), self._options)
            if start is None or isinstance(start.conformance, Violated):
                return None
            again = self._redo(case)
            judgement = None if again is None else judged(again, self._options)
        except (Exception, SystemExit):  # noqa: BLE001  # the user's code, over a start that no run has recorded
            return None
        if again is None or judgement is None or not judgement.violations():
            return None
        return TraceCase(again.header, again.steps[: judgement.violations()[0].step])

    def _end_at_the_violation(self) -> None:
        first = self.judgement.violations()[0]
        self._take(TraceCase(self.case.header, self.case.steps[: first.step]))

    def _exhaust(self, changes: Pass) -> None:
        """Repeat a change as long as it gives a smaller trace."""
        while any(self._try(changed) for changed in changes(self.case)):
            continue

    def _try(self, case: TraceCase) -> bool:
        """Whether the search continues from a changed trace: the trace itself, or a new run if there is an
        implementation.
        """
        if self.is_late():
            return False
        if self._redo is None:
            return self._take(case)
        again = self._rerun(case)
        return again is not None and self._take(again)

    def _take(self, case: TraceCase) -> bool:
        """Whether the trace is smaller and has the same violation; it is then the smallest."""
        seen = blake2b(case.text(), digest_size=16).digest()
        if seen in self._seen or not _is_smaller(case.size(), self._size):
            return False
        self._seen.add(seen)
        return self._go_on_from(case)

    def _go_on_from(self, case: TraceCase) -> bool:
        """Whether the trace has the same violation; the search then continues from it."""
        self._tried += 1
        try:
            judgement = judged(case, self._options)
        except Exception:  # noqa: BLE001  # a specification may raise an exception on a trace that no run has recorded
            return False
        if judgement is None or not is_same(self._kind, judgement):
            return False
        if self._kept is not None and kept_of(case, judgement.violations()[0].step) != self._kept:
            return False
        self.case, self.judgement, self._size = case, judgement, case.size()
        self._note()
        return True

    def _note(self) -> None:
        if self._listener is not None:
            self._listener(self.case, self._tried, self._redo is not None)


def _expected(case: TraceCase, judgement: Judgement) -> TraceCase:
    first = judgement.violations()[0]
    if "expect" not in case.header:
        return case
    expect = {"verdict": "violated", "step": first.step, "rule": first.rule}
    return TraceCase({**case.header, "expect": expect}, case.steps)


def _is_smaller(size: Size, other: Size) -> bool:
    """Whether it has fewer bytes, and neither more steps nor more nodes."""
    return size.bytes < other.bytes and size.steps <= other.steps and 0 < size.nodes <= other.nodes
