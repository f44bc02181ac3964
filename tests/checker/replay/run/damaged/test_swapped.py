"""A pack whose row groups are swapped is judged by what they hold, or refused: earlier verdicts are not theirs.

Source: checker/replay/README.md, The store
"""

from unittest.mock import patch

import pyarrow.parquet
import pytest

from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.replay.pack import write
from gomboc.checker.replay.pack.format import TRACES_FILE
from gomboc.checker.replay.run import judging
from gomboc.checker.replay.run.units import Bench
from gomboc.checker.replay.store import kept
from tests.checker.cli.command import gomboc
from tests.checker.replay.run.corpora import corpus_of, honest, naive_rows, rows_in
from tests.copying import copied
from tests.toys.words import spec as toy

NEVER = 1e9
"""Of so many that a store knows, one is judged again."""

RUNS = 0, 4
"""Honest traces; each is there also with a step that takes a message of which none has that id.

So no local step is wrong, which would have all of its pack composed again, and both have columns of the same lengths.
"""


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Those traces as lines, and as a pack with one in each row group."""
    monkeypatch.setattr(write, "ROW_GROUP_EVENTS", 1)
    lines = tmp_path / "lines"
    lines.mkdir()
    for run in RUNS:
        lie = copied(honest(run))
        next(step for step in lie[1:] if type(step["took"]) is int)["took"] = 9999
        (lines / f"{run}-true.jsonl").write_bytes(toy.written(*honest(run)))
        (lines / f"{run}-lies.jsonl").write_bytes(toy.written(*lie))
    return lines, corpus_of(lines, tmp_path / "packs")


def file_of(corpus):
    return corpus / "000000.pack" / TRACES_FILE


def rewrite(path, order):
    """Write the row groups anew in that order, in a file whose footer tells nothing of how much they say."""
    groups = [pyarrow.parquet.ParquetFile(path).read_row_group(number) for number in order]
    plain = {"compression": "none", "use_dictionary": False, "write_statistics": False}
    with pyarrow.parquet.ParquetWriter(path, groups[0].schema, **plain) as writer:
        for group in groups:
            writer.write_table(group)


def exchange(path, one, other):
    """Exchange the bytes of two row groups below a footer that stays: what it says is of the other one now."""
    metadata, content = pyarrow.parquet.read_metadata(path), path.read_bytes()
    (low, end), (start, high) = (extent(metadata.row_group(number)) for number in sorted((one, other)))
    assert (end - low, content[low:end] != content[start:high]) == (high - start, True)
    path.write_bytes(content[:low] + content[start:high] + content[end:start] + content[low:end] + content[high:])


def extent(group):
    """The first byte of a row group, and the one behind it."""
    columns = [group.column(number) for number in range(group.num_columns)]
    return columns[0].data_page_offset, columns[-1].data_page_offset + columns[-1].total_compressed_size


def verdicts(corpus, folder):
    """The verdict, step and rule of each trace, with a store that is not asked twice; and how many were composed."""
    words = "replay", corpus, "--engine", "local", "--jobs", "1", "--overwrite", "--output", folder / "verdicts"
    composed = patch.object(Bench, "judge", autospec=True, side_effect=Bench.judge)
    with composed as compose, patch.object(kept, "COMPOSED_AGAIN", NEVER), patch.object(judging, "JUDGED_AGAIN", NEVER):
        ran = gomboc(*words, "--store", folder / "store")
    assert ran.code == 1, ran
    said = {name: (row["verdict"], row["step"], row["rule"]) for name, row in rows_in(folder / "verdicts").items()}
    return said, compose.call_count


def by_the_naive_judge(lines):
    said = {name: (row.verdict, row.step, row.rule) for name, row in naive_rows(lines, DEFAULT).items()}
    assert [said[f"{run}-{kind}"][0] for run in RUNS for kind in ("true", "lies")] == ["holds", "violated"] * len(RUNS)
    return said


def test_row_groups_in_another_order_get_the_verdicts_of_their_own_traces(made, tmp_path):
    lines, corpus = made
    plain = by_the_naive_judge(lines)
    assert verdicts(corpus, tmp_path) == (plain, 4)
    assert verdicts(corpus, tmp_path) == (plain, 2), "those that held are known"
    for order in ((3, 2, 1, 0), (1, 0, 3, 2), (0, 2, 1, 3)):
        rewrite(file_of(corpus), order)
        assert verdicts(corpus, tmp_path) == (plain, 4)


def test_so_do_row_groups_that_are_exchanged_below_their_footer(made, tmp_path):
    lines, corpus = made
    rewrite(file_of(corpus), range(4))
    plain = by_the_naive_judge(lines)
    assert [verdicts(corpus, tmp_path) for _ in range(2)] == [(plain, 4), (plain, 2)]
    for one in (0, 2):
        exchange(file_of(corpus), one, one + 1)
        assert verdicts(corpus, tmp_path) == (plain, 4)


def test_a_row_group_that_stands_in_place_of_another_is_refused(made, tmp_path):
    _, corpus = made
    rewrite(file_of(corpus), (0, 1, 2, 2))
    ran = gomboc("replay", corpus, "--output", tmp_path / "verdicts", "--store", tmp_path / "store")
    assert ran == (2, "", f"gomboc: {file_of(corpus)}: two traces have the name '4-lies'.\n")
