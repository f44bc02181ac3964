"""Judge each distinct value and local step of a corpus once, in parts that different processes may judge.

A value or step belongs to a part by its text alone. The process that judges a part reads the dictionaries of all packs
and numbers the values and steps of its part by their digests, so equal content in another pack has the same number.
"""

import os
import zlib
from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.digests import Digests
from gomboc.checker.distinct.distinct import NONE, TIMEOUT, Distinct
from gomboc.checker.distinct.findings import Fired, LocalFinding, PackFindings
from gomboc.checker.distinct.judging import Judged, LocalJudge, judge_messages, judge_states, judge_steps, judgeable
from gomboc.checker.distinct.spelling import PackValues
from gomboc.checker.replay.kernel.memo import Interned
from gomboc.checker.replay.run.work import Damaged, Job, Part
from gomboc.checker.replay.store.store import JUDGED_AGAIN, UNKNOWN, Store

STEPS = 2
"""The kind of steps, among states, messages and steps."""

MOST_KNOWN = 6_000_000
"""Most distinct steps, or texts, kept in memory; beyond that, some may be judged again. It bounds the memory."""


class PartFindings(msgspec.Struct, frozen=True):
    """Findings about one part: by pack, the rules that right steps fired, and packs that cannot be read.

    `distinct` is the number of steps, `known` of those that a store knew, `timed_out` are the nodes that had a timeout
    in some trace, `notes` are sentences on the store; it was `refuted` if one of its entries was wrong.
    Values and steps are judged and counted only if they occur in a trace: other entries of a dictionary were not
    exercised.
    """

    findings: dict[str, PackFindings]
    fired: list[tuple[Fired, int]]
    damaged: list[Damaged]
    distinct: int
    timed_out: list[str]
    known: int = 0
    notes: list[str] = []
    refuted: bool = False


def judge_part(job: Job, part: Part, packs: Iterable[str], store: Store | None = None) -> PartFindings:
    """Judge one part of the distinct values and steps of those packs, apart from those that a store knows.

    Raises WrongEntryError if the store is wrong about one.
    """
    judge = LocalJudge(job.specification())
    known = DistinctSoFar(part, store)
    findings: dict[str, PackFindings] = {}
    damaged: list[Damaged] = []
    timed_out: set[str] = set()
    for name in packs:
        try:
            pack = job.pack(name)
            distinct, occurring = Distinct(pack.states, pack.messages, pack.steps), pack.occurring_steps()
            pack_findings = known.judge(judge, distinct, occurring)
        except UsageError as error:
            damaged.append(Damaged(name, str(error)))
            continue
        timed_out.update(_with_timeouts(distinct, occurring))
        if pack_findings.states or pack_findings.messages or pack_findings.steps:
            findings[name] = pack_findings
    fired = judge.effects.fired + known.fired
    return PartFindings(
        findings, sorted(fired.items(), key=repr), damaged, known.distinct, sorted(timed_out), known.known
    )


def _with_timeouts(distinct: Distinct, occurring: Array) -> list[str]:
    """The nodes that have a timeout in some trace."""
    nodes = np.unique(distinct.node[occurring & (distinct.took == TIMEOUT) & (distinct.before != NONE)])
    return [distinct.names.known[node] for node in nodes.tolist()]


class DistinctSoFar:
    """Values and steps of one part that have been judged, by content."""

    def __init__(self, part: Part, store: Store | None = None) -> None:
        self._part, self._store = part, store
        self.distinct = self.known = 0
        self.fired: Counter[Fired] = Counter()
        self._forget()

    def _forget(self) -> None:
        self._numbers = [Interned() for _ in range(3)]
        self._found: list[dict[int, LocalFinding]] = [{}, {}, {}]

    def judge(self, judge: LocalJudge, words: Distinct, occurring: Array) -> PackFindings:
        """The findings about this part of a pack's dictionary; judges only new content.

        Steps are judged only if they occur in some trace.
        """
        if max(map(len, self._numbers)) > MOST_KNOWN:
            self._forget()
        mine_of_states, mine_of_messages = self._mine(words.state_texts), self._mine(words.message_texts)
        rows = judgeable(words)
        rows = rows[occurring[rows] & mine_of_states[words.after[rows]]]
        mine = np.flatnonzero(mine_of_states), np.flatnonzero(mine_of_messages & ~words.commands), rows
        values, of = PackValues(judge.decoders, words), Digests(words)
        digests = of.states(mine[0]), of.messages(mine[1]), of.steps(mine[2])
        return PackFindings(
            *(self._kind(judge, values, *arguments) for arguments in zip(range(3), mine, digests, strict=True))
        )

    def _kind(self, judge: LocalJudge, values: PackValues, kind: int, rows: Array, digests: Array) -> Any:
        """Findings for states, contents or steps: `rows` are their rows in the pack."""
        interned = self._numbers[kind]
        held = len(interned)
        numbers = interned(digests[:, 0], digests[:, 1])
        fresh = np.flatnonzero(numbers >= held)
        new = fresh[np.unique(numbers[fresh], return_index=True)[1]]
        self.distinct += len(new) * (kind == STEPS)
        new_findings = self._new_findings(judge, values, kind, rows[new], digests[new])
        bad = self._found[kind]
        places = dict(zip(rows[new].tolist(), numbers[new].tolist(), strict=True)) if new_findings else {}
        bad.update((places[row], finding) for row, finding in new_findings.items())
        if not bad:
            return {}
        wrong = np.flatnonzero(np.isin(numbers, list(bad)))
        return {int(row): bad[int(number)] for row, number in zip(rows[wrong], numbers[wrong], strict=True)}

    def _new_findings(
        self, judge: LocalJudge, values: PackValues, kind: int, rows: Array, digests: Array
    ) -> dict[int, LocalFinding]:
        """Findings about values or steps that are new here; what the store knows is right."""
        if self._store is None or not len(rows):
            return _judged(judge, values, kind, rows).findings
        number = self._store.look_up(digests)
        unsure = (number == UNKNOWN) | _drawn(len(rows))
        findings, effects = _judged(judge, values, kind, rows[unsure])
        spelled = judge.effects.spelled() if kind == STEPS else [()]
        ours = np.append(self._store.numbers(spelled), UNKNOWN)[effects]
        ours[np.isin(rows[unsure], list(findings))] = UNKNOWN
        self._store.check(number[unsure], ours)
        new = (ours != UNKNOWN) & (number[unsure] == UNKNOWN)
        self._store.add(digests[unsure][new], ours[new])
        for known, times in zip(*np.unique(number[~unsure], return_counts=True), strict=True):
            self.fired.update(dict.fromkeys(self._store.effect(int(known)), int(times)))
        self.known += int((~unsure).sum()) * (kind == STEPS)
        return findings

    def _mine(self, texts: Iterable[bytes]) -> Array:
        """A mask of the texts that belong to this part."""
        if self._part.parts == 1:
            return np.ones(sum(1 for _ in texts), bool)
        checksums = np.fromiter(map(zlib.crc32, texts), np.int64)
        mine: Array = checksums % self._part.parts == self._part.number
        return mine


def _judged(judge: LocalJudge, values: PackValues, kind: int, rows: Array) -> Judged:
    """Findings about values or steps of that kind; a value has the effect with the number 0, which is none."""
    if kind == STEPS:
        return judge_steps(judge, values, rows)
    return Judged((judge_states, judge_messages)[kind](judge, values, rows), np.zeros(len(rows), np.int64))


def _drawn(size: int) -> Array:
    """A mask of so many entries: each stands in it with a chance of one in JUDGED_AGAIN, which nobody can foresee."""
    drawn: Array = np.frombuffer(os.urandom(4 * size), np.uint32) < (1 << 32) / JUDGED_AGAIN
    return drawn


def merged(parts: Iterable[PartFindings]) -> PartFindings:
    """The findings of all parts together."""
    findings: dict[str, PackFindings] = {}
    fired: Counter[Fired] = Counter()
    damaged: dict[str, Damaged] = {}
    distinct = 0
    timed_out: set[str] = set()
    known = 0
    notes: dict[str, None] = {}
    refuted = False
    for part in parts:
        for name, more in part.findings.items():
            held = findings.setdefault(name, PackFindings({}, {}, {}))
            held.states.update(more.states)
            held.messages.update(more.messages)
            held.steps.update(more.steps)
        fired.update(dict(part.fired))
        damaged.update((pack.name, pack) for pack in part.damaged)
        distinct += part.distinct
        timed_out.update(part.timed_out)
        known += part.known
        notes.update(dict.fromkeys(part.notes))
        refuted |= part.refuted
    counts, bad = sorted(fired.items(), key=repr), list(damaged.values())
    return PartFindings(findings, counts, bad, distinct, sorted(timed_out), known, list(notes), refuted)
