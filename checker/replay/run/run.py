"""Judge a whole corpus: survey, distinct steps, units. Work that is done already is not repeated."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol as Interface

import msgspec

from gomboc.checker.core.digest import spec_digest
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import unwritable, write_whole
from gomboc.checker.core.progress import Report, looking, progress
from gomboc.checker.distinct.findings import PackFindings, has_no_fault
from gomboc.checker.judge.naive import Options
from gomboc.checker.replay.run.judging import PartFindings, merged
from gomboc.checker.replay.run.tasks import FINDINGS, JUDGED, MARK, SEEN, VERDICTS, WRONG, Done, write_verdicts
from gomboc.checker.replay.run.units import as_table
from gomboc.checker.replay.run.work import (
    Damaged,
    Job,
    Packs,
    Part,
    StoreOptions,
    Unit,
    by_size,
    parts_of,
    recorded,
    unchanged,
    units_of,
)
from gomboc.checker.replay.store.kept import Kept, Piece
from gomboc.checker.replay.store.segment import StoreError
from gomboc.checker.summary.verdict_row import Row

NOTHING_WRONG = PackFindings()
"""The findings of a pack without faults. They are written, too, because a missing file would look the same by accident.
"""


class Engine(Interface):
    """An executor of pieces of work, with a name for reports."""

    name: str

    @property
    def parts(self) -> int:
        """The best number of parts for judging."""

    def judge(self, job: Job, parts: Sequence[Part], packs: Sequence[str]) -> list[Done]:
        """Judge parts of the distinct steps, each over all those packs."""

    def compose(self, job: Job, units: Sequence[Unit], report: Report) -> list[Done]:
        """Judge units."""


class Verdicts(msgspec.Struct, frozen=True):
    """A file of verdicts, and its number of traces."""

    path: Path
    traces: int


class JudgedCorpus(msgspec.Struct, frozen=True):
    """Results of a run: its folder's verdicts, file by file, and the findings about the distinct steps."""

    verdicts: list[Verdicts]
    judged: PartFindings
    job: Job
    packs: list[str]


class CorpusRun:
    """One run over the packs in the folder `corpus`; its results gather in `folder`.

    Without `keep_going`, the first bad pack ends it with a UsageError. Results of another run in `folder` are reused
    where they are still the results that this run would have.
    """

    def __init__(
        self, corpus: Path, options: Options, folder: Path, keep_going: bool, store: StoreOptions | None = None
    ) -> None:
        self._corpus, self._options, self._folder, self._keep_going = corpus, options, folder, keep_going
        self._store = store
        self._damaged: dict[str, Damaged] = {}
        self._unjudged: set[str] = set()

    def run(self, engine: Engine, packs: Packs) -> JudgedCorpus:
        """Do all pieces of work for those packs."""
        where = str(self._corpus.resolve()), packs.protocol, self._options, str(self._folder)
        job = Job(*where, packs.content, packs.parameters, self._store)
        self._note(packs.damaged)
        units, damaged = units_of(self._corpus, packs, self._options)
        self._note(damaged)
        judged = self._judge(engine, job, packs)
        fit = [unit for unit in units if unit.pack not in self._damaged]
        notes = self._compose_or_reuse(engine, job, fit, judged, packs)
        judged = msgspec.structs.replace(judged, notes=list(dict.fromkeys((*judged.notes, *notes))))
        return JudgedCorpus(self._verdicts(job, fit), judged, job, sorted({unit.pack for unit in fit}))

    def _note(self, damaged: Sequence[Damaged]) -> None:
        for pack in damaged:
            if not self._keep_going:
                raise UsageError(pack.error)
            self._damaged[pack.name] = pack

    def _judge(self, engine: Engine, job: Job, packs: Packs) -> PartFindings:
        parts = parts_of(packs, self._options, engine.parts) if packs.digests else []
        names = sorted(packs.digests)
        left = [part for part in parts if not job.place(JUDGED, part.key, "json").exists()]
        if left:
            with progress("judging distinct steps, pack by pack") as report:
                seen = [job.place(SEEN, part.key, "packs") for part in left]
                with looking(lambda: report(sum(map(_size, seen)), len(seen) * len(names))):
                    engine.judge(job, left, names)
        judged = merged(self._believed(engine, job, parts, names))
        self._note(judged.damaged)
        for name in names:
            findings = judged.findings.get(name, NOTHING_WRONG)
            write_whole(job.place(FINDINGS, name, "json"), msgspec.json.encode(findings))
        return judged

    @staticmethod
    def _believed(engine: Engine, job: Job, parts: Sequence[Part], names: Sequence[str]) -> list[PartFindings]:
        """The findings about the parts; without a store for all of them if one has found that it is wrong."""
        files = [job.place(JUDGED, part.key, "json") for part in parts]
        findings = [recorded(file, PartFindings) for file in files]
        if not any(part.refuted for part in findings):
            return findings
        again = [number for number, part in enumerate(findings) if part.known]
        for number in again:
            files[number].unlink()
        engine.judge(msgspec.structs.replace(job, store=None), [parts[number] for number in again], names)
        for number in again:
            findings[number] = recorded(files[number], PartFindings)
        return findings

    def _compose_or_reuse(
        self, engine: Engine, job: Job, units: Sequence[Unit], judged: PartFindings, packs: Packs
    ) -> list[str]:
        """Judge the units, but for those that have verdicts in a store. Returns notes on the store."""
        kept = None if judged.refuted else _kept(job)
        if kept is None or job.store is None:
            self._compose(engine, job, units)
            return []
        files = {unit: job.place(VERDICTS, unit.key, "parquet") for unit in units}
        new = [unit for unit, verdicts in files.items() if not verdicts.exists()]
        pieces = {unit: Piece(job.kept_key(unit), files[unit], unit.traces) for unit in new}
        right = {unit.pack for unit in new if has_no_fault(judged.findings.get(unit.pack, NOTHING_WRONG))}
        reused = kept.reuse([piece for unit, piece in pieces.items() if unit.pack in right])
        composed = [unit for unit in new if pieces[unit] not in reused]
        self._compose(engine, job, [unit for unit in units if pieces.get(unit) not in reused])
        if not kept.settle():
            self._compose(engine, job, units)
            return [*kept.ignored, WRONG.format(job.store.folder)]
        same = unchanged(self._corpus, packs, {unit.pack for unit in composed})
        try:
            kept.add([pieces[unit] for unit in composed if unit.pack in same and unit.key not in self._unjudged])
        except StoreError as error:
            return [*kept.ignored, str(error)]
        return kept.ignored

    def _compose(self, engine: Engine, job: Job, units: Sequence[Unit]) -> None:
        left = [unit for unit in by_size(units) if not job.place(VERDICTS, unit.key, "parquet").exists()]
        if not left:
            return
        names = {unit.key: f"{unit.pack}, row group {unit.row_group}" for unit in left}
        with progress("judging traces") as report:
            ahead = len(units) - len(left)
            done = engine.compose(job, left, lambda some, _: report(ahead + some, len(units)))
        failed = {result.key: result.error for result in done if result.error is not None}
        self._note([Damaged(names[key], error) for key, error in failed.items()])
        self._unjudged.update(failed)

    def _verdicts(self, job: Job, units: Sequence[Unit]) -> list[Verdicts]:
        """The files of verdicts that must exist now, and one more that lists the packs that could not be judged."""
        judged = [unit for unit in units if unit.key not in self._unjudged]
        files = [Verdicts(job.place(VERDICTS, unit.key, "parquet"), unit.traces) for unit in judged]
        rows = [
            Row(name, "unreadable", spec_digest(), error=pack.error) for name, pack in sorted(self._damaged.items())
        ]
        if rows:
            unreadable = job.place(VERDICTS, "unreadable", "parquet")
            write_verdicts(unreadable, as_table(rows))
            files.append(Verdicts(unreadable, len(rows)))
        return files


def _kept(job: Job) -> Kept | None:
    """The verdicts that a store has; None if there is no store that can be used: that of the steps has said why."""
    try:
        return None if job.store is None else Kept(Path(job.store.folder), job.store_key, job.store.most)
    except StoreError:
        return None


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def tidy(folder: Path, kept: Sequence[Path]) -> None:
    """Remove all files of the folder but those kept, and add the mark that they are complete."""
    wanted = {path.name for path in kept}
    for path in folder.iterdir():
        if path.is_file() and path.name not in wanted:
            path.unlink()
    (folder / "_SUCCESS").touch()


def unfinished(target: Path) -> Path:
    """The folder in which a run gathers results before they become the folder `target`."""
    return target.resolve().with_name(f".{target.resolve().name}.unfinished")


def begin(folder: Path, resume: bool) -> None:
    """Make the folder, or take it as another run has left it. Raises UsageError if it cannot be made.

    A run that was killed once says nothing against the trace that it was judging; a second time does. So a mark is
    forgiven once.
    """
    try:
        if not resume:
            shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        for mark in sorted(folder.glob(f"{MARK}-*")):
            forgiven = mark.with_name(f"forgiven-{mark.name}")
            if not forgiven.exists():
                mark.rename(forgiven)
    except OSError as error:
        raise unwritable(folder, error) from error
