"""One bad trace among many true ones: found, for every kind of fault, without accusing another.

Source: traces/README.md, Conformance
"""

import json
import shutil
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
from gomboc.checker.simulate.packs import local, simulate_packs
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.traces.trace import TraceReader, open_trace
from tests.checker.cli.command import gomboc
from tests.checker.replay.kernel import mutilation
from tests.checker.replay.kernel.mutilation import KINDS
from tests.checker.replay.pack.packs import FILES, quiet
from tests.checker.replay.run.corpora import PLAN, honest, replayed, rows_in
from tests.copying import copied
from tests.sampling import THOROUGH
from tests.toys.words import spec as toy

pytestmark = pytest.mark.usefixtures("nothing_demanded")

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


def hidden(crowd, folder, *traces):
    """That crowd with the traces in its midst, each in a pack of its own between the others."""
    ingest(find_sources(traces), folder / "packed", 1, 1, quiet)
    corpus = shutil.copytree(crowd, folder / "corpus")
    for path in (folder / "packed").glob("*.pack"):
        shutil.move(path, corpus / f"000001-{path.name}")
    names = sorted(path.name for path in corpus.glob("*.pack"))
    info = open_corpus(crowd).manifest
    entries = [PackEntry(name, open_pack(corpus / name).counts) for name in names]
    write_manifest(corpus, info.protocol, info.parameters, entries)
    return corpus


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


def test_the_crowd_alone_is_clean(crowd, tmp_path):
    summary = replayed(crowd, tmp_path / "verdicts")
    assert (summary.verdicts, summary.clusters, summary.named) == ({"holds": HONEST}, (), ())


@pytest.mark.parametrize("kind", KINDS if THOROUGH else (mutilation.leave_out_send,), ids=lambda kind: kind.__name__)
def test_one_mutilated_trace_is_found_with_its_step_and_rule_as_gomboc_check_says(crowd, tmp_path, kind):
    text = mutilated(kind)
    (tmp_path / "hidden.jsonl").write_bytes(text)
    summary = replayed(hidden(crowd, tmp_path, tmp_path / "hidden.jsonl"), tmp_path / "verdicts")
    if kind.__name__ in TELLS_NO_LIE:
        assert summary.verdicts == {"holds": HONEST + 1}
        return
    assert summary.verdicts == {"holds": HONEST, "violated": 1}
    (cluster,) = summary.clusters
    assert (cluster.trace, cluster.pack, cluster.traces) == ("hidden", "000001-000000.pack", 1)
    assert (cluster.confirmed, Path(cluster.witness).read_bytes()) == (True, text)
    ran = gomboc("check", cluster.witness, "--format", "json")
    output = [verdict for verdict in json.loads(ran.out).values() if isinstance(verdict, dict)]
    violations = [(verdict["step"], verdict["rule"]) for verdict in output if verdict.get("type") == "violated"]
    assert (ran.code, min(violations)) == (VIOLATED, (cluster.step, cluster.rule))


def test_one_of_each_kind_of_mutilation_is_found_with_its_step_and_rule_and_no_other_trace(crowd, tmp_path):
    texts = {kind.__name__: mutilated(kind) for kind in KINDS}
    (tmp_path / "lines").mkdir()
    for name, text in texts.items():
        (tmp_path / "lines" / f"{name}.jsonl").write_bytes(text)
    corpus = hidden(crowd, tmp_path, tmp_path / "lines")
    summary = replayed(corpus, tmp_path / "verdicts")
    lying = texts.keys() - TELLS_NO_LIE
    assert summary.verdicts == {"holds": HONEST + len(TELLS_NO_LIE), "violated": len(lying)}
    rows = rows_in(tmp_path / "verdicts")
    for name in lying:
        first = judge_file(tmp_path / "lines" / f"{name}.jsonl").violations()[0]
        assert (rows[name]["step"], rows[name]["rule"]) == (first.step, first.rule)
    assert all(cluster.confirmed for cluster in summary.clusters)


def test_all_golden_negatives_at_once_are_found_and_no_other_trace(crowd, tmp_path):
    summary = replayed(hidden(crowd, tmp_path, *LYING), tmp_path / "verdicts")
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
