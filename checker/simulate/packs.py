"""Simulate a plan straight into packs: no line is written or read, but a pack exports the lines of the recorder."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec

from gomboc.checker.core.processes.collecting import RARELY
from gomboc.checker.core.processes.work import in_processes
from gomboc.checker.core.progress import Report
from gomboc.checker.replay.pack.corpus import PackTarget, new_corpus, write_packs
from gomboc.checker.replay.pack.format import Manifest, PackEntry
from gomboc.checker.replay.pack.record import Recorder
from gomboc.checker.replay.pack.write import PackWriter, write_manifest
from gomboc.checker.simulate.packed_run import IdleSteps, PackedRun, encode
from gomboc.checker.simulate.plan import Plan, check_plan, header, parameters_of, specification
from gomboc.checker.simulate.refusals import refusals
from gomboc.checker.simulate.under_test import End, simulation, under_test
from gomboc.checker.simulate.watch import Faults


class Made(msgspec.Struct, frozen=True):
    """The result of one piece of a plan: its packs, and the number of its runs that ended legitimate."""

    packs: tuple[PackEntry, ...]
    legitimate: int


class Pieces(msgspec.Struct, frozen=True):
    """A plan in pieces of `size` traces each, to be written into `target`."""

    plan: Plan
    target: PackTarget
    size: int

    def __len__(self) -> int:
        return -(-self.plan.traces // self.size)

    def indices(self, number: int) -> range:
        """The numbers of the traces of one piece."""
        return range(number * self.size, min((number + 1) * self.size, self.plan.traces))


Engine = Callable[[Pieces], Iterator[Made]]
"""Makes all pieces, on any worker and in any order, and yields them in the order of their numbers."""


def simulate_packs(
    plan: Plan, folder: Path, size: int, engine: Engine, progress: Report, overwrite: bool = False
) -> tuple[Manifest, int]:
    """Write all traces of `plan` into a corpus of packs of `size` traces, which appears when it is complete.

    Same plan and size, same bytes. Returns the manifest, and the number of runs that ended legitimate. Raises
    UsageError if the plan is invalid, or if the corpus cannot be written.
    """
    check_plan(plan)
    with new_corpus(folder, overwrite) as unfinished:
        pieces = Pieces(plan, PackTarget(str(unfinished.absolute()), plan.protocol, parameters_of(plan)), size)
        packs: list[PackEntry] = []
        legitimate = 0
        for number, made in enumerate(engine(pieces), 1):
            packs += made.packs
            legitimate += made.legitimate
            progress(number, len(pieces))
        return write_manifest(unfinished, plan.protocol, pieces.target.parameters, packs), legitimate


def local(jobs: int) -> Engine:
    """The engine that works in `jobs` processes of this machine."""
    return lambda pieces: in_processes(partial(simulate_piece, pieces), len(pieces), jobs)


@refusals()
def simulate_piece(pieces: Pieces, number: int) -> Made:
    """Write one piece of a plan. Raises UsageError if the implementation refuses it."""
    runs = Runs(pieces.plan)
    with _rarely_collecting():
        packs = write_packs(pieces.target, number, pieces.indices(number), runs.into)
    return Made(tuple(packs), runs.legitimate)


@contextmanager
def _rarely_collecting() -> Iterator[None]:
    """Collect cycles less often: nearly all objects are freed by reference counts, or live as long as their pack."""
    before = gc.get_threshold()
    gc.set_threshold(RARELY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


class Runs:
    """Simulates traces of one plan into packs."""

    def __init__(self, plan: Plan) -> None:
        self.legitimate = 0
        self._plan = plan
        self._implementation = under_test(plan, parameters_of(plan))
        self._protocol = specification(plan)

    def into(self, writer: PackWriter) -> Callable[[int], None]:
        """A function that adds a trace, by its number, to that pack."""
        faults, idle = Faults(self._protocol, writer.dictionary), IdleSteps()

        def add(index: int) -> None:
            name = Path(self._plan.file_name(index)).stem
            writer.add(self._run(index, writer, faults, idle).row(name))
            faults.trim()

        return add

    def _run(self, index: int, writer: PackWriter, faults: Faults, idle: IdleSteps) -> Recorder:
        plan = self._plan
        head = header(plan, index)
        running, due = simulation(plan, index, head, self._implementation)
        states = {name: encode(state) for name, state in head["states"].items()}
        messages = [(message["id"], message["to"], encode(message["message"])) for message in head["messages"]]
        recorder = Recorder(writer.dictionary, encode(head), head["roles"], states, messages)
        end = End(plan, self._protocol, head["roles"], running, due)
        run = PackedRun(writer.dictionary, recorder, head["roles"], faults, idle)
        watch = run.watch
        look = True
        for step in islice(running.steps(), plan.steps):
            # `look` is true at first: the run may end with its first step.
            look = run.take(step) or look
            if look and end.is_reached(watch.commands, watch.rounds, watch.completed, watch.rounds_in_all):
                break
            look = False
        self.legitimate += watch.rounds is not None
        return recorder
