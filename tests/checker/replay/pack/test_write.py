"""A pack is there whole or not at all, and takes a bounded amount of memory to write."""

import io
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.replay.pack.corpus import PackTarget, new_corpus, write_packs
from gomboc.checker.replay.pack.ingest import Ingester
from gomboc.checker.replay.pack.read import open_corpus, open_pack
from gomboc.checker.replay.pack.write import writing_pack
from gomboc.checker.traces.trace import TraceReader
from tests.checker.cli.command import NOT_OURS
from tests.checker.replay.pack.packs import FILES, corpus, everything_in

REFUSING_TO_GROW = """
import resource, signal, sys
from pathlib import Path
from gomboc.checker.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
sys.argv[0] = "gomboc"
main()
"""


class Interrupted(BaseException):
    """The exception of Ctrl-C, in a form that does not end the tests."""


def add(writer, number):
    reader = TraceReader(FILES[number], io.BytesIO(FILES[number].read_bytes()))
    writer.add(Ingester(writer.dictionary).row(reader, str(number)))


def test_nothing_is_left_of_a_pack_that_was_interrupted(tmp_path):
    def interrupted():
        with writing_pack(tmp_path / "000000.pack", "skip_ring", {}) as writer:
            add(writer, 0)
            raise Interrupted

    with pytest.raises(Interrupted):
        interrupted()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("limit", "what"), [(0, "corpus"), (200, "000000.pack"), (3_000, "000000.pack")])
def test_a_disk_that_is_full_is_one_sentence_and_leaves_nothing(tmp_path, limit, what):
    command = [sys.executable, "-c", REFUSING_TO_GROW, str(limit), "ingest", *map(str, FILES)]
    done = subprocess.run([*command, "--output", "corpus", "--jobs", "1"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("gomboc: ")
    assert done.stderr.endswith(f"{what}: it cannot be written: File too large.\n")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_limit_of_the_other_test_is_what_makes_it_fail(tmp_path):
    command = [sys.executable, "-c", REFUSING_TO_GROW, str(1 << 20), "ingest", *map(str, FILES)]
    subprocess.run([*command, "--output", "corpus", "--jobs", "1"], cwd=tmp_path, capture_output=True, check=True)
    assert open_corpus(tmp_path / "corpus").manifest.counts.traces == len(FILES)


def test_an_interrupted_command_leaves_nothing(tmp_path):
    options = ["--traces", "100000", "--pack-size", "1000", "--into", "packs", "--jobs", "2", "--output", "corpus"]
    main = "from gomboc.checker.cli import main; main()"
    command = [sys.executable, "-c", main, "simulate", "skip_ring", *options]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        while not list(tmp_path.rglob("traces.parquet")):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=60)
    assert (process.returncode, complaint.strip()) == (130, "gomboc: interrupted.")
    assert list(tmp_path.iterdir()) == []


def test_row_groups_hold_a_bounded_number_of_steps(tmp_path, monkeypatch):
    monkeypatch.setattr("gomboc.checker.replay.pack.write.ROW_GROUP_EVENTS", 60)
    with writing_pack(tmp_path / "000000.pack", "skip_ring", {}) as writer:
        for number in range(6):
            add(writer, number)
    pack = open_pack(tmp_path / "000000.pack")
    events = [[len(row) for row in table["events"].to_pylist()] for table in pack.trace_batches()]
    assert len(events) > 1
    assert all(sum(group[:-1]) < 60 for group in events)
    assert sum(map(sum, events)) == pack.counts.events


def test_a_pack_is_closed_when_its_dictionary_is_large_and_another_one_goes_on(tmp_path, monkeypatch):
    whole = corpus(tmp_path / "whole", 9)
    monkeypatch.setattr("gomboc.checker.replay.pack.write.MOST_BYTES", 1)
    opened = open_corpus(corpus(tmp_path / "split", 2))
    assert opened.names == ("000000.pack", "000000-1.pack", "000001.pack")
    assert [pack.names() for pack in opened.packs()] == [
        [name] for name in open_corpus(whole).pack("000000.pack").names()
    ]


def test_the_same_traces_give_the_same_bytes(tmp_path):
    assert everything_in(corpus(tmp_path / "a")) == everything_in(corpus(tmp_path / "b"))


def test_tables_are_compressed(tmp_path):
    pack = corpus(tmp_path / "corpus") / "000000.pack"
    metadata = pyarrow.parquet.read_metadata(pack / "traces.parquet")
    assert metadata.row_group(0).column(0).compression == "ZSTD"


def test_a_pack_without_traces_is_one(tmp_path):
    with writing_pack(tmp_path / "000000.pack", "skip_ring", {}):
        pass
    pack = open_pack(tmp_path / "000000.pack")
    assert (list(pack.trace_batches()), len(pack.steps), len(pack.states)) == ([], 0, 0)


def test_a_pack_that_is_there_is_replaced(tmp_path):
    target = PackTarget(str(tmp_path), "skip_ring", {})
    for traces in ([0], [1, 2]):
        write_packs(target, 0, traces, lambda writer: lambda number: add(writer, number))
    assert open_pack(tmp_path / "000000.pack").names() == ["1", "2"]


def test_something_else_is_not_overwritten(tmp_path):
    (tmp_path / "mine" / "notes").mkdir(parents=True)
    with pytest.raises(UsageError) as error, new_corpus(tmp_path / "mine", overwrite=True):
        pass
    assert str(error.value) == f"{tmp_path / 'mine'}: {NOT_OURS}"
    with pytest.raises(UsageError) as error, new_corpus(tmp_path, overwrite=False):
        pass
    assert str(error.value) == f"{tmp_path}: there is something already; choose another --output, or --overwrite it."


def test_nothing_is_written_for_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    path = Path(tmp_path / "file" / "000000.pack")
    with pytest.raises(UsageError) as error, writing_pack(path, "skip_ring", {}):
        pass
    assert str(error.value) == f"{path}: it cannot be written: Not a directory."
