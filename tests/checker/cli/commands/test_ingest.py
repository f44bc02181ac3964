"""`gomboc ingest`, as a user calls it."""

import shutil

from gomboc.checker.replay.pack.read import open_corpus
from tests.checker.cli.command import NOT_OURS, gomboc, refused
from tests.checker.replay.pack.packs import FILES, GOLDEN, NAMES


def test_a_folder_of_traces_becomes_a_corpus(tmp_path):
    (tmp_path / "traces").mkdir()
    for path in FILES:
        shutil.copy(path, tmp_path / "traces")
    ran = gomboc("ingest", tmp_path / "traces", "--output", tmp_path / "corpus", "--pack-size", 20, "--jobs", 1)
    counts = open_corpus(tmp_path / "corpus").manifest.counts
    assert (ran.code, ran.err) == (0, "")
    packs = -(-counts.traces // 20)
    assert ran.out == f"{tmp_path / 'corpus'}: {counts.traces} traces in {packs} packs, {counts.events:,} steps.\n"
    assert counts.traces >= len(FILES)


def test_what_is_there_is_replaced_only_if_gomboc_wrote_it_and_only_if_one_says_so(tmp_path):
    words = ["ingest", GOLDEN / f"{NAMES[0]}.jsonl", "--output", tmp_path / "corpus"]
    assert gomboc(*words).code == 0
    assert refused(*words) == (
        f"gomboc: {tmp_path / 'corpus'}: there is something already; choose another --output, or --overwrite it.\n"
    )
    assert gomboc(*words, "--overwrite").code == 0
    words[-1] = tmp_path
    assert refused(*words, "--overwrite") == f"gomboc: {tmp_path}: {NOT_OURS}\n"
