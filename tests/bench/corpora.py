"""The corpora that are measured: arbitrary starts of the skip ring, and parts of a large corpus as corpora."""

import os
from pathlib import Path

from gomboc.checker.replay.pack.export import Exporter
from gomboc.checker.replay.pack.format import Manifest
from gomboc.checker.replay.pack.read import open_corpus
from gomboc.checker.replay.pack.write import write_manifest
from gomboc.checker.simulate.packs import local, simulate_packs
from gomboc.checker.simulate.plan import Plan

SMALL = (2, 3, 4)
"""Numbers of members of the corpora with varied size or length, in turn."""

SETTLE = 4
"""Rounds that a run goes on for when it is legitimate."""

PACK = 20_000
"""Traces in a pack."""


def simulated(folder: Path, traces: int, nodes: tuple[int, ...] = SMALL, settle: int = SETTLE, seed: int = 1) -> Path:
    """A corpus of so many traces, in as few packs as there are cores, or in more of PACK traces each."""
    jobs = os.cpu_count() or 1
    plan = Plan("skip_ring", "skip_ring", nodes=nodes, traces=traces, seed=seed, settle=settle)
    simulate_packs(plan, folder, min(PACK, -(-traces // jobs)), local(jobs), lambda done, total: None)
    return folder


def beginning(source: Path, folder: Path, traces: int) -> Path | None:
    """The first packs of a corpus as a corpus of so many traces; None if no number of packs has just so many."""
    manifest = open_corpus(source).manifest
    packs, held = [], 0
    for entry in manifest.packs:
        if held >= traces:
            break
        packs.append(entry)
        held += entry.counts.traces
    if held != traces:
        return None
    folder.mkdir()
    for entry in packs:
        (folder / entry.name).symlink_to((source / entry.name).resolve(), target_is_directory=True)
    write_manifest(folder, manifest.protocol, manifest.parameters, packs)
    return folder


def counted(corpus: Path) -> Manifest:
    """The manifest of a corpus, which has the numbers of its traces and steps."""
    return open_corpus(corpus).manifest


def as_lines(source: Path, folder: Path, traces: int) -> tuple[list[Path], int]:
    """The first traces as JSON Lines, all of one pack, and how many steps they have."""
    folder.mkdir()
    corpus = open_corpus(source)
    paths, steps = [], 0
    for name, lines in Exporter(corpus.pack(corpus.names[0])).traces():
        path = folder / f"{name}.jsonl"
        written = list(lines)
        path.write_bytes(b"".join(written))
        steps += len(written) - 1
        paths.append(path)
        if len(paths) == traces:
            break
    return paths, steps
