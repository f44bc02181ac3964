"""Judge traces in memory by the factored kernel.

A judgement of a trace that holds is that of the naive judge, word by word. The others are for the naive judge, which
explains them, and judges the traces on which the kernel, or a protocol of a user's own in it, fails.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from gomboc.checker.core.arrow import pa
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.processes.collecting import without_collecting
from gomboc.checker.distinct.distinct import Distinct
from gomboc.checker.distinct.judging import LocalJudge, judge_all
from gomboc.checker.distinct.marks import Marks
from gomboc.checker.judge.naive import Options, bound_of, find_variant
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED, Judgement
from gomboc.checker.replay.kernel.blocks.findings import BlockFindings
from gomboc.checker.replay.kernel.blocks.judge import PackJudge
from gomboc.checker.replay.kernel.blocks.verdicts import Held, held_of
from gomboc.checker.replay.kernel.frames.batch import batch_of
from gomboc.checker.replay.pack.dictionary import Dictionary
from gomboc.checker.replay.pack.ingest import Ingester
from gomboc.checker.replay.pack.write import Rows
from gomboc.checker.traces.trace import Header, TraceReader, open_trace
from gomboc.spec.core.protocol import Protocol

CODES = HOLDS, VIOLATED, UNKNOWN
"""The exit codes of the kernel's verdicts, by number."""


class Factored(NamedTuple):
    """The kernel's verdict on a trace: its exit code, and the judgement if the trace holds."""

    code: int
    judgement: Judgement | None = None


class Gathered:
    """Traces of one protocol with the same parameters, in columns, as a writer of packs would get them."""

    def __init__(self) -> None:
        self.dictionary = Dictionary()
        self.headers: dict[str, Header] = {}
        self._rows = Rows()
        self._ingester = Ingester(self.dictionary)

    def read(self, reader: TraceReader, name: str) -> None:
        """Append the trace of a reader. Raises UsageError if it cannot be read."""
        self._rows.add(self._ingester.row(reader, name))
        self.headers[name] = reader.header

    def table(self) -> pa.Table:
        """The traces, as a pack has them."""
        return self._rows.table()

    def judged(self, protocol: Protocol, options: Options) -> Iterator[tuple[str, Factored]]:
        """The verdict on each trace that the kernel can judge, with its name.

        `protocol` is configured with the parameters of the traces. Raises whatever a protocol of a user's own does.
        """
        for findings in self.findings(protocol, options):
            yield from self.verdicts(findings, protocol, options)

    def findings(self, protocol: Protocol, options: Options) -> Iterator[BlockFindings]:
        """The kernel's findings about all traces, block by block."""
        distinct, local = Distinct(*self.dictionary.tables()), LocalJudge(protocol)
        marks, parameters = Marks(distinct, judge_all(local, distinct)), next(iter(self.headers.values())).parameters
        return PackJudge(protocol, parameters, distinct, marks, local.decoders).judge(batch_of(self.table()), options)

    def verdicts(self, findings: BlockFindings, protocol: Protocol, options: Options) -> Iterator[tuple[str, Factored]]:
        """The verdicts on those traces of a block that need not be judged naively, by name."""
        codes, held = held_of(findings)
        undecided = set(findings.undecided.tolist())
        for index, name in enumerate(findings.block.frame.batch.names):
            if index not in undecided:
                holds, header = held.get(index), self.headers[name]
                whole = None if holds is None else _judgement(name, protocol, header, options, holds)
                yield name, Factored(CODES[codes[index]], whole)


@without_collecting()
def judge_in_memory(paths: Iterable[Path], options: Options) -> dict[Path, Factored | Exception]:
    """The kernel's verdicts on those of the traces that it can judge, and the exceptions with which it failed."""
    kinds: dict[tuple[str, bytes], Gathered] = {}
    for path in paths:
        _gather(kinds, path)
    verdicts: dict[Path, Factored | Exception] = {}
    for gathered in kinds.values():
        try:
            header = next(iter(gathered.headers.values()))
            protocol = find_variant(header.protocol, options.variant, header.parameters)
            verdicts.update((Path(name), verdict) for name, verdict in gathered.judged(protocol, options))
        except Exception as error:  # noqa: BLE001  # one poisonous trace is enough; the naive judge says which, and why
            for path in map(Path, gathered.headers):
                verdicts.setdefault(path, error)
    return verdicts


def _gather(kinds: dict[tuple[str, bytes], Gathered], path: Path) -> None:
    """Append a trace to those of its kind; one that cannot be read is left to the naive judge, which says why."""
    try:
        with open_trace(path) as reader:
            kind = reader.header.protocol, msgspec.json.encode(reader.header.parameters, order="sorted")
            kinds.setdefault(kind, Gathered()).read(reader, str(path))
    except (UsageError, OSError):
        return


def _judgement(name: str, protocol: Protocol, header: Header, options: Options, held: Held) -> Judgement:
    members = sum(role == protocol.vocabulary.member for role in header.roles.values())
    bound = bound_of(options.bound, header.bound, protocol.starts.bound(members))
    stabilisation = held.rounds, held.rounds_after, held.promises
    return Judgement(name, protocol.name, members, held.steps, *held.verdicts, *stabilisation, bound=bound)
