"""Output is complete or absent, has one writer at a time, and replaces only output of gomboc.

Source: checker/README.md
"""

import fcntl
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gomboc.checker.core.output import MARKER, check_place, mark, only_writer, whole_file, whole_folder, write_whole
from tests.checker.refusing import sentence

BUSY = "another gomboc is writing it at this moment; wait for its end, or choose another --output."


def written(target, *names, overwrite=False):
    with whole_folder(target, overwrite) as unfinished:
        for name in names:
            (unfinished / name).write_text("ours")
    return target


def test_a_folder_appears_when_it_is_complete_and_leaves_nothing_beside_it(tmp_path):
    with whole_folder(tmp_path / "out") as unfinished:
        (unfinished / "a").write_text("ours")
        assert not (tmp_path / "out").exists()
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [MARKER, "a"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_that_fails_midway_does_not_appear_and_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="out of ink"), whole_folder(tmp_path / "out"):
        raise ValueError("out of ink")
    assert list(tmp_path.iterdir()) == []


def test_a_second_writer_is_refused_and_spoils_nothing(tmp_path):
    target = tmp_path / "out"
    with whole_folder(target) as unfinished:
        (unfinished / "a").write_text("first")
        for second in (written, check_place):
            assert sentence(second, target, True) == f"{target}: {BUSY}"
    assert (target / "a").read_text() == "first"


def test_a_later_writer_is_not_refused(tmp_path):
    for _ in range(2):
        with only_writer(tmp_path / "out"):
            pass
    assert list(tmp_path.iterdir()) == []


def test_a_lock_on_a_file_that_its_last_holder_removed_meanwhile_is_none(tmp_path, monkeypatch):
    """Between opening and locking, the last holder of the lock has ended and removed its file: no process would see
    ours.
    """
    target, real, calls = tmp_path / "out", fcntl.flock, []

    def removed_meanwhile(file, how):
        calls.append(how)
        if len(calls) == 1:
            (tmp_path / ".out.lock").unlink()
        real(file, how)

    monkeypatch.setattr(fcntl, "flock", removed_meanwhile)
    with only_writer(target):
        assert sentence(written, target) == f"{target}: {BUSY}"
    assert len(calls) == 3


HOLDING = """
import sys
from pathlib import Path
from gomboc.checker.core import output

output.CLEANING = {"an heir": "", "a slow heir": "sleep 0.5", "no heir": "exit"}[sys.argv[2]] + output.CLEANING
with output.whole_folder(Path(sys.argv[1])) as unfinished, output.whole_file(Path(sys.argv[1]) / "a") as half:
    (unfinished / "half").touch()
    half.parent.mkdir()
    half.touch()
    print(unfinished, flush=True)
    sys.stdin.read()
"""


def killed_while_writing(target, whose):
    """The unfinished folder of a process that is killed while it writes `target`."""
    command = [sys.executable, "-c", HOLDING, target, whose]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        left = holder.stdout.readline().strip()
        assert sentence(written, target) == f"{target}: {BUSY}"
        holder.kill()
    return Path(left)


def test_unfinished_output_of_a_killed_process_is_removed_then_its_lock(tmp_path):
    target, deadline = tmp_path / "out", time.monotonic() + 60
    killed_while_writing(target, "an heir")
    while (tmp_path / ".out.lock").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [path.name for path in tmp_path.rglob("*")] == ["out"]


def test_the_next_writer_waits_for_it(tmp_path):
    killed_while_writing(tmp_path / "out", "a slow heir")
    assert (overwritten(tmp_path / "out") / "b").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_the_next_writer_removes_leftovers(tmp_path):
    target = tmp_path / "out"
    left = killed_while_writing(target, "no heir")
    assert left.exists()
    shutil.rmtree(target)
    written(target, "a")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_unfinished_output_of_another_target_stays(tmp_path):
    """The name of one begins like the other's, as those of traces and their verdicts do."""
    with whole_folder(tmp_path / "out.verdicts") as unfinished:
        written(tmp_path / "out", "a")
        assert unfinished.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.verdicts"]


def test_output_of_gomboc_is_replaced_only_if_asked(tmp_path):
    target = written(tmp_path / "out", "a")
    says = f"{target}: there is something already; choose another --output, or --overwrite it."
    assert sentence(written, target, "b") == says
    written(target, "b", overwrite=True)
    assert sorted(path.name for path in target.iterdir()) == [MARKER, "b"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_empty_folder_is_written_to_as_it_is(tmp_path):
    (tmp_path / "out").mkdir()
    target = written(tmp_path / "out", "a")
    assert sorted(path.name for path in target.iterdir()) == [MARKER, "a"]


def overwritten(target):
    return written(target, "b", overwrite=True)


def test_output_of_others_is_not_replaced(tmp_path):
    target = tmp_path / "out"
    target.mkdir()
    (target / "notes.jsonl").write_text("mine")
    says = f"{target}: it has no {MARKER} that says that gomboc wrote it, so it is not overwritten."
    assert sentence(overwritten, target) == says
    assert sentence(check_place, target, True) == says
    (target / MARKER).write_text("{}")
    assert sentence(overwritten, target) == says
    assert (target / "notes.jsonl").read_text() == "mine"


def test_a_folder_with_added_files_is_not_replaced(tmp_path):
    target = written(tmp_path / "out", "a")
    (target / "notes.jsonl").write_text("mine")
    says = f"{target}: it holds 'notes.jsonl', which gomboc did not write, so it is not overwritten."
    assert sentence(overwritten, target) == says
    mark(target, ["notes.jsonl"])
    assert (overwritten(target) / "b").exists()


def test_a_file_is_not_overwritten_as_a_folder(tmp_path):
    (tmp_path / "out").write_text("mine")
    says = "it is no folder, so it is not overwritten."
    assert sentence(overwritten, tmp_path / "out") == f"{tmp_path / 'out'}: {says}"


def test_an_empty_folder_is(tmp_path):
    (tmp_path / "out").mkdir()
    assert (overwritten(tmp_path / "out") / "b").exists()


def test_unwritable_output_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    for target, why in (
        (tmp_path / "file" / "out", "Not a directory"),
        (tmp_path / ("o" * 300), "File name too long"),
    ):
        for write in (written, lambda path: check_place(path, False), lambda path: write_whole(path, b"")):
            assert sentence(write, target) == f"{target}: it cannot be written: {why}."


def break_off(path):
    path.write_text("half")
    raise ValueError("out of ink")


def test_a_file_is_there_whole_or_not_at_all(tmp_path):
    with pytest.raises(ValueError, match="out of ink"), whole_file(tmp_path / "a") as unfinished:
        break_off(unfinished)
    assert list(tmp_path.iterdir()) == []
    write_whole(tmp_path / "a", b"whole")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a", "whole")]
