"""A store changes no verdict, and is believed only as far as it is its owner's, whole and right."""

import hashlib
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from unittest.mock import patch

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet
import pytest

from gomboc.checker.core import output
from gomboc.checker.core.arrow import pa
from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.findings import Fired
from gomboc.checker.distinct.judging import LocalJudge
from gomboc.checker.replay.run import judging, work
from gomboc.checker.replay.run.units import Bench
from gomboc.checker.replay.store import kept
from gomboc.checker.replay.store import store as stores
from gomboc.checker.replay.store.segment import Entries, StoreError, read_segment, segment
from gomboc.checker.replay.store.store import UNKNOWN, Store, WrongEntryError, check_private, default_folder
from tests.checker.cli.command import gomboc, refused
from tests.checker.replay.run.corpora import LIES, corpus_of, lines_folder, rows_in
from tests.sampling import THOROUGH

KEY = "c0ffee" * 4
FIRED = (Fired("rule", "role", "Timeout", "timeout", True, False, None),)
OTHER = (Fired("other", "role", "Timeout", "timeout", True, False, None),)


def digests(*numbers):
    return np.array([(number, number + 7) for number in numbers], np.uint64)


def filled(folder, **most):
    store = Store(folder, KEY, **most)
    store.add(digests(5, 3), store.numbers([FIRED, ()]))
    store.save()
    return Store(folder, KEY, **most)


def test_what_was_added_is_found_with_its_effect(tmp_path):
    store = filled(tmp_path)
    numbers = store.look_up(digests(3, 4, 5))
    assert numbers[1] == -1
    assert [store.effect(int(number)) for number in numbers[[0, 2]]] == [(), FIRED]


def test_half_of_a_digest_finds_nothing(tmp_path):
    assert filled(tmp_path).look_up(np.array([[3, 3]], np.uint64)).tolist() == [-1]


def test_another_key_finds_nothing(tmp_path):
    filled(tmp_path)
    assert Store(tmp_path, "other").look_up(digests(3, 5)).tolist() == [-1, -1]


def test_segments_of_several_writers_are_one_store(tmp_path):
    one, other = Store(tmp_path, KEY), Store(tmp_path, KEY)
    one.add(digests(1, 2), one.numbers([FIRED, OTHER]))
    other.add(digests(2, 3), other.numbers([OTHER, FIRED]))
    one.save()
    other.save()
    store = Store(tmp_path, KEY)
    assert [store.effect(int(number)) for number in store.look_up(digests(1, 2, 3))] == [FIRED, OTHER, FIRED]


@pytest.mark.parametrize("wrong", [FIRED, OTHER, None])
def test_an_entry_that_is_wrong_is_noticed_when_it_is_judged_again(tmp_path, wrong):
    store = filled(tmp_path)
    numbers = store.look_up(digests(3))
    with pytest.raises(WrongEntryError):
        store.check(numbers, np.array([UNKNOWN]) if wrong is None else store.numbers([wrong]))
    store.check(numbers, store.numbers([()]))
    store.check(np.array([UNKNOWN]), store.numbers([wrong or OTHER]))


BEYOND = Entries(*digests(1, 2), np.array([0, 9], np.uint32), [()])
"""Entries of which one has an effect that is not there."""


VERSION_2 = "the segment has version 2, and this gomboc reads version 1."


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text[:-1], "the segment is damaged."),
        (lambda text: text[:-1] + bytes([text[-1] ^ 1]), "the segment is damaged."),
        (lambda text: b"", "this is no segment of a store."),
        (lambda text: text[:40], "this is no segment of a store."),
        (lambda text: text.replace(b'"version":1', b'"version":2'), VERSION_2),
        (lambda text: text.replace(b'"version":1', b'"version":2,"more":0'), VERSION_2),
        (lambda text: text.replace(b"gomboc-store", b"gomboc-stone"), "this is no segment of a store."),
        (lambda text: text.replace(KEY.encode(), KEY[::-1].encode()), "the segment is of another specification."),
        (lambda text: segment(KEY, BEYOND), "the segment is damaged."),
    ],
)
def test_a_segment_that_is_not_as_it_was_written_is_not_used(tmp_path, change, says):
    filled(tmp_path)
    (path,) = tmp_path.glob("*.segment")
    path.write_bytes(change(path.read_bytes()))
    store = Store(tmp_path, KEY)
    assert store.ignored == [f"{path}: {says}"]
    assert store.look_up(digests(3, 5)).tolist() == [-1, -1]
    with pytest.raises(StoreError, match=says):
        read_segment(path, KEY)


def test_a_folder_in_place_of_a_segment_is_not_used_and_stays(tmp_path):
    filled(tmp_path)
    (path,) = tmp_path.glob("*.segment")
    path.unlink()
    path.mkdir()
    store = Store(tmp_path, KEY)
    assert store.ignored == [f"{path}: Is a directory."]
    store.void()
    stores.clear(tmp_path)
    assert (path.is_dir(), stores.size(tmp_path)) == (True, (0, 0))


def test_a_folder_that_others_can_write_to_is_not_used(tmp_path):
    tmp_path.chmod(0o770)
    with pytest.raises(StoreError, match="others can write to it"):
        Store(tmp_path, KEY)


def test_a_segment_that_others_can_write_to_is_not_used(tmp_path):
    filled(tmp_path)
    (path,) = tmp_path.glob("*.segment")
    path.chmod(0o620)
    store = Store(tmp_path, KEY)
    assert (store.ignored, len(store._known)) == ([f"{path}: others can write to it."], 0)


def test_whatever_the_umask_nobody_else_can_write_to_what_a_store_holds(tmp_path):
    before = os.umask(0)
    try:
        filled(tmp_path)
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


STRANGERS = "a-chapter.tex", "hits", "one-run.segment", "other-run.verdicts", f"{KEY}-notes.txt", ".a-b.tex.7.partial"


def test_files_that_are_not_the_stores_own_are_neither_counted_nor_removed_nor_written(tmp_path):
    for name in STRANGERS:
        (tmp_path / name).write_text("mine")
    (tmp_path / "packs-1.verdicts.d-1").mkdir()
    filled(tmp_path, most=100).look_up(digests(5))
    assert stores.size(tmp_path)[0] == 0
    store = filled(tmp_path)
    store.look_up(digests(5))
    store.save()
    assert (stores.size(tmp_path)[0], stores.hits(tmp_path)) == (1, 1)
    stores.void(tmp_path, KEY)
    stores.clear(tmp_path)
    assert {path.read_text() for path in tmp_path.iterdir() if path.is_file()} == {"mine"}
    assert len(list(tmp_path.iterdir())) == len(STRANGERS) + 1


def test_what_a_killed_writer_has_left_counts_and_goes(tmp_path):
    filled(tmp_path)
    (path,) = tmp_path.glob("*.segment")
    path.rename(tmp_path / f".{path.name}.7.partial")
    assert stores.size(tmp_path)[0] == 1
    stores.clear(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_is_no_folder_is_not_used(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file: it is no folder"):
        check_private(tmp_path / "file")


def test_the_oldest_segments_go_when_there_are_too_many_bytes(tmp_path):
    filled(tmp_path)
    (old,) = tmp_path.glob("*.segment")
    os.utime(old, (1, 1))
    store = Store(tmp_path, KEY, most=old.stat().st_size + 20)
    store.add(digests(8), store.numbers([FIRED]))
    store.save()
    assert Store(tmp_path, KEY).look_up(digests(5, 8)).tolist()[0] == -1
    assert stores.size(tmp_path)[0] == 1


def test_a_limit_below_what_is_new_keeps_nothing(tmp_path):
    assert stores.size((filled(tmp_path / "s", most=39), tmp_path / "s")[1]) == (0, 0)


def test_a_disk_that_is_full_is_said(tmp_path):
    store = Store(tmp_path, KEY)
    store.add(digests(1), store.numbers([FIRED]))
    full = patch("os.fsync", side_effect=OSError(28, "No space left on device"))
    with full, pytest.raises(StoreError, match="No space"):
        store.save()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    return corpus_of(lines_folder(folder, LIES), folder / "packs")


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    folder = tmp_path_factory.mktemp("honest")
    return corpus_of(lines_folder(folder, []), folder / "packs")


@pytest.fixture(scope="module")
def made(honest, tmp_path_factory):
    """The result on honest traces, and the store that it was written to."""
    folder = tmp_path_factory.mktemp("made")
    return replayed(honest, folder / "verdicts", "--store", folder / "store"), folder / "store"


@pytest.fixture
def plain(made):
    return made[0]


@pytest.fixture
def folder(made, tmp_path):
    """A copy of that store."""
    return shutil.copytree(made[1], tmp_path / "store")


def replayed(corpus, target, *words):
    ran = gomboc("replay", corpus, "--engine", "local", "--jobs", "1", "--output", target, "--overwrite", *words)
    return ran.code, ran.err, (target / "summary.json").read_bytes(), rows_in(target)


def test_steps_that_were_right_are_judged_once(corpus, tmp_path):
    words = "replay", corpus, "--store", tmp_path / "store", "--output", tmp_path / "v", "--overwrite"
    assert "Judged before" not in gomboc(*words).out
    with patch.object(judging, "JUDGED_AGAIN", 1e9):
        out = gomboc(*words).out
    (said,) = re.findall("Judged before, by the same specification: ([0-9,]+) of ([0-9,]+) distinct steps", out)
    known, steps = (int(number.replace(",", "")) for number in said)
    assert steps - len(LIES) - 2 <= known < steps


def test_row_groups_in_which_all_traces_held_are_composed_once(honest, plain, folder, tmp_path):
    words, target = ("--store", folder), tmp_path / "verdicts"
    assert replayed(honest, target, "--no-store") == plain
    composed = patch.object(Bench, "judge", autospec=True, side_effect=Bench.judge)
    with patch.object(kept, "COMPOSED_AGAIN", 1e9), composed as compose:
        assert replayed(honest, target, *words) == plain
        assert not compose.called
        replayed(honest, target, *words, "--bound", "1000")
        assert compose.called


def with_more_steps(verdicts):
    """Verdicts that say that each trace has a step more."""
    table, written = pyarrow.parquet.read_table(pa.BufferReader(verdicts)), pa.BufferOutputStream()
    place, steps = table.schema.get_field_index("steps"), pc.add(table["steps"], 1)
    pyarrow.parquet.write_table(table.set_column(place, table.schema.field("steps"), steps), written)
    return written.getvalue().to_pybytes()


WRONG = "gomboc: {}: an entry was wrong, so all of its specification are removed, and not used.\n"


def test_a_verdict_that_was_made_up_is_found_out_when_its_row_group_is_composed_again(honest, plain, folder, tmp_path):
    make_up_verdicts(folder)
    with patch.object(kept, "COMPOSED_AGAIN", 1):
        found_out = replayed(honest, tmp_path / "verdicts", "--store", folder)
    assert found_out == (plain[0], WRONG.format(folder), *plain[2:])
    assert stores.size(folder)[0] == 0


def make_up_verdicts(folder):
    for file in folder.glob("*.verdicts"):
        made_up = with_more_steps(file.read_bytes().partition(b"\n")[2])
        file.write_bytes(hashlib.sha256(file.name.encode() + b"\n" + made_up).hexdigest().encode() + b"\n" + made_up)


def test_a_run_that_is_killed_takes_nothing_from_the_store_for_its_own_when_it_goes_on(honest, plain, folder, tmp_path):
    words, target = ("--store", folder), tmp_path / "verdicts"
    make_up_verdicts(folder)
    killed = patch.object(kept.Kept, "settle", side_effect=UsageError("killed"))
    again = "replay", honest, "--engine", "local", "--jobs", "1", "--output", target, "--overwrite", *words
    with patch.object(kept, "COMPOSED_AGAIN", 1e9), killed:
        assert refused(*again) == "gomboc: killed\n"
    with patch.object(kept, "COMPOSED_AGAIN", 1):
        found_out = replayed(honest, target, *words, "--resume")
    assert found_out == (plain[0], WRONG.format(folder), *plain[2:])


def test_under_another_version_of_a_library_nothing_is_taken_from_the_store(honest, tmp_path, monkeypatch):
    words = "replay", honest, "--engine", "local", "--jobs", "1", "--store", tmp_path / "store", "--output"
    composed = patch.object(Bench, "judge", autospec=True, side_effect=Bench.judge)
    for library, found in (("msgspec 98", False), ("msgspec 98", True), ("msgspec 99", False)):
        monkeypatch.setattr(work, "LIBRARIES", (library,))
        with patch.object(kept, "COMPOSED_AGAIN", 1e9), composed as compose:
            out = gomboc(*words, tmp_path / "v", "--overwrite").out
        assert ("Judged before" in out, compose.called) == (found, not found)


def test_a_run_whose_store_is_on_a_full_disk_goes_on_without_it_and_says_so(honest, plain, tmp_path):
    with patch.object(stores, "write_whole", side_effect=UsageError("No space left on device.")):
        result = replayed(honest, tmp_path / "verdicts", "--store", tmp_path / "store")
    assert result == (plain[0], "gomboc: No space left on device.\n", *plain[2:])


def refused_to_grow(*arguments):
    """Write whole a file of which this process may write no byte."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        output.write_whole(*arguments)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_so_does_one_whose_store_the_system_does_not_let_grow(honest, plain, tmp_path):
    target, folder = tmp_path / "verdicts", tmp_path / "store"
    with patch.object(stores, "write_whole", side_effect=refused_to_grow):
        code, says, *same = replayed(honest, target, "--store", folder)
    assert [code, *same] == [plain[0], *plain[2:]]
    assert re.fullmatch(rf"(gomboc: {folder}/\S+: it cannot be written: File too large\.\n)+", says)
    assert [path for path in folder.iterdir() if path.stat().st_size] == []
    assert replayed(honest, target, "--store", folder) == plain


def test_verdicts_on_a_pack_that_changes_meanwhile_are_not_kept(honest, tmp_path):
    """The key has the content that the survey met, and not that which was judged."""
    digest, met = work._digest, []

    def changing(pack):
        met.append(pack)
        return digest(pack) if met.count(pack) == 1 else "another"

    with patch.object(work, "_digest", changing):
        replayed(honest, tmp_path / "verdicts", "--store", tmp_path / "store")
    assert list((tmp_path / "store").glob("*.segment"))
    assert not list((tmp_path / "store").glob("*.verdicts"))


def test_damaged_verdicts_are_named_once_and_made_again(honest, plain, folder, tmp_path):
    path = next(folder.glob("*.verdicts"))
    path.write_bytes(path.read_bytes()[:-1])
    for says in (f"gomboc: {path}: the verdicts are damaged.\n", ""):
        assert replayed(honest, tmp_path / "verdicts", "--store", folder) == (plain[0], says, *plain[2:])


def test_wrong_steps_and_other_variants_are_judged_each_time(corpus, tmp_path):
    words = "--store", tmp_path / "store"
    replayed(corpus, tmp_path / "verdicts", *words)
    printed = "--variant", "printed_linearize"
    with_store, without = (replayed(corpus, tmp_path / "p", *printed, *more) for more in (words, ("--no-store",)))
    assert with_store == without


def poisoned(folder, corpus, target):
    """A store that says of each step, right or wrong, that it is right: all checks of the judge are switched off."""
    with (
        patch.object(LocalJudge, "_plainly_right", lambda self, steps: list(map(self._fired, *steps[:3]))),
        patch.object(judging, "JUDGED_AGAIN", 1e9),
    ):
        replayed(corpus, target, "--store", folder)


def test_a_poisoned_store_is_found_out_and_cleared(corpus, tmp_path):
    target, folder = tmp_path / "verdicts", tmp_path / "store"
    plain = replayed(corpus, target, "--no-store")
    poisoned(folder, corpus, target)
    with patch.object(judging, "JUDGED_AGAIN", 1):
        found_out = replayed(corpus, target, "--store", folder)
    assert found_out == (plain[0], WRONG.format(folder), *plain[2:])
    assert stores.size(folder)[0] == 0


def test_without_the_samples_a_poisoned_store_would_be_believed(corpus, tmp_path):
    """The contrast: the test before is red where nothing is judged again."""
    target, folder = tmp_path / "verdicts", tmp_path / "store"
    poisoned(folder, corpus, target)
    with patch.object(judging, "JUDGED_AGAIN", 1e9):
        assert replayed(corpus, target, "--store", folder) != replayed(corpus, target, "--no-store")


def test_a_store_that_cannot_be_used_ends_the_run_only_if_it_was_demanded(corpus, tmp_path, monkeypatch):
    (tmp_path / "gomboc" / "judged").mkdir(parents=True)
    (tmp_path / "gomboc" / "judged").chmod(0o777)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("GOMBOC_NO_STORE")
    why = f"{default_folder()}: others can write to it; take a folder of your own, with mode 700."
    assert replayed(corpus, tmp_path / "v")[1] == f"gomboc: no store is used: {why}\n"
    words = "replay", corpus, "--output", tmp_path / "w", "--store"
    assert refused(*words, default_folder()) == f"gomboc: {why}\n"
    assert refused(*words, tmp_path / "s", "--no-store") == "gomboc: Give --store or --no-store.\n"
    assert refused(*words[:-1], "--store-limit", 1, "--no-store") == "gomboc: Give --store-limit or --no-store.\n"


def test_the_store_says_how_large_it_is_and_forgets(corpus, tmp_path):
    folder = tmp_path / "store"
    for _ in range(2):
        replayed(corpus, tmp_path / "v", "--store", folder)
    out = gomboc("store", folder).out
    assert out.startswith(f"{folder}: ")
    assert " values and steps found so far." in out
    assert not out.endswith(" 0 values and steps found so far.\n")
    assert gomboc("store", folder, "--clear").out == f"{folder}: 0 files, 0 bytes; 0 values and steps found so far.\n"


@pytest.mark.long
def test_a_run_that_is_killed_leaves_a_store_that_gives_the_same_verdicts(corpus, tmp_path):
    folder, target = tmp_path / "store", tmp_path / "v"
    plain = replayed(corpus, target, "--no-store")
    program = "from gomboc.checker.cli import main; main()"
    words = [sys.executable, "-c", program, "replay", corpus, "--jobs", "1", "--output", tmp_path / "k", "--overwrite"]
    for number in range(4) if THOROUGH else (0, 2):
        run = subprocess.Popen([*map(str, words), "--store", str(folder)], stdout=-3, stderr=-3)
        time.sleep(0.5 + 0.25 * number)
        run.kill()
        run.wait()
    assert replayed(corpus, target, "--store", folder) == plain
