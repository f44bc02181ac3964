"""Contents of a folder are read as a whole, and a file that cannot be read or named is one sentence.

Source: checker/replay/README.md
"""

import os
from pathlib import Path

from gomboc.checker.core.folder import check_file, check_name, files_below, names_in
from tests.checker import ring
from tests.checker.cli.command import refused
from tests.checker.refusing import sentence


def test_files_are_found_at_any_depth_in_order(tmp_path):
    for name in ("b/z.jsonl", "a/y.jsonl", "a/x.txt", "c.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    result = [path.relative_to(tmp_path).as_posix() for path in files_below(tmp_path, ".jsonl")]
    assert result == ["a/y.jsonl", "b/z.jsonl", "c.jsonl"]
    assert names_in(tmp_path) == ["a", "b", "c.jsonl"]


def test_a_pipe_without_a_writer_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.jsonl")
    says = f"{tmp_path / 'a.jsonl'}: this is no file: traces and packs are read from files only."
    assert sentence(files_below, tmp_path, ".jsonl") == says
    for command in ("replay", "ingest"):
        assert refused(command, tmp_path, "--output", tmp_path / "output") == f"gomboc: {says}\n"
    assert not (tmp_path / "output").exists()


def test_a_device_without_an_end_is_not_read():
    says = "/dev/zero: this is no file: traces and packs are read from files only."
    assert sentence(check_file, Path("/dev/zero")) == says


def test_a_name_that_is_no_utf_8_is_refused_in_words_that_can_be_written(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jsonl"))
    path.write_bytes(ring.HOLDS)
    says = f"{tmp_path}/\\xff.jsonl: the name is no UTF-8: rename it."
    assert sentence(check_name, path) == says
    assert sentence(files_below, tmp_path, ".jsonl") == says
    for command in ("replay", "ingest"):
        assert refused(command, tmp_path, "--output", tmp_path / "output") == f"gomboc: {says}\n"
    assert refused("ingest", path, "--output", tmp_path / "output").endswith(
        f"'{tmp_path}/\\udcff.jsonl' is no UTF-8, so no report can name it: rename it\n"
    )


def test_an_unreadable_folder_is_reported(tmp_path):
    (tmp_path / "file").touch()
    assert sentence(names_in, tmp_path / "file") == f"{tmp_path / 'file'}: it cannot be looked into: Not a directory."
    says = f"{tmp_path / 'none'}: it cannot be looked into: No such file or directory."
    assert sentence(files_below, tmp_path / "none", ".jsonl") == says
