"""One bad trace among many true ones: found, for every kind of fault, without accusing another.

Source: traces/README.md, Conformance
"""

import json
import shutil
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.naive import DEFAULT, judge, judge_file
from gomboc.checker.judge.verdict import VIOLATED
from gomboc.checker.replay.pack.format import PackEntry
from gomboc.checker.replay.pack.ingest import find_sources, ingest
from gomboc.checker.replay.pack.read import open_corpus, open_pack
from gomboc.checker.replay.pack.write import write_manifest
from gomboc.checker.replay.run.local import LocalPool
from gomboc.checker.replay.run.replay import How, replay_corpus
from gomboc.checker.simulate.packs import local, simulate_packs
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.summary.coverage import Demanded
from gomboc.checker.traces.trace import TraceReader, open_trace
from tests.checker.cli.command import gomboc
from tests.checker.replay.kernel.mutilation import KINDS
from tests.checker.replay.pack.packs import FILES, quiet
from tests.checker.replay.run.corpora import PLAN, honest, rows_in
from tests.copying import copied
from tests.sampling import THOROUGH
from tests.toys.words import spec as toy

HONEST = 200 if THOROUGH else 60
TELLS_NO_LIE = {"spell_it_otherwise", "claim_it_in_another_spelling", "see_it_in_another_spelling"}
"""Mutilations that write the same in other words."""

LYING = [path for path in FILES if path.name.endswith(".bad.jsonl")]


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    """Honest traces of two subscribers, in four packs."""
    folder = tmp_path_factory.mktemp("crowd") / "corpus"
    plan = Plan("skip_ring", "skip_ring", (2,), HONEST, seed=9, settle=2)
    simulate_packs(plan, folder, HONEST // 4, local(1), quiet)
    return folder


@pytest.fixture(autouse=True)
def _nothing_demanded(monkeypatch):
    """The coverage goals of traces of two subscribers are not tested here."""
    monkeypatch.setattr("gomboc.checker.replay.run.replay.demanded", lambda protocol, sizes: Demanded())


def hidden(crowd, folder, *traces):
    """That crowd with the traces in its midst, in a pack between the others."""
    folder.mkdir(exist_ok=True)
    ingest(find_sources(traces), folder / "packed", len(traces), 1, quiet)
    corpus = shutil.copytree(crowd, folder / "corpus")
    shutil.move(folder / "packed" / "000000.pack", corpus / "000001-1.pack")
    names = sorted(path.name for path in corpus.glob("*.pack"))
    info = open_corpus(crowd).manifest
    entries = [PackEntry(name, open_pack(corpus / name).counts) for name in names]
    write_manifest(corpus, info.protocol, info.parameters, entries)
    return corpus


@cache
def mutilated(kind):
    """A trace that the mutilation has changed, and made lie if it can."""
    for seed in range(200):
        lines = copied(honest(seed % PLAN.traces))
        kind(lines, Random(seed))
        text = toy.written(*lines)
        if kind.__name__ in TELLS_NO_LIE or lies(text):
            return text
    raise AssertionError(f"{kind.__name__} makes no trace lie")


def lies(text):
    """Whether the naive judge finds something in it; not if it is no trace at all."""
    try:
        return bool(judge(TraceReader(Path("a trace"), BytesIO(text)), DEFAULT).violations())
    except UsageError:
        return False


def alone(crowd, folder, text):
    """That crowd with one trace in it, which is called "hidden"."""
    (folder / "hidden.jsonl").write_bytes(text)
    return hidden(crowd, folder, folder / "hidden.jsonl")


def found(crowd, folder, text):
    """The only cluster, after a replay of the crowd with that trace in it; its witness is that trace."""
    corpus = alone(crowd, folder, text)
    summary = replay_corpus(corpus, DEFAULT, How(folder / "verdicts"), LocalPool(1))
    assert summary.verdicts == {"holds": HONEST, "violated": 1}
    (cluster,) = summary.clusters
    assert (cluster.trace, cluster.pack, cluster.traces, cluster.confirmed) == ("hidden", "000001-1.pack", 1, True)
    assert Path(cluster.witness).read_bytes() == text
    return cluster


def test_the_crowd_alone_is_clean(crowd, tmp_path):
    summary = replay_corpus(crowd, DEFAULT, How(tmp_path / "verdicts"), LocalPool(1))
    assert (summary.verdicts, summary.clusters, summary.named) == ({"holds": HONEST}, (), ())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_one_mutilated_trace_is_found_with_its_step_and_rule(crowd, tmp_path, kind):
    text = mutilated(kind)
    if kind.__name__ in TELLS_NO_LIE:
        summary = replay_corpus(alone(crowd, tmp_path, text), DEFAULT, How(tmp_path / "verdicts"), LocalPool(1))
        assert summary.verdicts == {"holds": HONEST + 1}
        return
    cluster = found(crowd, tmp_path, text)
    first = judge_file(Path(cluster.witness)).violations()[0]
    assert (first.step, first.rule) == (cluster.step, cluster.rule)


def test_all_golden_negatives_at_once_are_found_and_no_other_trace(crowd, tmp_path):
    corpus = hidden(crowd, tmp_path / "crowded", *LYING)
    summary = replay_corpus(corpus, DEFAULT, How(tmp_path / "verdicts"), LocalPool(1))
    assert summary.verdicts == {"holds": HONEST, "violated": len(LYING)}
    rows = rows_in(tmp_path / "verdicts")
    for path in LYING:
        violations = [(violated.step, violated.rule) for violated in judge_file(path).violations()]
        with open_trace(path) as reader:
            expect = reader.header.expect
        row = rows[path.name.removesuffix(".jsonl")]
        assert ((expect.step, expect.rule) in violations, (row["step"], row["rule"])) == (True, violations[0])
    assert sum(cluster.traces for cluster in summary.clusters) == len(LYING)
    assert all(cluster.confirmed for cluster in summary.clusters)


def test_gomboc_check_agrees_with_the_summary_on_the_witness(crowd, tmp_path):
    cluster = found(crowd, tmp_path, LYING[0].read_bytes())
    ran = gomboc("check", cluster.witness, "--format", "json")
    output = [verdict for verdict in json.loads(ran.out).values() if isinstance(verdict, dict)]
    violations = [(verdict["step"], verdict["rule"]) for verdict in output if verdict.get("type") == "violated"]
    assert (ran.code, min(violations)) == (VIOLATED, (cluster.step, cluster.rule))
