"""Verdicts on whole row groups are taken from a store only as they were written, and a sample of them is made again."""

import hashlib
from unittest.mock import patch

import pyarrow.parquet
import pytest

from gomboc.checker.core.arrow import pa
from gomboc.checker.replay.store import kept as module
from gomboc.checker.replay.store import store as stores
from gomboc.checker.replay.store.kept import Kept, Piece
from gomboc.checker.replay.store.segment import StoreError

NEVER, ALWAYS = 1e9, 1
KEY, UNIT = "c0ffee" * 4, "decade" * 4


def piece(folder, *verdicts):
    made = Piece(UNIT, folder / "verdicts.parquet", len(verdicts))
    pyarrow.parquet.write_table(pa.table({"verdict": list(verdicts)}), made.verdicts)
    return made


def keeping(folder, *verdicts, most=stores.MOST_BYTES):
    """A piece with those verdicts, added to a store; its file is gone again."""
    made = piece(folder, *verdicts)
    Kept(folder / "store", KEY, most).add([made])
    content = made.verdicts.read_bytes()
    made.verdicts.unlink()
    return made, content


def looked_up(folder, made, again=NEVER, key=KEY):
    kept = Kept(folder / "store", key, stores.MOST_BYTES)
    with patch.object(module, "COMPOSED_AGAIN", again):
        kept.reuse([made])
    return kept


@pytest.fixture
def damaged(tmp_path):
    """A piece in a store, and the file of its verdicts there, to be spoiled."""
    made, _ = keeping(tmp_path, "holds")
    return made, *(tmp_path / "store").iterdir()


def reused(folder, made, key=KEY):
    kept = looked_up(folder, made, key=key)
    assert kept.settle()
    return kept


def test_verdicts_come_back_byte_for_byte(tmp_path):
    made, content = keeping(tmp_path, "holds", "holds")
    reused(tmp_path, made)
    assert made.verdicts.read_bytes() == content


@pytest.mark.parametrize("verdict", ["violated", "unknown", "unreadable"])
def test_verdicts_are_kept_only_if_every_trace_holds(tmp_path, verdict):
    made, _ = keeping(tmp_path, "holds", verdict)
    reused(tmp_path, made)
    assert not made.verdicts.exists()


def test_verdicts_under_another_key_are_not_taken(tmp_path):
    made, _ = keeping(tmp_path, "holds")
    reused(tmp_path, made, key=KEY[::-1])
    reused(tmp_path, made._replace(key=UNIT[::-1]))
    assert not made.verdicts.exists()


@pytest.mark.parametrize(("low", "high", "more"), [(0, -1, b""), (1, None, b""), (0, 0, b""), (0, None, b" ")])
def test_a_damaged_file_is_not_taken(damaged, tmp_path, low, high, more):
    made, file = damaged
    file.write_bytes(file.read_bytes()[low:high] + more)
    kept = reused(tmp_path, made)
    assert not made.verdicts.exists()
    assert kept.ignored == [f"{file}: the verdicts are damaged."]
    assert not file.exists()


def test_a_folder_in_place_of_verdicts_is_not_taken_and_stays(damaged, tmp_path):
    made, file = damaged
    file.unlink()
    file.mkdir()
    assert reused(tmp_path, made).ignored == [f"{file}: Is a directory."]
    assert (made.verdicts.exists(), file.is_dir()) == (False, True)


def test_verdicts_that_others_can_write_to_are_not_taken(damaged, tmp_path):
    made, file = damaged
    file.chmod(0o602)
    assert reused(tmp_path, made).ignored == [f"{file}: others can write to it."]
    assert not made.verdicts.exists()


def test_a_sample_is_made_again_and_compared(tmp_path):
    made, _ = keeping(tmp_path, "holds")
    kept = looked_up(tmp_path, made, ALWAYS)
    piece(tmp_path, "holds")
    assert kept.settle()


def test_nothing_is_the_runs_own_before_the_samples_are_compared(tmp_path):
    """A run that is killed before then, and resumed, would take it for verdicts that it has made itself."""
    made, content = keeping(tmp_path, "holds")
    kept = looked_up(tmp_path, made)
    assert not made.verdicts.exists()
    assert kept.settle()
    assert made.verdicts.read_bytes() == content


def test_verdicts_under_the_name_of_others_are_not_taken(damaged, tmp_path):
    made, file = damaged
    other = made._replace(key=UNIT[::-1])
    file.rename(file.with_name(f"{KEY}-{other.key}{stores.VERDICTS}"))
    reused(tmp_path, other)
    assert not made.verdicts.exists()


@pytest.mark.parametrize("verdicts", [b"", b"PAR1", None])
def test_verdicts_on_other_traces_are_not_taken_though_their_checksum_is_right(tmp_path, verdicts):
    made, _ = keeping(tmp_path, "holds", "holds")
    (file,) = (tmp_path / "store").iterdir()
    forged = piece(tmp_path, "holds").verdicts.read_bytes() if verdicts is None else verdicts
    made.verdicts.unlink(missing_ok=True)
    file.write_bytes(hashlib.sha256(file.name.encode() + b"\n" + forged).hexdigest().encode() + b"\n" + forged)
    assert reused(tmp_path, made).ignored == [f"{file}: the verdicts are damaged."]
    assert not made.verdicts.exists()


def test_a_sample_that_differs_voids_all_that_was_reused_and_the_store(tmp_path):
    made, _ = keeping(tmp_path, "holds")
    kept = looked_up(tmp_path, made)
    sampled = Piece("sampled", tmp_path / "sampled.parquet", 1)
    kept._sampled[sampled] = b"as it was"
    sampled.verdicts.write_bytes(b"as it is")
    assert not kept.settle()
    assert not made.verdicts.exists()
    assert not made.unsettled.exists()
    assert list((tmp_path / "store").iterdir()) == []


def test_more_bytes_than_the_store_may_hold_are_not_kept(tmp_path):
    made, _ = keeping(tmp_path, "holds", most=10)
    reused(tmp_path, made)
    assert not made.verdicts.exists()


def test_nothing_is_taken_from_a_folder_that_others_can_write_to(tmp_path):
    keeping(tmp_path, "holds")
    (tmp_path / "store").chmod(0o770)
    with pytest.raises(StoreError, match="others can write to it"):
        Kept(tmp_path / "store", KEY, stores.MOST_BYTES)
