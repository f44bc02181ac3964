"""Simulating a plan straight into packs: no line is ever written or read, and yet each is what the recorder writes."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec

from gomboc.checker.errors import UsageError
from gomboc.checker.processes import in_processes
from gomboc.checker.progress import Report
from gomboc.checker.replay.pack.corpus import Target, new_corpus, write_packs
from gomboc.checker.replay.pack.format import Manifest, PackEntry
from gomboc.checker.replay.pack.record import Recorder
from gomboc.checker.replay.pack.write import PackWriter, write_manifest
from gomboc.checker.simulate.packed_run import PackedRun, encode
from gomboc.checker.simulate.plan import Plan, check_plan, header, parameters_of, specification
from gomboc.checker.simulate.under_test import End, simulation, under_test
from gomboc.checker.simulate.watch import Faults
from gomboc.impl.errors import UsageError as ImplementationUsageError


class Made(msgspec.Struct, frozen=True):
    """What became of one piece of a plan: its packs, and how many of its runs ended legitimate."""

    packs: tuple[PackEntry, ...]
    legitimate: int


class Pieces(msgspec.Struct, frozen=True):
    """A plan in pieces of `size` traces each, to be written into `target`."""

    plan: Plan
    target: Target
    size: int

    def __len__(self) -> int:
        return -(-self.plan.traces // self.size)

    def indices(self, number: int) -> range:
        """The numbers of the traces of one piece."""
        return range(number * self.size, min((number + 1) * self.size, self.plan.traces))


Engine = Callable[[Pieces], Iterator[Made]]
"""Makes all pieces, in any place and order, and hands them out in the order of their numbers."""


def simulate_packs(
    plan: Plan, folder: Path, size: int, engine: Engine, progress: Report, overwrite: bool = False
) -> tuple[Manifest, int]:
    """Write all traces of `plan` into a corpus of packs of `size` traces, which appears when it is complete.

    Same plan and size, same bytes. Returns the manifest, and how many runs ended legitimate. Raises UsageError if the
    plan makes no sense, or if the corpus cannot be written.
    """
    check_plan(plan)
    with new_corpus(folder, overwrite) as unfinished:
        pieces = Pieces(plan, Target(str(unfinished.absolute()), plan.protocol, parameters_of(plan)), size)
        packs: list[PackEntry] = []
        legitimate = 0
        for number, made in enumerate(engine(pieces), 1):
            packs += made.packs
            legitimate += made.legitimate
            progress(number, len(pieces))
        return write_manifest(unfinished, plan.protocol, pieces.target.parameters, packs), legitimate


def local(jobs: int) -> Engine:
    """The engine that works in so many processes of this machine."""
    return lambda pieces: in_processes(partial(simulate_piece, pieces), len(pieces), jobs)


def simulate_piece(pieces: Pieces, number: int) -> Made:
    """Write one piece of a plan. Raises UsageError for what the implementation refuses."""
    runs = Runs(pieces.plan)
    try:
        with _rarely_collecting():
            packs = write_packs(pieces.target, number, pieces.indices(number), runs.into)
    except ImplementationUsageError as error:
        raise UsageError(str(error)) from error
    return Made(tuple(packs), runs.legitimate)


@contextmanager
def _rarely_collecting() -> Iterator[None]:
    """Look for unreachable cycles less often: here, nearly everything dies by itself, or lives as long as its pack."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, *before[1:])
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
        """What adds a trace, by its number, to that pack."""
        faults = Faults(self._protocol, writer.dictionary)

        def add(index: int) -> None:
            name = Path(self._plan.file_name(index)).stem
            writer.add(self._run(index, writer, faults).row(name))
            faults.trim()

        return add

    def _run(self, index: int, writer: PackWriter, faults: Faults) -> Recorder:
        plan = self._plan
        head = header(plan, index)
        running, due = simulation(plan, index, head, self._implementation)
        states = {name: encode(state) for name, state in head["states"].items()}
        messages = [(each["id"], each["to"], encode(each["message"])) for each in head["messages"]]
        recorder = Recorder(writer.dictionary, encode(head), head["roles"], states, messages)
        end = End(plan, self._protocol, head["roles"], running, due)
        run = PackedRun(writer.dictionary, recorder, head["roles"], faults)
        watch = run.watch
        look = True
        for step in islice(running.steps(), plan.steps):
            # The first step, too, may be one too many.
            look = run.take(step) or look
            if look and end.is_reached(watch.commands, watch.rounds, watch.completed, watch.rounds_in_all):
                break
            look = False
        self.legitimate += watch.rounds is not None
        return recorder
